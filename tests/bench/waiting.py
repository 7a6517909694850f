"""What programs cost that wait more than they work: short system calls, round trips, naps, sleeping threads.

usage: waiting.py [--quick] [--rounds=N] [--loops=N] [--only=NAME,...]

The programs are tests/bench/waiting.cc. Each cell has the CPU time and the wall time over the program alone, the
median of the rounds' ratios: under ompprof, and under perf record at the same rate.
--loops=N: N busy loops run beside. scripts/bench builds what this runs. Standard library only.
"""

import argparse
import os
import shutil
import subprocess
import sys

import interleaved
from interleaved import Variant

PROGRAM = os.path.abspath("bazel-bin/tests/bench/waiting")
OMPPROF = os.path.abspath("bazel-bin/tests/integration/installed/bin/ompprof")
RATE = "199"  # the default
CASES = {
    "at_once": ["at_once", "600000"],
    "recv": ["recv", "100000"],
    "poll": ["poll", "100000"],
    "epoll": ["epoll", "100000"],
    "select": ["select", "100000"],
    "nap": ["nap", "30000"],
    "sleepers 10": ["sleepers", "10"],
    "sleepers 100": ["sleepers", "100"],
    "sleepers 1000": ["sleepers", "1000"],
    "sleepers 10000": ["sleepers", "10000"],
    "workers 1000": ["workers", "1000"],
    "short 5000": ["short", "5000"],
}


def variants():
    compared = [
        Variant("alone"),
        Variant("ompprof", [OMPPROF, "record", "-q", "-o", "{folder}/run.ompprof", "--"]),
    ]
    if shutil.which("perf"):
        compared.append(Variant("perf record", ["perf", "record", "-q", "-e", "cpu-clock", "-F", RATE, "-g", "-o", "{folder}/perf.data", "--"]))
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--loops", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rounds = options.rounds or (3 if options.quick else 7)
    only = [name for name in options.only.split(",") if name]
    unknown = set(only) - set(CASES)
    if unknown:
        sys.exit(f"waiting.py: no program {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    compared = variants()
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.loops)]
    rows = [["CPU, wall over alone", "alone"] + [variant.name for variant in compared[1:]]]
    try:
        for name in only or CASES:
            runs = interleaved.run_rounds(compared, [PROGRAM] + CASES[name], rounds, {}, limit=300)
            alone = runs["alone"]
            cells = [f"{sorted(run.cpu for run in alone)[len(alone) // 2]:.2f} s, {sorted(run.wall for run in alone)[len(alone) // 2]:.2f} s"]
            for variant in compared[1:]:
                of_variant = runs.get(variant.name)
                if of_variant is None:
                    cells.append("failed")
                    continue
                cpu, wall = (
                    interleaved.ratios([take(run) for run in of_variant], [take(run) for run in alone])[0]
                    for take in (lambda run: run.cpu, lambda run: run.wall)
                )
                cells.append(f"{cpu:.2f}, {wall:.2f}")
            rows.append([name] + cells)
    finally:
        for loop in loops:
            loop.kill()
    interleaved.print_table(rows)


if __name__ == "__main__":
    main()
