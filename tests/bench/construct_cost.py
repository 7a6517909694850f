"""The cost of OpenMP constructs: alone, under a tool that registers nothing, under an empty tool, and under ompprof.

usage: construct_cost.py [--rounds=N] [--inner=N] [--runtime=libomp|libgomp] [--threads=N]

There is a table for each runtime: clang's programs on libomp, and gcc's on libgomp under the shim. The shim's cost has
a column of its own. Each round runs every variant, in an order that rotates, and compares them within the round. The
machine's speed, and the distance of its processors, is then equal for all. Each run says the least of --inner rounds of
its own. The budgets are nanoseconds over a tool that registers nothing: the runtime's cost of having a tool is not the
profiler's. They are for two threads.

scripts/bench builds what this runs. Standard library only.
"""

import argparse
import re
import statistics
import sys

import interleaved
import runtimes
from runtimes import ALONE, EMPTY_TOOL, NOTHING, OURS

# {construct: (the most nanoseconds, or None, the largest ratio, or None)}, both over a tool that registers nothing. The
# critical is contended: each hand-over moves a line of the cache from one thread to the other.
BUDGETS = {
    "parallel": (150, None),
    "barrier": (50, None),
    "for": (60, None),
    "single": (60, None),
    "critical": (None, 1.10),
    "lock_uncontended": (5, None),
    "task_waited": (60, None),
    "task_undeferred": (20, None),
    "task_merged": (20, None),
    "taskwait": (10, None),
}


def constructs_of(run):
    return {name: float(ns) for name, ns in re.findall(r"^construct (\S+) ns (\S+)$", run.out, re.MULTILINE)}


def over(numbers, base):
    """(median, lower quartile, upper quartile) of the rounds' differences."""
    of_rounds = [number - of_base for number, of_base in zip(numbers, base)]
    if len(of_rounds) < 2:
        return of_rounds[0], of_rounds[0], of_rounds[0]
    lower, middle, upper = statistics.quantiles(of_rounds, n=4, method="inclusive")
    return middle, lower, upper


def verdict(name, profiled, nothing):
    """Whether the median of the rounds keeps to the construct's budget."""
    if name not in BUDGETS:
        return ""
    most_over, largest_ratio = BUDGETS[name]
    if most_over is not None:
        is_met = over(profiled, nothing)[0] <= most_over
        budget = f"+{most_over} ns"
    else:
        is_met = interleaved.ratios(profiled, nothing)[0] <= largest_ratio
        budget = f"{largest_ratio:.2f}"
    return f"{'met' if is_met else 'MISSED'} (budget {budget})"


def table(runtime, runs):
    of_variant = {name: [constructs_of(run) for run in of_name] for name, of_name in runs.items()}
    shim = ["the shim adds, ns"] if runtime.needs_shim else []
    rows = [[
        "",
        "alone, ns",
        *shim,
        "registers nothing, ns",
        "empty tool, ns",
        "ompprof, ns",
        "over nothing, ns: median [quartiles]",
        "of the least",
        "ratio",
        "",
    ]]
    for name in of_variant[ALONE][0]:
        alone, nothing, called, profiled = (
            [run[name] for run in of_variant[variant]] for variant in (ALONE, NOTHING, EMPTY_TOOL, OURS)
        )
        added = [f"{over(nothing, alone)[0]:+.1f}"] if runtime.needs_shim else []
        rows.append([
            name,
            f"{statistics.median(alone):.1f}",
            *added,
            f"{statistics.median(nothing):.1f}",
            f"{statistics.median(called):.1f}",
            f"{statistics.median(profiled):.1f}",
            "{:+.1f} [{:+.1f}, {:+.1f}]".format(*over(profiled, nothing)),
            f"{min(profiled) - min(nothing):+.1f}",
            f"{interleaved.ratios(profiled, nothing)[0]:.2f}",
            verdict(name, profiled, nothing),
        ])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--inner", type=int, default=100, help="rounds within each run")
    parser.add_argument("--runtime", choices=runtimes.ALL, action="append")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    environment = {"OMP_NUM_THREADS": str(arguments.threads), "OMP_DYNAMIC": "false"}
    for name in arguments.runtime or runtimes.ALL:
        runtime = runtimes.ALL[name]
        compared = [runtime.alone(), runtime.nothing(), runtime.empty_tool(), runtime.ours()]
        command = [runtime.program("constructs"), str(arguments.inner)]
        runs = interleaved.run_rounds(compared, command, arguments.rounds, environment)
        if len(runs) < len(compared):
            sys.exit("constructs does not run; build it with scripts/bench")
        tooled = "under the shim, " if runtime.needs_shim else ""
        print(
            f"\nOpenMP constructs on {name}, {tooled}{arguments.threads} threads, ompprof at {runtimes.FREQUENCY} samples "
            f"a second, medians of {arguments.rounds} rounds"
        )
        interleaved.print_table(table(runtime, runs))


if __name__ == "__main__":
    main()
