#!/usr/bin/env python3
"""lookback beside PyTorch, libtorch and OpenBLAS: ratios of CPU time on one core.

    compare.py BENCH [--rounds 7] [--steps 20] [--workload W ...]      BENCH: the program that ./run bench builds

The contenders take turns, round after round, on the last core, with one thread. A ratio is theirs / ours, of the medians of one round; the
table has the median over the rounds, and as spread the lowest and the highest. "floor" is what the matrix products of
a step would take at the rate of multiply-adds measured in the same round: the last column is ours / floor. With
--skip-pad lookback computes nothing where PAD stands and the peers do, so that is a row of its own. Below the table
stands what two threads do to the wall time of lookback alone, on any two cores: it needs a quiet machine.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

PEER = pathlib.Path(__file__).resolve().parent / "peer"
TRAINED = ["gru-attention", "gru-dot", "transformer", "toy"]
WORKLOADS = [*TRAINED, "greedy-1", "greedy-64", "micro"]
SHORT = ["toy", "greedy-1"]  # ten times the steps
SKIPPING = " --skip-pad"
THREADED = ["gru-attention", "transformer"]
ALLOCATOR = {"mmap_max": 0, "trim_threshold": 1 << 34, "top_pad": 1 << 26, "hugetlb": 1}
LIBTORCH = ["-I/usr/include/torch/csrc/api/include", "-Wl,--no-as-needed", "-ltorch", "-ltorch_cpu", "-lc10"]


def environments():
    """Ours, and that of the peers, tuned as peer/workloads.md says."""
    ours = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    peers = dict(ours, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1",
                 GLIBC_TUNABLES=":".join(f"glibc.malloc.{k}={v}" for k, v in ALLOCATOR.items()))
    if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text():
        peers["ATEN_CPU_CAPABILITY"] = "avx512"
    return ours, peers


def build(folder, source, flags):
    program, source = folder / pathlib.Path(source).stem, PEER / source
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        print(f"compare: building {source.name}", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["c++", "-std=c++17", "-O2", str(source), "-o", str(program), *flags], check=True)
    return str(program)


def rows(command, env, pinned=True):
    """The JSON lines of one contender, run on the last core."""
    pin = ["taskset", "-c", str(max(os.sched_getaffinity(0)))] if pinned else []
    done = subprocess.run([*pin, *command], env=env, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def contenders(bench, workload, steps):
    """(command, whether it is ours) of those that run a workload."""
    steps = str(steps * 10 if workload in SHORT else steps)
    options = ["--workload", workload, "--threads", "1", "--steps", steps]
    yield [bench, *options], True
    yield ["/usr/bin/python3", str(PEER / "torch_bench.py"), *options], False
    folder = pathlib.Path(bench).parent / "peer"
    if workload in TRAINED:
        yield [bench, *options, SKIPPING.strip()], True
    if workload in ("toy", "micro"):
        yield [build(folder, "torch_bench.cpp", LIBTORCH), steps], False
    if workload == "micro":
        yield [build(folder, "openblas_bench.cpp", ["-lopenblas"]), steps], False


def measure(bench, names, rounds, steps):
    """Of each round (workload, peer) -> row, and the peak in GFLOP a second."""
    ours, peers = environments()
    for i in range(rounds):
        found = {}
        print(f"compare: round {i + 1} of {rounds}", file=sys.stderr)
        row = rows([bench, "--workload", "peak"], ours)[0]
        peak = row["best_gflops"] * row["min_ms"] / row["cpu_min_ms"]  # of CPU time, as all else
        for name in names:
            for command, is_ours in contenders(bench, name, steps):
                for row in rows(command, ours if is_ours else peers):
                    label = row["workload"] + (SKIPPING if row.get("skip_pad") else "")
                    found.setdefault((label, row["peer"]), row)
        yield found, peak


def threads(bench, rounds, steps):
    """Of each workload the wall times with two threads over those with one, round after round."""
    ours, _ = environments()
    ratios = {name: [] for name in THREADED}
    for _ in range(rounds):
        for name, found in ratios.items():
            one, two = (rows([bench, "--workload", name, "--steps", str(steps), "--threads", n], ours, False)[0]["median_ms"]
                        for n in ("1", "2"))
            found.append(two / one)
    return ratios


def machine():
    """What ran, and on what."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    version = lambda package: subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], stdout=subprocess.PIPE,
                                             check=False).stdout.decode("utf-8") or "unknown"
    compiler = subprocess.run(["c++", "--version"], stdout=subprocess.PIPE, check=False).stdout.decode("utf-8").splitlines()[0]
    return (f"{cpu.group(1) if cpu else platform.machine()}, {len(os.sched_getaffinity(0))} cores; {compiler}; "
            f"PyTorch {version('python3-torch')}, OpenBLAS {version('libopenblas0')}")


def spread(values, digits=2):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def table(results):
    """A line for each of our rows and each peer that has the same."""
    lines = [("workload", "ms", "MiB", "peer", "ms", "theirs / ours", "ours / floor")]
    first = results[0][0]
    for label, who in first:
        if who != "lookback":
            continue
        mine = [found[label, who] for found, _ in results]
        cpu = [row["cpu_median_ms"] for row in mine]
        floors = [row["cpu_median_ms"] * peak / row["gflop_per_step"] / 1e3
                  for row, (_, peak) in zip(mine, results) if row["gflop_per_step"]]
        peers = [p for w, p in first if w == label.replace(SKIPPING, "") and p != "lookback"] or [""]
        for peer in peers:
            theirs = [found[label.replace(SKIPPING, ""), peer]["cpu_median_ms"] for found, _ in results] if peer else []
            lines.append((label, f"{statistics.median(cpu):.4g}", f"{mine[0]['peak_rss_mib']:.0f}", peer,
                          f"{statistics.median(theirs):.4g}" if peer else "",
                          spread([t / m for t, m in zip(theirs, cpu)]) if peer else "",
                          spread(floors) if floors else ""))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--workload", action="append", choices=WORKLOADS)
    args = parser.parse_args()
    results = list(measure(args.bench, args.workload or WORKLOADS, args.rounds, args.steps))
    print(machine())
    print(f"peak {spread([peak for _, peak in results], 1)} GFLOP/s; CPU time; median (lowest-highest) "
          f"of {args.rounds} rounds")
    lines = table(results)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    if len(os.sched_getaffinity(0)) > 1:
        for name, ratios in threads(args.bench, args.rounds, args.steps).items():
            print(f"{name}, wall time with 2 threads / with 1: {spread(ratios)}")


if __name__ == "__main__":
    main()
