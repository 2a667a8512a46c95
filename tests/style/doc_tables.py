#!/usr/bin/env python3
"""Holds the tables of codes in docs/ against those in the sources: the same codes, in the same order, with the same words.

usage: doc_tables.py ROOT        prints each difference; exit 1 if there is any
"""

import re
import sys
from pathlib import Path

TEXT = r'((?:"[^"]*"\s*)+),?\s*'  # adjacent literals are one
TABLES = [
    # (source, an entry of its table, document, heading, the cells that a match stands for)
    ("src/core/ledger_report.cpp", rf'LedgerFaultInfo\{{\s*LedgerFault::\w+,\s*"([a-z-]+)",\s*(true|false),\s*(true|false),\s*{TEXT}\}}',
     "docs/ledger.md", "## What `verify` finds", lambda m: [f"`{m[1]}`", yes(m[2]), yes(m[3]), joined(m[4])]),
    ("src/core/record_lint_list.cpp", rf'LintInfo\{{\s*Lint::\w+,\s*"([a-z-]+)",\s*{TEXT}\}}',
     "docs/record-format.md", "## What `check` finds", lambda m: [f"`{m[1]}`", joined(m[2])]),
]


def yes(flag):
    return "yes" if flag == "true" else "no"


def joined(literals):
    return "".join(re.findall(r'"([^"]*)"', literals))


def rows_of(document, heading):
    section = document.split(f"\n{heading}\n", 1)[-1].split("\n## ", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.split("\n") if line.startswith("| `")]


def main():
    root = Path(sys.argv[1])
    wrong = []
    for source, entry, document, heading, cells in TABLES:
        wanted = [cells(match) for match in re.finditer(entry, (root / source).read_text(encoding="utf-8"))]
        found = rows_of((root / document).read_text(encoding="utf-8"), heading)
        if not wanted:
            wrong.append(f"{source}: no table was found")
        wrong += [f"{document}: missing or different: {row}" for row in wanted if row not in found]
        wrong += [f"{document}: not in {source}: {row}" for row in found if row not in wanted]
        if not wrong and found != wanted:
            wrong.append(f"{document}: the order is not that of {source}")
    print("\n".join(wrong) if wrong else "the tables of the docs are those of the sources")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
