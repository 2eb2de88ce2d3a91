#!/usr/bin/env python3
"""Compares a chapter's output with its recording.

    compare.py EXPECTED ACTUAL               two files
    compare.py EXPECTED -- PROGRAM [ARG...]  a file and what the program prints

Words and whole numbers must be the same. A number with a decimal point (or an exponent) may differ by one unit of its
last printed digit, because sums round differently from one processor to the next. A number after ~ is measured and
skipped, and so is "~-", nothing to measure. The amount of space between words does not count: a minus sign that comes
or goes moves a column.
"""
import itertools
import re
import subprocess
import sys

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
MEASURED = re.compile(r"~\s*(?:[-+]?(?:inf|nan|\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?)|-)")
# Not inside a word (h_1, utf8) nor in a longer number. "0.9-0.2" has two numbers: the sign belongs to the second only
# where nothing stands before it.
TOKEN = re.compile(rf"(?<![\w.]){NUMBER}(?![\w])|\s+|\w+|[^\w\s]")
SHOWN = 10


def tokens(line):
    line = MEASURED.sub("~", line)
    return [t for t in TOKEN.findall(line) if not t.isspace()]


def scaled(text):
    """A printed number as (integer, power of ten of its last digit): -1.20e-3 is (-120, -5)."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    return int(whole + fraction), int(exponent or 0) - len(fraction)


def same_word(a, b):
    if a == b:
        return True
    if not (re.fullmatch(NUMBER, a) and re.fullmatch(NUMBER, b)):
        return False
    if not (re.search("[.eE]", a) and re.search("[.eE]", b)):
        return False
    (x, p), (y, q) = scaled(a), scaled(b)
    low = min(p, q)
    return abs(x * 10 ** (p - low) - y * 10 ** (q - low)) <= 10 ** (max(p, q) - low)


def same_line(a, b):
    x, y = tokens(a), tokens(b)
    return len(x) == len(y) and all(map(same_word, x, y))


def differences(expected, actual):
    for number, (a, b) in enumerate(itertools.zip_longest(expected, actual), 1):
        if a is None or b is None or not same_line(a, b):
            yield number, a, b


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def main():
    arguments = sys.argv[1:]
    if len(arguments) >= 3 and arguments[1] == "--":
        done = subprocess.run(arguments[2:], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            print(f"{arguments[2]} ended with exit code {done.returncode}")
            return 1
        actual = done.stdout.decode("utf-8").splitlines()
    elif len(arguments) == 2:
        actual = read(arguments[1])
    else:
        print(__doc__)
        return 2
    found = list(differences(read(arguments[0]), actual))
    for number, a, b in found[:SHOWN]:
        print(f"line {number}")
        print("  expected: " + ("(the output is longer than the recording)" if a is None else a))
        print("  actual:   " + ("(the output ends before)" if b is None else b))
    if len(found) > SHOWN:
        print(f"and {len(found) - SHOWN} more lines differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
