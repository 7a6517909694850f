#!/usr/bin/python3
"""The profiler changes nothing that the soak program (soak.cc) computes, prints or leaves behind, and tells the truth. The
script runs the program again and again without the profiler and with it, each time with another seed, and compares.

usage: soak.py OMPPROF [--seconds=N] [--seed=N] [--steps=N] [--keep=FOLDER] NAME=PROGRAM,LIBRARY...

NAME=PROGRAM,LIBRARY: a build of the program and of its library; each has the same share of the time. A difference is
printed with the seed, and its recordings are kept in FOLDER.
"""

import argparse
import dataclasses
import glob
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time
from itertools import zip_longest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

FREQUENCY = 5000
# The part of getrusage's CPU time that may be in no sample. Each thread loses its time before its sampling begins and
# after it has ended, and half a period since its last sample. The helper thread's time is a share of the whole. The
# program starts some hundreds of threads a second, so these losses are 10 to 20 % of its time.
UNSAMPLED_S, UNSAMPLED_SHARE = 1.5 / FREQUENCY, 0.05
MOST_EXCESS = 0.03
LEAST_S = 0.1  # in shorter runs a few samples more or less are too many
# How many times slower the profiled program may be and still count as ending: others use the machine as well.
SLOWEST, PATIENCE_S = 20, 60


@dataclasses.dataclass
class Build:
    name: str
    program: str
    library: str


def printed_time(out):
    return next((float(line.split()[1]) for line in out.splitlines() if line.startswith("getrusage ")), None)


def without_time(out):
    return [line for line in out.splitlines() if not line.startswith("getrusage ")]


def circumstances(seed):
    """Variables of the OpenMP runtimes and options of record that the seed chooses as well."""
    choose = random.Random(seed)
    environment = {"OMP_CANCELLATION": "true", "OMP_DYNAMIC": "false"}
    if policy := choose.choice(["", "", "active", "passive"]):
        environment["OMP_WAIT_POLICY"] = policy
    options = []
    for option in ("--timeline", "--task-context=full", "--waits=off", "--max-overhead=0", "--flush-interval=0.05"):
        # Without waits, there are no events whose price could be bounded.
        if choose.random() < 0.2 and not (option.startswith("--max-overhead") and "--waits=off" in options):
            options.append(option)
    return environment, options


