"""What the reports say that ompprof took, beside what paired runs show.

usage: told.py [--quick] [--rounds=N] [--seconds=S]

The programs of tasks.py by both compilers, and a plain program at several rates. `measured` is the CPU time of a process
that ompprof is preloaded into, less that of the program alone, as a share of the former: the median of the rounds. `told`
is the report's line "ompprof itself", likewise. Both have the start and the end of the process, some 3 ms, but `told` has
only the part of ompprof's own thread. Where threads spin for work, they spin for longer when others are slowed, and that
is in `measured` alone.

scripts/bench builds what this runs. Standard library only.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile

import interleaved
import runtimes
import tasks
from interleaved import Variant

OMPPROF = os.path.join(runtimes.BUILT, "profiler/cli/ompprof")
PROGRAMS = (("search", 1), ("search", 0.25), ("search", 0.1), ("fib", 1), ("fib", 0.25), ("lu", 0.25), ("queens", 1), ("sort", 1))
RATES = (199, 997, 5000)
FLAT_MS = 1000


def told_by(profile):
    report = subprocess.run([OMPPROF, "report", "--format=json", profile], stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(report.stdout)["overhead"]["collector_percent"]


def row(name, runtime, command, frequency, rounds):
    environment = {"OMP_NUM_THREADS": "2"}
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "told.ompprof")
        ours = runtime.ours(frequency=frequency, output=profile)
        alone, recorded, told = [], [], []
        for _ in range(rounds):
            alone.append(interleaved.run_once(Variant(runtimes.ALONE), command, environment).cpu)
            recorded.append(interleaved.run_once(ours, command, environment).cpu)
            told.append(told_by(profile))
    measured = 100 * (1 - 1 / interleaved.ratios(recorded, alone)[0])
    return [name, f"{statistics.median(alone):.2f} s", f"{measured:.1f} %", f"{statistics.median(told):.1f} %"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three rounds of short runs")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.8, help="of a run alone")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds = 3, 0.4
    tasks.allow_deep_stacks()
    environment = {"OMP_NUM_THREADS": "2"}
    iterations = tasks.iterations_per_us(environment)
    rows = [["", "alone", "measured", "told"]]
    for runtime in runtimes.ALL.values():
        for program, body in PROGRAMS:
            command = tasks.command_of(runtime, program, round(body * iterations), options.seconds, environment)
            rows.append(row(f"{program}, {body:g} us, {runtime.name}", runtime, command, runtimes.FREQUENCY, options.rounds))
        flat = os.path.join(runtimes.BUILT, "tests/programs/flat" + runtime.suffix)
        for rate in RATES:
            rows.append(row(f"flat, {rate} a second, {runtime.name}", runtime, [flat, str(FLAT_MS)], rate, options.rounds))
    print("\nompprof's share of the CPU time")
    interleaved.print_table(rows)


if __name__ == "__main__":
    main()
