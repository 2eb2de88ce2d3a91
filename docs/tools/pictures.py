#!/usr/bin/env python3
"""Every picture img/NN-*.png that a page shows is there, not ignored by git, and written by its chapter.

    pictures.py [WRITTEN...]    folders into which chapters wrote; none: that is not asked
"""
import pathlib
import re
import subprocess
import sys

import pages


def ignored(top, picture):
    try:
        asked = subprocess.run(["git", "-C", str(top), "check-ignore", "-q", str(picture)], stderr=subprocess.DEVNULL)
    except FileNotFoundError:   # no git here
        return False
    return asked.returncode == 0


def problem(top, picture, written):
    name = picture.name
    if not picture.is_file():
        return f"{name} is missing; run ./run record {name[:2]}"
    if ignored(top, picture):
        return f"{name} is ignored by git"
    if written and not any((folder / name).is_file() for folder in written):
        return f"{name} is written by no chapter"
    return None


def main():
    top, problems = pages.root(), []
    written = [pathlib.Path(folder) for folder in pages.arguments()]
    for page in pages.pages(top):
        for number, line in pages.prose(page.read_text(encoding="utf-8")):
            for name in re.findall(r"\bimg/(\d\d-[\w.-]+?\.png)", line):
                found = problem(top, top / "docs/img" / name, written)
                if found:
                    problems.append(f"{page.relative_to(top)}:{number}: {found}")
    return pages.report(problems)


if __name__ == "__main__":
    sys.exit(main())
