#!/usr/bin/env python3
"""`cpack -G DEB`: its fields, its tree, lintian without errors and warnings, and the program in it at work."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from package_support import BUILD, check, check_tree, check_works, version


def output(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def main():
    if shutil.which("dpkg-deb") is None:
        print("skipped: dpkg-deb is not installed")
        sys.exit(77)
    static = os.environ["MANDATE_LINK"] == "static"
    with tempfile.TemporaryDirectory(prefix="mandate-deb-") as scratch:
        here = pathlib.Path(scratch)
        output("cpack", "--config", str(BUILD / "CPackConfig.cmake"), "-G", "DEB", "-B", str(here / "made"), cwd=here)
        package, = (here / "made").glob("*.deb")
        architecture = output("dpkg", "--print-architecture").strip()
        check(package.name == f"mandate_{version()}-1_{architecture}.deb", "the file is named as dpkg names it", package.name)
        check(output("dpkg-deb", "--field", str(package), "Version").strip() == f"{version()}-1", "so is the version")
        depends = output("dpkg-deb", "--field", str(package), "Depends").strip()
        if static:
            check(depends == "", "one static file depends on nothing", depends)
        else:
            check("libc6 (>= " in depends and "libgit2-" in depends, "the libraries' packages are named", depends)

        output("dpkg-deb", "--extract", str(package), str(here / "unpacked"))
        usr = here / "unpacked/usr"
        check_tree(usr, debian=True)
        check_works(usr)
        changes = gzip.open(usr / "share/doc/mandate/changelog.Debian.gz", "rt").read()
        check(re.match(rf"mandate \({re.escape(version())}-1\) ", changes), "the change log begins with the version", changes)
        page = gzip.open(usr / "share/man/man1/mandate.1.gz", "rt").read()
        check(f".Os mandate {version()}\n" in page, "the page carries the version")

        if shutil.which("lintian") is None:
            print("built, unpacked, at work; lintian is not installed, so it was not asked")
            sys.exit(77)
        asked = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", str(package)], capture_output=True, text=True)
        check(asked.returncode == 0, "lintian has no error and no warning", asked.stdout + asked.stderr)
        print(f"built, unpacked, at work; lintian:\n{asked.stdout or 'nothing'}")


if __name__ == "__main__":
    main()
