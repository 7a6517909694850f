#!/usr/bin/env python3
"""Compiles conformance programs, runs them on libgomp under the shim and on libomp, and compares OMPT's reports with the
comments in their sources. README.md has the format.

usage: check.py --shim LIBRARY --recorder LIBRARY [--device LIBRARY] [--keep FOLDER] [--built TAR] [--runtime gomp|libomp]
                [--libgomp FOLDER] [--sanitizer address|thread] [-v] PROGRAM...
       check.py --build TAR PROGRAM...
  --built    takes the compiled programs from the archive that --build has made
  --libgomp  runs the programs on the libgomp.so.1 of this folder, with the folder's libc and loader if they are there

The last line is `N passed, N failed`; a case is a program with one set of compiler flags on one runtime.
"""

import argparse
import multiprocessing
import pathlib
import re
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "launch"))
import launch  # pylint: disable=wrong-import-position
from expectations import Expectations, FormatError, read_differences  # pylint: disable=wrong-import-position
from matching import Matcher, match, show  # pylint: disable=wrong-import-position

FOLDER = pathlib.Path(__file__).resolve().parent
COMPILERS = {
    ("gomp", ".c"): "gcc",
    ("gomp", ".cc"): "g++",
    ("gomp", ".f90"): "gfortran",
    ("libomp", ".c"): "clang",
    ("libomp", ".cc"): "clang++",
    ("omptarget", ".c"): "clang-19",
    ("omptarget", ".cc"): "clang++-19",
}
RUNTIMES = ("gomp", "libomp", "omptarget")


class Failure(Exception):
    """Why a case failed."""


def execute(command, **options):
    done = launch.run(command, **options)
    if done.timed_out:
        raise Failure(done.describe())
    return done


class Bench:
    """The tools and settings for the programs of one call."""

    def __init__(self, arguments, work):
        self.work = work
        self.shim = pathlib.Path(arguments.shim).resolve() if arguments.shim else None
        self.recorder = pathlib.Path(arguments.recorder).resolve() if arguments.recorder else None
        self.is_built = arguments.built is not None
        self.device = pathlib.Path(arguments.device).resolve() if arguments.device else None
        self.omptarget = pathlib.Path(arguments.omptarget).absolute().parent.parent if arguments.omptarget else None
        self.libgomp = pathlib.Path(arguments.libgomp).resolve() if arguments.libgomp else None
        # The sanitizers' libraries must come first in a program that is not built with them.
        self.preload, self.extra_environment = [], {}
        if arguments.sanitizer:
            found = execute(["gcc", f"-print-file-name=lib{arguments.sanitizer[0]}san.so"]).out.strip()
            self.preload = [str(pathlib.Path(found).resolve())]
            self.extra_environment = {
                # The leaks are the programs' own: they end in the middle of regions.
                "ASAN_OPTIONS": "detect_leaks=0",
                "TSAN_OPTIONS": f"suppressions={FOLDER / 'tsan_suppressions.txt'}",
            }
        if self.is_built:
            with tarfile.open(arguments.built) as programs:
                programs.extractall(work)
        else:
            self.build(["gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-c", str(FOLDER / "conformance.c")] + ["-o", str(work / "conformance.o")])

    def build(self, command):
        done = execute(command, folder=self.work)
        if done.status != 0:
            raise Failure(done.describe())

    def build_module(self):
        """Builds the module of the Fortran programs."""
        self.build(["gfortran", "-g", "-c", str(FOLDER / "conformance.f90"), "-o", str(self.work / "module.o")])

    def compile(self, path, runtime, variant, expectations):
        name = re.sub(r"[^\w]+", "_", f"{path.stem}_{runtime}_{variant}")
        program = self.work / name
        if self.is_built:
            return program
        command = [COMPILERS[runtime, path.suffix], "-g", "-fopenmp", "-fno-optimize-sibling-calls", "-I", str(FOLDER), "-pthread"]
        if path.suffix == ".f90":
            command += ["-I", str(self.work)]
        elif path.suffix == ".cc":
            command.append("-std=c++17")
        if runtime == "omptarget":
            command += ["-fopenmp-targets=x86_64-pc-linux-gnu", "-I", str(self.omptarget / "include"), "-L", str(self.omptarget / "lib")]
        loader = self.libgomp / "ld-linux-x86-64.so.2" if self.libgomp else None
        if loader and loader.exists():
            command.append(f"-Wl,--dynamic-linker={loader}")
        command += variant.split() + [str(path.resolve()), str(self.work / "conformance.o"), "-o", str(program)]
        self.build(command + expectations.compile_flags + ["-ldl", "-lm"])
        return program

    def run(self, program, runtime, expectations):
        """(the finished process, {suffix: {thread: events}})"""
        output = self.work / (program.name + ".events")
        for old in self.work.glob(output.name + "*"):
            old.unlink()
        environment = launch.environment(CONFORMANCE_OUTPUT=str(output), CONFORMANCE_RECORDER=str(self.recorder))
        if expectations.tool:
            environment["OMP_TOOL_LIBRARIES"] = str(self.recorder)
        if runtime == "gomp":
            devices = [str(self.device)] if expectations.devices else []
            environment["LD_PRELOAD"] = " ".join(self.preload + [str(self.shim)] + devices)
            environment["GOMP_REFERENCE_DEVICES"] = str(expectations.devices)
            if self.libgomp:
                environment["LD_LIBRARY_PATH"] = str(self.libgomp)
        elif runtime == "omptarget":
            environment["LD_LIBRARY_PATH"] = str(self.omptarget / "lib")
        environment.update(self.extra_environment)
        environment.update(expectations.environment)
        done = execute([str(program), *expectations.arguments], env=environment)
        logs = {path.name[len(output.name) :]: read_log(path) for path in self.work.glob(output.name + "*")}
        return done, logs


