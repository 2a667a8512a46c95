"""What a booking asks of the kernel: no child, close-on-exec on every open, and the order of the syncs."""

import re

from fault_support import check, lane


def trace(here, *words):
    log = here.root / "trace"
    answer = here.run(*words, prefix=("strace", "-f", "-y", "-s", "4096", "-o", str(log)))
    check(answer.exit == 0, "the booking works under strace", answer)
    lines = [re.sub(r"^\d+\s+", "", line) for line in log.read_text().splitlines()]
    return [line for line in lines if not line.startswith(("+++", "---", "execve("))]


def position(lines, pattern, after=-1):
    for n, line in enumerate(lines):
        if n > after and re.search(pattern, line):
            return n
    check(False, f"there is a call {pattern}", "\n".join(lines))


def main():
    with lane() as here:
        for words in (("round",), ("reviewed", "--findings", "1"), ("init", "--force", "--preset", "standard", "task=t", "authorized_by=me")):
            lines = trace(here, *words)
            for line in lines:
                check(not re.match(r"(clone|clone3|fork|vfork|execve)\(", line), "nothing is forked or executed", line)
                if re.match(r"(openat|open|openat2)\(", line) and "ENOENT" not in line:
                    check("O_CLOEXEC" in line, "every open is close-on-exec", line)
                check(not re.match(r"(chmod|fchmodat|chown|lchown|fchownat)\(", line), "mode and owner only by descriptor", line)
                check(not re.match(r"(unlink|unlinkat|truncate|ftruncate|write)\(.*MANDATE\.lock", line), "the lock is never touched", line)
            locked = position(lines, r"^flock\(\d+<[^>]*\.MANDATE\.lock>, LOCK_EX")
            made = position(lines, r"^openat\(.*\.MANDATE\.tmp\..*O_EXCL", locked)
            check("O_NOFOLLOW" in lines[made], "the temporary file is opened O_NOFOLLOW", lines[made])
            synced = position(lines, r"^fsync\(\d+<[^>]*\.MANDATE\.tmp\.", made)
            booked = position(lines, r"^write\(\d+<[^>]*w\.jsonl>", synced)
            on_disk = position(lines, r"^(fsync|fdatasync)\(\d+<[^>]*w\.jsonl>", booked)
            renamed = position(lines, r"^renameat2?\(.*\.MANDATE\.tmp\..*\"MANDATE\.md\"", on_disk)
            durable = position(lines, rf"^fsync\(\d+<{re.escape(str(here.path))}>\)", renamed)
            position(lines, r"^write\(\d+<[^>]*w\.jsonl>.*\\\"event\\\":\\\"done\\\"", durable)
            print("ok", words[0], f"{len(lines)} calls")


main()
