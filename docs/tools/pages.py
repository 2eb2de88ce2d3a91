"""What the scripts of this folder share: where the pages are, and their lines without code blocks."""
import pathlib
import re
import sys

FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*(.*?)\s*$")


def root():
    """The repository, or the folder after --root: the scripts' own test makes small ones."""
    if "--root" in sys.argv:
        return pathlib.Path(sys.argv[sys.argv.index("--root") + 1]).resolve()
    return pathlib.Path(__file__).resolve().parents[2]


def arguments():
    """The command line without --root FOLDER."""
    words = sys.argv[1:]
    if "--root" in words:
        at = words.index("--root")
        del words[at:at + 2]
    return words


def pages(top):
    named = [top / "README.md", top / "CONTRIBUTING.md"]
    return [page for page in named if page.exists()] + sorted((top / "docs").glob("*.md"))


def lines(text):
    """(number, line, language) of each line: language is None in prose, "" or a word in and on a fence."""
    fence, language = None, None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if match and fence is None:
            fence, language = match[1], match[2]
            yield number, line, language
        elif match and match[1].startswith(fence) and not match[2]:
            yield number, line, language
            fence, language = None, None
        else:
            yield number, line, language


def prose(text):
    """(number, line) outside code blocks, with inline code blanked."""
    for number, line, language in lines(text):
        if language is None:
            yield number, re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)


def report(problems):
    """Prints the problems; the exit code."""
    for problem in problems:
        print(problem)
    return 1 if problems else 0
