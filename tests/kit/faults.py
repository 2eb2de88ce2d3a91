#!/usr/bin/env python3
"""Faults of the place where a chapter writes, and of its run: faults.py BUILD/examples [--every]

Each line says what was wrong and what the program said. With --every all chapters run on a disk that is full. What this
system or user cannot bring about is skipped, and said."""
import contextlib
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(sys.argv[1])
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
NAMES = sorted(p.name for p in PROGRAMS.iterdir() if p.is_file() and os.access(p, os.X_OK) and p.name[:2].isdigit()) + ["grammar"]
ROOT = os.geteuid() == 0
LONG = "n" * 255


def run(name, *options, **more):
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 600, **more}
    return subprocess.run([PROGRAMS / name, *map(str, options)], check=False, **more)


def told(fault, said):
    print(f"{fault:40} {said}", flush=True)


def refused(fault, name, *options, why, code=1, out=b"", **more):
    """One line that holds `why` and ends the message, and nothing on stdout."""
    done = run(name, *options, **more)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == code and lines and why in lines[-1], (fault, name, done)
    assert out is None or (done.stdout == out and len(lines) == 1), (fault, name, done)
    told(fault, lines[-1])


def whole(picture):
    data = picture.read_bytes()
    return data.startswith(b"\x89PNG") and data[-8:-4] == b"IEND"


def nothing_half(folder):
    assert not list(folder.glob(".lookback-*")), folder
    assert all(whole(p) for p in folder.glob("*.png")), folder


def small_files():
    """In the child: no file longer than 2000 bytes, which is how a full disk looks from inside."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


@contextlib.contextmanager
def disk(folder, options):
    """A disk of its own, where this user may mount one."""
    folder.mkdir()
    mounted = ROOT and subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=False,
                                      stderr=subprocess.DEVNULL).returncode == 0
    if not mounted:
        print(f"skipped: no disk can be mounted here ({options})")
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)


def places(here):
    """--out, of every chapter, before it computes anything."""
    file = here / "a file"
    file.write_bytes(b"kept")
    closed = here / "closed"
    closed.mkdir()
    for name in NAMES:
        refused("a file in the folder's place", name, "--out", file, why=f"cannot make folder {file}: Not a directory")
        refused("a file above the folder", name, "--out", file / "a/b", why=f"{file / 'a/b'}: Not a directory")
        refused("a name of 256 bytes", name, "--out", here / (LONG + "n"), why="n: File name too long")
        refused("no name", name, "--out", "", why="--out: a folder needs a name", code=2)
        if pathlib.Path("/proc").is_dir():
            refused("a place for no folders", name, "--out", "/proc/none", why="cannot make folder /proc/none: ")
        if not ROOT:
            closed.chmod(0o555)
            refused("a read-only folder", name, "--out", closed, why=f"cannot write in folder {closed}: Permission denied")
    assert file.read_bytes() == b"kept" and not list(closed.iterdir())
    with disk(here / "read only", "ro,size=64k") as mounted:
        if mounted:
            for name in NAMES:
                refused("a read-only disk", name, "--out", here / "read only", why="read only: Read-only file system")
    with disk(here / "full", "size=16k") as mounted:
        if mounted:
            (here / "full/old").write_bytes(bytes(16384))
            for name in NAMES:
                refused("a full disk", name, "--out", here / "full", why="full: No space left on device")


def streams(here):
    """stdin, stdout and stderr closed or on a full disk."""
    full = pathlib.Path("/dev/full")
    for name in NAMES:
        if full.exists():
            with full.open("wb") as nowhere:
                refused("stdout full, --help", name, "--help", why="standard output: No space left on device", stdout=nowhere, out=None)
                assert run(name, "--none", stderr=nowhere).returncode == 2, name
        for closed in ([2], [0, 1, 2]):
            assert run(name, "--none", preexec_fn=lambda closed=closed: [os.close(n) for n in closed]).returncode == 2, name
    refused("stdout closed", "03_one_step", "--out", here / "closed stdout", why="standard output: Bad file descriptor", out=None,
            preexec_fn=lambda: os.close(1))
    nothing_half(here / "closed stdout")
    if full.exists():
        with full.open("wb") as nowhere:
            for name in "03_one_step", "grammar":
                refused("stdout full", name, "--out", here / "full stdout", why="standard output: No space left on device",
                        stdout=nowhere, out=None)
            refused("stdout full before training", "08_translate", "--out", here / "full stdout", why="standard output: No space left",
                    stdout=nowhere, out=None)
            plain = run("08_translate", "--quick", "--out", here / "plain").stdout
            assert run("08_translate", "--quick", "--out", here / "plain", stderr=nowhere).stdout == plain
            told("stderr full", "08_translate runs to its end, its words are lost")
    assert run("03_one_step", "--out", here / "plain", preexec_fn=lambda: os.close(0)).returncode == 0


def names(here):
    for name in "spaces and ñ é ü Ж", LONG, "a/b/c", "-", "link":
        folder = here / name
        if name == "link":
            folder.symlink_to(here / "a")
        assert run("03_one_step", "--out", folder).returncode == 0, name
        assert len(list(folder.glob("*.png"))) == 4
        nothing_half(folder)
    told("names that are odd but good", "03_one_step draws 4 pictures in each")


def pictures(here):
    """What stands in a picture's place, and a disk that fills up while it is written."""
    out = here / "pictures"
    assert run("03_one_step", "--out", out).returncode == 0
    old = {p: p.read_bytes() for p in out.iterdir()}
    first = out / "03-1-score.png"
    refused("a full disk, seen late", "03_one_step", "--out", out, "--state", "1,1", why=f"cannot write {first}: File too large",
            preexec_fn=small_files, out=None)
    assert old == {p: p.read_bytes() for p in out.iterdir()}

    with disk(here / "small", "size=1m") as mounted:
        if mounted:
            small = pathlib.Path(shutil.copy(first, here / "small"))
            free = os.statvfs(here / "small")
            (here / "small/rest").write_bytes(bytes(free.f_bavail * free.f_bsize - 16384))
            refused("a disk that fills up", "03_one_step", "--out", here / "small", "--state", "1,1", out=None,
                    why=f"cannot write {small}: No space left on device")
            assert small.read_bytes() == old[first]
            nothing_half(here / "small")

    first.unlink()
    first.mkdir()
    refused("a folder in a picture's place", "03_one_step", "--out", out, why=f"cannot write {first}: Is a directory", out=None)
    first.rmdir()
    first.symlink_to(here / "elsewhere.png")
    assert run("03_one_step", "--out", out).returncode == 0
    assert first.is_symlink() and whole(here / "elsewhere.png")
    told("a link to nothing in a picture's place", "03_one_step writes the file it names, and keeps the link")
    first.unlink()
    first.symlink_to(first)
    refused("a link to itself", "03_one_step", "--out", out, why="Too many levels of symbolic links", out=None)
    first.unlink()
    first.write_bytes(b"kept")
    with protected(first) as why:
        if why:
            refused("a picture that may not be changed", "03_one_step", "--out", out, why=f"cannot write {first}: {why}", out=None)
            assert first.read_bytes() == b"kept"


