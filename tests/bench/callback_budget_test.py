#!/usr/bin/env python3
"""The OMPT callbacks keep to the budgets in profiler/collect/ompt/README.md: their cost over a tool that does nothing.

Each round runs tests/bench/constructs under the empty tool and under ompprof, one right after the other, and compares
the two. The machine's speed, and the distance of its processors, is then equal for both. A budget is exceeded if the
median of the rounds' differences is above it, in each of three series. A tool whose callbacks take five microseconds
must exceed all budgets: that shows that the test can fail.
"""

import os
import re
import statistics
import sys

sys.path[:0] = ["tests/bench", "tests/checks"]
import interleaved  # noqa: E402
from checks import Checks  # noqa: E402
from interleaved import Variant  # noqa: E402

README = "profiler/collect/ompt/README.md"
ROW = re.compile(r"^\| `(\w+)` \| [^|]* \| [^|]* \| (\d\.\d) \|", re.MULTILINE)
INNER_ROUNDS = "40"  # of which constructs says the least
ROUNDS = 7
SERIES = 3

EMPTY = Variant("empty tool", environment={"OMP_TOOL_LIBRARIES": os.path.abspath("tests/bench/libregistering_tool.so")})
SLOW = Variant("slow tool", environment={"OMP_TOOL_LIBRARIES": os.path.abspath("tests/bench/libslow_tool.so")})
OURS = Variant(
    "ompprof",
    environment={"LD_PRELOAD": os.path.abspath("profiler/collect/libompprof.so"), "OMPPROF_FREQUENCY": "199"},
    outputs=".ompprof",
)


def read_budgets():
    """{construct: the largest ratio to the empty tool}."""
    with open(README, encoding="utf-8") as readme:
        return {name: float(ratio) for name, ratio in ROW.findall(readme.read())}


def constructs_of(run):
    return {name: float(ns) for name, ns in re.findall(r"^construct (\S+) ns (\S+)$", run.out, re.MULTILINE)}


def over_budget(budgets, tool, rounds):
    """{construct: a sentence} for those whose budget `tool` exceeds, and the same for those that it keeps to."""
    environment = {"OMP_NUM_THREADS": "2", "OMP_DYNAMIC": "false"}
    runs = interleaved.run_rounds([EMPTY, tool], [os.path.abspath("tests/bench/constructs"), INNER_ROUNDS], rounds, environment)
    if len(runs) < 2:
        sys.exit("constructs does not run")
    empty = [constructs_of(run) for run in runs[EMPTY.name]]
    measured = [constructs_of(run) for run in runs[tool.name]]
    exceeded, kept = {}, {}
    for name, budget in budgets.items():
        cost = statistics.median(tooled[name] / bare[name] for tooled, bare in zip(measured, empty))
        text = f"{name} {cost:.2f} times as long as under an empty tool, budget {budget:.1f}"
        (exceeded if cost > budget else kept)[name] = text
    return exceeded, kept


def main():
    budgets = read_budgets()
    checks = Checks()
    check = checks.check

    check(len(budgets) == 6, f"{README} has the budgets of {', '.join(budgets)}")
    left = budgets
    for _ in range(SERIES):
        exceeded, kept = over_budget(left, OURS, ROUNDS)
        for text in kept.values():
            check(True, text)
        left = {name: budgets[name] for name in exceeded}
        if not left:
            break
        print("not kept to in this series: " + "; ".join(exceeded.values()))
    for name in left:
        check(False, exceeded[name])
    _, kept = over_budget(budgets, SLOW, 3)
    check(not kept, f"callbacks of five microseconds exceed every budget {'; '.join(kept.values())}")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
