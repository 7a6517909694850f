"""The time of a job of many short ranks, as a launcher's environment makes it: without ompprof, and into DIR/%r.ompprof.

usage: ranks.py [--ranks=N] [--together=N] [--stage=DIR]

Each rank is a process of its own (/bin/true). Then all files are there, each with its rank's name and header. scripts/bench
builds ompprof. Standard library only.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OMPPROF = os.path.join(ROOT, "bazel-bin/profiler/cli/ompprof")
RANKS_IN_FOLDER = 1000


def job(command, ranks, together):
    """Seconds. `command` is a list, which may have {rank}."""

    def run(rank):
        env = dict(os.environ, PMI_RANK=str(rank), PMI_SIZE=str(ranks), PMI_JOBID=f"bench {os.getpid()}")
        return subprocess.run(command, env=env, check=False).returncode

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(together) as pool:
        failed = sum(status != 0 for status in pool.map(run, range(ranks)))
    if failed:
        sys.exit(f"{failed} ranks failed")
    return time.monotonic() - begin


def expected(folder, ranks):
    sub = (lambda rank: os.path.join(folder, str(rank // RANKS_IN_FOLDER))) if ranks > RANKS_IN_FOLDER else (lambda _: folder)
    return {os.path.join(sub(rank), f"{rank}.ompprof") for rank in range(ranks)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=1000)
    parser.add_argument("--together", type=int, default=32)
    parser.add_argument("--stage")
    arguments = parser.parse_args()
    if not os.path.exists(OMPPROF):
        sys.exit(f"{OMPPROF} is not there; build it with scripts/bench")
    with tempfile.TemporaryDirectory(prefix="ompprof-bench-") as folder:
        options = ["-o", f"{folder}/%r.ompprof"] + ([f"--stage={arguments.stage}"] if arguments.stage else [])
        alone = job(["/bin/true"], arguments.ranks, arguments.together)
        recorded = job([OMPPROF, "record", *options, "--", "/bin/true"], arguments.ranks, arguments.together)
        files = {os.path.join(at, name) for at, _, names in os.walk(folder) for name in names}
        if files != expected(folder, arguments.ranks):
            sys.exit(f"wrong files: {sorted(files ^ expected(folder, arguments.ranks))[:10]}")
        print(f"{arguments.ranks} ranks, {arguments.together} at a time: {alone:.2f} s alone, {recorded:.2f} s recorded; "
              f"{len(files)} files with the right names, {sum(map(os.path.getsize, files)) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