@contextlib.contextmanager
def protected(file):
    """Yields the system's reason for refusing to write the file; root is refused by the immutable bit alone."""
    def immutable(sign):
        return shutil.which("chattr") and subprocess.run(["chattr", sign + "i", file], check=False, stderr=subprocess.DEVNULL).returncode == 0

    if not ROOT:
        file.chmod(0o444)
        yield "Permission denied"
        file.chmod(0o644)
    elif immutable("+"):
        try:
            yield "Operation not permitted"
        finally:
            immutable("-")
    else:
        print("skipped: root may write every file here")
        yield None


def saves(here):
    """--save, which is judged before anything is trained, and survives whatever comes."""
    def learn(save, *options, epochs=2, out="saves"):
        return ["--epochs", epochs, "--out", here / out, "--save", save, *options]

    file = here / "m.st"
    file.write_bytes(b"kept")
    (here / "k-hold-out.st").mkdir()
    for fault, save, why in (("--save names a folder", here, "Is a directory"),
                             ("--save names no file", f"{here}/none/", "Is a directory"),
                             ("--save below a file", file / "m", "Not a directory"),
                             ("--save names a device", "/dev/null", "Operation not supported"),
                             ("--save of 256 bytes", here / (LONG + "n"), "File name too long"),
                             ("--save has no room for -hold-out", here / LONG, "-hold-out: File name too long"),
                             ("a folder in the second file's place", here / "k.st", "k-hold-out.st: Is a directory")):
        refused(fault, "08_translate", *learn(save), why=why)
    with protected(file) as why:
        if why:
            refused("--save names a file not to be changed", "08_translate", *learn(file), why=f"cannot write {file}: {why}")
    assert file.read_bytes() == b"kept"
    assert run("08_translate", *learn(here / LONG, "--hold-out", 0)).returncode == 0
    told("--save of 255 bytes", "08_translate writes it")

    # A disk that is full when the file is written: the old one stays.
    assert run("08_translate", *learn(file, "--hold-out", 0)).returncode == 0
    old = file.read_bytes()
    refused("a disk full at the end of training", "08_translate", *learn(file, "--hold-out", 0, epochs=3), out=None,
            why=f"cannot write {file}: File too large", preexec_fn=small_files)
    assert file.read_bytes() == old

    # Killed while the file is written: it is the old one or the new one.
    assert run("08_translate", *learn(here / "new.st", "--hold-out", 0, epochs=3)).returncode == 0
    new, caught = (here / "new.st").read_bytes(), 0
    folder = here / "killed"
    folder.mkdir()
    for _ in range(10):
        shutil.copy(file, folder / "m.st")
        with subprocess.Popen([PROGRAMS / "08_translate", *map(str, learn(folder / "m.st", "--hold-out", 0, epochs=3))],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
            while program.poll() is None:
                with contextlib.suppress(FileNotFoundError):  # it was faster
                    if any(part.stat().st_size > 100 for part in folder.glob(".lookback-*.part")):
                        program.kill()
        for part in folder.glob(".lookback-*.part"):
            caught += 1
            part.unlink()
        assert (folder / "m.st").read_bytes() in (old, new)
    told("killed in the middle of a save", f"{caught} of 10 times; the file is the old or the new one, whole")

    # SIGTERM, which a job that has to make room gets: kept, and gone on with.
    plain = run("08_translate", "--epochs", 100, "--out", here / "plain").stdout
    with subprocess.Popen([PROGRAMS / "08_translate", *map(str, learn(here / "t.st", epochs=100, out="plain"))],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as program:
        for _ in range(4):
            program.stderr.readline()
        program.send_signal(signal.SIGTERM)
        said = program.communicate()[1].decode().splitlines()[-1]
    assert program.returncode == 130 and "t.st keeps the run; to go on: " in said, (program.returncode, said)
    told("SIGTERM", said)
    assert run("08_translate", *learn(here / "t.st", "--resume", epochs=100, out="plain")).stdout == plain

    # Asked with --load: pages and pictures.
    page = here / "asked/08-sentence-1.html"
    page.mkdir(parents=True)
    refused("a folder in a page's place", "08_translate", "--load", here / "t.st", "--sentence", "I see her.", "--html", "--out", here / "asked",
            why=f"cannot write {page}: Is a directory", out=None)
    refused("--load names a folder", "08_translate", "--load", here, "--sentence", "a", "--out", here / "asked", why="Is a directory")
    refused("--load names a device", "08_translate", "--load", "/dev/zero", "--sentence", "a", "--out", here / "asked", why="not a file")


def interrupted(here):
    """Without --save a signal ends the run, and no picture is half there."""
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGKILL:
        out = here / f"ended by {number}"
        with subprocess.Popen([PROGRAMS / "08_translate", "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as program:
            program.stderr.readline()
            program.send_signal(number)
        assert program.returncode == -number, (number, program.returncode)
        nothing_half(out)


def every(here):
    """Each chapter draws over old pictures on a full disk: they stay."""
    for name in NAMES[:-1]:
        number = name[:2]
        out = here / number
        out.mkdir()
        for picture in (DOCS / "img").glob(number + "-*.png"):
            shutil.copy(picture, out)
        old = {p: p.read_bytes() for p in out.iterdir()}
        refused("a full disk, seen late", name, "--quick", "--out", out, why=f"cannot write {out}/{number}-", preexec_fn=small_files,
                out=None)
        assert old == {p: p.read_bytes() for p in out.iterdir()}, name


def main():
    os.environ.pop("LOOKBACK_DATA", None)
    with tempfile.TemporaryDirectory(prefix="lookback faults ") as folder:
        for part in [every] if "--every" in sys.argv else [places, streams, names, pictures, saves, interrupted]:
            here = pathlib.Path(folder) / part.__name__
            here.mkdir()
            part(here)


if __name__ == "__main__":
    main()
