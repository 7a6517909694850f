#!/usr/bin/env python3
"""Each C and C++ source file has the layout that .clang-format describes.

The version of clang-format is fixed, because versions give different layouts for equal options.
To repair a file: clang-format-14 -i FILE.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

PROGRAM = "clang-format-14"
ROOTS = ("profiler", "proto", "runtime_shim", "scripts", "tests")
SUFFIXES = (".cc", ".h", ".c", ".cpp")
FILES_AT_A_TIME = 50


def sources(roots):
    return sorted(
        os.path.join(folder, name) for root in roots for folder, _, names in os.walk(root) for name in names if name.endswith(SUFFIXES)
    )


def unformatted(files):
    """The `files` that clang-format would change, and its other complaints: a file that it cannot read."""
    found = subprocess.run([PROGRAM, "--dry-run", *files], stderr=subprocess.PIPE, text=True, check=False)
    lines = found.stderr.splitlines()
    changed = {line.split(":", 1)[0] for line in lines if "[-Wclang-format-violations]" in line}
    return changed, found.stderr if found.returncode != 0 else ""


def main():
    checks = Checks()
    check = checks.check

    if shutil.which(PROGRAM) is None:
        checks.skip(f"{PROGRAM} is not installed: run scripts/setup")
        return checks.end()

    os.chdir(os.path.dirname(os.path.realpath("README.md")))  # from Bazel's copy to the sources
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(".clang-format", folder)
        for name, text in (("right.cc", "int* a;\n"), ("wrong.cc", "int *a;\n")):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        changed, complaint = unformatted([f"{folder}/right.cc", f"{folder}/wrong.cc"])
        check(changed == {f"{folder}/wrong.cc"} and not complaint, "a file with another layout is found")
        check(unformatted([f"{folder}/absent.cc"])[1] != "", "a file that cannot be read is an error")

    files = sources(ROOTS)
    check(len(files) > 800, f"{len(files)} files are looked at")
    parts = [files[start : start + FILES_AT_A_TIME] for start in range(0, len(files), FILES_AT_A_TIME)]
    wrong, complaints = set(), ""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for changed, complaint in pool.map(unformatted, parts):
            wrong |= changed
            complaints += complaint
    for file in sorted(wrong):
        check(False, f"{file} has another layout than .clang-format describes: {PROGRAM} -i {file}")
    check(not complaints, f"{PROGRAM} reads every file {complaints}".rstrip())
    check(not wrong, "each file has the layout that .clang-format describes")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
