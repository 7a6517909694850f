"""How far the profiler's shares are from the truth that programs measured themselves in the very same run.

usage: truth.py [--quick] [--programs=NAME,...] [--loads=LOAD,...] [--rates=RATE,...] [--runtimes=clang,gcc]
                [--runs=N] [--ms=MS] [--source=default|noperf] [--peer=perf]
  RATE      "default" (no -F), or samples per second and thread
  LOAD      parts with + between them: 2 is two busy loops beside the program, t4 is four threads instead of two,
            nice19, batch is SCHED_BATCH, quota is half a processor by a cgroup. t4+2 is four threads beside two loops.
  --runs    recordings of each cell. A cell is a program, runtime, load and rate.
  --ms      CPU time of a program. At the default rate, 1,000 samples take 5 s.
  --source  noperf: the kernel refuses perf_event_open
  --peer    perf: also `perf record -e cpu-clock` at the same rate, in runs of its own with a truth of their own

README.md in this folder explains the columns. scripts/bench truth builds what this runs. Standard library only.
"""

import argparse
import collections
import contextlib
import dataclasses
import itertools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import interleaved
import runtimes
from interleaved import launch
from runtimes import BUILT

OMPPROF = os.path.join(BUILT, "profiler/cli/ompprof")
WITHOUT_PERF = [os.path.join(BUILT, "tests/bench/other_kernel"), "no_perf"]
PROGRAMS = "flat,call_sites,nested,tasks,short_sites,short_teams,passive_pipeline,sleepers,memory_beside_compute,long_calls"
LOADS, QUICK_LOADS = "0,2,4,t4,t16,nice19,batch,quota", "0,2"
MS, QUICK_MS = 6000, 1500
COMPILERS = {"clang": runtimes.LIBOMP, "gcc": runtimes.LIBGOMP}
ENOUGH_SAMPLES = 1000  # for the largest difference in the last line
STOLEN = 0.01  # of a recording's CPU time, by the hypervisor
PR_SET_PDEATHSIG = 1


@dataclasses.dataclass
class Load:
    name: str
    loops: int = 0
    threads: int = 2
    prefix: list = dataclasses.field(default_factory=list)
    quota: bool = False


@dataclasses.dataclass
class Share:
    """A share of a run's CPU time by ompprof. `off`: less the program's own measurement. Both are from 0 to 1."""

    name: str
    off: float
    error: float


@dataclasses.dataclass
class Recording:
    shares: list
    samples: int
    sum: float  # CPU time of the samples over the program's
    cpu: float  # seconds
    source: str
    stolen: bool


class Cell:
    """`cpu`: over the program alone. `perf_off`: the largest difference of perf's shares, or None."""

    def __init__(self, title, recordings, cpu, perf_off):
        self.title, self.recordings, self.cpu, self.perf_off = title, recordings, cpu, perf_off
        self.shares = [share for recording in recordings for share in recording.shares]
        self.within = sum(abs(share.off) <= share.error for share in self.shares)
        self.worst = max(self.shares, key=lambda share: abs(share.off))
        self.samples = min(recording.samples for recording in recordings)

    def row(self, with_perf):
        total = max((recording.sum for recording in self.recordings), key=lambda ratio: abs(ratio - 1))
        sources = "/".join(sorted({recording.source for recording in self.recordings}))
        mark = " *" if any(recording.stolen for recording in self.recordings) else ""
        perf = [f"{100 * self.perf_off:.1f}" if self.perf_off is not None else ""] if with_perf else []
        return [self.title, f"{100 * self.worst.off:+.1f}", f"{100 * self.worst.error:.1f}", f"{self.within}/{len(self.shares)}",
                f"{self.samples:,}", f"{100 * total:.1f} %", f"{self.cpu:.3f}", *perf, sources, self.worst.name + mark]


def parse_load(name):
    load = Load(name)
    for part in name.split("+"):
        if part.isdigit():
            load.loops = int(part)
        elif re.fullmatch(r"t[1-9]\d*", part):
            load.threads = int(part[1:])
        elif re.fullmatch(r"nice\d+", part):
            load.prefix += ["nice", "-n", part[4:]]
        elif part == "batch":
            load.prefix += ["chrt", "-b", "0"]
        elif part == "quota":
            load.quota = True
        else:
            sys.exit(f"--loads={name}: {part} is no load; see --help")
    return load


@contextlib.contextmanager
def busy_loops(count, limit):
    """`count` processes that compute. They end with this process, however it ends, and after `limit` seconds."""
    code = f"import ctypes, signal\nsignal.alarm({limit})\nctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, signal.SIGKILL)\nwhile True: pass"
    loops = []
    try:
        for _ in range(count):
            loops.append(subprocess.Popen([sys.executable, "-c", code]))
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextlib.contextmanager
def half_a_processor():
    """The command that runs another in a cgroup of half a processor; None if no such cgroup can be made here."""
    for parent, limit in (("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us"), ("/sys/fs/cgroup", "cpu.max")):
        group = os.path.join(parent, f"ompprof-truth-{os.getpid()}")
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            try:
                with open(os.path.join(group, limit), "r+", encoding="ascii") as file:  # r+ creates no file
                    file.write("50000")  # of 100,000 us, the kernel's default period
            except OSError:
                continue
            yield ["sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh"]
            return
        finally:
            os.rmdir(group)
    yield None


