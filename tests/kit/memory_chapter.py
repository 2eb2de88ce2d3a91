#!/usr/bin/env python3
"""100,000 steps of the toy model need no more memory than 1,000: memory_chapter.py BUILD/examples/08_translate

An epoch of chapter 08's 20 pairs is one step. What may grow is the list of the epochs' losses, 8 bytes each.
"""
import os
import subprocess
import sys
import tempfile

MAY_GROW = 3_000_000  # 30 bytes a step: the list while it moves to twice its size, and what the system rounds up


def most_memory(program, epochs, out):
    """Of a run: the largest resident set, in bytes."""
    command = [program, "--epochs", str(epochs), "--hold-out", "0", "--threads", "1", "--out", out]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, (command, status)
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
    with tempfile.TemporaryDirectory() as out:
        short, long = (most_memory(sys.argv[1], epochs, out) for epochs in (1000, 100_000))
    print(f"1,000 steps: {short / 1e6:.1f} MB; 100,000 steps: {long / 1e6:.1f} MB")
    assert long - short <= MAY_GROW, long - short


if __name__ == "__main__":
    main()
