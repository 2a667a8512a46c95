"""A disk that keeps only what was synced, and whatever else it likes.

Fed with the traced calls of a program, it yields every state in which a power cut at this moment could leave the disk:

* bytes written to a file and not synced since: any prefix of them (files are only appended to or cut here), or the
  file's new length with zeros where the bytes did not arrive;
* names made, renamed or removed and their directory not synced since: any subset of those operations, in their order.
  fsync of a file does not keep its name.

What cannot be reached by name is gone.
"""

import itertools
import re

HEX = r"((?:\\x[0-9a-f]{2})*)"
FILE = rf"(\d+|AT_FDCWD)<{HEX}>"
CALLS = {
    "openat": re.compile(rf'openat\({FILE}, "{HEX}", ([A-Z_|]+).*\) = \d+<{HEX}>'),
    "write": re.compile(rf'write\({FILE}, "{HEX}", \d+\) = (\d+)'),
    "fsync": re.compile(rf"f(?:data)?sync\({FILE}\) = 0"),
    "renameat": re.compile(rf'renameat\({FILE}, "{HEX}", {FILE}, "{HEX}"\) = 0'),
    "mkdirat": re.compile(rf'mkdirat\({FILE}, "{HEX}", \d+\) = 0'),
    "unlinkat": re.compile(rf'unlinkat\({FILE}, "{HEX}", 0\) = 0'),
    "ftruncate": re.compile(rf"ftruncate\({FILE}, (\d+)\) = 0"),
}
TRACE = "openat,write,fsync,fdatasync,renameat,mkdirat,unlinkat,ftruncate"
# Calls that would change the disk and that the model does not know: the test must fail, not overlook them.
UNKNOWN = "rename,renameat2,mkdir,unlink,rmdir,link,linkat,symlink,symlinkat,truncate,pwrite64,writev,copy_file_range"


def plain(text):
    return bytes.fromhex(text.replace("\\x", ""))


class File:
    def __init__(self, content=b""):
        self.content, self.pending = content, []  # pending: bytes appended, or a length to which it was cut

    def sync(self):
        for change in self.pending:
            self.content = apply(self.content, change)
        self.pending = []

    def variants(self, every_byte):
        found, content = {self.content}, self.content
        for change in self.pending:
            if isinstance(change, bytes):
                size = len(change)
                for cut in range(size + 1) if every_byte else (1, size // 2, size - 1, size):
                    found.add(content + change[:cut])
                for cut in (0, size // 2):
                    found.add(content + change[:cut] + bytes(size - cut))
            content = apply(content, change)
            found.add(content)
        return sorted(found)


class Directory:
    def __init__(self):
        self.names, self.pending = {}, []  # pending: (name that goes or "", name that comes or "", what it stands for)

    def sync(self):
        self.names, self.pending = after(self.names, self.pending), []

    def variants(self):
        for count in range(len(self.pending) + 1):
            for chosen in itertools.combinations(self.pending, count):
                yield after(self.names, chosen)


def apply(content, change):
    return content + change if isinstance(change, bytes) else content[:change]


def after(names, operations):
    names = dict(names)
    for goes, comes, what in operations:
        names.pop(goes, None)
        if comes:
            names[comes] = what
    return names


class Disk:
    """`tree`: a Snapshot's, all of it durable; paths in the trace start with `root`."""

    def __init__(self, root, tree):
        self.root, self.live = str(root) + "/", {"": Directory()}
        for name, what in sorted(tree.items()):
            if what[0] != "l":
                self.live[name] = Directory() if what[0] == "d" else File(what[2])
                parent, _, base = name.rpartition("/")
                self.live[parent].names[base] = self.live[name]

    def inside(self, path):
        path = plain(path).decode()
        return path[len(self.root):] if path.startswith(self.root) else None

    def follow(self, line):
        """Takes one traced call over; what it did: "changed", "synced", "printed" or None."""
        name = re.match(r"(?:\d+\s+)?(\w+)\(", line)
        if name and name[1] in UNKNOWN.split(",") and not re.search(r"= -1 |= \?", line):
            raise ValueError(f"a call that the model does not know: {line}")
        found = CALLS[name[1]].search(line) if name and name[1] in CALLS else None
        return getattr(self, name[1])(*found.groups()) if found else None

    def add(self, directory, base, what):
        self.live[f"{directory}/{base}" if directory else base] = what
        self.live[directory].pending.append(("", base, what))
        return "changed"

    def openat(self, _, __, ___, flags, path):
        path = self.inside(path)
        if path is None or "O_CREAT" not in flags or path in self.live:
            return None
        directory, _, base = path.rpartition("/")
        return self.add(directory, base, File())

    def mkdirat(self, _, directory, base):
        return self.add(self.inside(directory), plain(base).decode(), Directory())

    def write(self, descriptor, path, data, taken):
        if descriptor in "12":
            return "printed" if descriptor == "1" else None
        self.live[self.inside(path)].pending.append(plain(data)[:int(taken)])
        return "changed"

    def ftruncate(self, _, path, size):
        self.live[self.inside(path)].pending.append(int(size))
        return "changed"

    def fsync(self, _, path):
        self.live[self.inside(path)].sync()
        return "synced"

    def renameat(self, _, directory, old, __, into, new):
        directory, into, old, new = self.inside(directory), self.inside(into), plain(old).decode(), plain(new).decode()
        assert directory == into, "the model renames within a directory"
        self.live[f"{into}/{new}"] = what = self.live.pop(f"{directory}/{old}")
        self.live[into].pending.append((old, new, what))
        return "changed"

    def unlinkat(self, _, directory, base):
        directory, base = self.inside(directory), plain(base).decode()
        self.live.pop(f"{directory}/{base}")
        self.live[directory].pending.append((base, "", None))
        return "changed"

    def states(self, every_byte):
        """Every tree that a power cut could leave now: names, each with its bytes or None for a directory."""
        def grow(directory, prefix):
            for names in directory.variants():
                choices = []
                for base, what in sorted(names.items()):
                    path = prefix + base
                    if isinstance(what, Directory):
                        choices.append([{path: None} | below for below in grow(what, path + "/")])
                    else:
                        choices.append([{path: content} for content in what.variants(every_byte(path))])
                for chosen in itertools.product(*choices):
                    yield {name: content for part in chosen for name, content in part.items()}
        return grow(self.live[""], "")