def read_truth(out):
    """({(kind, name): CPU time}, the process's)"""
    found = re.findall(r"^truth (function|path) (\S+) cpu_ns (\d+)$", out, re.MULTILINE)
    process = re.search(r"^truth process cpu_ns (\d+)$", out, re.MULTILINE)
    if not found or not process:
        raise launch.Failure("the program prints no shares of its CPU time")
    return {(kind, name): int(ns) for kind, name, ns in found}, int(process[1])


def share_error(share, samples):
    """As in profiler/analyze/view/confidence.cc."""
    if samples <= 0:
        return 1
    z = 1.959964
    z2 = z * z / samples
    centre = (share + z2 / 2) / (1 + z2)
    half = z / (1 + z2) * math.sqrt(share * (1 - share) / samples + z2 / (4 * samples))
    return half + abs(centre - share) / 2


def has_path(frames, path):
    """Whether a stack has these functions in this order, or regions and tasks written in them, with others between."""
    frames = iter(frames)
    return all(any(frame == name or frame.startswith(name + " [omp ") for frame in frames) for name in path)


class Profile:
    def __init__(self, path):
        def printed(*words):
            return json.loads(launch.succeed([OMPPROF, *words, path]).out)

        self.report = printed("report", "--format=json")
        speedscope = printed("export", "--format=speedscope")
        names = [frame["name"] for frame in speedscope["shared"]["frames"]]
        self.stacks = [([names[i] for i in sample], ns) for thread in speedscope["profiles"]
                       for sample, ns in zip(thread["samples"], thread["weights"])]

    def share(self, kind, name, truth):
        whole = self.report["sampled_cpu_ns"] or 1
        if kind == "function":
            rows = [row for row in self.report["functions"] if row["name"] == name]
            seen = sum(row["total_cpu_ns"] for row in rows) / whole
            if len(rows) == 1:
                return Share(name, seen - truth, rows[0]["total_cpu_error_ns"] / whole)
        else:
            seen = sum(ns for frames, ns in self.stacks if has_path(frames, name.split(";"))) / whole
        return Share(name, seen - truth, share_error(seen, self.report["effective_samples"]))


def perf_shares(data, command, folder):
    """{function: its share of the self time} of the samples of `command`, of which the kernel keeps 15 letters."""
    text = launch.succeed(["perf", "script", "-i", data, "-F", "comm,period,ip,sym"], folder=folder).out
    rows = re.findall(rf"^\s*{re.escape(command[:15])}\s+(\d+)\s+[0-9a-f]+ (.+)$", text, re.MULTILINE)
    whole = sum(int(period) for period, _ in rows)
    shares = collections.Counter()
    for period, symbol in rows:
        shares[symbol] += int(period) / whole
    return shares


def perf_refusal():
    """A sentence if perf cannot record here."""
    if not shutil.which("perf"):
        return "perf is left out: it is not installed (package linux-perf)."
    with tempfile.TemporaryDirectory(prefix="ompprof-bench-") as folder:
        done = launch.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", os.path.join(folder, "perf.data"), "true"], folder=folder)
        return "" if done.status == 0 else "perf is left out: it may not record here (perf_event_paranoid, or a sandbox)."


