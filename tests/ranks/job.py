#!/usr/bin/env python3
"""Training on several processes: job.py MPIRUN BUILD/tests/ranks/ranks_losses BUILD/examples/11_evidence"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

MPIRUN, LOSSES, CHAPTER = sys.argv[1:]
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_hwloc_base_binding_policy="none")


def job(*command, ranks=2):
    return subprocess.run([MPIRUN, "-n", str(ranks), *command], capture_output=True, text=True, timeout=600, check=False)


def fails(why, done):
    said = done.stderr.splitlines()
    assert done.returncode != 0 and "rank 1 ends the job:" in said and any(line.startswith(why) for line in said), (why, done)


def main():
    with tempfile.NamedTemporaryFile("w") as said:
        for ranks in 2, 3:
            done = job(LOSSES, ranks=ranks)
            assert done.returncode == 0, done
            said.write(done.stdout)
        said.flush()
        subprocess.run([sys.executable, DOCS / "tools" / "compare.py", DOCS / "output" / "scaling.txt", said.name], check=True)
    alone = job(LOSSES, ranks=1)
    assert alone.returncode == 0 and alone.stdout.count("difference ~0.0e+00") == 5, alone

    # One rank goes wrong: the job ends, and says why and where.
    fails("a fault at step 3", job(LOSSES, "throw"))
    fails("step 3: the loss is nan; training stops", job(LOSSES, "nan"))
    killed = job(LOSSES, "kill")
    assert killed.returncode != 0 and "on signal 9" in killed.stderr, killed
    fails("rank 0: the training data is ", job(LOSSES, "data"))
    fails("rank 0: epoch 3's result is ", job(LOSSES, "weight"))

    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        for corpus, words in ("corpus", "abcdefgh"), ("other", "abcdefgx"):
            (here / corpus).mkdir()
            for part, count in ("train", 600), ("val", 8), ("test", 8):
                sentences = [[words[(i * i + k) % 8] for k in range(3 + i % 5)] for i in range(count)]
                (here / corpus / f"{part}.de").write_text("".join(" ".join(s) + "\n" for s in sentences))
                (here / corpus / f"{part}.en").write_text("".join(" ".join(s).upper() + "\n" for s in sentences))

        def chapter(name, *more, data="corpus", epochs="200"):
            return [CHAPTER, "--data", str(here / data), "--models", "all", "--epochs", epochs, "--threads", "1",
                    "--out", str(here / f"out {name}"), "--save", str(here / f"{name}.st"), *more]

        whole = job(*chapter("whole"))
        assert whole.returncode == 0 and whole.stdout.count("recipe note") == 1, whole
        assert {p.name for p in (here / "out whole").iterdir()} == {"11-length.png", "11-epochs.png"}

        # Interrupted at a tenth of the way, and gone on with: the same file to the bit.
        patient = {**os.environ, "OMPI_MCA_odls_base_sigkill_timeout": "5"}  # one second, if the machine has nothing else to do
        with subprocess.Popen([MPIRUN, "-n", "2", *chapter("stopped")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, env=patient) as mpirun:
            while "/3800 " not in mpirun.stderr.readline():
                pass
            mpirun.send_signal(signal.SIGINT)
            said = mpirun.communicate(timeout=60)[1]
        assert mpirun.returncode != 0 and "keeps the run; to go on: " in said, (mpirun.returncode, said)
        done = job(*chapter("stopped", "--resume"))
        assert done.returncode == 0, done
        assert (here / "stopped-all.st").read_bytes() == (here / "whole-all.st").read_bytes()

        two = job(*chapter("two"), ":", "-n", "1", *chapter("two", data="other"), ranks=1)
        fails("11_evidence: rank 0: line 12 of source words is ", two)
    print("jobs of several ranks learn, go on and end together")


if __name__ == "__main__":
    main()
