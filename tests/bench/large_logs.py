"""The cost of reading large logs: a table of CPU seconds and peak memory.

usage: large_logs.py [--mib=N] [--threads=N] [--processes=N] [--ompprof=PATH]
  a log of N MiB of one process that repeats its rows at every flush, with a timeline and without
  a process of N threads with the same call paths
  N merged processes of one program

scripts/bench large builds what this runs. Standard library only.
"""

import argparse
import os
import shutil
import tempfile

import interleaved
from interleaved import launch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "bazel-bin")
LARGE_LOG = os.path.join(BUILT, "tests/bench/large_log")
LIBRARY = os.path.join(BUILT, "profiler/collect/libompprof.so")
LIMIT_S = 3600


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=512)
    parser.add_argument("--processes", type=int, default=1000)
    parser.add_argument("--ompprof", default=os.path.join(BUILT, "profiler/cli/ompprof"))
    arguments = parser.parse_args()
    logs = [("long", arguments.mib), ("timeline", arguments.mib), ("threads", arguments.threads), ("processes", arguments.processes)]
    rows = [["log", "MiB", "command", "CPU, s", "wall, s", "peak memory, MiB"]]
    for kind, number in logs:
        folder = tempfile.mkdtemp(prefix="ompprof-bench-")
        try:
            log, out = os.path.join(folder, "log"), os.path.join(folder, "out")
            launch.succeed([LARGE_LOG, log, kind, str(number), LIBRARY], limit=LIMIT_S)
            page = [["report", "--html", out]] if kind == "timeline" else []
            for command in (["info"], ["report", "--full"], *page, ["export", "--force", "--format=pprof", "-o", out], ["merge", "--force", "-o", out]):
                environment = launch.environment(folder, HOME=folder)
                done = launch.succeed([arguments.ompprof, *command, log], folder=folder, env=environment, limit=LIMIT_S)
                size = f"{os.path.getsize(log) / 2**20:.0f}"
                rows.append([f"{kind} {number}", size, " ".join(command[:2]) if "--html" in command else command[0], f"{done.cpu:.2f}", f"{done.wall:.2f}", f"{done.peak_kib / 1024:.0f}"])
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    interleaved.print_table(rows)


if __name__ == "__main__":
    main()
