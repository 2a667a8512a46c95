#!/usr/bin/env python3
"""What people write today, in its smallest honest form: Python's fcntl.flock and git. Measured beside `mandate`.

usage: rival.py allows ACTION | rival.py round
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import time


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True)


def front_matter(text):
    lines = text.split("\n")
    end = lines.index("---", 1)
    return dict((key.strip(), value.strip()) for key, _, value in (line.partition(":") for line in lines[1:end]))


def replace(path, text):
    temp = f"{os.path.dirname(path)}/.MANDATE.tmp.{os.getpid()}"
    with open(temp, "x") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return temp


def book(root, record):
    ledger = os.path.join(git("rev-parse", "--git-common-dir").stdout.strip(), "rival.log")
    with open(f"{root}/.MANDATE.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        text = open(record).read()
        keys = front_matter(text)
        used, budget = int(keys.get("review_rounds_used") or 0), keys.get("review_budget")
        if budget and used >= int(budget):
            print("round_authorized=no")
            return 0
        old = f"review_rounds_used: {used}"
        new = text.replace(old, f"review_rounds_used: {used + 1}", 1)
        temp = replace(record, new)
        with open(ledger, "a") as file:
            digest = hashlib.sha1(f"blob {len(new)}\0{new}".encode()).hexdigest()
            file.write(f"{time.time()} round {used + 1} {digest}\n")
            file.flush()
            os.fsync(file.fileno())
        os.rename(temp, record)
        directory = os.open(root, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)
    print(f"round_authorized=yes\nround={used + 1}")
    return 0


def main():
    root = git("rev-parse", "--show-toplevel").stdout.rstrip("\n")
    record = f"{root}/MANDATE.md"
    if os.path.islink(record) or not os.path.isfile(record):
        return 3
    if git("-C", root, "ls-files", "--error-unmatch", "MANDATE.md").returncode == 0:
        return 2
    if sys.argv[1] == "round":
        return book(root, record)
    keys = front_matter(open(record).read())
    for verdict, key in (("denied", "deny"), ("allowed", "allow")):
        if sys.argv[2] in [word.strip() for word in keys.get(key, "").split(",")]:
            print(f"verdict={verdict}")
            return 0 if verdict == "allowed" else 1
    print("verdict=unlisted")
    return 1


sys.exit(main())
