#!/usr/bin/env python3
"""Copies code and recorded output into the pages, so that they cannot disagree.

    sync.py            rewrites the pages in place
    sync.py --check    changes nothing, prints what differs, exit code 1 if anything does

In a source, a region is what stands between the lines  // [attend]  and  // [/attend], in a .py file between  # [attend]
and  # [/attend].  A page quotes it so:

    <!-- snippet: examples/07_attention_decoder.cpp#attend -->
    (written by this script: a link to the file, and the code)
    <!-- /snippet -->

A path without #region is the whole file. Marks inside a list item are indented with it. A page quotes
docs/output/03.txt, from the first line that contains one text up to, not including, the next that contains
another; without them from its start, or to its end:

    <!-- output: 03 from="Step 1" to="Step 2" -->
    (written by this script)
    <!-- /output -->

No other C++ block is allowed in a page: nothing would keep it compiling.
"""
import os
import re
import sys

import pages

QUOTE = re.compile(r"^( *)<!-- (snippet|output): ([^\n]*?) -->\n(.*?)^ *<!-- /\2 -->$", re.S | re.M)
OPENING = re.compile(r"^\s*<!-- /?(snippet|output)\b", re.M)
CPP = {"cpp", "c++", "cc", "cxx", "hpp", "h"}


class Problem(Exception):
    pass


def read(path):
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise Problem(f"no file {path.name} in {path.parent.name}/") from None


def dedent(lines):
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[depth:] for line in lines]


def snippet(top, what):
    match = re.fullmatch(r"([^\s#]+)(?:#([\w-]+))?", what)
    if not match:
        raise Problem("a snippet is named path#region, or path")
    path, region = match.groups()
    language, comment = ("python", "#") if path.endswith(".py") else ("cpp", "//")
    source = [line.rstrip() for line in read(top / path)]
    if region is None:
        return language, without_marks(source)
    marks = [line.strip() for line in source]
    begin, end = f"{comment} [{region}]", f"{comment} [/{region}]"
    if marks.count(begin) != 1 or marks.count(end) != 1:
        raise Problem(f"{path} has {marks.count(begin)} lines {begin} and {marks.count(end)} lines {end}, not one of each")
    inside = source[marks.index(begin) + 1:marks.index(end)]
    return language, dedent(without_marks(inside))


def without_marks(lines):
    return [line for line in lines if not re.fullmatch(r"\s*(//|#) \[/?[\w-]+\]", line)]


def output(top, what):
    match = re.fullmatch(r'(\d\d(?:\.quick)?|[a-z][a-z0-9-]*)(?: from="(.*?)")?(?: to="(.*?)")?', what)
    if not match:
        raise Problem('an output is named NN, NN from="...", NN to="..." or NN from="..." to="..."')
    name, first, last = match.groups()
    lines = read(top / "docs" / "output" / f"{name}.txt")
    if first is not None:
        lines = lines[find(lines, 0, first, name):]
    if last is not None:
        lines = lines[:find(lines, 1, last, name)]
    return "text", lines


def find(lines, start, text, name):
    for i in range(start, len(lines)):
        if text in lines[i]:
            return i
    raise Problem(f'docs/output/{name}.txt has no line with "{text}"' + (" after the first quoted" if start else ""))


def block(top, page, kind, what, indent):
    language, lines = (snippet if kind == "snippet" else output)(top, what)
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    if any(line.startswith("```") for line in lines):
        raise Problem("it contains a line that starts with ```")
    above = []
    if kind == "snippet":   # where the code stands, for readers, who do not see the mark
        path = what.partition("#")[0]
        above = [f"<sub>[{path}]({os.path.relpath(top / path, page.parent)})</sub>", ""]
    return "".join((indent + line).rstrip() + "\n" for line in [*above, f"```{language}", *lines, "```"])


def synced(top, page, problems):
    """The page's text as it should be."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(top)

    def line_of(position):
        return text.count("\n", 0, position) + 1

    def replace(match):
        indent, kind, what, body = match.groups()
        try:
            new = block(top, page, kind, what, indent)
        except Problem as problem:
            problems.append(f"{name}:{line_of(match.start())}: {kind} {what}: {problem}")
            return match[0]
        if new != body and "--check" in sys.argv:
            problems.append(f"{name}:{line_of(match.start())}: {kind} {what} differs from its source; run docs/tools/sync.py")
        return f"{indent}<!-- {kind}: {what} -->\n{new}{indent}<!-- /{kind} -->"

    quoted = set()   # the lines of well-formed quotes
    for match in QUOTE.finditer(text):
        quoted.update(range(line_of(match.start()), line_of(match.end()) + 1))
    for match in OPENING.finditer(text):
        if line_of(match.end()) not in quoted:
            problems.append(f"{name}:{line_of(match.end())}: a {match[1]} mark without its other half")
    previous = None
    for number, _, language in pages.lines(text):
        if language != previous and language and language.split()[0].lower().strip("{}.") in CPP and number not in quoted:
            problems.append(f"{name}:{number}: a C++ block that is not a snippet")
        previous = language
    return text, QUOTE.sub(replace, text)


def main():
    top, problems = pages.root(), []
    for page in pages.pages(top):
        old, new = synced(top, page, problems)
        if new != old and "--check" not in sys.argv:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(top)}: rewritten")
    return pages.report(problems)


if __name__ == "__main__":
    sys.exit(main())
