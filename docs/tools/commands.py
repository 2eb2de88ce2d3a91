#!/usr/bin/env python3
"""Every command that a page gives exists: verbs and chapters of ./run with the options that they take, presets, scripts.

    commands.py BUILD    the folder with the chapters built

A command is what a line of an indented block or an inline `code` begins with. It ends at two spaces, at "&&" or ";".
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

import pages

INLINE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
SCRIPT = re.compile(r"(\./run|\.ci/run|(?:docs|tests|examples)/[\w/.-]+\.(?:sh|py))(?=\s|$)")


def commands(text):
    """(number, command) of each."""
    for number, line, language in pages.lines(text):
        if language is not None:
            continue
        block = line.startswith("    ")
        for code in [line.strip()] if block else [match[2].strip() for match in INLINE.finditer(line)]:
            for command in re.split(r"\s*(?:&&|;|\s\s)\s*", code):
                if SCRIPT.match(command) or re.match(r"(cmake|ctest) (--build )?--preset ", command):
                    yield number, command


def taken(program):
    """The options that a chapter lists under --help."""
    done = subprocess.run([str(program), "--help"], stdout=subprocess.PIPE, check=True)
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", done.stdout.decode("utf-8")))


def chapter_problem(build, number, options):
    programs = [p for p in (build / "examples").glob(f"{int(number):02}_*") if p.is_file() and not p.suffix]
    if not programs:
        return f"there is no chapter {number}"
    names = {option.partition("=")[0] for option in options if re.match(r"--?[a-z]", option)}
    unknown = sorted(names - taken(programs[0]))
    return f"{programs[0].name} does not take {', '.join(unknown)}" if unknown else None


def problem(top, build, command):
    try:
        words = shlex.split(command)
    except ValueError as error:
        return str(error)
    if words[0] in ("cmake", "ctest"):
        known = {p["name"] for p in json.loads((top / "CMakePresets.json").read_text())["configurePresets"]}
        name = words[words.index("--preset") + 1]
        return None if name in known else f"there is no preset {name}"
    if not (top / words[0]).is_file():
        return "no such file"
    if words[0] != "./run" or len(words) == 1:
        return None
    if re.fullmatch(r"\d\d?", words[1]):
        return chapter_problem(build, words[1], words[2:])
    verbs = re.findall(r"^\./run ([a-z]+)", (top / "run").read_text(encoding="utf-8"), re.M)
    return None if words[1] in verbs + ["NN"] else f"./run has no verb {words[1]}"


def main():
    top, problems = pages.root(), []
    build = pathlib.Path(pages.arguments()[0]).resolve()
    for page in pages.pages(top):
        for number, command in commands(page.read_text(encoding="utf-8")):
            found = problem(top, build, command)
            if found:
                problems.append(f"{page.relative_to(top)}:{number}: {command}: {found}")
    return pages.report(problems)


if __name__ == "__main__":
    sys.exit(main())
