#!/usr/bin/env python3
"""`report --format markdown` with hostile texts, read by a Markdown program of a forge: one table, and the texts inert."""

import html.parser
import shutil
import subprocess
import sys

from fault_support import check, lane

HOSTILE = [
    "a|b||c", "| x | y |", r"back\|slash", "\\", "trailing\\", "`", "``", "a`b``c```d", "` x `", "`|`", "@someone please",
    "<script>alert(1)</script>", "<!-- ", "</td></tr></table><h1>x", "# heading", "[x](http://example.org)", "![i](http://x/y)",
    "http://example.org www.example.org a@example.org", "#123 GH-1", "**bold** ~~gone~~ _x_", "&lt;b&gt; &#64;x", "---", "- [ ] x",
    ":+1:", "$x^2$", "| --- |", "x" * 200, "\u202e", "é漢🙂",
]
PLAIN = {"table", "thead", "tbody", "tr", "th", "td", "p", "code"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.rows, self.outside = [], [], ""
        self.stack = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.stack.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.stack.pop()

    def handle_comment(self, data):
        self.tags.append("comment")

    def handle_data(self, data):
        if "td" in self.stack:
            self.rows[-1][-1] += data
        if "code" not in self.stack:
            self.outside += data


def rendered(markdown):
    done = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tasklist"],
                          input=markdown, capture_output=True, text=True, check=True)
    return Page(done.stdout)


def main():
    if shutil.which("cmark-gfm") is None:
        print("skipped: cmark-gfm is not installed")
        sys.exit(77)
    for text in HOSTILE:
        with lane(record=False) as here:
            made = here.run("init", "--preset", "standard", f"task={text}", "authorized_by=me", "review_budget=9")
            shown = text
            if made.exit != 0:  # what a record refuses cannot come here
                check("\u202e" in text or text in ("|", ">"), "the record takes the text", made)
                shown = "t"
                here.run("init", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=9")
            here.run("round")
            if shown == text:
                here.run("reviewed", "--findings", "1", "--by", text)
                here.run("acknowledged", "--by", text, "--reason", text)
            page = rendered(here.run("report", "--format", "markdown").out)
            check(set(page.tags) <= PLAIN, "nothing but a table comes of it", f"{text!r}: {page.tags}")
            check(page.tags.count("table") == 1 and len(page.rows) == 2, "there is one table with one round", page.rows)
            check([len(row) for row in page.rows] == [8, 8], "no text breaks out of its cell", page.rows)
            if shown == text:
                escaped = text.strip().replace("\\", "\\\\")
                check(page.rows[1][6:] == [escaped, escaped], "the text is shown as it is", page.rows[1])
            for mark in ("@", "<", "http", "#1", "**"):
                check(mark not in page.outside, "no text stands outside of a code span", f"{text!r}: {page.outside}")
    print(f"{len(HOSTILE)} texts stay in their cells")


if __name__ == "__main__":
    main()
