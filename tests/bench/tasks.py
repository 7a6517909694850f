"""A profiler's cost for whole programs of OpenMP tasks, by the work of a task.

usage: tasks.py [--quick] [--rounds=N] [--seconds=S] [--runtime=NAME] [--only=PROGRAM,...] [--bodies=US,...] [--no-perf]

The programs are tests/bench/task_programs.cc: search of trees, fib, queens, blocked LU, merge sort and a pipeline with
dependences, by clang on libomp and by gcc on libgomp under the shim. A body spins for a fixed number of iterations,
counted once. So all variants do equal work, and must have equal results. Sort and queens have work of their own
besides. Each program runs so many times over that it takes --seconds alone.

Whole processes are compared, in CPU time and wall time: alone, under a tool that registers nothing, under an empty tool
(all callbacks registered, doing nothing), under ompprof, with --waits=off and with --max-overhead=0, and under perf
record. A cell has the median of the rounds' ratios and, in brackets, the ratio of the least. Threads without a task
spin by default. Spinning is CPU time as well, so look at the wall time where the two differ. The start and the end of
a process are a part of every ratio. They are printed first.

scripts/bench builds what this runs. Standard library only.
"""

import argparse
import math
import re
import resource
import shutil
import statistics
import sys

import interleaved
import runtimes
from interleaved import Variant
from runtimes import ALONE, NOTHING, OURS

SIZES = {
    "search": 2000,
    "search_shallow": 1057,
    "search_deep": 10000,
    "fib": 16,
    "queens": 7,
    "lu": 14,
    "sort": 8192,
    "pipeline": 250,
}
BODIES = (0, 0.1, 0.25, 1, 10)  # microseconds
PERF = "perf"
LIMIT = 20  # seconds for a run; most runs take a part of a second
STACK_BYTES = 64 << 20  # ten thousand taskwaits within each other take some 5 MiB

TAKES = {"CPU": lambda run: run.cpu, "wall": lambda run: run.wall}

# The most that ompprof should cost: {the least body in microseconds: CPU time over the program alone}. And its cost
# over a tool that registers nothing, for any body.
MOST_OVER_ALONE = {1: 1.05, 0.25: 1.15}
MOST_OVER_NOTHING = 1.10


def variants(runtime, perf):
    compared = [
        runtime.alone(),
        runtime.nothing(),
        runtime.empty_tool(),
        runtime.ours(),
        runtime.ours("--waits=off", waits="off"),
        runtime.ours("--max-overhead=0", max_overhead="0"),
    ]
    if perf:
        prefix = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", str(runtimes.FREQUENCY), "--call-graph", "fp"]
        compared.append(Variant(PERF, prefix=[*prefix, "-o", "{folder}/perf.data", "--"], outputs="perf.data"))
    return compared


def printed(run, name):
    return float(re.search(rf"^{name} (\S+)$", run.out, re.MULTILINE)[1])


def iterations_per_us(environment):
    # One program calibrates both runtimes: their bodies then have the same number of iterations.
    return printed(interleaved.run_once(Variant(ALONE), [runtimes.LIBOMP.program("task_programs"), "calibrate"], environment),
                   "iterations_per_us")


def command_of(runtime, program, iterations, seconds, environment):
    """The command line that takes `seconds` alone."""
    def command(times):
        return [runtime.program("task_programs"), program, str(SIZES[program]), str(times), str(iterations)]

    times = 1
    for wanted in (seconds / 8, seconds, seconds):
        taken = printed(interleaved.run_once(Variant(ALONE), command(times), environment), "seconds")
        times = max(1, math.ceil(times * wanted / taken))
    return command(times)


def check_results(title, runs):
    results = {re.search(r"^result (\d+)$", run.out, re.MULTILINE)[1] for of_variant in runs.values() for run in of_variant}
    if len(results) != 1:
        sys.exit(f"{title}: the variants' results differ: {', '.join(sorted(results))}")


def cell(numbers, base):
    return f"{interleaved.ratios(numbers, base)[0]:.2f} ({min(numbers) / min(base):.2f})"


def verdict(ratio, most):
    return "" if most is None else f"{'met' if ratio <= most else 'MISSED'} ({most:.2f})"


def most_over_alone(body):
    return next((most for least, most in MOST_OVER_ALONE.items() if body >= least), None)