def stolen_seconds():
    with open("/proc/stat", encoding="ascii") as stat:
        return int(stat.readline().split()[8]) / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, arguments):
        self.runs, self.ms, self.peer = arguments.runs, arguments.ms, arguments.peer
        self.refusal = WITHOUT_PERF if arguments.source == "noperf" else []
        self.limit = 120 + self.ms // 10  # a program of nice19+2 has some hundredths of a processor
        self.alone = {}  # {(program, load): CPU time}

    def run(self, prefix, program, load, folder):
        environment = launch.environment(OMP_NUM_THREADS=str(load.threads), OMP_MAX_ACTIVE_LEVELS="2")
        command = [*load.prefix, *prefix, os.path.join(BUILT, "tests/programs", program), str(self.ms)]
        done = launch.succeed(command, folder=folder, env=environment, limit=self.limit)
        if done.err:
            print(f"{program}, {load.name}: {done.err.strip()}", file=sys.stderr)
        return done

    def record(self, program, load, rate, folder):
        """Under ompprof."""
        file = os.path.join(folder, "run.ompprof")
        at_rate = [] if rate == "default" else ["-F", rate]
        stolen = stolen_seconds()
        done = self.run([*self.refusal, OMPPROF, "record", *at_rate, "-o", file, "--"], program, load, folder)
        stolen = stolen_seconds() - stolen
        truths, process = read_truth(done.out)
        profile = Profile(file)
        report = profile.report
        shares = [profile.share(kind, name, ns / process) for (kind, name), ns in truths.items()]
        total = report["sampled_cpu_ns"] / process
        return Recording(shares, report["samples"], total, done.cpu, report["source"], stolen > STOLEN * done.cpu)

    def perf_off(self, program, load, rate, folder):
        """The largest difference of perf's shares; None for a program with one function in several truths."""
        data = os.path.join(folder, "perf.data")
        prefix = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(runtimes.FREQUENCY) if rate == "default" else rate, "-o", data, "--"]
        truths, process = read_truth(self.run(prefix, program, load, folder).out)
        working = {name.split(";")[-1]: ns / process for (_, name), ns in truths.items()}
        if len(working) != len(truths):
            return None
        shares = perf_shares(data, program, folder)
        return max(abs(shares[name] - truth) for name, truth in working.items())

    def cell(self, title, program, load, rate):
        with busy_loops(load.loops, self.limit * (2 * self.runs + 1)), tempfile.TemporaryDirectory(prefix="ompprof-bench-") as folder:
            if (program, load.name) not in self.alone:
                self.alone[program, load.name] = self.run([], program, load, folder).cpu
            recordings, perf = [], []
            for _ in range(self.runs):
                recordings.append(self.record(program, load, rate, folder))
                if self.peer:
                    perf.append(self.perf_off(program, load, rate, folder))
        cpu = sum(recording.cpu for recording in recordings) / len(recordings) / self.alone[program, load.name]
        return Cell(title, recordings, cpu, max(perf) if perf and None not in perf else None)


def print_totals(cells):
    shares, within = sum(len(cell.shares) for cell in cells), sum(cell.within for cell in cells)
    outside = sum(abs(cell.worst.off) > cell.worst.error for cell in cells)
    enough = [cell for cell in cells if cell.samples >= ENOUGH_SAMPLES]
    largest = max(enough, key=lambda cell: abs(cell.worst.off), default=None)
    most = f"{100 * abs(largest.worst.off):.1f} points ({largest.title})" if largest else "not known"
    print(f"\nThe truth was within the error in {within} of {shares} shares ({100 * within / shares:.0f} %).")
    print(f"{outside} of {len(cells)} cells were outside their error; "
          f"the largest difference with at least {ENOUGH_SAMPLES:,} samples: {most}.")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs without load and with two busy loops, for a first look")
    parser.add_argument("--programs", default=PROGRAMS)
    parser.add_argument("--loads")
    parser.add_argument("--rates", default="default,997")
    parser.add_argument("--runtimes", default=",".join(COMPILERS))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--ms", type=int)
    parser.add_argument("--source", choices=["default", "noperf"], default="default")
    parser.add_argument("--peer", choices=["perf"])
    arguments = parser.parse_args()
    arguments.ms = arguments.ms or (QUICK_MS if arguments.quick else MS)
    arguments.loads = arguments.loads or (QUICK_LOADS if arguments.quick else LOADS)
    for name in ("programs", "loads", "rates", "runtimes"):
        setattr(arguments, name, getattr(arguments, name).split(","))
    if unknown := [name for name in arguments.runtimes if name not in COMPILERS]:
        parser.error(f"--runtimes={unknown[0]}: it can be {', '.join(COMPILERS)}")
    if arguments.peer and (sentence := perf_refusal()):
        print(sentence)
        arguments.peer = None
    return arguments


def main():
    arguments = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the cgroup is removed then, too
    loads = [parse_load(name) for name in arguments.loads]
    bench, cells, failed = Bench(arguments), [], False
    head = ["", "off", "error", "within", "samples", "sum", "CPU", *(["perf off"] if arguments.peer else []), "source", "share of"]
    with half_a_processor() as quota:
        for program in arguments.programs:
            rows = [head]
            for runtime, load, rate in itertools.product(arguments.runtimes, loads, arguments.rates):
                title = f"{program}, {runtime}, load {load.name}, {rate}"
                if load.quota and not quota:
                    rows.append([title, "no cgroup here", *[""] * (len(head) - 2)])
                    continue
                placed = dataclasses.replace(load, prefix=quota + load.prefix) if load.quota else load
                try:
                    cells.append(bench.cell(title, program + COMPILERS[runtime].suffix, placed, rate))
                    rows.append(cells[-1].row(arguments.peer))
                except (launch.Failure, OSError) as failure:
                    failed = True
                    print(f"left out: {title}: {failure}", file=sys.stderr)
            if len(rows) > 1:
                print()
                interleaved.print_table(rows)
                sys.stdout.flush()
    if cells:
        print_totals(cells)
    return failed


if __name__ == "__main__":
    sys.exit(main())
