#!/usr/bin/env python3
"""No file includes itself by way of others: each folder's files can be read, and changed, in an order.

A header and its source file are one here, because a file that includes the header gets the source. Knots that remain
are listed with their number of files. A knot that grows fails, and so does a knot that has shrunk: list the new number.
Where a folder's rooms have an order, no file includes a file of a later room.
"""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOTS = ("profiler", "runtime_shim", "tests")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)

# {a file of the knot: how many files are in it}
KNOTS = {}

# The rooms of a folder: each includes only rooms before it.
ROOMS = {
    "profiler/analyze": ["view", "builder", "account", "compare", "advice"],
    "profiler/collect/write": ["facts", "tables", "encoding", "files", "generated", "rounds"],
    "profiler/cli": ["options", "files", "record", "output", "serve", "commands", "manual"],
    "profiler/report": ["basics", "columns", "sections", "annotate", "diff", "exports", "whole", "html"],
}


def without_suffix(path):
    return os.path.splitext(path)[0]


def read_includes(roots):
    """{file without its suffix: the files that it includes}, with the project's files only."""
    includes = {}
    for root in roots:
        for folder, _, names in os.walk(root):
            for name in names:
                if not name.endswith((".h", ".cc")):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found = {without_suffix(include) for include in INCLUDE.findall(file.read())}
                unit = without_suffix(path)
                includes.setdefault(unit, set()).update(found - {unit})
    return {unit: found & includes.keys() for unit, found in includes.items()}


def find_knots(includes):
    """The sets of files that include each other, two and more in each (Tarjan's strongly connected components)."""
    knots, order, lowest, stack, on_stack = [], {}, {}, [], set()

    def visit(unit):
        order[unit] = lowest[unit] = len(order)
        stack.append(unit)
        on_stack.add(unit)
        for other in includes[unit]:
            if other not in order:
                visit(other)
                lowest[unit] = min(lowest[unit], lowest[other])
            elif other in on_stack:
                lowest[unit] = min(lowest[unit], order[other])
        if lowest[unit] != order[unit]:
            return
        knot = set()
        while unit not in knot:
            knot.add(stack.pop())
        on_stack.difference_update(knot)
        if len(knot) > 1:
            knots.append(knot)

    for unit in sorted(includes):
        if unit not in order:
            visit(unit)
    return knots


def find_upward(includes, folder, rooms):
    """The includes of a later room, or of a folder that is no room."""

    def place(unit):
        room = unit[len(folder) + 1 :].split("/")[0]
        return rooms.index(room) if room in rooms else len(rooms)

    inside = [unit for unit in sorted(includes) if unit.startswith(folder + "/")]
    return [(unit, other) for unit in inside for other in sorted(includes[unit]) if other.startswith(folder + "/") and place(other) > place(unit)]


def main():
    sys.setrecursionlimit(10000)
    checks = Checks()
    check = checks.check

    made_up = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set(), "e": {"f"}, "f": {"e", "a"}}
    check(sorted(map(sorted, find_knots(made_up))) == [["a", "b", "c"], ["e", "f"]], "knots are found")

    rooms = {"f/low/a": {"f/high/b", "g/c"}, "f/high/b": {"f/low/d"}, "f/low/d": set(), "g/c": set()}
    check(find_upward(rooms, "f", ["low", "high"]) == [("f/low/a", "f/high/b")], "an include of a later room is found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))  # from Bazel's copy to the sources
    includes = read_includes(ROOTS)
    check(len(includes) > 200, f"{len(includes)} files are looked at")
    knots = find_knots(includes)
    for knot in knots:
        known = [size for unit, size in KNOTS.items() if unit in knot]
        check(known == [len(knot)], f"{len(knot)} files include each other, {known or 'none'} listed: {' '.join(sorted(knot))}")
    for unit in KNOTS:
        check(any(unit in knot for knot in knots), f"{unit} is in a knot, as is listed")
    for folder, rooms in ROOMS.items():
        check(sorted(rooms) == sorted(entry.name for entry in os.scandir(folder) if entry.is_dir()), f"the rooms of {folder}")
        for unit, other in find_upward(includes, folder, rooms):
            check(False, f"{unit} includes {other}, which is of a later room")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
