#!/usr/bin/env python3
"""Every relative link and picture of a page leads to a file, and every #anchor to a heading, by GitHub's rule."""
import re
import sys
import urllib.parse

import pages

LINK = re.compile(r"""\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)   # [text](target "title"), ![alt](target)
                    | ^\s*\[[^\]^]+\]:\s+<?([^\s>]+)>?          # [name]: target
                    | \b(?:href|src)="([^"]+)"                   # <a href="target">, <img src="target">
                  """, re.X)


def anchors(text):
    """What GitHub calls the headings: lower case, no punctuation, spaces as hyphens, repeated ones numbered."""
    found = set()
    for _, line, language in pages.lines(text):
        if language is not None:
            continue
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
        heading = re.match(r"\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
        if heading:
            words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])   # a link counts by its text
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            name, count = slug, 0
            while name in found:
                count += 1
                name = f"{slug}-{count}"
            found.add(name)
    return found


def problem(top, page, target):
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", target):
        return None   # another site: no test of ours depends on the network
    path, _, anchor = urllib.parse.unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"{target}: no such file"
    if top not in file.parents and file != top:
        return f"{target}: outside the repository"
    if anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
        return f"{target}: no such heading"
    return None


def main():
    top, problems = pages.root(), []
    for page in pages.pages(top):
        for number, line in pages.prose(page.read_text(encoding="utf-8")):
            for match in LINK.finditer(line):
                target = match[1] or match[2] or match[3]
                found = problem(top, page, target)
                if found:
                    problems.append(f"{page.relative_to(top)}:{number}: {found}")
    return pages.report(problems)


if __name__ == "__main__":
    sys.exit(main())
