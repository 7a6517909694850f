#!/usr/bin/env python3
"""A tool that traces the reference device under the shim gets a record of every operation, once, with the operation's own
ids, and with the times that the device measured: through pause, flush, an early end of the tool, and exit.

usage: trace_test.py --device LIBRARY --shim LIBRARY --tool TOOL.CC PROGRAM

The last line is `N passed, N failed`.
"""

import argparse
import collections
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "launch"))
import launch  # pylint: disable=wrong-import-position

ROUNDS = 5
LAUNCHES = 6  # of a round: two of each of three threads
NS = 1e9
TOLERANCE = 0.02


class Wrong(Exception):
    """Why a case failed."""


def expect(condition, text):
    if not condition:
        raise Wrong(text)


def read(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return [{"line": line.split()[0], **dict(re.findall(r"(\w+)=(\S+)", line))} for line in lines]


class Bench:
    def __init__(self, arguments, work):
        self.work = work
        self.preload = f"{pathlib.Path(arguments.shim).resolve()} {pathlib.Path(arguments.device).resolve()}"
        self.tool = work / "libtrace_tool.so"
        self.program = work / "kernels"
        include = work / "include"
        include.mkdir()
        resources = launch.succeed(["clang", "-print-resource-dir"]).out.strip()
        (include / "omp-tools.h").write_bytes((pathlib.Path(resources) / "include" / "omp-tools.h").read_bytes())
        flags = ["-std=c++17", "-O2", "-g", "-fPIC", "-shared"]
        launch.succeed(["g++", *flags, "-isystem", include, arguments.tool, "-o", self.tool], folder=".")
        launch.succeed(["gcc", "-O2", "-g", "-fopenmp", arguments.program, "-o", self.program], folder=".")

    def run(self, middle="nothing", **variables):
        """(what the tool wrote, what the device wrote)"""
        tool, log = self.work / "tool", self.work / "log"
        for path in (tool, log):
            path.unlink(missing_ok=True)
        environment = launch.environment(
            LD_PRELOAD=self.preload,
            OMP_TOOL_LIBRARIES=str(self.tool),
            TRACE_TOOL_OUTPUT=str(tool),
            GOMP_REFERENCE_LOG=str(log),
            **variables,
        )
        launch.succeed([self.program, str(ROUNDS), middle], env=environment)
        return read(tool), read(log)


def operations(lines):
    return [line for line in lines if line["line"] != "end"]


def records(lines, form):
    return [line for line in lines if line["line"] == "record" and line["format"] == form]


def named(lines, name):
    return [line for line in lines if line["line"] == name]


def key(line):
    return (line["device"], line["host_op_id"])


def compare(tool, log, form="ompt"):
    """Each operation of the device's log has one record, with its time."""
    found = collections.defaultdict(list)
    for record in records(tool, form):
        found[key(record)].append(record)
    for operation in log:
        own = found.pop(key(operation), [])
        expect(len(own) == 1, f"{len(own)} {form} records of {operation}")
        begin, end = (float(own[0][name]) * NS for name in ("begin", "end"))
        measured = int(operation["end_ns"]) - int(operation["begin_ns"])
        # A double of seconds since the boot keeps some nanoseconds.
        expect(abs(end - begin - measured) <= max(TOLERANCE * measured, 50), f"{own[0]} and {operation}")
        expect(abs(begin - int(operation["begin_ns"])) < 1000, f"{own[0]} and {operation}")
        expect(own[0].get("bytes", operation["bytes"]) == operation["bytes"], f"{own[0]} and {operation}")
    expect(not found, f"records of no operation: {list(found.values())[:3]}")


def check_ids(tool):
    """Records carry the ids that the callbacks heard, and the entry points' answers agree."""
    submits = {line["host_op_id"]: line for line in named(tool, "submit")}
    data_operations = {line["host_op_id"]: line for line in named(tool, "data_op")}
    for record in records(tool, "ompt"):
        heard = (submits if record["kind"] == "kernel" else data_operations).get(record["host_op_id"])
        expect(heard is not None and heard["target_id"] == record["target_id"], f"{record} but {heard}")
        if record["kind"] == "data_op":
            expect(heard["type"] == record["type"] and heard["bytes"] == record["bytes"], f"{record} but {heard}")
            expect(record["has_code"] == "1", f"{record}")
        else:
            expect(heard["info_device"] == record["device"], f"{record} but {heard}")
    for line in submits.values():
        right = line["info"] == "1" and line["info_target"] == line["target_id"] and line["info_operation"] == line["host_op_id"]
        expect(right, f"ompt_get_target_info: {line}")
    return submits


def kernels(lines):
    return [line for line in lines if line.get("kind") == "kernel" or line["line"] == "kernel"]


def check_everything(bench, **variables):
    tool, log = bench.run(**variables)
    compare(tool, operations(log))
    compare(tool, operations(log), "native")
    submits = check_ids(tool)
    launches = 2 * ROUNDS * LAUNCHES
    expect(len(submits) == launches and len(kernels(operations(log))) == launches, f"{len(submits)} submissions")
    devices = variables.get("GOMP_REFERENCE_DEVICES", "1")
    expect({line["devices"] for line in submits.values()} == {devices}, "ompt_get_num_devices")
    order = [line["line"] for line in tool]
    last_record = max(at for at, name in enumerate(order) if name == "record")
    expect(order[-1] == "finalize", f"the last line is {order[-1]}")
    expect(order.count("device_finalize") == int(devices), "device_finalize")
    expect({line["owned"] for line in named(tool, "buffer")} == {"1"}, "a buffer that is not the tool's")
    if devices == "1":
        expect(order.index("device_finalize") > last_record, "records behind the device's end")
    expect(all(line["lost"] == "0" for line in named(log, "end")), "lost records")
    expect(all(line["result"] == "1" and line["procs"] == "1" for line in named(tool, "start_trace")), "start_trace")


def check_plain_callbacks(bench):
    check_everything(bench, TRACE_TOOL_EMI="0")


def check_two_devices(bench):
    check_everything(bench, GOMP_REFERENCE_DEVICES="2")


def check_small_buffers(bench):
    check_everything(bench, TRACE_TOOL_BUFFER="300", GOMP_REFERENCE_BUFFER_RECORDS="1")


def check_pause(bench):
    tool, log = bench.run("pause")
    launches = ROUNDS * LAUNCHES
    traced = kernels(operations(log))
    expect(len(traced) == 3 * launches, f"{len(traced)} kernels")
    with_record = {key(record) for record in records(tool, "ompt")}
    begins = [int(line["begin_ns"]) for line in traced if key(line) in with_record]
    expect(len(begins) == 2 * launches, f"{len(begins)} kernels with a record")
    compare(tool, [line for line in operations(log) if key(line) in with_record])
    paused = [int(line["begin_ns"]) for line in traced if key(line) not in with_record]
    expect(min(paused) > sorted(begins)[launches - 1] and max(paused) < sorted(begins)[launches], "the paused part")


def check_flush(bench):
    tool, log = bench.run("flush", GOMP_REFERENCE_BUFFER_RECORDS="1000000", TRACE_TOOL_BUFFER="1000000")
    compare(tool, operations(log))
    order = [line["line"] for line in tool]
    before = tool[: order.index("control")]
    expect(len(kernels(records(before, "ompt"))) == ROUNDS * LAUNCHES, "records behind the flush")
    expect(len(named(tool, "buffer")) == 2, f"{len(named(tool, 'buffer'))} buffers")


def check_early_end(bench):
    tool, log = bench.run("end")
    order = [line["line"] for line in tool]
    expect(order[-1] == "finalize" and order[-2] != "device_finalize", f"the last lines are {order[-2:]}")
    with_record = {key(record) for record in records(tool, "ompt")}
    expect(len(kernels(records(tool, "ompt"))) == ROUNDS * LAUNCHES, "records of the kernels before the end")
    compare(tool, [line for line in operations(log) if key(line) in with_record])
    expect(len(kernels(operations(log))) == 2 * ROUNDS * LAUNCHES, "kernels in all")


def check_exit(bench):
    tool, log = bench.run("exit")
    compare(tool, operations(log))
    expect(len(kernels(records(tool, "ompt"))) == ROUNDS * LAUNCHES, "records of the kernels")


def check_no_buffers(bench):
    tool, log = bench.run(TRACE_TOOL_BUFFER="0")
    expect(records(tool, "ompt") == [] and named(tool, "buffer") == [], "records without a buffer")
    lost = sum(int(line["lost"]) for line in named(log, "end"))
    expect(lost == 2 * len(operations(log)), f"{lost} records lost of {len(operations(log))} operations in two formats")


def check_formats(bench):
    native_names = {"ompt_set_trace_native", "ompt_get_record_native", "ompt_get_record_abstract"}
    ompt_names = {"ompt_set_trace_ompt", "ompt_get_record_ompt"}
    for trace, there, missing in (("ompt", "ompt", native_names), ("native", "native", ompt_names)):
        tool, log = bench.run(GOMP_REFERENCE_TRACE=trace)
        compare(tool, operations(log), there)
        expect(len(named(tool, "record")) == len(records(tool, there)), "records of another format")
        expect({line["name"] for line in named(tool, "missing")} == missing, f"missing: {named(tool, 'missing')}")
    tool, _ = bench.run(GOMP_REFERENCE_TRACE="none")
    expect([line["traces"] for line in named(tool, "device_initialize")] == ["0"], "a lookup without a trace")
    expect(named(tool, "record") == [], "records without a trace")
    expect(len(named(tool, "submit")) == 2 * ROUNDS * LAUNCHES, "submissions")


CASES = {
    "every operation has its record": check_everything,
    "callbacks without emi": check_plain_callbacks,
    "two devices": check_two_devices,
    "small buffers": check_small_buffers,
    "pause": check_pause,
    "flush": check_flush,
    "the tool ends early": check_early_end,
    "exit by a thread of a region": check_exit,
    "a tool without buffers": check_no_buffers,
    "formats": check_formats,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--tool", required=True)
    parser.add_argument("program")
    passed = failed = 0
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        for name, check in CASES.items():
            try:
                check(bench)
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
