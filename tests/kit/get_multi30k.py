"""The script that fetches Multi30k: what it refuses, and, where the corpus is, that it copies it whole. Without a network."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

script = pathlib.Path(sys.argv[1])
corpus = pathlib.Path(os.environ.get("LOOKBACK_DATA") or script.parent) / "multi30k"


def run(data, *arguments):
    done = subprocess.run([script, *arguments], env={**os.environ, "LOOKBACK_DATA": str(data)}, capture_output=True, text=True)
    return done.returncode, done.stderr


def there(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def check(good, what):
    if not good:
        sys.exit(f"get_multi30k: {what}")


with tempfile.TemporaryDirectory(prefix="lookback ñ ") as work:
    data, source = pathlib.Path(work) / "data", pathlib.Path(work) / "from"
    source.mkdir()
    code, said = run(data, "--form", source)
    check(code == 2 and "--from DIR" in said and not data.exists(), f"another option: {code} {said}")
    code, said = run(data, "--from", source / "none")
    check(code == 2 and "is not a folder" in said, f"no folder: {code} {said}")
    code, said = run(data, "--from", source)
    check(code == 1 and said.count("\n") == 1 and "train.de.gz" in said, f"no file: {code} {said}")
    (source / "train.de.gz").write_bytes(b"another file")
    code, said = run(data, "--from", source)
    check(code == 1 and said.count("\n") == 1 and "its SHA-256 differs" in said, f"another file: {code} {said}")
    check(there(data / "multi30k") == [], f"left behind: {there(data / 'multi30k')}")

    if not corpus.is_dir():
        print("Multi30k is not there: a whole copy was not tried")
        sys.exit(0)
    names = there(corpus)
    for name in names:
        shutil.copyfile(corpus / name, source / name)
    whole = (source / "val.en.gz").read_bytes()
    (source / "val.en.gz").write_bytes(whole[:-1])
    code, said = run(data, "--from", source)
    check(code == 1 and "val.en.gz" in said, f"cut short: {code} {said}")
    check(there(data / "multi30k") == ["train.de.gz", "train.en.gz", "val.de.gz"], "what was right is kept, no more")
    (source / "train.de.gz").unlink()  # it is not asked for again
    (source / "val.en.gz").write_bytes(whole)
    code, said = run(data, "--from", source)
    check(code == 0 and len(there(data / "multi30k")) == 6, f"goes on: {code} {said}")
    check(run(data, "--from", work)[0] == 0, "nothing is left to do")
    (data / "multi30k" / "val.de.gz").write_bytes(b"spoilt")
    check(run(data, "--from", source)[0] == 0, "a spoilt file is fetched anew")
    check(all((data / "multi30k" / name).read_bytes() == (corpus / name).read_bytes() for name in there(data / "multi30k")),
          "not byte for byte")
