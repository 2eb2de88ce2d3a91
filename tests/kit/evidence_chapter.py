#!/usr/bin/env python3
"""Chapter 11 with a corpus of its own, kept, gone on with and asked: evidence_chapter.py BUILD/examples/11_evidence"""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]


def run(*options, code=0, typed=b""):
    done = subprocess.run([PROGRAM, *options], input=typed, capture_output=True, check=False)
    assert done.returncode == code, (options, done.returncode, done.stderr.decode())
    return done.stdout.decode(), done.stderr.decode()


def refused(why, *options, code=2):
    out, err = run(*options, code=code)
    assert why in err and (code == 1 or not out), (why, out, err)


def measured(text):
    """What a run prints, without the seconds, which are not known of one that was gone on with."""
    return [word for word in text.split() if not re.fullmatch(r"~\d+", word)]


def main():
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        corpus = here / "corpus"
        corpus.mkdir()
        for part, count in ("train", 60), ("val", 8), ("test", 8):
            letters = ["abcdefgh"[i % 8] for i in range(8 + count)]
            sentences = [letters[i:i + 5 + i % 3] for i in range(count)]
            (corpus / f"{part}.de").write_text("".join(" ".join(s) + "\n" for s in sentences))
            (corpus / f"{part}.en").write_text("".join(" ".join(s).upper() + "\n" for s in sentences))

        learn = ["--data", str(corpus), "--models", "gru-dot,gru-none", "--out", str(here / "out")]
        plain, told = run(*learn, "--epochs", "3")
        assert "60 pairs to learn, 8 to choose by, 8 to test" in plain and "training will take about" in told
        assert {p.name for p in (here / "out").iterdir()} == {"11-length.png", "11-epochs.png"}

        # Kept in a file a model: the same words, and again when nothing is left to do.
        kept = [*learn, "--save", str(here / "m.st"), "--epochs", "3"]
        for more in [], ["--resume"]:
            assert measured(run(*kept, *more)[0]) == measured(plain)
        assert {p.name for p in here.glob("*.st")} == {"m-gru-dot.st", "m-gru-none.st"}
        refused("recipe is", *kept, "--resume", "--recipe", "schedule", code=1)

        # Sub-words, a beam, and what is typed: each line is answered, one that is no text is named, and the end is no error.
        better = ["--data", str(corpus), "--out", str(here / "out"), "--recipe", "subwords", "--epochs", "1", "--beam", "3"]
        assert " beam" in run(*better, "--save", str(here / "b.st"))[0]
        asked, told = run("--load", str(here / "b-all.st"), "--translate", "--beam", "2", "--out", str(here / "asked"),
                          typed=b"a b c\n\n\xff\nd e")
        assert asked.count("-> ") == 2 and "invalid UTF-8" in told, (asked, told)
        given, _ = run("--load", str(here / "m-gru-dot.st"), "--sentence", "a b c", "--out", str(here / "asked"))
        assert given.count("-> ") == 1

        refused("--load says which model", "--translate", "--out", str(here / "out"))
        refused("changes nothing with --load", "--load", str(here / "m-gru-dot.st"), "--translate", "--seed", "2")
        refused("says what to translate", "--load", str(here / "m-gru-dot.st"))
        refused("named twice", *learn, "--models", "gru-dot")
        refused('did you mean "first"?', *learn[:2], *kept[4:], "--resume", "--models", "gru-dot,firs", code=1)
    print("11_evidence keeps, goes on and answers")


if __name__ == "__main__":
    main()
