#!/usr/bin/env python3
"""Programs of every device construct give the same right results on the host, on the reference device and on two of them,
with and without the shim. The device's log has the known copies of each map clause, and each option does what it says.

usage: device_test.py --device LIBRARY --synchronous-device LIBRARY --shim LIBRARY --recorder LIBRARY PROGRAM...

The last line is `N passed, N failed`.
"""

import argparse
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "launch"))
import launch  # pylint: disable=wrong-import-position

TIME_LIMIT_S = 60
ARRAY = 80000  # bytes of the array of clauses.c

# What clauses.c copies of its array in each clause: (to the device, from the device).
COPIES = {
    "to": (1, 0),
    "from": (0, 1),
    "tofrom": (1, 1),
    "alloc": (0, 0),
    "release": (1, 0),
    "delete": (0, 0),
    "always": (2, 1),
    "present": (1, 1),
    "update": (2, 1),
    "data": (1, 1),
}

# The flags of target_map for the array, in order. The third region of `update` maps it without a clause.
MAPS = {
    "to": ["to"],
    "from": ["from"],
    "tofrom": ["to+from"],
    "alloc": ["alloc"],
    "release": ["to", "to", "release", "release"],
    "delete": ["alloc", "alloc", "delete"],
    "always": ["to", "to+from", "release"],
    "present": ["to", "alloc", "from"],
    "update": ["to", "to+from+implicit"],
    "data": ["to+from"] * 4,
}


class Wrong(Exception):
    """Why a case failed."""


def expect(condition, text):
    if not condition:
        raise Wrong(text)


class Bench:
    def __init__(self, arguments, work):
        self.work = work
        self.device = str(pathlib.Path(arguments.device).resolve())
        self.shim = str(pathlib.Path(arguments.shim).resolve())
        synchronous = str(pathlib.Path(arguments.synchronous_device).resolve())
        tool = {"OMP_TOOL_LIBRARIES": str(pathlib.Path(arguments.recorder).resolve()), "CONFORMANCE_OUTPUT": str(work / "events")}
        self.ways = {
            "device alone": {"LD_PRELOAD": self.device},
            "shim without a tool": {"LD_PRELOAD": f"{self.shim} {self.device}"},
            "device before the shim": {"LD_PRELOAD": f"{self.device} {self.shim}", **tool},
            "every callback": {"LD_PRELOAD": f"{self.shim} {self.device}", **tool},
            "no async_run": {"LD_PRELOAD": f"{self.shim} {synchronous}", **tool},
        }
        self.programs = {}
        for path in map(pathlib.Path, arguments.programs):
            self.programs[path.stem] = work / path.stem
            launch.succeed(["gcc", "-O2", "-g", "-fopenmp", path, "-o", self.programs[path.stem]], folder=".")

    def run(self, name, words, **variables):
        """(the outcome, the lines of the device's log as dictionaries)"""
        log = self.work / "log"
        log.unlink(missing_ok=True)
        environment = launch.environment(GOMP_REFERENCE_LOG=str(log), **variables)
        outcome = launch.run([self.programs[name], *words], env=environment, limit=TIME_LIMIT_S)
        self.events = [path.read_text().splitlines() for path in self.work.glob("events*")]
        for path in self.work.glob("events*"):
            path.unlink()
        lines = log.read_text().splitlines() if log.exists() else []
        return outcome, [{"kind": line.split()[0], **dict(re.findall(r"(\w+)=(\S+)", line))} for line in lines]


def right(outcome):
    expect(outcome.status == 0 and not outcome.timed_out and outcome.out == "right\n" and outcome.err == "", outcome.describe())


def check_pairs(bench):
    """Every region and operation that the tool heard begin has ended. Another process's tool may not come to write."""
    for lines in bench.events:
        for event in ("target_emi", "target_submit_emi", "target_data_op_emi"):
            begins, ends = (
                sum(1 for line in lines if f" event={event} " in line and f" endpoint={endpoint} " in line)
                for endpoint in ("begin", "end")
            )
            expect(begins == ends, f"{event}: {begins} begins, {ends} ends")


def copies(log, kind):
    return sum(1 for line in log if line["kind"] == kind and int(line["bytes"]) == ARRAY)


def check_events(bench, clause):
    """What the tool heard of the array is what the clause says."""
    lines = [dict(re.findall(r"(\w+)=(\S+)", line)) for events in bench.events for line in events]
    own = [line for line in lines if line.get("bytes") == str(ARRAY)]
    flags = [line["flags"] for line in own if line["event"] == "map_item"]
    expect(flags == MAPS[clause], f"target_map: {flags}, expected {MAPS[clause]}")
    expect(all(line["on_device"] != "0" for line in own if line["event"] == "map_item"), "no address on the device")
    found = tuple(
        sum(1 for line in own if line["event"] == "target_data_op_emi" and line["endpoint"] == "end" and line["type"] == name)
        for name in ("transfer_to_device", "transfer_from_device")
    )
    expect(found == COPIES[clause], f"target_data_op: {found}, expected {COPIES[clause]}")


