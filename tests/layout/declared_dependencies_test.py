#!/usr/bin/env python3
"""Each header that a file of the collector includes belongs to a target that the file's own target names in its deps.

Bazel lets a file include headers of any dependency of a dependency. With this test, the targets' deps say completely
which room of the collector knows which, and Bazel refuses a way back.
"""

import ast
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT = "profiler/collect"
INCLUDE = re.compile(r'^#include "(profiler/collect/[^"]+)"', re.MULTILINE)


class Targets:
    """The cc_library rules of one BUILD file: {name: (set of files, set of labels)}."""

    def __init__(self, text, folder):
        self.rules = {}
        for statement in ast.parse(text).body:
            call = getattr(statement, "value", None)
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "cc_library":
                continue
            values = {keyword.arg: keyword.value for keyword in call.keywords}
            name = ast.literal_eval(values["name"])
            read = {key: ast.literal_eval(values[key]) if key in values else [] for key in ("srcs", "hdrs", "deps")}
            files = {f"{folder}/{file}" for file in read["srcs"] + read["hdrs"]}
            self.rules[f"//{folder}:{name}"] = (files, {full_label(label, folder) for label in read["deps"]})


def full_label(label, folder):
    if label.startswith(":"):
        return f"//{folder}{label}"
    return label if ":" in label else f"{label}:{label.rsplit('/', 1)[1]}"


def undeclared(rules, includes_of):
    """Yields (file, header, why) for includes that are not in the deps. `includes_of` gives the includes of a path."""
    owner = {file: label for label, (files, _) in rules.items() for file in files}
    for label, (files, deps) in sorted(rules.items()):
        for file in sorted(files):
            for header in sorted(includes_of(file)):
                of = owner.get(header)
                if of is None:
                    yield file, header, "which is in no target"
                elif of != label and of not in deps:
                    yield file, header, f"of {of}, which is not in the deps of {label}"


def read_includes(path):
    with open(path, encoding="utf-8") as file:
        return set(INCLUDE.findall(file.read()))


def main():
    checks = Checks()
    check = checks.check

    made_up = Targets('cc_library(name = "a", hdrs = ["a.h"])\ncc_library(name = "b", srcs = ["b.cc"], deps = ["//d:a"])', "d")
    includes = {"d/a.h": set(), "d/b.cc": {"d/a.h"}}
    check(list(undeclared(made_up.rules, includes.get)) == [], "what is declared is accepted")
    without = {**made_up.rules, "//d:b": ({"d/b.cc"}, set())}
    check(len(list(undeclared(without, includes.get))) == 1, "what is not declared is found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))  # from Bazel's copy to the sources
    rules, files = {}, set()
    for folder, _, names in os.walk(ROOT):
        files.update(f"{folder}/{name}" for name in names if name.endswith((".h", ".cc")))
        if "BUILD" in names:
            with open(f"{folder}/BUILD", encoding="utf-8") as file:
                rules.update(Targets(file.read(), folder).rules)
    check(len(rules) > 20, f"{len(rules)} targets are read")
    wrong = list(undeclared(rules, read_includes))
    for file, header, why in wrong:
        check(False, f"{file} includes {header}, {why}")
    check(not wrong, "each include is declared")
    owned = {file for files_of, _ in rules.values() for file in files_of}
    # The library's public header, and files that only the testing library has.
    apart = {f"{ROOT}/ompprof.h", f"{ROOT}/process/testing_export.cc"}
    check(files - owned == apart, f"every file is in a target, but {' '.join(sorted(files - owned))}")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
