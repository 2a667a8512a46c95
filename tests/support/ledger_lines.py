"""A ledger, read independently of the program: which bookings stand, and whether every line follows the one before."""

import hashlib
import json

NO_BOOKINGS = {"refused", "unenforced", "ack", "edited", "abandoned", "done", "closed"}


def blob_id(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Lines:
    def __init__(self, data):
        self.raw = data.split(b"\n")
        self.torn = self.raw.pop() != b""
        self.parsed = []
        for line in self.raw:
            try:
                self.parsed.append(json.loads(line))
            except ValueError:
                self.parsed.append({})  # a torn line that was closed

    def events(self, name):
        return [line for line in self.parsed if line.get("event") == name]

    def standing(self):
        """The bookings that nobody took back, oldest first."""
        gone = {line["of"] for line in self.events("abandoned")}
        return [line for line in self.parsed
                if line and line["event"] not in NO_BOOKINGS and line["seq"] not in gone]

    def chain_breaks(self):
        """Lines that do not name the one before; one written without the lock may name an older one."""
        wrong, before = [], b""
        for raw, line in zip(self.raw, self.parsed):
            named = blob_id(before) if before else ""
            if line and line.get("chained", True) and line["prev"] != named:
                wrong.append(raw)
            before = raw
        return wrong


def read(path):
    return Lines(path.read_bytes() if path.exists() else b"")
