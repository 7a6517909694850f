#!/usr/bin/env python3
"""Each function of the collector's quirks/ says in which version the quirk was seen, and names a test that exists.

A comment ends with "Seen: VERSIONS. Test: NAME, CASE.": NAME is a test's source file without its suffix, and CASE occurs in that file.
"""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOM = "profiler/collect/quirks"
TESTS = "tests"
# A comment of some lines, perhaps a template's line, and the beginning of a declaration.
DECLARATION = re.compile(r"((?:^//.*\n)*)(?:^template <.*>\n)?^(?:inline |constexpr )*[\w:]+\*? (\w+)\([^;{]*(?:;| \{)", re.MULTILINE)
CLAIM = re.compile(r"Seen: (?P<versions>[^.]+)\. Test: (?P<test>\w+), (?P<case>\w+)\.")


def declared_functions(text):
    """Yields (name, its comment in one line) of the functions that a header declares."""
    for comment, name in DECLARATION.findall(text):
        yield name, re.sub(r"\s*\n?// ?", " ", comment).strip()


def find_tests(root):
    """{name of a test's source file without its suffix: its text}"""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if re.search(r"_test\.(cc|py)$", name):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found[os.path.splitext(name)[0]] = file.read()
    return found


def complaint(comment, tests):
    """The comment's error; None if it has none."""
    claim = CLAIM.search(comment)
    if claim is None:
        return 'has no "Seen: VERSIONS. Test: NAME, CASE." in its comment'
    text = tests.get(claim["test"])
    if text is None:
        return f"names the test {claim['test']}, which there is not"
    if re.search(rf"\b{claim['case']}\b", text) is None:
        return f"names {claim['case']} of {claim['test']}, which is not in that file"
    return None


def main():
    checks = Checks()
    check = checks.check

    header = "// Why.\n// Seen: 14. Test: a_test, Case.\ninline bool Is(int x) {\n\n// Of them.\nint Other();\n"
    functions = dict(declared_functions(header))
    made_up = {"a_test": "TEST(A, Case) {}"}
    check(list(functions) == ["Is", "Other"], "functions are found")
    check(complaint(functions["Is"], made_up) is None, "a claim that holds is found")
    check(complaint(functions["Other"], made_up) is not None, "a comment without a claim is found")
    check(complaint("Seen: 14. Test: b_test, Case.", made_up) is not None, "a test that does not exist is found")
    check(complaint("Seen: 14. Test: a_test, Cas.", made_up) is not None, "a case that does not exist is found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))  # from Bazel's copy to the sources
    tests = find_tests(TESTS)
    for name in sorted(os.listdir(ROOM)):
        if not name.endswith(".h") or name == "runtime_names.h":  # that file is about names
            continue
        with open(os.path.join(ROOM, name), encoding="utf-8") as file:
            functions = list(declared_functions(file.read()))
        check(len(functions) > 0, f"{name} declares functions")
        for function, comment in functions:
            why = complaint(comment, tests)
            check(why is None, f"{name}: {function} " + (why or "names its versions and its test"))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