class Soak:
    def __init__(self, arguments):
        self.ompprof = os.path.abspath(arguments.ompprof)
        self.steps = arguments.steps
        self.keep = arguments.keep
        self.faults = 0
        self.runs = {}  # by build: how many
        self.samples = self.lost = self.profiles = 0
        self.shares = []  # of getrusage's time, in samples

    def ask(self, *words):
        """The JSON that a command prints, and its complaints."""
        told = launch.run([self.ompprof, *words])
        return json.loads(told.out or '{"processes": []}'), told.err.strip()

    def check_profiles(self, folder, recorded, build, cpu_s):
        """A sentence for each error."""
        wrong = []
        main = None
        files = sorted(glob.glob(os.path.join(folder, "*.ompprof")))
        if not files:
            return ["there is no profile"]
        self.profiles += len(files)
        told, complaint = self.ask("info", "--format=json", *files)
        for facts in told["processes"]:
            if facts["damage"]:
                wrong.append(f"{os.path.basename(facts['file'])} is damaged: {facts['damage']}")
            if facts["process"] == recorded.pid and os.path.basename(facts["program"]) == os.path.basename(build.program):
                main = (facts["file"], facts)
        if len(told["processes"]) != len(files) or complaint:
            wrong.append(f"of {len(files)} profiles {len(told['processes'])} can be read: {complaint}")
        if main is None:
            return wrong + ["the program has no profile"]
        path, facts = main
        if not facts["complete"]:
            wrong.append("the program's profile has no end")
        report, complaint = self.ask("report", "--format=json", path)
        complaint = "".join(line for line in complaint.splitlines() if not line.startswith("ompprof: warning:"))
        if complaint:
            wrong.append(f"report says {complaint}")
        lost = report["lost"]["cpu_ns"]
        self.samples += report["samples"]
        self.lost += report["lost"]["samples"]
        whole = report["sampled_cpu_ns"]
        for name, total in (("info's weight", facts["weight"]), ("threads", sum(thread["sampled_cpu_ns"] for thread in report["threads"])),
                            ("states", sum(state["cpu_ns"] for state in report["states"].values())),
                            ("functions", sum(function["self_cpu_ns"] for function in report["functions"]))):
            if total != whole:
                wrong.append(f"{name} add up to {total} ns, and all samples to {whole} ns")
        share = (whole + lost) / 1e9 / cpu_s
        self.shares.append(share)
        least = 1 - UNSAMPLED_SHARE - UNSAMPLED_S * len(report["threads"]) / cpu_s
        if cpu_s >= LEAST_S and not least <= share <= 1 + MOST_EXCESS:
            wrong.append(f"samples and losses have {share:.1%} of the CPU time of getrusage, {cpu_s:.3f} s; at least {least:.1%} is wanted")
        return wrong

    def once(self, build, seed):
        environment, options = circumstances(seed)
        environment = launch.environment(**environment)
        words = [build.program, str(seed), str(self.steps), build.library]
        folder = tempfile.mkdtemp(prefix="soak-", dir=os.environ.get("TEST_TMPDIR"))
        plain = launch.run(words, folder, environment, limit=PATIENCE_S)
        profiled = launch.run([self.ompprof, "record", "-q", "-F", str(FREQUENCY), *options, "--", *words], folder, environment,
                              limit=PATIENCE_S + SLOWEST * plain.wall)
        wrong = []
        if plain.how() != "exit 0":
            wrong.append(f"without the profiler: {plain.describe()}")
        if profiled.how() != plain.how():
            wrong.append(f"without the profiler {plain.how()}, with it: {profiled.describe()}")
        elif other := [pair for pair in zip_longest(without_time(profiled.out), without_time(plain.out)) if pair[0] != pair[1]]:
            wrong.append(f"prints {len(other)} other lines; first {other[0][0]!r}, without the profiler {other[0][1]!r}")
        if foreign := [line for line in profiled.err.splitlines() if not line.startswith("ompprof:")]:
            if foreign != plain.err.splitlines():
                wrong.append(f"says {foreign[:5]}")
        if profiled.left and not profiled.timed_out:
            wrong.append(f"leaves processes: {profiled.left}")
        if profiled.how() == "exit 0" and (cpu_s := printed_time(profiled.out)):
            wrong += self.check_profiles(folder, profiled, build, cpu_s)
        self.runs[build.name] = self.runs.get(build.name, 0) + 1
        for sentence in wrong:
            self.faults += 1
            settings = " ".join(f"{name}={value}" for name, value in environment.items() if name.startswith("OMP_"))
            print(f"{build.name} seed {seed}: {sentence}\n  again: {settings} ompprof record -F {FREQUENCY} {' '.join(options)} -- {' '.join(words)}", flush=True)
        if wrong and self.keep:
            shutil.copytree(folder, os.path.join(self.keep, f"{build.name}-{seed}"), dirs_exist_ok=True)
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ompprof")
    parser.add_argument("builds", nargs="+")
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    builds = []
    for text in arguments.builds:
        name, _, paths = text.partition("=")
        builds.append(Build(name, *(os.path.abspath(path) for path in paths.split(","))))
    soak = Soak(arguments)
    passed = failed = 0
    for build in builds:
        faults = soak.faults
        end = time.monotonic() + arguments.seconds / len(builds)
        seed = arguments.seed
        while time.monotonic() < end:
            soak.once(build, seed)
            seed += 1
        print(f"{build.name}: {soak.runs[build.name]} runs, seeds {arguments.seed} to {seed - 1}, {soak.faults - faults} faults", flush=True)
        passed, failed = (passed, failed + 1) if soak.faults > faults else (passed + 1, failed)
    shares = sorted(soak.shares) or [0]
    print(f"{soak.profiles} profiles, {soak.samples} samples, {soak.lost} lost; of the CPU time sampled {shares[0]:.1%} to {shares[-1]:.1%}, median {shares[len(shares) // 2]:.1%}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not soak.samples else 0)


if __name__ == "__main__":
    main()
