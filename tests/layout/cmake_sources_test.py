#!/usr/bin/env python3
"""CMakeLists.txt, the build without Bazel, takes each source of the product exactly once. It is configured here, and nothing is
compiled: the compilations that it would make are compared with the files in the tree.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOTS = ("profiler", "proto", "runtime_shim", "scripts")
# Sources that CMakeLists.txt leaves out, and why.
LEFT_OUT = {
    "profiler/collect/process/testing_export.cc": "is a part of libompprof_testing.so, which is for tests",
    "profiler/report/columns/document.cc": "writes tables of README.md files in the source tree",
    "profiler/report/columns/documentation.cc": "belongs to document.cc",
    "profiler/report/exports/without_otf2.cc": "stands in for otf2.cc where OTF2's headers are not installed",
    "scripts/bazel/libc_floor/executable.c": "lets programs with static libraries run on old systems; CMake links the system's",
}
# Written by the build.
WRITTEN = {"proto/callpath_profile.pb.cc", "proto/pprof_profile.pb.cc", "proto/symbol_cache.pb.cc", "profiler/report/html/page_template.cc"}
# Compiled into each library that is preloaded.
COPIES = {"scripts/bazel/libc_floor/library.c": 3}


def sources(roots):
    return {os.path.join(folder, name) for root in roots for folder, _, names in os.walk(root)
            for name in names if name.endswith((".c", ".cc"))}


def wrong(compiled, there, left_out, written, copies):
    """Sentences about sources that are compiled another number of times than once. `compiled` has a path for each compilation."""
    wanted = {path: copies.get(path, 1) for path in there - set(left_out) | written}
    found = [f"{path} is compiled {compiled.count(path)} times, not {wanted.get(path, 0)}"
             for path in sorted(set(wanted) | set(compiled)) if compiled.count(path) != wanted.get(path, 0)]
    return found + [f"{path} is listed as left out, and is not there" for path in sorted(set(left_out) - there)]


def configure(build):
    """The paths that the build compiles, in the source tree or in the build's folder. A RuntimeError has CMake's message."""
    # The test program is no part of the product.
    done = subprocess.run(["cmake", "-S", ".", "-B", build, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON"],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stdout[-3000:])
    commands = json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))
    roots = (os.path.realpath(build) + "/", os.getcwd() + "/")
    paths = [os.path.realpath(os.path.join(command["directory"], command["file"])) for command in commands]
    return [next((path[len(root):] for root in roots if path.startswith(root)), path) for path in paths]


def main():
    checks = Checks()
    check = checks.check

    check(wrong(["a", "c", "m", "m"], {"a", "b"}, {"b": "why"}, {"c"}, {"m": 2}) == ["m is compiled 2 times, not 0"],
          "a source that is not there is found")
    check(wrong(["a", "m"], {"a", "b", "m"}, {"z": "why"}, set(), {"m": 2}) ==
          ["b is compiled 0 times, not 1", "m is compiled 1 times, not 2", "z is listed as left out, and is not there"],
          "sources that are forgotten are found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))
    if shutil.which("cmake") is None:
        checks.skip("cmake is not installed")
        return checks.end()
    there = sources(ROOTS)
    check(len(there) > 400, f"{len(there)} sources are in the tree")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as build:
        try:
            compiled = configure(build)
        except RuntimeError as error:
            check(False, f"cmake cannot configure the build:\n{error}")
            return checks.end()
    sentences = wrong(compiled, there, LEFT_OUT, WRITTEN, COPIES)
    for sentence in sentences:
        check(False, f"{sentence}: CMakeLists.txt takes the sources by folder")
    check(not sentences, f"{len(compiled)} compilations of CMakeLists.txt are those of the product")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