def read_log(path):
    threads = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            event = dict(word.split("=", 1) for word in line.split())
            threads.setdefault(int(event["thread"]), []).append(event)
    return {name: sorted(events, key=lambda event: int(event["seq"])) for name, events in threads.items()}


class Lines:
    """The source lines of code addresses, asked from addr2line all at once."""

    def __init__(self, logs, source):
        self.source = source.name
        self.lines = {}
        self.functions = {}
        modules = {}
        for threads in logs.values():
            for events in threads.values():
                for event in events:
                    for value in event.values():
                        module, plus, offset = value.rpartition("+0x")
                        if plus and module.startswith("/"):
                            modules.setdefault(module, set()).add(int(offset, 16))
        for module, offsets in modules.items():
            ordered = sorted(offsets)
            # A return address: the call is the instruction before it.
            asked = execute(["addr2line", "-i", "-f", "-a", "-e", module], text="\n".join(hex(at - 1) for at in ordered))
            current = None
            for line in asked.out.splitlines():
                if line.startswith("0x") and ":" not in line:
                    current = f"{module}+{hex(int(line, 16) + 1)}"
                    self.lines[current] = set()
                    self.functions[current] = set()
                    is_function = True
                    continue
                if is_function:
                    self.functions[current].add(line)
                    is_function = False
                    continue
                is_function = True
                file, _, number = line.partition(" ")[0].rpartition(":")
                if pathlib.Path(file).name == self.source and number.isdigit():
                    self.lines[current].add(int(number))

    def name(self, value):
        lines = self.lines.get(value)
        return ",".join(f"{self.source}:{line}" for line in sorted(lines)) if lines else value


def check_process(done, expectations):
    if done.status != expectations.exit_status:
        raise Failure(f"exit status {expectations.exit_status} was expected. {done.describe()}")
    for stream, expected in ((done.out, expectations.stdout), (done.err, expectations.stderr)):
        position = 0
        for text in expected:
            found = stream.find(text, position)
            if found < 0:
                raise Failure(f"'{text}' is not in the output (or not in that order):\n{stream}")
            position = found + len(text)


