#!/usr/bin/env python3
"""Every picture that a page of docs/ shows as img/NN-*.png is there, and git does not ignore it."""
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


def main():
    top, problems = pages.root(), []
    for page in sorted((top / "docs").glob("*.md")):
        for number, line in pages.prose(page.read_text(encoding="utf-8")):
            for name in re.findall(r"\bimg/\d\d-[\w.-]+?\.png", line):
                picture = top / "docs" / name
                if not picture.is_file():
                    problems.append(f"{page.relative_to(top)}:{number}: {name} is missing; run ./run record {name[4:6]}")
                elif ignored(top, picture):
                    problems.append(f"{page.relative_to(top)}:{number}: {name} is ignored by git")
    return pages.report(problems)


if __name__ == "__main__":
    sys.exit(main())
