#!/usr/bin/env python3
"""Proves that layers.py can fail: plants one breach at a time in a copy of src/ and expects it to be named.

usage: layers_can_fail.py SRC
"""

import shutil
import sys
import tempfile
from pathlib import Path

import layers

PLANTED = [
    ("base/planted.cpp", '#include "os/fd.hpp"\n'),
    ("base/planted.cpp", "#include <unistd.h>\n"),
    ("base/planted.hpp", "#include <nlohmann/json.hpp>\n"),
    ("os/planted.cpp", '#include "core/record.hpp"\n'),
    ("os/planted.cpp", "#include <git2.h>\n"),
    ("git/planted.cpp", '#include "os/file.hpp"\n'),
    ("git/planted.cpp", "#include <sys/stat.h>\n"),
    ("core/planted.cpp", '#include "git/repository.hpp"\n'),
    ("core/planted.cpp", "#include <toml.hpp>\n"),
    ("core/planted.cpp", "#include <fcntl.h>\n"),
    ("app/planted.cpp", '#include "cli/app.hpp"\n'),
    ("app/planted.cpp", "  #  include <git2/repository.h>\n"),
    ("app/planted.cpp", "#include <CLI/CLI.hpp>\n"),
    ("app/planted.cpp", "#include <signal.h>\n"),
    ("cli/commands/planted.cpp", '#include "git/repository.hpp"\n'),
    ("cli/planted.cpp", '#include "os/file.hpp"\n'),
    ("cli/planted.cpp", "#include <toml11/toml.hpp>\n"),
    ("cli/planted.cpp", "#include <iostream>\n"),
    ("main.cpp", '#include "app/booking.hpp"\n'),
    ("extra/planted.cpp", "\n"),
    ("core/planted.cpp", "\n" * 401),
]

ALLOWED = [
    ("base/planted.hpp", "#include <tl/expected.hpp>\n#include <string>\n"),
    ("os/planted.cpp", '#include "base/text.hpp"\n#include <sys/file.h>\n#include <unistd.h>\n'),
    ("git/planted.cpp", "#include <git2.h>\n"),
    ("core/config_planted.cpp", "#include <toml.hpp>\n"),
    ("app/planted.cpp", '#include "git/repository.hpp"\n#include "core/record.hpp"\n'),
    ("cli/planted.cpp", "#include <CLI/CLI.hpp>\n#include <nlohmann/json.hpp>\n"),
    ("core/planted.cpp", "\n" * 400),
]


def found_with(source, name, text):
    """The breaches that the planted text adds."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "src"
        shutil.copytree(source, copy)
        file = copy / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return [line for line in layers.breaches(copy) if line.startswith(f"{file}:")]


def main():
    source = Path(sys.argv[1])
    wrong = [f"not found: {name}: {text.strip()!r}" for name, text in PLANTED if len(found_with(source, name, text)) != 1]
    wrong += [f"wrongly found: {name}: {text!r}" for name, text in ALLOWED if found_with(source, name, text)]
    print("\n".join(wrong) if wrong else f"{len(PLANTED)} planted breaches found, {len(ALLOWED)} good files passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
