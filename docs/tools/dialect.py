"""GitHub's Markdown, in which the pages are written, as Python-Markdown reads it, which makes the site of them.

Lists are indented by four spaces a level, displayed formulas are blocks of their own, <details> say that Markdown is inside.
The marks of quotes (sync.py) are gone.
"""
import re

import pages

ITEM = re.compile(r"( *)([-*]|\d+\.) +")
FENCE = re.compile(r" *(`{3,}|~{3,})")
MARK = re.compile(r" *<!-- /?(?:snippet|output)\b.*-->$")


def column_of(line):
    return len(line) - len(line.lstrip())


def indented(lines):
    """Four spaces a level, wherever the text of an item began."""
    texts = []                  # of each open item the column where its text begins
    fence, column_of_fence = None, 0
    loose, before = True, ""    # in no item, or in one of more than one block: the next item wants a blank line before it
    for line in lines:
        column = column_of(line)
        if fence:
            yield (" " * 4 * len(texts) + line[min(column, column_of_fence):]).rstrip()
            if line.strip() == fence:
                fence = None
            continue
        while texts and line.strip() and column < texts[-1]:
            texts.pop()
        inside, item = column - (texts[-1] if texts else 0), ITEM.match(line)
        code = inside >= 4      # an indented block keeps its indentation
        if item and not code:
            if loose and before.strip():
                yield ""
            texts.append(item.end())
            yield " " * 4 * (len(texts) - 1) + line.lstrip()
            loose = False
        else:
            yield (" " * (4 * len(texts) + (inside if code else 0)) + line.lstrip()).rstrip()
            opening = None if code else FENCE.match(line)
            fence, column_of_fence = opening and opening[1], column
        loose = loose or not line.strip() or not texts
        before = line


def apart(text):
    """A blank line before and after each displayed formula."""
    inside = False
    for _, line, language in pages.lines(text):
        text = line.strip()
        if language is None and text.startswith("$$") and not inside:
            yield ""
        yield line
        if language is None and "$$" in text:
            inside = not inside and not text.endswith("$$")
            if not inside:
                yield ""


def translated(text):
    lines = ["" if MARK.match(line) else line for line in text.splitlines()]
    return "\n".join(apart("\n".join(indented(lines)))).replace("<details>", '<details markdown="1">') + "\n"
