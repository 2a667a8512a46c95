"""What the tests of the package share: what a tree must hold, and that it works from where it stands."""

import os
import pathlib
import re
import subprocess
import tempfile

from fault_support import check, environment

BUILD = pathlib.Path(os.environ["MANDATE_BUILD"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
HOOKS = sorted(path.name for path in (ROOT / "hooks").iterdir())


def version():
    """The one place that knows it."""
    return re.search(r"^project\(mandate VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def wanted_tree(debian):
    """{path below the prefix: what a link names, or None}."""
    page = "share/man/man1/{}.1" + (".gz" if debian else "")
    tree = {
        "bin/mandate": None,
        "bin/git-mandate": "mandate",
        page.format("mandate"): None,
        page.format("git-mandate"): pathlib.PurePath(page.format("mandate")).name,
        "share/bash-completion/completions/mandate": None,
        "share/bash-completion/completions/git-mandate": "mandate",
        f"share/zsh/{'vendor-completions' if debian else 'site-functions'}/_mandate": None,
        "share/fish/vendor_completions.d/mandate.fish": None,
        "share/fish/vendor_completions.d/git-mandate.fish": "mandate.fish",
        "share/doc/mandate/README.md": None,
    }
    tree |= {f"share/mandate/hooks/{name}": None for name in HOOKS}
    tree |= {f"share/doc/mandate/{path.name}": None for path in (ROOT / "docs").glob("*.md")}
    tree |= {f"share/doc/mandate/{path.name}": None for pattern in ("LICEN[CS]E*", "COPYING*") for path in ROOT.glob(pattern)}
    if debian:
        tree |= {f"share/doc/mandate/{name}": None for name in ("changelog.gz", "changelog.Debian.gz", "copyright")}
    else:
        tree["share/doc/mandate/CHANGELOG.md"] = None
    return tree


def check_tree(prefix, debian=False, more=()):
    """Exactly these files, links that lead to them, modes as they must be; and no path of the build in a text."""
    found = {str(path.relative_to(prefix)): os.readlink(path) if path.is_symlink() else None
             for path in prefix.rglob("*") if path.is_symlink() or not path.is_dir()}
    wanted = wanted_tree(debian) | dict.fromkeys(more)
    check(found == wanted, "the tree is what it must be",
          f"missing: {sorted(wanted.keys() - found.keys())}\ntoo many: {sorted(found.keys() - wanted.keys())}\n{found}")
    for name, target in found.items():
        path = prefix / name
        check(path.exists(), "no link dangles", f"{name} -> {target}")
        mode = path.stat().st_mode & 0o777
        program = name.startswith(("bin/", "share/mandate/hooks/"))
        check(mode == (0o755 if program else 0o644), "modes are those of programs and of texts", f"{name}: {mode:o}")
        if not program and not name.endswith(".gz"):
            check(str(BUILD).encode() not in path.read_bytes(), "no file names the build's directory", name)


def check_works(prefix):
    """The main job with the programs of that tree, by name and through git, the hooks included."""
    with tempfile.TemporaryDirectory(prefix="mandate-package-") as scratch:
        home = pathlib.Path(scratch)
        env = environment(home) | {"PATH": f"{prefix}/bin:{os.environ['PATH']}", "MANPATH": f"{prefix}/share/man"}

        def run(*words, wanted=0):
            done = subprocess.run(words, cwd=home / "lane", env=env, capture_output=True, text=True, timeout=60)
            check(done.returncode == wanted, f"{' '.join(words)} is exit {wanted}", f"{done.stdout}{done.stderr}")
            return done.stdout

        subprocess.run(["git", "init", "-q", "-b", "task/x", str(home / "lane")], env=env, check=True)
        check(run("mandate", "--version") == f"mandate {version()}\n", "the version is that of the project")
        run("git", "mandate", "init", "--preset", "standard", "task=x", "authorized_by=me")
        check("round_authorized=yes\n" in run("git", "mandate", "round"), "a round can be booked through git")
        check("task=x\n" in run("git", "mandate", "show"), "and is shown")
        check(f"mandate {version()}" in run("man", "git-mandate"), "man finds the page")
        check("git-mandate" in run("git", "help", "--man", "mandate"), "and so does git help")
        run("mandate", "hooks", "install")
        run("git", "commit", "-q", "--allow-empty", "-m", "one")
        hook = (home / "lane/.git/hooks/pre-commit").read_text()
        check(f"{prefix.resolve()}/bin/mandate" in hook, "the hooks name the program where it stands", hook)
        run("git", "mandate", "allows", "merge", wanted=1)
