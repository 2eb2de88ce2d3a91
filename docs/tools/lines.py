#!/usr/bin/env python3
"""The line budget: lines of .hpp and .cpp that are neither blank nor comment only. Over it, cut before you add."""
import re
import sys

import pages

# What is counted, its budget, and what of it is counted elsewhere.
BUDGET = [
    ("core", 2250, ["core/kernels"]),  # 1500; files, UTF-8, names, pool; gradients assigned or added, loops dealt out
    ("core/kernels", 1500, []),
    ("nn", 1450, []),
    ("attention", 1430, ["attention/draw"]),  # pictures and pages are another idea than models: they count for themselves
    ("attention/draw", 965, []),
    ("examples/kit", 2930, ["examples/kit/figures", "examples/kit/grammar", "examples/kit/text"]),  # models, training, measures of what they learn
    ("examples/kit/figures", 1600, []),  # one figure a chapter, read by nobody who only wants the model
    ("examples/kit/text", 1370, []),  # no tensor inside: files, words, sub-words, options
    ("examples/kit/grammar", 1750, []),  # two languages: a line a word, and rules that share nothing with a model
    ("docs/live", 220, []),  # the engine as a page sees it
]
CHAPTER = 150

# Strings first, so that // and /* inside them are no comments.
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)


def count(file):
    def keep(match):
        return match[0] if match[0][0] in "\"'" else re.sub(r"[^\n]+", "", match[0])

    code = STRING_OR_COMMENT.sub(keep, file.read_text(encoding="utf-8"))
    return sum(1 for line in code.splitlines() if line.strip())


def folder(top, name, without):
    files = [f for f in (top / name).rglob("*") if f.suffix in (".hpp", ".cpp")]
    return sum(count(f) for f in files if not any(top / other in f.parents for other in without))


def main():
    top = pages.root()
    rows = [(" without ".join([name] + [other.rpartition("/")[2] for other in without]), folder(top, name, without), limit)
            for name, limit, without in BUDGET]
    rows += [(f"examples/{f.name}", count(f), CHAPTER) for f in sorted((top / "examples").glob("[0-9][0-9]_*.cpp"))]
    width = max(len(name) for name, _, _ in rows)
    over = [name for name, lines, limit in rows if lines > limit]
    for name, lines, limit in rows:
        print(f"{name:{width}} {lines:5} of {limit:5}" + ("   OVER" if name in over else ""))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
