"""The cost of `merge --unify`, by the number of files and of workers: threads, and processes of MPI; and the terms of
the model in README.md, measured one by one.

usage: merge.py [--files=100,1000,10000] [--profile=FILE] [--repeat=3]
  The files are the ranks of a made-up job (make_job.cc) of FILE, or of a profile of demo_heat that is recorded first.
  All workers must write the same bytes. Each figure is the least of the repetitions.

MB/s: of the files, for a second of a processor, above the time for a job of one file. scripts/bench merge builds what this runs. Standard
library only.
"""

import argparse
import hashlib
import os
import shutil
import sys
import tempfile
import time

import interleaved
from interleaved import launch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "bazel-bin")
OMPPROF = os.path.join(BUILT, "profiler/cli/ompprof")
MAKE_JOB = os.path.join(BUILT, "tests/bench/make_job")
PROGRAM = os.path.join(BUILT, "tests/programs/demo_heat")
LIMIT_S = 3600
LEAST_S = 0.1  # a shorter time tells no rate
TREES = 8  # workers of one file each, for the cost of an exchange
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]


def workers():
    """(name, prefix, options)"""
    rows = [(f"{jobs} thread" + "s" * (jobs > 1), [], [f"--jobs={jobs}"]) for jobs in (1, 2)]
    if shutil.which("mpirun"):
        rows += [(f"{n} MPI process" + "es" * (n > 1), MPIRUN + [str(n)], []) for n in (1, 2, 4)]
    return rows


class Bench:
    def __init__(self, folder, repeat):
        self.folder = folder
        self.repeat = repeat
        self.out = os.path.join(folder, "out.ompprof")

    def unify(self, prefix, options, job):
        """The least wall time, CPU time and peak memory (KiB) of the repetitions."""
        command = [*prefix, OMPPROF, "merge", "--unify", *options, "-o", self.out, job]
        runs = [launch.succeed(command, folder=self.folder, env=launch.environment(self.folder, HOME=self.folder), limit=LIMIT_S)
                for _ in range(self.repeat)]
        return min(run.wall for run in runs), min(run.cpu for run in runs), min(run.peak_kib for run in runs)

    def make_job(self, profile, files, name="job"):
        job = os.path.join(self.folder, name)
        return job, int(launch.succeed([MAKE_JOB, profile, str(files), job], limit=LIMIT_S).out)


def measure(bench, profile, counts):
    """The table of jobs; and by the number of files, the seconds of one thread for a megabyte."""
    rows = [["files", "MB", "workers", "wall, s", "CPU, s", "MB/s", "peak memory, MiB", "result, kB"]]
    each = {}
    single, _ = bench.make_job(profile, 1, "single")
    for files in counts:
        job, size = bench.make_job(profile, files)
        written = set()
        for name, prefix, options in workers():
            constant = bench.unify(prefix, [*options, "--keep=none"], single)[1]
            wall, cpu, peak = bench.unify(prefix, [*options, "--keep=none"], job)
            with open(bench.out, "rb") as file:
                written.add(hashlib.sha256(file.read()).hexdigest())
            above = cpu - constant
            rate = f"{size / 1e6 / above:.0f}" if above > LEAST_S else "-"
            if name == "1 thread" and above > LEAST_S:
                each[files] = above / (size / 1e6)
            rows.append([f"{files:,}", f"{size / 1e6:.1f}", name, f"{wall:.2f}", f"{cpu:.2f}", rate, f"{peak / 1024:.0f}",
                         f"{os.path.getsize(bench.out) / 1e3:.0f}"])
        if len(written) != 1:
            sys.exit(f"{files} files: the workers wrote different bytes")
        shutil.rmtree(job)
    return rows, each


def model_terms(bench, profile, files):
    job, _ = bench.make_job(profile, files)
    paths = [os.path.join(place, name) for place, _, names in os.walk(job) for name in names]
    begin = time.perf_counter()
    for path in paths:
        os.stat(path)
    t_stat = (time.perf_counter() - begin) / len(paths)
    _, without, _ = bench.unify([], ["--jobs=1", "--keep=none"], job)
    _, kept, _ = bench.unify([], ["--jobs=1", "--keep=outliers"], job)
    shutil.rmtree(job)
    few, _ = bench.make_job(profile, TREES, "few")
    _, alone, _ = bench.unify([], ["--jobs=1", "--keep=none"], few)
    _, shared, _ = bench.unify([], [f"--jobs={TREES}", "--keep=none"], few)
    single, _ = bench.make_job(profile, 1, "single")
    start = bench.unify([], ["--jobs=1", "--keep=none"], single)[0]
    rows = [["term", "value", "measured as"],
            ["start + names", f"{start:.3f} s", "wall time of a job of one file"],
            ["t_stat", f"{t_stat * 1e6:.1f} us", f"the sizes of {files:,} files, read once before"],
            ["t_tree", f"{(shared - alone) / (TREES - 1) * 1e3:.2f} ms", f"CPU time: {TREES} files by {TREES} threads against one thread; a tree there and the result back"],
            ["t_row", f"{(kept - without) / files * 1e6:.0f} us", f"CPU time: {files:,} files with --keep=outliers against none"]]
    if shutil.which("mpirun"):
        rows.insert(2, ["start by MPI", f"{bench.unify(MPIRUN + ['1'], ['--keep=none'], single)[0]:.2f} s", "wall time of a job of one file under mpirun"])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", default="100,1000,10000")
    parser.add_argument("--profile")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.files.split(",")]
    folder = tempfile.mkdtemp(prefix="ompprof-bench-")
    try:
        bench = Bench(folder, arguments.repeat)
        profile = arguments.profile or os.path.join(folder, "base.ompprof")
        if not arguments.profile:
            launch.succeed([OMPPROF, "record", "-o", profile, "--", PROGRAM, "1"], folder=folder, limit=LIMIT_S)
        rows, each = measure(bench, profile, counts)
        terms = model_terms(bench, profile, counts[-1])
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    interleaved.print_table(rows)
    if len(each) > 1:
        print(f"\nLinear in bytes: the dearest megabyte of one thread takes {max(each.values()) / min(each.values()) - 1:.1%} longer than the cheapest ({', '.join(f'{files:,}' for files in each)} files).")
    print()
    interleaved.print_table(terms)


if __name__ == "__main__":
    main()
