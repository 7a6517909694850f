"""The cost of launching an empty kernel on the reference device, under several tools, side by side.

usage: launch_cost.py [--rounds=N] [--inner=N]

Each round runs every variant, in an order that rotates. The least times of all rounds are compared, as in shim_cost.py. A
launch wakes the device's thread and is woken by it, and this takes some ten microseconds of wall time that differ from run
to run. So the aims apply to the CPU time of the launching thread; profiler/collect/devices/README.md has them.
"""

import argparse
import os
import re
import sys

import interleaved
from interleaved import Variant

BUILT = os.path.abspath("bazel-bin")
DEVICE = os.path.join(BUILT, "runtime_shim/device/libgomp_reference_device.so")
SHIM = os.path.join(BUILT, "runtime_shim/libgomp_ompt.so")
COMMAND = os.path.join(BUILT, "profiler/cli/ompprof")
README = "profiler/collect/devices/README.md"

RECORD = [COMMAND, "record", "-q", "-o", "{folder}/run.ompprof", "--"]
VARIANTS = [
    Variant("no tool", environment={"LD_PRELOAD": DEVICE}),
    Variant(
        "shim, nothing registered",
        environment={
            "LD_PRELOAD": f"{SHIM} {DEVICE}",
            "OMP_TOOL_LIBRARIES": os.path.join(BUILT, "tests/bench/libempty_tool.so"),
        },
    ),
    Variant("ompprof, no trace", RECORD, {"LD_PRELOAD": DEVICE, "GOMP_REFERENCE_TRACE": "none"}),
    Variant("ompprof, trace", RECORD, {"LD_PRELOAD": DEVICE}),
]


def aims():
    """{variant: the most nanoseconds more than without a tool}."""
    with open(README, encoding="utf-8") as readme:
        return {name: float(ns) for name, ns in re.findall(r"^\| (ompprof.*?) \| (\d+) ns \|", readme.read(), re.MULTILINE)}


def launch_of(run):
    wall, cpu = re.search(r"^launch wall_ns (\d+) cpu_ns (\d+)$", run.out, re.MULTILINE).groups()
    return float(wall), float(cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--inner", type=int, default=100, help="rounds within each run")
    arguments = parser.parse_args()
    command = [os.path.join(BUILT, "tests/bench/launches"), str(arguments.inner)]
    runs = interleaved.run_rounds(VARIANTS, command, arguments.rounds, {})
    if VARIANTS[0].name not in runs:
        sys.exit("launches does not run")
    wanted = aims()
    bare = min(launch_of(run)[1] for run in runs[VARIANTS[0].name])
    print(f"A launch of an empty kernel, the least of {arguments.rounds} runs of {arguments.inner} rounds each")
    rows = [["", "wall, ns", "CPU, ns", "CPU more, ns", ""]]
    for name, of_variant in runs.items():
        launches = [launch_of(run) for run in of_variant]
        cpu = min(cpu for _, cpu in launches)
        more = cpu - bare
        aim = wanted.get(name)
        rows.append([
            name,
            f"{min(wall for wall, _ in launches):.0f}",
            f"{cpu:.0f}",
            f"{more:+.0f}" if name != VARIANTS[0].name else "",
            "" if aim is None else f"{'met' if more <= aim else 'MISSED'} (aim {aim:.0f} ns)",
        ])
    interleaved.print_table(rows)


if __name__ == "__main__":
    main()
