"""Profilers' costs for whole programs: tables of ratios.

usage: whole_program.py programs [--rounds=N] [--only=PROGRAM,...] [--no-peers] [--threads=N] [--frequency=HZ]
  programs    CPU time, wall time and bytes written: alone, under ompprof with waits and without, under an empty
              handler at the same rate, by itself, with an OMPT tool whose callbacks do nothing and with one that takes
              the time of each mutex event, gperftools' libprofiler and perf record (--no-peers: without these two)

scripts/bench builds what this runs. Standard library only.
"""

import argparse
import os
import re
import shutil
import statistics
import sys

import interleaved
from interleaved import Variant

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "bazel-bin")
COLLECTOR = os.path.join(BUILT, "profiler/collect/libompprof.so")
EMPTY_TOOL = os.path.join(BUILT, "tests/bench/libregistering_tool.so")
TIMING_TOOL = os.path.join(BUILT, "tests/bench/libtiming_tool.so")
EMPTY = os.path.join(BUILT, "tests/bench/libempty_handler.so")
FIXED_WORK = os.path.join(BUILT, "tests/bench/fixed_work")
FREQUENCIES = (199, 1000)

PROGRAMS = {
    "demo_heat": [os.path.join(BUILT, "tests/programs/demo_heat"), "2"],
    "flat": [FIXED_WORK, "flat", "800"],
    "deep": [FIXED_WORK, "deep", "800"],
    "regions": [FIXED_WORK, "regions", "800"],
}


def library(name):
    folder = "/usr/lib/x86_64-linux-gnu"
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else None


def variants(frequency, peers, say):
    """The variants at one frequency, with or without peers. `say` gets a sentence for each peer that is not installed."""
    rate = str(frequency)
    empty = {"LD_PRELOAD": EMPTY, "EMPTY_HANDLER_FREQUENCY": rate}
    result = [
        Variant("alone"),
        Variant("empty handler", environment=empty),
        # The runtime's cost of calling any tool is not the profiler's.
        Variant("empty handler and tool", environment={**empty, "OMP_TOOL_LIBRARIES": EMPTY_TOOL}),
        # Nor is the cost of any tool that knows waits for locks exactly.
        Variant("empty handler, timing tool", environment={**empty, "OMP_TOOL_LIBRARIES": TIMING_TOOL}),
        ours(frequency),
        ours(frequency, waits="off"),
    ]
    if not peers:
        return result
    profiler = library("libprofiler.so.0")
    if profiler:
        settings = {"LD_PRELOAD": profiler, "CPUPROFILE": "{folder}/cpu.prof", "CPUPROFILE_FREQUENCY": rate}
        result.append(Variant("gperftools", environment=settings, outputs=".prof"))
    else:
        say("gperftools is left out: libprofiler.so.0 is not installed (package libgoogle-perftools4).")
    if shutil.which("perf"):
        for graph in ("fp", "dwarf"):
            prefix = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", rate, "--call-graph", graph]
            prefix += ["-o", "{folder}/perf.data", "--"]
            result.append(Variant(f"perf --call-graph {graph}", prefix=prefix, outputs="perf.data"))
    else:
        say("perf is left out: it is not installed (package linux-perf).")
    return result


def ours(frequency, waits="on"):
    return Variant(
        "ompprof" if waits == "on" else f"ompprof --waits={waits}",
        environment={"LD_PRELOAD": COLLECTOR, "OMPPROF_FREQUENCY": str(frequency), "OMPPROF_WAITS": waits},
        outputs=".ompprof",
    )


def signals(runs):
    """The median of the empty handler's counts of signals."""
    found = [re.search(r"empty_handler: (\d+) signals", run.err) for run in runs]
    return statistics.median(int(match.group(1)) for match in found if match) if all(found) else 0


def cost_table(runs):
    alone = [run.cpu for run in runs["alone"]]
    wall = [run.wall for run in runs["alone"]]
    empty = [run.cpu for run in runs["empty handler"]] if "empty handler" in runs else None
    head = ["", "CPU over alone", "wall over alone", "CPU over empty handler", "its median, 95 % sure", "bytes written"]
    rows = [head]
    for name, of_variant in runs.items():
        cpu = [run.cpu for run in of_variant]
        if name == "alone":
            seconds = f"{statistics.median(cpu):.2f} s"
            rows.append([name, seconds, f"{statistics.median(wall):.2f} s", "", "", ""])
            continue
        over_empty = interval = ""
        if empty and name != "empty handler":
            over_empty = interleaved.percent(interleaved.ratios(cpu, empty))
            ends = interleaved.median_interval(cpu, empty)
            interval = "{:+.1f} to {:+.1f} %".format(*(100 * (end - 1) for end in ends)) if ends[0] > 0 else "not known"
        written = statistics.median(run.written for run in of_variant)
        rows.append([
            name,
            interleaved.percent(interleaved.ratios(cpu, alone)),
            interleaved.percent(interleaved.ratios([run.wall for run in of_variant], wall)),
            over_empty,
            interval,
            f"{written:,.0f}" if written else "",
        ])
    return rows


def measure_programs(names, frequencies, rounds, peers, environment):
    said = set()

    def say(sentence):
        if sentence not in said:
            print(sentence)
        said.add(sentence)

    for name in names:
        for frequency in frequencies:
            runs = interleaved.run_rounds(variants(frequency, peers, say), PROGRAMS[name], rounds, environment)
            if "alone" not in runs:
                sys.exit(f"{name} does not run; build it with scripts/bench")
            print(f"\n{name} at {frequency} samples a second and thread, {rounds} rounds: median [quartiles]")
            interleaved.print_table(cost_table(runs))
            if peers and frequency > 250:
                print("(gperftools' interval timer delivers no more signals than the kernel's tick allows)")
            if "empty handler" in runs:
                print(f"(the empty handler took {signals(runs['empty handler']):.0f} signals in a run)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["programs"])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--frequency", dest="frequencies", type=int, nargs=1, default=FREQUENCIES)
    arguments = parser.parse_args()
    names = arguments.only.split(",")
    if unknown := [name for name in names if name not in PROGRAMS]:
        parser.error(f"--only={unknown[0]}: the programs are {', '.join(PROGRAMS)}")
    # Waiting threads spin by default, as long as other processes keep the threads from running that they wait for. Such
    # CPU time has nothing to do with the profiler.
    environment = {"OMP_NUM_THREADS": str(arguments.threads), "KMP_BLOCKTIME": "0"}
    measure_programs(names, arguments.frequencies, arguments.rounds, arguments.peers, environment)


if __name__ == "__main__":
    main()
