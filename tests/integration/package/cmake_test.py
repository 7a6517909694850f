#!/usr/bin/python3
"""The build without Bazel: CMakeLists.txt builds the product, `cmake --install` puts the files where scripts/install puts those
that Bazel has built, the libraries are as Bazel's to the loader, and the commands give a known-answer program its answer.

usage: cmake_test.py SCRIPTS_PACKAGE PROGRAM     PROGRAM: flat_gcc, of tests/programs
"""

import math
import os
import pathlib
import re
import shutil
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "checks"), str(TESTS / "launch")]
import launch  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

PACKAGE, PROGRAM = (os.path.realpath(path) for path in sys.argv[1:])
TOP = pathlib.Path(PACKAGE).parents[1]
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
BUILD = FOLDER / "build"
# What only Bazel's tree has, and why.
ONLY_BAZEL = {"share/doc/ompprof/third_party": "bin/ompprof has its libraries in it; CMake's is linked with the system's"}
LIBRARIES = ["libgomp_ompt.so", "libgomp_reference_device.so", "libompprof.so", "libompprof_older_ompt.so"]
TRUTH = re.compile(r"^truth function (\S+) cpu_ns (\d+)$", re.MULTILINE)
PROCESS = re.compile(r"^truth process cpu_ns (\d+)$", re.MULTILINE)
BUILD_LIMIT_S = 3600
checks = Checks()


def run(*words, **options):
    """The output of a command that succeeds."""
    return launch.succeed([str(word) for word in words], **options).out


def build():
    run("cmake", "-S", TOP, "-B", BUILD)
    run("cmake", "--build", BUILD, "--parallel", os.cpu_count(), limit=BUILD_LIMIT_S)
    trees = FOLDER / "cmake", FOLDER / "bazel"
    run("cmake", "--install", BUILD, "--prefix", trees[0])
    run("bash", TOP / "scripts/install", f"--built={os.getcwd()}", f"--prefix={trees[1]}")
    return trees


def files(tree):
    return {str(path.relative_to(tree)) for path in tree.rglob("*") if not path.is_dir()}


def check_files(own, bazel):
    there, wanted = files(own), files(bazel)
    alone = {path for path in wanted if any(path.startswith(folder + "/") for folder in ONLY_BAZEL)}
    checks.check(alone, f"only Bazel's tree has {len(alone)} files, in {' '.join(ONLY_BAZEL)}")
    wanted -= alone
    checks.check(len(there) > 30 and there == wanted,
                 f"{len(there)} files are installed; not {sorted(wanted - there)}, but {sorted(there - wanted)}")
    texts = [path for path in there & wanted if not (bazel / path).read_bytes().startswith(b"\x7fELF")]
    differ = [path for path in texts if (own / path).read_bytes() != (bazel / path).read_bytes()]
    checks.check(len(texts) > 20 and not differ, f"{len(texts)} files that are no binaries are as Bazel's; others are {sorted(differ)}")


def is_the_linkers(name):
    """Bazel's linker, gold, exports names of its own, and ld does not."""
    return name in {"__bss_start", "_edata", "_end"} or name.startswith(("__start_", "__stop_"))


def needs(library):
    """(the libraries and versions of functions that the loader looks for, the exported names with their versions)"""
    text = run("objdump", "-p", library)
    names = run("nm", "-D", "--defined-only", "--with-symbol-versions", library)
    return (set(re.findall(r"NEEDED +(\S+)", text)), set(re.findall(r"0x[0-9a-f]{8} 0x\S\S \S\S (\S+)", text)),
            {name for _, kind, name in map(str.split, names.splitlines()) if kind.isupper() and not is_the_linkers(name)})


def is_new(version):
    number = re.fullmatch(r"GLIBC_2\.(\d+)(\.\d+)*", version)
    return number is None or int(number.group(1)) > 17


def check_libraries(own, bazel):
    for name in LIBRARIES:
        libraries, versions, exported = needs(own / "lib" / name)
        libraries_there, _, exported_there = needs(bazel / "lib" / name)
        checks.check(libraries == libraries_there, f"{name} needs {sorted(libraries)}, as Bazel's does: {sorted(libraries_there)}")
        checks.check(versions and not any(map(is_new, versions)), f"{name} needs nothing newer than glibc 2.17: {sorted(versions)}")
        checks.check(exported and exported == exported_there,
                     f"{name} exports {len(exported)} names; not {sorted(exported_there - exported)}, but {sorted(exported - exported_there)}")


def check_answer(own):
    """Shares of CPU time, a point and five standard errors off at most."""
    ompprof, profile = own / "bin/ompprof", FOLDER / "run.ompprof"
    said = run(ompprof, "record", "-q", "-F", "499", "-o", profile, "--", PROGRAM)
    folded = run(ompprof, "export", "--format=folded", profile)
    stacks = [(line.rpartition(" ")[0].split(";"), int(line.rpartition(" ")[2])) for line in folded.splitlines()]
    whole, profiled = int(PROCESS.search(said).group(1)), sum(weight for _, weight in stacks)
    truths = TRUTH.findall(said)
    checks.check(len(truths) == 3, f"the program tells the truth of {len(truths)} functions")
    for name, truth in truths:
        share, found = int(truth) / whole, sum(weight for stack, weight in stacks if name in stack) / profiled
        most = 0.01 + 5 * math.sqrt(share * (1 - share) / (whole * 499e-9))
        checks.check(abs(found - share) <= most, f"{name} has {100 * found:.1f} % of the profile, {100 * share:.1f} % in truth")
    report = run(ompprof, "report", "--full", profile)
    checks.check("Parallel regions" in report and "libgomp" in report, "the report has the regions of libgomp")
    page = FOLDER / "page.html"
    run(ompprof, "report", f"--html={page}", profile)
    checks.check("d3-flame-graph, under this licence" in page.read_text(encoding="utf-8"), "the web page has its libraries")


def main():
    if shutil.which("cmake") is None:
        checks.skip("cmake is not installed")
        return checks.end()
    try:
        own, bazel = build()
        check_files(own, bazel)
        check_libraries(own, bazel)
        tested = run("ctest", "--output-on-failure", folder=BUILD)
        checks.check("100% tests passed, 0 tests failed out of 1" in tested,
                     f"ctest records a program and reads the report: {tested[-300:]}")
        check_answer(own)
    except launch.Failure as failure:
        checks.check(False, str(failure))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
