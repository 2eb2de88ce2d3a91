#!/usr/bin/env python3
"""Every ```diff block of a page still fits: the lines it keeps and removes stand in the named file, in that order."""
import re
import sys

import pages


def hunks(block):
    """(path, lines before the change) of each hunk; path None where the file is new."""
    path, before = None, None
    for line in block:
        if line.startswith("--- "):
            path = None if line[4:] == "/dev/null" else re.sub(r"^a/", "", line[4:])
        elif line.startswith("@@"):
            if before is not None:
                yield path, before
            before = []
        elif line.startswith(("diff ", "index ", "+++ ", "new file")):
            if before is not None:
                yield path, before
            before = None
        elif before is not None and line[:1] in (" ", "-", ""):
            before.append(line[1:])
    if before is not None:
        yield path, before


def blocks(text):
    """(number of its first line, lines) of each diff block."""
    block = None
    for number, line, language in pages.lines(text):
        fence = pages.FENCE.match(line)
        if fence and block is None and fence[2] == "diff":
            start, block = number, []
        elif fence and block is not None:
            yield start, block
            block = None
        elif block is not None:
            block.append(line)


def fits(top, path, before):
    if path is None:
        return True
    file = top / path
    if not file.is_file():
        return False
    lines = file.read_text(encoding="utf-8").splitlines()
    return any(lines[i:i + len(before)] == before for i in range(len(lines) - len(before) + 1))


def main():
    top, problems = pages.root(), []
    for page in pages.pages(top):
        for number, block in blocks(page.read_text(encoding="utf-8")):
            found = list(hunks(block))
            if not found:
                problems.append(f"{page.relative_to(top)}:{number}: a diff without a hunk")
            for path, before in found:
                if not fits(top, path, before):
                    problems.append(f"{page.relative_to(top)}:{number}: the diff of {path} does not fit any more")
    return pages.report(problems)


if __name__ == "__main__":
    sys.exit(main())