def check_clause(bench, clause, way):
    outcome, log = bench.run("clauses", ["1", clause], **way)
    right(outcome)
    found = (copies(log, "to_device"), copies(log, "from_device"))
    expect(found == COPIES[clause], f"copies of the array: {found}, expected {COPIES[clause]}")
    allocated, freed = (sum(1 for line in log if line["kind"] == kind) for kind in ("alloc", "free"))
    expect(allocated == freed, f"{allocated} allocations, {freed} freed")
    expect([line for line in log if line["kind"] == "end"] != [], "the device was not finalized")
    if "OMP_TOOL_LIBRARIES" in way:
        check_events(bench, clause)
        check_pairs(bench)


def check_program(bench, name, devices, way, words=()):
    outcome, log = bench.run(name, [str(devices), *words], GOMP_REFERENCE_DEVICES=str(devices), **way)
    right(outcome)
    check_pairs(bench)
    used = {line["device"] for line in log}
    expect(len(used) <= devices and (devices == 0 or used), f"devices {used} worked")
    if name == "threads":
        expect(len(used) == devices, f"devices {used} worked")


def check_on_host(bench, name):
    outcome, log = bench.run(name, ["0"])
    right(outcome)
    expect(log == [], "something wrote a log")


def check_failing_allocation(bench):
    outcome, _ = bench.run("clauses", ["1", "to"], GOMP_REFERENCE_FAILING_ALLOCATION="1", **bench.ways["device alone"])
    expect(outcome.status == 1 and "device memory allocation fail" in outcome.err, outcome.describe())
    outcome, _ = bench.run("clauses", ["1", "to"], GOMP_REFERENCE_FAILING_ALLOCATION="2", **bench.ways["device alone"])
    right(outcome)


def check_slow_copies(bench):
    rate = 2  # bytes a microsecond
    outcome, log = bench.run("clauses", ["1", "to"], GOMP_REFERENCE_COPY_RATE=str(rate), **bench.ways["device alone"])
    right(outcome)
    times = [int(line["end_ns"]) - int(line["begin_ns"]) for line in log if line["kind"] == "to_device" and int(line["bytes"]) == ARRAY]
    expect(times and min(times) >= ARRAY * 1000 / rate, f"copies took {times} ns")


def check_illegal_values(bench):
    for name, value in (("GOMP_REFERENCE_DEVICES", "9"), ("GOMP_REFERENCE_TRACE", "all"), ("GOMP_REFERENCE_COPY_RATE", "fast")):
        outcome, _ = bench.run("clauses", ["1", "to"], **{name: value}, **bench.ways["device alone"])
        expect(outcome.status == 0 and outcome.out == "right\n", outcome.describe())
        sentence = f'libgomp_reference_device: the value "{value}" of {name} is illegal, and is ignored\n'
        expect(outcome.err == sentence, outcome.describe())


def check_host_only(bench):
    """A program without devices makes libgomp load no plugin, under the shim and a tool too. A program with them does."""
    shim_alone = {**bench.ways["every callback"], "LD_PRELOAD": bench.shim}
    for words, loads in (([], False), (["target"], True)):
        outcome, log = bench.run("host_only", words, LD_DEBUG="files", **shim_alone)
        expect(outcome.status == 0 and outcome.out == ("3\n" if words else "2\n"), outcome.describe())
        expect(("libgomp-plugin-" in outcome.err) == loads, f"plugins are {'' if loads else 'not '}expected: {words}")
        outcome, log = bench.run("host_only", words, **bench.ways["every callback"])
        expect(outcome.status == 0 and (log != []) == loads, outcome.describe())


def list_cases(bench):
    for clause in COPIES:
        for name, way in bench.ways.items():
            yield f"clauses {clause} [{name}]", lambda clause=clause, way=way: check_clause(bench, clause, way)
    yield "a program without devices", lambda: check_host_only(bench)
    for program in bench.programs:
        if program == "host_only":
            continue
        yield f"{program} [host]", lambda program=program: check_on_host(bench, program)
        if program == "clauses":
            continue
        for devices in (0, 1, 2):
            for name, way in bench.ways.items():
                for words in ((), ("team",)) if program == "tasks" else ((),):
                    yield (
                        f"{program} {' '.join(words)} on {devices} devices [{name}]",
                        lambda program=program, devices=devices, way=way, words=words: check_program(
                            bench, program, devices, way, words
                        ),
                    )
    for name, check in (("an allocation that fails", check_failing_allocation), ("slow copies", check_slow_copies), ("illegal values", check_illegal_values)):
        yield name, lambda check=check: check(bench)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", required=True)
    parser.add_argument("--synchronous-device", required=True, help="the device without async_run")
    parser.add_argument("--shim", required=True)
    parser.add_argument("--recorder", required=True, help="the tool of conformance/recorder")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, check in list_cases(Bench(arguments, pathlib.Path(folder))):
            try:
                check()
            except Wrong as why:
                failed += 1
                print(f"FAILED {name}: {why}")
            else:
                passed += 1
                print(f"passed {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