def row(measured, base_name, of_run, names):
    """One program and body as a row: each of `names` over `base_name`, in the figure that `of_run` gives of a run."""
    program, body, runs = measured
    base = [of_run(run) for run in runs[base_name]]
    times = {name: [of_run(run) for run in runs[name]] for name in names if name in runs}
    most = most_over_alone(body) if base_name == ALONE else MOST_OVER_NOTHING
    first = []
    if base_name == ALONE:
        tasks = printed(runs[ALONE][0], "tasks")
        first = [f"{tasks:,.0f}", f"{statistics.median(base) * 1e9 / tasks:,.0f}"]
    aim = verdict(interleaved.ratios(times[OURS], base)[0], most) if OURS in times else ""
    return [f"{program}, {body:g} us", *first, *(cell(times[name], base) if name in times else "" for name in names), aim]


def print_fixed(runtime, compared, rounds, environment):
    """The cost of starting and ending, in the process and in perf's own."""
    command = [runtime.program("task_programs"), "fib", "2", "1", "0"]
    runs = interleaved.run_rounds(compared, command, rounds, environment, limit=LIMIT)
    print(f"\nOn {runtime.name}, a process with two tasks, {rounds} rounds: median (least), ms")
    rows = [["", *runs]]
    for kind, of_run in TAKES.items():
        times = ([of_run(run) * 1e3 for run in of_variant] for of_variant in runs.values())
        rows.append([f"{kind} time", *(f"{statistics.median(ms):.1f} ({min(ms):.1f})" for ms in times)])
    interleaved.print_table(rows)


def print_tables(runtime, all_measured, names, rounds):
    for kind, of_run in TAKES.items():
        print(f"\nTasks on {runtime.name}: {kind} time over the program alone, {rounds} rounds: median (of the least)")
        others = [name for name in names if name != ALONE]
        head = ["", "tasks", f"alone, {kind} ns a task", *others, "aim for ompprof"]
        interleaved.print_table([head, *(row(measured, ALONE, of_run, others) for measured in all_measured)])
    for kind, of_run in TAKES.items():
        print(f"\nTasks on {runtime.name}: {kind} time over a tool that registers nothing: median (of the least)")
        others = [name for name in names if name not in (ALONE, NOTHING, PERF)]
        rows = [row(measured, NOTHING, of_run, others) for measured in all_measured if NOTHING in measured[2]]
        interleaved.print_table([["", *others, "aim for ompprof"], *rows])


def allow_deep_stacks():
    """For this process and those that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < STACK_BYTES:
        wanted = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))


def listed(text, known, parser, option):
    words = text.split(",")
    if unknown := [word for word in words if word not in known]:
        parser.error(f"{option}={unknown[0]}: it can be {', '.join(known)}")
    return words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three rounds of a fifth of a second, for a first look")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--runtime", choices=runtimes.ALL, action="append")
    parser.add_argument("--only", default=",".join(SIZES))
    parser.add_argument("--bodies", default=",".join(f"{body:g}" for body in BODIES))
    parser.add_argument("--no-perf", dest="perf", action="store_false")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    rounds = arguments.rounds or (3 if arguments.quick else 7)
    seconds = arguments.seconds or (0.2 if arguments.quick else 0.5)
    programs = listed(arguments.only, SIZES, parser, "--only")
    bodies = [float(body) for body in listed(arguments.bodies, [f"{body:g}" for body in BODIES], parser, "--bodies")]
    if arguments.perf and not shutil.which("perf"):
        print("perf is left out: it is not installed (package linux-perf).")
        arguments.perf = False

    allow_deep_stacks()
    environment = {"OMP_NUM_THREADS": str(arguments.threads), "OMP_DYNAMIC": "false", "OMP_STACKSIZE": f"{STACK_BYTES >> 10}k"}
    per_us = iterations_per_us(environment)
    for name in arguments.runtime or runtimes.ALL:
        runtime = runtimes.ALL[name]
        compared = variants(runtime, arguments.perf)
        print_fixed(runtime, compared, rounds, environment)
        all_measured = []
        for program in programs:
            for body in bodies:
                title = f"{name}, {program}, {body:g} us"
                command = command_of(runtime, program, round(body * per_us), seconds, environment)
                runs = interleaved.run_rounds(compared, command, rounds, environment, limit=LIMIT)
                if ALONE not in runs:
                    sys.exit(f"{title} does not run; build it with scripts/bench")
                check_results(title, runs)
                all_measured.append((program, body, runs))
                print(f"measured: {title}", file=sys.stderr)
        print_tables(runtime, all_measured, [variant.name for variant in compared], rounds)


if __name__ == "__main__":
    main()