def check_events(logs, expectations, source):
    lines = Lines(logs, source)

    def at(value, label):
        if label == "outside":
            return value != "none" and not lines.lines.get(value)
        if label.startswith("in:"):
            return label[3:] in lines.functions.get(value, set())
        if label not in expectations.labels:
            raise Failure(f"no line has AT({label})")
        return bool(lines.lines.get(value, set()) & expectations.labels[label])

    # Roles of a forked child are spelled fork1/initial.
    processes = {}
    for role, script in expectations.roles.items():
        process, slash, name = role.rpartition("/")
        processes.setdefault("." + process if slash else "", {})[name] = script
    for suffix in logs:
        processes.setdefault(suffix, {})
    roles = expectations.roles
    for suffix, scripts in processes.items():
        threads = logs.get(suffix)
        if threads is None:
            if scripts:
                raise Failure(f"no events were written{' by ' + suffix if suffix else ''}")
            continue
        if not scripts:
            continue
        scripts = dict(scripts)
        tool = scripts.pop("tool", None)
        tool_events = [event for events in threads.values() for event in events if event["event"] == "set_callback"]
        others = {
            name: [event for event in events if event["event"] != "set_callback"] for name, events in threads.items()
        }
        if tool is not None:
            matcher = Matcher(at)
            for pattern in tool:
                if not any(matcher.event(pattern, event, {})[0] is not None for event in tool_events):
                    raise Failure(f"role tool: no such event: {pattern}")
        expectations.roles = scripts
        try:
            problem = match(expectations, others, at) if scripts else None
        finally:
            expectations.roles = roles
        if problem:
            text = "\n".join(problem)
            raise Failure(re.sub(r"/\S+\+0x[0-9a-f]+", lambda found: lines.name(found.group(0)), text))
    main = logs.get("", {})
    for role, pattern, comparison, amount in expectations.counts:
        threads = [main.get(min(main), [])] if role == "initial" and main else main.values()
        matcher = Matcher(at)
        count = sum(1 for events in threads for event in events if matcher.event(pattern, event, {})[0] is not None)
        if not {"==": count == amount, ">=": count >= amount, "<=": count <= amount}[comparison]:
            raise Failure(f"{count} events, expected {comparison} {amount}: {pattern}")


def print_log(logs):
    for suffix, threads in sorted(logs.items()):
        for name, events in sorted(threads.items()):
            print(f"--- thread {name}{suffix}")
            for event in events:
                if event["event"] != "set_callback":
                    print("   ", show(event))


def run_case(bench, path, runtime, variant, expectations):
    """(its name, its events, why it failed)"""
    case = f"{path.parent.name}/{path.name} [{runtime}{' ' + variant if variant else ''}]"
    logs = {}
    try:
        program = bench.compile(path, runtime, variant, expectations)
        done, logs = bench.run(program, runtime, expectations)
        check_process(done, expectations)
        check_events(logs, expectations, path)
    except Failure as failure:
        return case, logs, str(failure)
    return case, logs, ""


_given = ()


def _begin(*given):
    global _given
    _given = given


def _run_numbered(number):
    bench, cases = _given
    return run_case(bench, *cases[number])


def names_of_libgomp(folder):
    """The names in the libgomp that the programs run on."""
    path = pathlib.Path(folder) / "libgomp.so.1" if folder else execute(["gcc", "-print-file-name=libgomp.so.1"]).out.strip()
    return set(pathlib.Path(path).read_bytes().decode("latin-1").split("\0"))


