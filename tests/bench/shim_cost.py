"""The cost of the libgomp shim: OpenMP constructs of a gcc program, bare and under it, side by side.

usage: shim_cost.py [--rounds=N] [--inner=N]

Each round runs every variant, in an order that rotates. The least times of all rounds are compared. A run that shares its
processors with others spins for as long as they run, so every other statistic would measure the others. The aims are
printed beside the figures; runtime_shim/README.md has them.

A construct that takes 3 to 5 ns bare is judged by nanoseconds. A twentieth of that would be 0.2 ns: less than the call
and the branch of any wrapper. A construct of hundreds of nanoseconds is judged by the ratio.
"""

import argparse
import os
import re

import interleaved
from interleaved import Variant

BUILT = os.path.abspath("bazel-bin")
SHIM = os.path.join(BUILT, "runtime_shim/libgomp_ompt.so")
README = "runtime_shim/README.md"

# The variants in the order of the table; the first is the base.
NO_TOOL, DISABLED, NOTHING, CALLBACKS = "no tool", "OMP_TOOL=disabled", "nothing registered", "all callbacks"


def variants():
    def under_shim(name, *tools, **environment):
        preload = " ".join([SHIM, *(os.path.join(BUILT, "tests/bench", tool) for tool in tools)])
        return Variant(name, environment={"LD_PRELOAD": preload, **environment})

    return [
        Variant("bare"),
        under_shim(NO_TOOL),
        under_shim(DISABLED, "libregistering_tool.so", OMP_TOOL="disabled"),
        under_shim(NOTHING, "libempty_tool.so"),
        under_shim(CALLBACKS, "libregistering_tool.so"),
    ]


def read_aims():
    """The aims, {(variant, construct): (the largest ratio, the most nanoseconds over bare)}. Either or both may be None.
    They stand before the colons in the table of costs of runtime_shim/README.md."""
    aims = {}
    with open(README, encoding="utf-8") as readme:
        cost = readme.read().partition("## Cost")[2]
    for construct, *cells in re.findall(r"^\| `(\w+)` \| [^|]* \| (.*?) \| (.*?) \| (.*?) \|$", cost, re.MULTILINE):
        for variants_of_cell, cell in zip(((NO_TOOL, DISABLED), (NOTHING,), (CALLBACKS,)), cells):
            ratio, over = re.match(r"(?:none|(\d\.\d\d)|\+(\d+) ns):", cell).groups()
            for variant in variants_of_cell:
                aims[variant, construct] = (ratio and float(ratio), over and float(over))
    return aims


def least_of(runs):
    """{construct: its least ns in all runs}."""
    least = {}
    for run in runs:
        for name, ns in re.findall(r"^construct (\S+) ns (\S+)$", run.out, re.MULTILINE):
            least[name] = min(float(ns), least.get(name, float("inf")))
    return least


def verdict(aim, ratio, over):
    largest_ratio, most_over = aim
    if largest_ratio is None and most_over is None:
        return ""
    is_met = (largest_ratio is None or ratio <= largest_ratio) and (most_over is None or over <= most_over)
    wanted = f"{largest_ratio:.2f}" if largest_ratio is not None else f"+{most_over:.0f} ns"
    return f"{'met' if is_met else 'MISSED'} (aim {wanted})"


def tables(least, aims):
    bare = least["bare"]
    for variant, times in least.items():
        if variant == "bare":
            continue
        print(f"\nThe shim, {variant}")
        rows = [["", "bare, ns", "shim, ns", "over bare, ns", "ratio", ""]]
        for name, base in bare.items():
            over, ratio = times[name] - base, times[name] / base
            rows.append([
                name,
                f"{base:.1f}",
                f"{times[name]:.1f}",
                f"{over:+.1f}",
                f"{ratio:.3f}",
                verdict(aims[variant, name], ratio, over),
            ])
        interleaved.print_table(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=61)
    parser.add_argument("--inner", type=int, default=60, help="rounds within each run")
    arguments = parser.parse_args()
    aims = read_aims()
    command = [os.path.join(BUILT, "tests/bench/shim_constructs"), str(arguments.inner)]
    environment = {"OMP_NUM_THREADS": "2", "OMP_DYNAMIC": "false"}
    runs = interleaved.run_rounds(variants(), command, arguments.rounds, environment)
    print(f"OpenMP constructs on libgomp, the least of {arguments.rounds} runs of {arguments.inner} rounds each")
    tables({name: least_of(of_variant) for name, of_variant in runs.items()}, aims)


if __name__ == "__main__":
    main()
