#!/usr/bin/env python3
"""Each OMPPROF_* variable that the sources name in a string is in the table of settings or in the table of other
variables (profiler/config/settings.cc), and each variable of these tables is read somewhere.
"""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOTS = ("profiler", "runtime_shim")
TABLE = "profiler/config/settings.cc"
VARIABLE = re.compile(r'"(OMPPROF_[A-Z_]+)\b')
ROW = re.compile(r'^    \{"(OMPPROF_[A-Z_]+)", "(-?)', re.MULTILINE)


def named_variables(texts):
    """{variable: a file that names it in a string}; `texts`: {path: text}. Macros stand outside of strings."""
    return {name: path for path, text in sorted(texts.items()) for name in VARIABLE.findall(text)}


def rows(text):
    """The variables with an option, and the other variables, of the table's source."""
    found = ROW.findall(text)
    return {name for name, dash in found if dash}, {name for name, dash in found if not dash}


def read_sources():
    texts = {}
    for root in ROOTS:
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith((".cc", ".h")) and path != TABLE:
                    with open(path, encoding="utf-8") as file:
                        texts[path] = file.read()
    return texts


def main():
    checks = Checks()
    check = checks.check

    made_up = {"a.cc": 'getenv("OMPPROF_A");', "b.h": "#define OMPPROF_B \"x\"\n", "c.cc": 'say("OMPPROF_C=%s");'}
    check(named_variables(made_up) == {"OMPPROF_A": "a.cc", "OMPPROF_C": "c.cc"}, "variables are told from macros")
    check(rows('    {"OMPPROF_A", "-a,--aa",\n    {"OMPPROF_B", "Help"},\n') == ({"OMPPROF_A"}, {"OMPPROF_B"}), "rows are found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))
    with open(TABLE, encoding="utf-8") as file:
        settings, others = rows(file.read())
    check(len(settings) >= 17 and len(others) >= 3, f"{TABLE} has {len(settings)} settings and {len(others)} others")
    named = named_variables(read_sources())
    check("OMPPROF_MAIN_PID" in named, "the sources are here")
    for variable, path in sorted(named.items()):
        check(variable in settings | others, f"{variable}, which {path} names, is in {TABLE}")
    for variable in sorted(others):
        check(variable in named, f"{variable} of {TABLE} is read by some file")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
