#!/usr/bin/env python3
"""`cmake --install` with DESTDIR, and the tarball: the whole tree, and that it works wherever it stands."""

import os
import pathlib
import subprocess
import tempfile

from package_support import BUILD, check, check_tree, check_works, version


def main():
    with tempfile.TemporaryDirectory(prefix="mandate-install-") as scratch:
        here = pathlib.Path(scratch)
        subprocess.run(["cmake", "--install", str(BUILD), "--prefix", "/opt/mandate"], check=True, capture_output=True,
                       env=os.environ | {"DESTDIR": str(here / "staged")})
        check([path.name for path in (here / "staged").iterdir()] == ["opt"], "DESTDIR is honoured")
        check_tree(here / "staged/opt/mandate")
        check_works(here / "staged/opt/mandate")

        subprocess.run(["cpack", "--config", str(BUILD / "CPackConfig.cmake"), "-G", "TGZ", "-B", str(here / "made")],
                       check=True, capture_output=True, cwd=here)
        tarball, = (here / "made").glob("*.tar.gz")
        check(tarball.name.startswith(f"mandate-{version()}-"), "the tarball carries the version", tarball.name)
        subprocess.run(["tar", "-xzf", str(tarball), "-C", str(here)], check=True)
        (here / tarball.name.removesuffix(".tar.gz")).rename(here / "moved somewhere")
        check_tree(here / "moved somewhere")
        check_works(here / "moved somewhere")
    print("installed with DESTDIR, and unpacked from the tarball: whole, and at work")


if __name__ == "__main__":
    main()
