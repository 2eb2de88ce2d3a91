#!/usr/bin/env python3
"""Chapters print and draw the same bytes at any number of threads, in any folder and where a comma is the decimal point.

    determinism.py FOLDER [NN...]    the chapters in FOLDER, all or some, quickly

Measured numbers, after ~, are not compared.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "tools"))
from compare import MEASURED  # noqa: E402

OPTIONS = {"03": ["--state", "0.25,-1.5"], "11": ["--data", "grammar"]}


def german(folder):
    """An environment with decimal commas, or none; the locale is made in `folder` where it is not installed."""
    environment = dict(os.environ, LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8")
    installed = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, check=True).stdout.decode().lower()
    if "de_de.utf" not in installed:
        command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
        if not shutil.which("localedef") or subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode != 0:
            print("skipped: decimal commas; no German locale is here and none can be made (Debian: locales)", flush=True)
            return None
        environment["LOCPATH"] = str(folder)
    point = subprocess.run(["locale", "decimal_point"], env=environment, stdout=subprocess.PIPE, check=True).stdout
    assert point == b",\n", point
    return environment


def run(program, options, out, where, environment=None):
    """What it prints, and the files it writes into `out`."""
    done = subprocess.run([str(program), "--quick", "--out", str(out), *options], cwd=where, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0, (program, options, done.stderr.decode())
    printed = [" ".join(MEASURED.sub("~", line).split()) if "~" in line else line
               for line in done.stdout.decode("utf-8").split("\n")]
    folder = where / out
    return printed, {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def compare(name, how, first, then):
    for a, b in zip(first[0] + [None], then[0] + [None]):
        assert a == b, f"{name}, {how}:\n  {a}\n  {b}"
    assert first[1].keys() == then[1].keys(), (name, how, first[1].keys() ^ then[1].keys())
    for file, data in first[1].items():
        assert data == then[1][file], f"{name}, {how}: {file} differs"


def main():
    folder, numbers = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    programs = [p for p in sorted(folder.glob("[0-9][0-9]_*")) if p.is_file() and (not numbers or p.name[:2] in numbers)]
    assert programs, f"no chapters in {folder}"
    with tempfile.TemporaryDirectory(prefix="lookback ñ ") as temporary:
        here = pathlib.Path(temporary)
        comma = german(here)
        for program in programs:
            options = OPTIONS.get(program.name[:2], [])
            takes = subprocess.run([str(program), "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()

            def again(threads, out, where=pathlib.Path("/"), environment=None):
                more = ["--threads", threads] if re.search(r"--threads\b", takes) else []
                return run(program, options + more, out, where, environment)

            name = program.name
            (here / name).mkdir()
            first = again("1", here / name / "1")
            compare(name, "2 threads", first, again("2", here / name / "2"))
            compare(name, "3 threads, in another folder", first, again("3", pathlib.Path("3"), here / name))
            compare(name, "7 threads" + (comma is not None) * ", with decimal commas", first,
                    again("7", here / name / "7", environment=comma))
            print(f"{name}: {len(first[0])} lines and {len(first[1])} files, the same each time", flush=True)


if __name__ == "__main__":
    main()
