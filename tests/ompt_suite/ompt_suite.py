#!/usr/bin/env python3
"""Runs LLVM's OMPT tests, compiled by gcc, on libgomp under the shim and on libomp, and prints a table of the results.

usage: ompt_suite.py --version N --suite FOLDER --runtime FOLDER --filecheck PROGRAM --shim LIBRARY [--times=N] [--jobs=N] [-v] [PATTERN...]

scripts/conformance fetches the suite and calls this. The commands come from the RUN lines of each test. gcc compiles the
tests with its own omp.h, because a lock of LLVM's omp.h is smaller than libgomp's. For the reference, -lgomp finds the
libgomp.so that Debian's libomp brings.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
LIMIT_S = 60

# libgomp lacks these functions. The linker finds them in a stub. At run time another library stands in the stub's place,
# without them, and the program finds them in the shim.
STUB = "int omp_control_tool(int a, int b, void* c) { return 0; }\nvoid __kmpc_error(void* a, int b, const char* c) {}\n"


class Bench:
    """The commands of the suite's placeholders, and the folder for programs."""

    def __init__(self, arguments, work):
        self.suite = pathlib.Path(arguments.suite).resolve()
        self.shim = pathlib.Path(arguments.shim).resolve()
        self.runtime = pathlib.Path(arguments.runtime).resolve()
        self.filecheck = pathlib.Path(arguments.filecheck).resolve()
        self.times = arguments.times
        self.work = work
        include = work / "include"
        include.mkdir()
        header = next(self.runtime.glob(f"clang/{arguments.version}*/include/omp-tools.h"))
        (include / "omp-tools.h").write_bytes(header.read_bytes())
        self.build_library("stub", STUB)
        self.build_library("empty", "")
        flags = f"-w -I{include} -I{self.suite} -I{self.suite.parent} -include {FOLDER / 'gcc_omp_additions.h'}"
        self.placeholders = [
            ("%libomp-compile-and-run", "%libomp-compile && %libomp-run"),
            ("%libomp-c99-compile-and-run", "%libomp-c99-compile && %libomp-run"),
            ("%libomp-cxx-compile-and-run", "%libomp-cxx-compile && %libomp-run"),
            ("%libomp-cxx-compile", f"g++ -fopenmp {flags} -std=c++14 %s -o %t %link -lm -latomic"),
            ("%libomp-compile", f"gcc -fopenmp {flags} %s -o %t %link -lm -latomic"),
            ("%libomp-c99-compile", f"gcc -fopenmp {flags} -std=gnu99 %s -o %t %link -lm -latomic"),
            ("%clang", "gcc"),
            ("%flags", flags),
            ("-lomp ", "-lgomp "),
            ("FileCheck", str(self.filecheck)),
            ("%sort-threads", "sort -n -s"),
            ("%no-as-needed-flag", "-Wl,--no-as-needed"),
        ]

    def build_library(self, folder, source):
        (self.work / folder).mkdir()
        path = self.work / folder / "libcontrol.so"
        command = ["gcc", "-shared", "-fPIC", "-w", "-Wl,-soname,libcontrol.so", "-x", "c", "-", "-o", str(path)]
        subprocess.run(command, input=source, text=True, check=True)

    def commands(self, test, runtime):
        """The shell commands of a test's RUN lines for a runtime."""
        folder = self.work / runtime / test.relative_to(self.suite).parent / test.stem
        folder.mkdir(parents=True, exist_ok=True)
        lines = re.findall(r"^// RUN: *(.*)$", test.read_text(encoding="utf-8"), re.M)
        script = "\n".join(lines).replace("\\\n", " ")
        if runtime == "shim":
            # The tool of %preload-tool comes behind the shim.
            run, preload = f"env LD_PRELOAD={self.shim} %t", f"env LD_PRELOAD={self.shim}:%T/tool.so %t"
            link = f"-L{self.work / 'stub'} -Wl,--no-as-needed -lcontrol -Wl,-rpath,{self.work / 'empty'}"
        else:
            run, preload = "%t", "env LD_PRELOAD=%T/tool.so %t"
            link = f"-L{self.runtime} -Wl,-rpath,{self.runtime}"
        local = [
            ("%preload-tool %libomp-run", preload),
            ("%libomp-run", run),
            ("%link", link),
            ("%S", str(test.parent)),
            ("%s", str(test)),
            ("%t", str(folder / "program")),
            ("%T", str(folder)),
        ]
        for name, command in self.placeholders + local:
            script = re.sub(re.escape(name) + r"(?![-\w])" if name[-1].isalpha() else re.escape(name), lambda _: command, script)
        return script.split("\n")

    def run(self, test, runtime):
        """'' if the test passes each time, otherwise what its failing command said."""
        for _ in range(self.times):
            for command in self.commands(test, runtime):
                failure = self.execute(command)
                if failure:
                    return failure
        return ""

    def execute(self, command):
        # A process group of its own: a hanging program ends with its shell.
        process = subprocess.Popen(
            ["bash", "-c", "set -o pipefail\n" + command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            cwd=self.work,
        )
        try:
            said, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            said, _ = process.communicate()
            return f"{command}\nstill running after {LIMIT_S} s\n{said}"
        return f"{command}\nstatus {process.returncode}\n{said}" if process.returncode != 0 else ""


def read_reasons(path, version):
    """{test: reason} of a suite, from lines 'TEST | REASON'. A reason continues on lines that begin with a blank.

    'N:TEST' is of the suite of version N only."""
    reasons, name = {}, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if line[0] == " " and name is not None:
            reasons[name] += " " + line.strip()
            continue
        name, bar, reason = (part.strip() for part in line.partition("|"))
        if not bar or not reason:
            sys.exit(f"{path}:{number}: not 'test | reason'")
        reasons[name] = reason
    for name in [name for name in reasons if ":" in name]:
        suite, test = name.split(":", 1)
        reason = reasons.pop(name)
        if suite == version:
            reasons[test] = reason
    return reasons


def show(names, results, reasons):
    """Prints the table. The number of tests that need a reason, or have one that they do not need."""
    wrong = 0
    width = max(len(name) for name in names)
    print(f"{'test':{width}} | libomp | shim   | reason")
    for name in names:
        reference, shim = (not results[name, runtime] for runtime in ("libomp", "shim"))
        reason = reasons.get(name, "")
        remark = ""
        if shim and reason and not reason.startswith("sometimes: "):
            remark = "PASSES: take the reason away. "
        elif reference and not shim and not reason:
            remark = "WITHOUT A REASON "
        wrong += bool(remark)
        words = ["passes" if passes else "fails " for passes in (reference, shim)]
        print(f"{name:{width}} | {words[0]} | {words[1]} | {remark}{reason}".rstrip())
    both = sum(1 for name in names if not results[name, "libomp"] and not results[name, "shim"])
    of_libomp = sum(1 for name in names if not results[name, "libomp"])
    of_shim = sum(1 for name in names if not results[name, "shim"])
    print(f"{len(names)} tests: {of_libomp} pass on libomp, {both} of these on the shim; {of_shim} pass on the shim in total")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--filecheck", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("patterns", nargs="*")
    arguments = parser.parse_args()
    suite = pathlib.Path(arguments.suite).resolve()
    tests = {
        str(path.relative_to(suite).with_suffix("")): path
        for path in sorted(suite.rglob("*.c*"))
        if "RUN:" in path.read_text(encoding="utf-8")
        and (not arguments.patterns or any(re.search(pattern, str(path.relative_to(suite))) for pattern in arguments.patterns))
    }
    if not tests:
        sys.exit("no test has such a name")
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        bench = Bench(arguments, pathlib.Path(work))
        asked = [(name, runtime) for name in tests for runtime in ("libomp", "shim")]
        results = dict(zip(asked, pool.map(lambda one: bench.run(tests[one[0]], one[1]), asked)))
    if arguments.verbose:
        for name, runtime in asked:
            if results[name, runtime]:
                print(f"==== {name} on {runtime}\n{results[name, runtime]}")
    sys.exit(1 if show(list(tests), results, read_reasons(FOLDER / "reasons.txt", arguments.version)) else 0)


if __name__ == "__main__":
    main()
