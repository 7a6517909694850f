#!/usr/bin/env python3
"""A tool of an older generation of OMPT hears on the shim what a tool of OpenMP 5.1 hears, in the words of its time.

usage: tools_test.py --shim LIBRARY PROGRAM...

Each conformance program runs under the tools of log_tool.c and early_log_tool.c. The log of OpenMP 5.1, translated by
the tables below and in early_words.py, must have the same lines as the older log, each as often. The tables are written
from the documents, and not shared with the shim. Lines of a program with one thread must also come in the same order.
"""

import argparse
import collections
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "launch"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import early_words  # pylint: disable=wrong-import-position
import launch  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = HERE.parent / "conformance"
LEAGUE, TASKWAIT, UNDEFERRED, TASKWAIT_COMPLETE = 1 << 30, 0x10, 1 << 27, 8
LIMIT_S = 30
TRIES = 4  # the schedule of tasks and chunks is free

# Values of OpenMP 5.1: those of Technical Report 6; None: it has no word.
SYNC_REGION = {5: 2, 6: 3, 7: None}
STATUS = {1: 1, 2: 2, 3: 3, 4: 4, 5: None, 6: None, 7: 4}
MUTEX = {1: 0x11, 2: 0x11, 3: 0x12, 4: 0x12, 5: 0x13, 6: 0x14, 7: 0x20}
TESTS = (2, 4)  # mutexes that are tested
DEPENDENCE = {1: 2, 2: 1, 5: None, 6: None}
RESULT = {0: 0, 1: 1, 2: 1, 3: 2, 4: 3, 5: 4}
# "Valid return codes of ompt_set_callback": only "always".
ALWAYS = "thread_begin thread_end parallel_begin parallel_end task_create task_schedule implicit_task target target_data_op target_submit control_tool".split()


def sync_region(word, kind, *rest):
    kind = SYNC_REGION.get(kind, 1)
    return [] if kind is None else [(word, kind, *rest)]


def task_schedule(word, prior, status, *rest):
    if status == TASKWAIT_COMPLETE and not prior:  # with nowait: nobody waits
        return []
    if status == TASKWAIT_COMPLETE:
        return [("sync_region_wait", 2, 2, 1, 1, 0), ("sync_region", 2, 2, 1, 1, 0)]
    status = STATUS[status]
    return [] if status is None else [(word, prior, status, *rest)]


def task_create(word, task, frame, flags, dependences, code):
    if flags & TASKWAIT and not flags & UNDEFERRED:
        return []
    if flags & TASKWAIT:
        return [("sync_region", 2, 1, 1, 1, code), ("sync_region_wait", 2, 1, 1, 1, code)]
    return [(word, task, frame, flags, dependences, code)]


def implicit_task(word, endpoint, parallel, task, size, index, flags):
    if flags & 1:
        return [("task_create", 0, 0, 1, 0, 0)] if endpoint == 1 else []
    return [(word, endpoint, parallel, task, size, index)]


def dependences(word, task, *types):
    types = [DEPENDENCE.get(kind, 3) for kind in types]
    types = [kind for kind in types if kind is not None]
    return [(word, task, *types)] if types else []


def data_op(word, target, operation, kind, source, destination, size):
    if kind > 4:
        return []
    host, device = (destination, source) if kind in (3, 4) else (source, destination)
    return [(word, target, operation, kind, host, device, size)]


def mutex(word, kind, *rest):
    return [] if word == "mutex_acquire" and kind in TESTS else [(word, MUTEX[kind], *rest)]


TO_TR6 = {
    "set": lambda word, event, result: [(word, event, 4 if event in ALWAYS else RESULT[result])],
    "parallel_begin": lambda word, *of: [] if of[4] & LEAGUE else [(word, *of[:4], of[4] & 3, of[5])],
    "parallel_end": lambda word, *of: [] if of[2] & LEAGUE else [(word, *of[:2], of[2] & 3, of[3])],
    "task_create": task_create,
    "task_schedule": task_schedule,
    "implicit_task": implicit_task,
    "target": lambda word, kind, *rest: [(word, kind & ~8, *rest)],
    "target_data_op": data_op,
    "sync_region": sync_region,
    "sync_region_wait": sync_region,
    "mutex_acquire": mutex,
    "mutex_acquired": mutex,
    "mutex_released": mutex,
    "lock_init": mutex,
    "lock_destroy": mutex,
    "dependences": dependences,
    "work": lambda word, kind, *rest: [] if kind == 8 else [(word, kind, *rest)],
}
# Lines before the first event, in any order.
AT_START = ("initialize", "set", "state", "placeholder", "other")
# Lines of the older log alone.
OWN = [("set", "idle", 1)]