def list_cases(arguments):
    """(run_case's arguments for each case, lines on programs that cannot be read, lines on skipped ones)"""
    differences = read_differences(FOLDER / "differences.md")
    names = names_of_libgomp(arguments.libgomp)
    cases, failed, skipped = [], [], []
    for path in map(pathlib.Path, arguments.programs):
        # The thread sanitizer keeps a signal back until its thread calls the C library. A thread in a barrier makes no
        # such call.
        if arguments.sanitizer == "thread" and "conf_probe(" in path.read_text(encoding="utf-8"):
            skipped.append(f"skipped {path}: a probe's signal would not come")
            continue
        for runtime in RUNTIMES:
            if runtime != (arguments.runtime or runtime) or (arguments.sanitizer and runtime != "gomp"):
                continue
            try:
                expectations = Expectations(path, runtime, differences)
            except FormatError as error:
                failed.append(f"FAILED {path} [{runtime}]: {error}")
                continue
            if runtime not in expectations.runtimes:
                continue
            missing = expectations.needs - names if runtime == "gomp" and not arguments.build else ()
            if missing:
                skipped.append(f"skipped {path} [gomp]: libgomp has no {', '.join(sorted(missing))}")
            elif runtime == "omptarget" and not arguments.omptarget:
                skipped.append(f"skipped {path} [omptarget]: no --omptarget")
            elif runtime == "gomp" and expectations.devices and not (arguments.device or arguments.build):
                skipped.append(f"skipped {path} [gomp]: no --device")
            elif expectations.devices and arguments.sanitizer == "thread" and "fork()" in path.read_text(encoding="utf-8"):
                skipped.append(f"skipped {path}: the sanitizer does not support a forked child that makes threads")
            else:
                cases += [(path, runtime, variant, expectations) for variant in expectations.variants]
    return cases, failed, skipped


def build_all(bench, cases, archive):
    """Compiles the programs of all cases into an archive."""
    with tarfile.open(archive, "w") as programs:
        for path, runtime, variant, expectations in cases:
            program = bench.compile(path, runtime, variant, expectations)
            programs.add(program, arcname=program.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shim")
    parser.add_argument("--recorder", help="recorder/ as a library")
    parser.add_argument("--build", metavar="TAR", help="compiles the programs into this archive, and runs none")
    parser.add_argument("--built", metavar="TAR", help="an archive of --build")
    parser.add_argument("--device", help="the reference device, for programs that want one")
    parser.add_argument("--libgomp", metavar="FOLDER", help="has another libgomp.so.1 to run on")
    parser.add_argument("--omptarget", help="lib/libomp.so beside LLVM's offloading runtime, with ../include, for programs that run on it")
    parser.add_argument("--keep", help="where to build, instead of a folder that is removed")
    parser.add_argument("--runtime", choices=RUNTIMES, help="only this one")
    parser.add_argument("--sanitizer", choices=("address", "thread"), help="that the shim is built with")
    parser.add_argument("-v", action="store_true", help="print the events of every run")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    if not arguments.build and not (arguments.shim and arguments.recorder):
        parser.error("--shim and --recorder are required")
    cases, bad, left_out = list_cases(arguments)
    print("".join(line + "\n" for line in left_out + bad), end="")
    passed, failed = 0, len(bad)
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(arguments.keep or temporary).resolve()
        work.mkdir(parents=True, exist_ok=True)
        bench = Bench(arguments, work)
        if not bench.is_built and any(path.suffix == ".f90" for path, *_ in cases):
            bench.build_module()
        if arguments.build:
            build_all(bench, cases, arguments.build)
            return 1 if bad else 0
        # Under a sanitizer most of the time passes while programs start up, on one processor each. Processes and not
        # threads: a process launches one program at a time.
        jobs = 2 if arguments.sanitizer else 1
        with multiprocessing.get_context("fork").Pool(jobs, _begin, (bench, cases)) as workers:
            for case, logs, failure in workers.imap(_run_numbered, range(len(cases))):
                if arguments.v:
                    print_log(logs)
                if failure:
                    failed += 1
                    print(f"FAILED {case}: {failure}")
                else:
                    passed += 1
                    print(f"passed {case}")
    print(f"{passed} passed, {failed} failed" + (f", {len(left_out)} skipped" if left_out else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
