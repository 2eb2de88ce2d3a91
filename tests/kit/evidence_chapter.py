#!/usr/bin/env python3
"""Chapter 11 with a corpus of its own, kept, gone on with and asked; chapter 12 with its models.

    evidence_chapter.py BUILD/examples/11_evidence BUILD/examples/12_alignment
"""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

PROGRAM, ALIGNMENT = sys.argv[1:]


def run(*options, code=0, typed=b"", program=PROGRAM):
    done = subprocess.run([program, *options], input=typed, capture_output=True, check=False)
    assert done.returncode == code, (options, done.returncode, done.stderr.decode())
    return done.stdout.decode(), done.stderr.decode()


def refused(why, *options, code=2, program=PROGRAM):
    out, err = run(*options, code=code, program=program)
    assert why in err and (code == 1 or not out), (why, out, err)


def on_terminal(*options):
    """What both streams say, in the order in which it is said; None where there is no terminal to be had."""
    try:
        terminal, end = pty.openpty()
    except OSError as why:
        print(f"skipped: no terminal here ({why})")
        return None
    text = b""
    with subprocess.Popen([PROGRAM, *options], stdout=end, stderr=end) as program:
        os.close(end)
        try:
            while part := os.read(terminal, 4096):
                text += part
        except OSError:  # how Linux says that it ends
            pass
    os.close(terminal)
    assert program.returncode == 0, text
    return text.decode()


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

        if said := on_terminal(*learn, "--epochs", "1"):
            assert said.index("training will take") < said.index("The largest gradient") < said.index("gru-dot ["), said

        # Kept in a file a model: the same words, and again when nothing is left to do.
        kept = [*learn, "--save", str(here / "m.st"), "--epochs", "3"]
        for more in [], ["--resume"]:
            out, told = run(*kept, *more)
            assert measured(out) == measured(plain)
            assert ("gru-none: finished before" in told) == bool(more), told
        assert {p.name for p in here.glob("*.st")} == {"m-gru-dot.st", "m-gru-none.st"}
        refused('recipe is "note" there and "grammar" here', *kept, "--resume", "--recipe", "grammar", code=1)

        # Sub-words and a beam: the longer its words are to be, the more of them.
        better = ["--data", str(corpus), "--out", str(here / "out"), "--recipe", "subwords", "--epochs", "1", "--beam", "3"]
        assert "with a beam" in run(*better, "--save", str(here / "b.st"))[0]
        asked = ["--load", str(here / "b-all.st"), "--translate", "--out", str(here / "asked")]
        words = [len(run(*asked, "--beam", "3", "--length-penalty", exponent, typed=b"a b c d e f")[0].split())
                 for exponent in ("0", "1.5", "10")]
        assert words[0] < words[1] <= words[2], words

        # A line for each that is piped in, whatever is wrong with it; nothing that a terminal would obey.
        long = b"a " * 501
        out, told = run(*asked, typed=b"a b c\n\nd \xff\nd e\n" + long + b"\n\x1b[31m\nf", code=1)
        lines = out.split("\n")
        assert [bool(line) for line in lines] == [True, False, False, True, False, True, True, False], out
        assert "standard input:3:3: invalid UTF-8 (byte 0xFF" in told and "lines that were not translated: 2" in told, told
        assert "standard input:5: 1002 characters" in told and "\x1b" not in out + told, (out, told)
        assert {p.name for p in (here / "asked").iterdir()} == {f"11-line-{n}.png" for n in (1, 4, 6, 7)}
        assert run(*asked, typed=b"a b c")[0] == lines[0] + "\n"
        given, _ = run("--load", str(here / "m-gru-dot.st"), "--sentence", "a b c", "--out", str(here / "asked"))
        assert given.count("-> ") == 1
        refused("--sentence: 1002 characters", "--load", str(here / "m-gru-dot.st"), "--sentence", long.decode())

        done = subprocess.run([PROGRAM, "--load", str(here / "m-gru-dot.st"), "--translate", "--out", str(here / "asked")],
                              capture_output=True, check=False, preexec_fn=lambda: os.close(0))  # nothing is typed
        assert done.returncode == 0 and not done.stdout, done

        refused("--load says which model", "--translate", "--out", str(here / "out"))
        refused("changes nothing with --load", "--load", str(here / "m-gru-dot.st"), "--translate", "--seed", "2")
        refused("says what to translate", "--load", str(here / "m-gru-dot.st"))
        refused("changes nothing without --beam", *learn, "--length-penalty", "1")
        refused("--length-penalty: -1 is not a number from 0 to 10", *learn, "--beam", "2", "--length-penalty", "-1")
        refused("named twice", *learn, "--models", "gru-dot")
        refused('did you mean "first"?', *learn[:2], *kept[4:], "--resume", "--models", "gru-dot,firs", code=1)

        # Chapter 12 measures a model on words that it has learned, and on no others.
        measure = ["--load", str(here / "m-gru-dot.st"), "--out", str(here / "measured"), "--longest", "7"]
        assert "vocabularies" not in run(*measure, "--data", str(corpus), program=ALIGNMENT)[1]
        refused("it has learned another corpus", *measure, "--data", "grammar", code=1, program=ALIGNMENT)
        (corpus / "test.de").write_text("a b c d x\n" * 8)
        told = run(*measure, "--data", str(corpus), program=ALIGNMENT)[1]
        assert "20 % of the source and 0 % of the target words are not in its vocabularies" in told, told

        # The quick run is long enough to tell attention from none.
        quick = run("--quick", "--data", "grammar", "--models", "gru-additive,gru-none", "--out", str(here / "quick"))[0]
        bleu = {row[0]: float(row[7][1:]) for row in map(str.split, quick.splitlines()) if len(row) > 8 and row[1].isdigit()}
        assert bleu["gru-additive"] > 0.3 and bleu["gru-additive"] > bleu["gru-none"] + 0.1, quick
    print("11_evidence keeps, goes on and answers")


if __name__ == "__main__":
    main()
