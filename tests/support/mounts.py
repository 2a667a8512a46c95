"""File systems for a test, in a mount namespace of its own: whatever becomes of the test, no mount stays behind.

`skip` says in one place why something was not tried; `finish` makes the whole a skip (77) when nothing was.
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

NOT_APPLICABLE = 77
PASSTHROUGH = os.path.abspath(os.environ["MANDATE_PASSTHROUGH"]) if os.environ.get("MANDATE_PASSTHROUGH") else ""

tried = 0


class Skipped(Exception):
    """This part cannot be tried here, and why."""


def private_namespace():
    """Starts this program again in a mount namespace of its own; None there, else why that is not possible."""
    if os.environ.get("MANDATE_TEST_NAMESPACE"):
        return None
    unshare = ["unshare", "--mount", "--propagation", "private"] + ([] if os.getuid() == 0 else ["--map-root-user"])
    probe = subprocess.run([*unshare, "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        return f"no mount namespace of its own ({probe.stderr.strip()})"
    os.execvpe("unshare", [*unshare, sys.executable, *sys.argv], os.environ | {"MANDATE_TEST_NAMESPACE": "1"})


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"'{' '.join(map(str, words))}': {done.stderr.strip()}")


@contextlib.contextmanager
def mounted(place, *words):
    """`mount WORDS place` for the length of a block."""
    pathlib.Path(place).mkdir(exist_ok=True)
    run("mount", *words, place)
    try:
        yield pathlib.Path(place)
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@contextlib.contextmanager
def tmpfs(options="size=64m"):
    with folder() as place, mounted(place, "-t", "tmpfs", "-o", options, "tmpfs") as root:
        yield root


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="mandate-fault-", ignore_cleanup_errors=True) as place:
        yield pathlib.Path(place)


@contextlib.contextmanager
def fuse(backing, place, *options):
    """The passthrough file system over `backing`, at `place`."""
    if not PASSTHROUGH:
        raise Skipped("built without libfuse3, so there is no FUSE file system to try")
    if not os.path.exists("/dev/fuse"):
        raise Skipped("no /dev/fuse")
    pathlib.Path(place).mkdir(exist_ok=True)
    daemon = subprocess.Popen([PASSTHROUGH, backing, place, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd="/")
    try:
        if daemon.stdout.readline() != "mounted\n":
            raise Skipped(f"FUSE cannot be mounted: {daemon.communicate()[1].strip()}")
        yield pathlib.Path(place)
    finally:
        subprocess.run(["umount", "--lazy", place], capture_output=True)
        try:
            daemon.wait(timeout=10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()


def part(case):
    global tried
    try:
        said = case()
    except Skipped as why:
        print(f"SKIPPED {case.__name__}: {why}", flush=True)
        return
    tried += 1
    print("ok", case.__name__ + (f": {said}" if said else ""), flush=True)


def finish():
    if not tried:
        print("SKIPPED: nothing could be tried")
        sys.exit(NOT_APPLICABLE)
