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
    functions = f"share/zsh/{'vendor-completions' if debian else 'site-functions'}"
    tree = {
        "bin/mandate": None,
        "bin/git-mandate": "mandate",
        page.format("mandate"): None,
        page.format("git-mandate"): pathlib.PurePath(page.format("mandate")).name,
        "share/bash-completion/completions/mandate": None,
        "share/bash-completion/completions/git-mandate": "mandate",
        f"{functions}/_mandate": None,
        f"{functions}/_git-mandate": "_mandate",
        "share/fish/vendor_completions.d/mandate.fish": None,
        "share/fish/vendor_completions.d/git-mandate.fish": "mandate.fish",
        "share/fish/vendor_conf.d/git-mandate.fish": "../vendor_completions.d/mandate.fish",
        "share/doc/mandate/README.md": None,
    }
    tree |= {f"share/mandate/hooks/{name}": None for name in HOOKS}
    tree |= {f"share/doc/mandate/{path.name}": None for path in (ROOT / "docs").glob("*.md")}
    names = ("copyright", "changelog.gz", "changelog.Debian.gz") if debian else ("copyright", "CHANGELOG.md", "LICENSE")
    tree |= {f"share/doc/mandate/{name}": None for name in names}
    if debian:
        tree["share/lintian/overrides/mandate"] = None
    return tree


def check_licences(prefix):
    """What anyone who passes the program on has to know: its own licence word for word, and whose code is in it."""
    paragraphs = (prefix / "share/doc/mandate/copyright").read_text().split("\n\n")
    licences = {}
    for paragraph in paragraphs:
        if found := re.match(r"License: (.+)\n((?: .+\n?)+)$", paragraph):
            licences[found[1]] = found[2]
    lines = (ROOT / "LICENSE").read_text().split("\n\n", 1)
    holder, text = lines[1].split("\n\n", 1)
    own = "\n".join(line[1:] for line in licences["Expat"].splitlines()).replace("\n.\n", "\n\n")
    check(own.strip() == text.strip(), "the licence of the package is that of LICENSE", own)
    check(f"Files: *\n{holder.replace(' (c)', ':')}\nLicense: Expat" in paragraphs, "with its holder", paragraphs[1])
    linked = {found[1]: paragraph for paragraph in paragraphs if (found := re.match(r"Files: linked/([^/]+)/\*\n", paragraph))}
    wanted = {"cli11", "nlohmann-json", "toml11", "tl-expected", "libgit2", "mbedtls", "http-parser", "pcre2", "zlib", "glibc", "gcc"}
    check(linked.keys() == wanted, "every library that is linked is named", linked.keys() ^ wanted)
    for name, paragraph in linked.items():
        licence = re.search(r"^License: (.+)$", paragraph, re.M)[1]
        check("\nCopyright: " in paragraph and licence in licences, "with holder and licence", f"{name}: {licence}")


def check_tree(prefix, debian=False):
    """Exactly these files, links that lead to them, modes as they must be; and no path of the build in a text."""
    found = {str(path.relative_to(prefix)): os.readlink(path) if path.is_symlink() else None
             for path in prefix.rglob("*") if path.is_symlink() or not path.is_dir()}
    wanted = wanted_tree(debian)
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
    check_licences(prefix)


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
