#!/usr/bin/env python3
"""A chapter's --save, --resume, --load and Ctrl-C, with the program itself: keep_chapter.py BUILD/examples/08_translate"""
import pathlib
import signal
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
SENTENCE = ["--sentence", "I like my black cat."]


def run(*options, code=0):
    done = subprocess.run([PROGRAM, *options], capture_output=True, check=False)
    assert done.returncode == code, (options, done.returncode, done.stderr.decode())
    return done


def refused(*options, code, why):
    said = run(*options, code=code)
    assert why in said.stderr.decode(), (why, said.stderr.decode())
    assert not said.stdout, said.stdout


def interrupt(*options, line, file):
    """Ctrl-C as soon as so many lines of progress have come: a first one and a line a tenth, of each of two models."""
    with subprocess.Popen([PROGRAM, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        for _ in range(line):
            program.stderr.readline()
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=120)[1].decode()
    assert program.returncode == 130, (program.returncode, said)
    last = said.splitlines()[-1]
    assert f"{file} keeps the run; to go on: " in last and last.endswith(" --resume"), said
    return last.partition("to go on: ")[2]


def main():
    with tempfile.TemporaryDirectory(prefix="lookback ñ ") as folder:
        here = pathlib.Path(folder)

        def options(name, *more, epochs="100"):
            return ["--epochs", epochs, "--out", str(here / ("out " + name)), "--save", str(here / name), *more]

        # A run that nothing disturbs, and what it says without --save.
        plain = run("--epochs", "100", "--out", str(here / "out"), *SENTENCE).stdout
        for threads in "1", "2":
            assert run(*options("whole.st", "--threads", threads, *SENTENCE)).stdout == plain
            assert threads == "1" or whole == [(here / f"whole{part}.st").read_bytes() for part in ("", "-hold-out")]
            whole = [(here / f"whole{part}.st").read_bytes() for part in ("", "-hold-out")]

        # --load: the same words, at once.
        answer = run("--load", str(here / "whole.st"), "--out", str(here / "loaded"), *SENTENCE).stdout
        assert answer.strip() and answer in plain, answer.decode()
        best = run("--load", str(here / "whole-hold-out.st"), "--out", str(here / "loaded"), *SENTENCE)
        assert "the best on validation" in best.stderr.decode(), best.stderr.decode()

        # Ctrl-C at five moments and gone on with, at 1 and 2 threads, ends in the same bytes, words and pictures.
        for threads in "1", "2":
            for line in 1, 4, 8, 14, 18:
                name, file = f"{threads} at {line}", f"{threads} at {line}{'-hold-out' if line > 11 else ''}.st"
                command = interrupt(*options(name + ".st", "--threads", threads, *SENTENCE), line=line, file=file)
                resumed = subprocess.run(command, shell=True, capture_output=True, check=True)
                assert resumed.stdout == plain, name
                assert [(here / f"{name}{part}.st").read_bytes() for part in ("", "-hold-out")] == whole, name
                for picture in (here / "out").iterdir():
                    assert (here / f"out {name}.st" / picture.name).read_bytes() == picture.read_bytes(), picture

        # What is refused, and why. Nothing is printed or trained.
        file = str(here / "whole.st")
        for more, why in ((["--score", "dot"], 'whole.st: score is "additive" there and "dot" here'),
                          (["--heads", "2"], 'whole.st: heads is "1" there and "2" here'),
                          (["--layers", "2"], 'whole.st: layers is "1" there and "2" here'),
                          (["--query", "previous"], 'whole.st: query is "new" there and "previous" here')):
            refused("--load", file, *SENTENCE, *more, code=1, why=why)
            said = run(*options("whole.st", "--resume", *more), code=1).stderr.decode()
            assert why in said, said
        for more, why in ((["--seed", "2"], 'whole.st: seed is "1" there and "2" here'),
                          (["--feed-previous"], 'whole.st: feed-previous is "no" there and "yes" here')):
            said = run(*options("whole.st", "--resume", *more), code=1).stderr.decode()
            assert why in said, said
        said = run(*options("whole.st", "--resume", epochs="60"), code=1).stderr.decode()
        assert "whole.st: 100 steps are done there, more than the 60 of this run" in said, said
        assert (here / "whole.st").read_bytes() == whole[0]
        for more, why in ((["--epochs", "9"], "--epochs changes nothing with --load"),
                          (["--save", str(here / "x")], "--load trains nothing that --save could keep"),
                          (["--resume"], "--resume: --save FILE says what to go on from")):
            refused("--load", file, *SENTENCE, *more, code=2, why=why)
        refused("--load", file, code=2, why="--load: --sentence says what to translate")
        refused("--load", str(here / "none.st"), *SENTENCE, code=1, why="none.st: No such file")

        # Other words in a vocabulary of equal size; other sentences of the same words.
        data = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"
        english, spanish = (data / f"toy.{side}" for side in ("en", "es"))
        english, spanish = english.read_text(encoding="utf-8"), spanish.read_text(encoding="utf-8")
        lines = english.splitlines(keepends=True)
        for other, why in ((english.replace("black", "blaque"), "of source words is"),
                           ("".join(lines[1::-1] + lines[2:]), "whole.st: the training data is")):
            (here / "other.en").write_text(other, encoding="utf-8")
            (here / "other.es").write_text(spanish, encoding="utf-8")
            corpus = f"{here / 'other.en'},{here / 'other.es'}"
            said = run(*options("whole.st", "--resume", "--data", corpus), code=1).stderr.decode()
            assert why in said, said

        # More epochs: the longer run's file.
        run(*options("longer.st", epochs="120"))
        run(*options("whole.st", "--resume", epochs="120"))
        assert (here / "whole.st").read_bytes() == (here / "longer.st").read_bytes()


if __name__ == "__main__":
    main()
