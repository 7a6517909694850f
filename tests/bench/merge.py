"""The cost of `merge --unify`, by the number of files and of workers: threads, and processes of MPI.

usage: merge.py [--files=100,1000,10000] [--profile=FILE]
  The files are the ranks of a made-up job (make_job.cc) of FILE, or of a profile of demo_heat that is recorded first.
  All workers must write the same bytes.

MB/s: of the files, for a second of a processor, above the time for a job of one file. scripts/bench merge builds what this runs. Standard
library only.
"""

import argparse
import hashlib
import os
import shutil
import sys
import tempfile

import interleaved
from interleaved import launch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "bazel-bin")
OMPPROF = os.path.join(BUILT, "profiler/cli/ompprof")
MAKE_JOB = os.path.join(BUILT, "tests/bench/make_job")
PROGRAM = os.path.join(BUILT, "tests/programs/demo_heat")
LIMIT_S = 3600
LEAST_S = 0.1  # a shorter time tells no rate
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]


def workers():
    """(name, prefix, options)"""
    rows = [(f"{jobs} thread" + "s" * (jobs > 1), [], [f"--jobs={jobs}"]) for jobs in (1, 2)]
    if shutil.which("mpirun"):
        rows += [(f"{n} MPI process" + "es" * (n > 1), MPIRUN + [str(n)], []) for n in (1, 2, 4)]
    return rows


def unify(prefix, options, job, out, folder):
    command = [*prefix, OMPPROF, "merge", "--unify", "--keep=none", *options, "-o", out, job]
    return launch.succeed(command, folder=folder, env=launch.environment(folder, HOME=folder), limit=LIMIT_S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", default="100,1000,10000")
    parser.add_argument("--profile")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="ompprof-bench-")
    rows = [["files", "MB", "workers", "wall, s", "CPU, s", "MB/s", "peak memory, MiB", "result, kB"]]
    try:
        profile = arguments.profile or os.path.join(folder, "base.ompprof")
        if not arguments.profile:
            launch.succeed([OMPPROF, "record", "-o", profile, "--", PROGRAM, "1"], folder=folder, limit=LIMIT_S)
        single = os.path.join(folder, "single")
        launch.succeed([MAKE_JOB, profile, "1", single], limit=LIMIT_S)
        for files in map(int, arguments.files.split(",")):
            job, out = os.path.join(folder, "job"), os.path.join(folder, "out.ompprof")
            size = int(launch.succeed([MAKE_JOB, profile, str(files), job], limit=LIMIT_S).out)
            bytes_written = set()
            for name, prefix, options in workers():
                constant = unify(prefix, options, single, out, folder).cpu
                done = unify(prefix, options, job, out, folder)
                with open(out, "rb") as file:
                    bytes_written.add(hashlib.sha256(file.read()).hexdigest())
                above = done.cpu - constant
                rate = f"{size / 1e6 / above:.0f}" if above > LEAST_S else "-"
                rows.append([f"{files:,}", f"{size / 1e6:.1f}", name, f"{done.wall:.2f}", f"{done.cpu:.2f}", rate,
                             f"{done.peak_kib / 1024:.0f}", f"{os.path.getsize(out) / 1e3:.0f}"])
            if len(bytes_written) != 1:
                sys.exit(f"{files} files: the workers wrote different bytes")
            shutil.rmtree(job)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    interleaved.print_table(rows)


if __name__ == "__main__":
    main()
