#!/usr/bin/env python3
"""A launch on a device keeps to the budget in profiler/collect/devices/README.md, over a tool that does nothing.

Each round runs tests/bench/launches on the reference device under the empty tool and under ompprof, one right after the
other. The least CPU times of the launching thread are compared: where the scheduler puts the two threads of a run on
different processors, a launch takes twice as long. The budget is exceeded if it is in each of three series. A tool whose callbacks take five microseconds must exceed it.
"""

import os
import re
import sys

sys.path.insert(0, "tests/bench")
import interleaved  # noqa: E402
from interleaved import Variant  # noqa: E402

README = "profiler/collect/devices/README.md"
ROUNDS = 7
SERIES = 3

DEVICE = os.path.abspath("runtime_shim/device/libgomp_reference_device.so")
SHIM = os.path.abspath("runtime_shim/libgomp_ompt.so")


def under_shim(name, tool):
    return Variant(
        name,
        environment={
            "LD_PRELOAD": f"{SHIM} {DEVICE}",
            "OMP_TOOL_LIBRARIES": os.path.abspath(f"tests/bench/{tool}"),
            "GOMP_REFERENCE_TRACE": "none",
        },
    )


EMPTY = under_shim("empty tool", "libregistering_tool.so")
SLOW = under_shim("slow tool", "libslow_tool.so")
OURS = Variant(
    "ompprof",
    environment={
        "LD_PRELOAD": f"{os.path.abspath('profiler/collect/libompprof.so')} {SHIM} {DEVICE}",
        "GOMP_REFERENCE_TRACE": "none",
    },
    outputs=".ompprof",
)


def read_budget():
    with open(README, encoding="utf-8") as readme:
        return float(re.search(r"at most (\d\.\d+) times the CPU time", readme.read()).group(1))


def cost_of(tool, rounds):
    """The ratio to the empty tool."""
    runs = interleaved.run_rounds([EMPTY, tool], [os.path.abspath("tests/bench/launches"), "200"], rounds, {})
    if len(runs) < 2:
        sys.exit("launches does not run")
    if tool.outputs and not any(run.written for run in runs[tool.name]):
        sys.exit("ompprof writes no profile")  # a process without samples has none
    empty, measured = ([float(re.search(r"cpu_ns (\d+)", run.out).group(1)) for run in runs[name]] for name in (EMPTY.name, tool.name))
    return min(measured) / min(empty)


def main():
    budget = read_budget()
    for _ in range(SERIES):
        cost = cost_of(OURS, ROUNDS)
        print(f"a launch takes {cost:.2f} times as long as under an empty tool, budget {budget}")
        if cost <= budget:
            break
    slow = cost_of(SLOW, 3)
    print(f"with callbacks of five microseconds, {slow:.2f} times")
    return cost > budget or slow <= budget


if __name__ == "__main__":
    sys.exit(main())