def number(word):
    return int(word) if word.lstrip("-").isdigit() else word


def read(path):
    if not path.exists():
        return []
    return [tuple(map(number, line.split())) for line in path.read_text(encoding="utf-8").splitlines()]


def translate(lines, table):
    """In the words of Technical Report 6."""
    told, tasks_waiting, waiting = [], False, False
    for line in lines:
        # Likewise what the taskwait depends on, up to its end.
        if line[0] == "task_create":
            waiting = bool(line[3] & TASKWAIT)
        if line[0] == "task_dependence" and (waiting or 0 in line[1:]):
            continue
        # The dependences of a taskwait are no task's: the lines come right behind its creation.
        if line[0] == "dependences" and tasks_waiting:
            tasks_waiting = False
            continue
        tasks_waiting = line[0] == "task_create" and bool(line[3] & TASKWAIT)
        told += table[line[0]](*line) if line[0] in table else [line]
    return told + OWN


# The translation of each older generation.
OLDER = {
    "tr6": lambda lines: translate(lines, TO_TR6),
    "draft": lambda lines: early_words.translate(lines, "draft"),
    "tr2": lambda lines: early_words.translate(lines, "tr2"),
}


def settings_of(source):
    """The environment that the program asks for (README.md of the conformance suite)."""
    lines = re.findall(r"^// RUN: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(word.split("=", 1) for line in lines for word in line.split() if word.startswith("OMP_"))


class Bench:
    def __init__(self, shim, work):
        self.shim, self.work = pathlib.Path(shim).resolve(), work
        self.build(["gcc", "-O1", "-g", "-c", str(CONFORMANCE / "conformance.c"), "-o", "conformance.o"])
        early = "early_log_tool.c"
        for name, source, *define in (("5", "log_tool.c"), ("tr6", "log_tool.c", "-DTR6"), ("draft", early, "-DDRAFT"), ("tr2", early)):
            self.build(["gcc", "-O2", "-g", "-Wall", "-Werror", "-shared", "-fPIC", *define, str(HERE / source), "-o", f"{name}.so"])

    def build(self, command):
        done = launch.run(command, folder=self.work)
        if done.status != 0 or done.timed_out:
            raise launch.Failure(done.describe())

    def log(self, generation, settings):
        log = self.work / "log"
        log.unlink(missing_ok=True)
        environment = {
            "LD_PRELOAD": f"{self.shim} {self.work / (generation + '.so')}",
            "GOMP_OMPT_GENERATION": generation,
            "LOG_TOOL_FILE": str(log),
            "OMP_NUM_THREADS": "4",
            **settings,
        }
        done = launch.run(["./program"], folder=self.work, env=environment, limit=LIMIT_S)
        if done.timed_out or done.status < 0:
            raise launch.Failure(done.describe())
        return read(log)

    def complaint(self, settings, generation, five):
        """The difference of the older log from that of OpenMP 5.1; None if there is none."""
        older = self.log(generation, settings)
        told = OLDER[generation](five)
        missing = collections.Counter(told) - collections.Counter(older)
        added = collections.Counter(older) - collections.Counter(told)
        if missing or added:
            return f"not heard: {dict(missing)}; heard besides: {dict(added)}"
        told, older = ([line for line in log if line[0] not in AT_START] for log in (told, older))
        if sum(line[0] == "thread_begin" for line in five) == 1 and told != older:
            return "the same events in another order"
        return None if told else "no log"

    def complaints(self, settings):
        """For each older generation, the difference that remains in all tries, or None."""
        five, found = self.log("5", settings), {}
        for generation in OLDER:
            for _ in range(TRIES):
                found[generation] = self.complaint(settings, generation, five)
                if found[generation] is None:
                    break
                five = self.log("5", settings)
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shim", required=True)
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.shim, pathlib.Path(folder))
        for program in arguments.programs:
            source = pathlib.Path(program).resolve()
            name = "/".join(source.parts[-2:])
            compiler = "g++" if source.suffix == ".cc" else "gcc"
            bench.build([compiler, "-O1", "-g", "-w", "-fopenmp", f"-I{CONFORMANCE}", str(source), "conformance.o", "-o", "program", "-ldl", "-lpthread"])
            for generation, why in bench.complaints(settings_of(source)).items():
                passed, failed = passed + (why is None), failed + (why is not None)
                print(f"{'ok' if why is None else 'FAILED'}: {generation}: {name}" + (f": {why}" if why else ""))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
