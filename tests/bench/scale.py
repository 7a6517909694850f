"""The cost of reading a very large profile: a table of CPU seconds and peak memory, ompprof beside `go tool pprof`.

usage: scale.py [--nodes=N] [--threads=N] [--rounds=N] [--library=PATH]
  report, report --tree, export --format=pprof   of a made-up profile of N tree nodes with a sample in each
  go tool pprof -top                     of that export: another reader, of its own format, on the same samples

The runs take turns; the table has the least of each. pprof takes minutes. scripts/bench scale builds what this runs. Standard library only.
"""

import argparse
import os
import shutil
import sys
import tempfile

import interleaved
from interleaved import launch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "bazel-bin")
OMPPROF = os.path.join(BUILT, "profiler/cli/ompprof")
MADE_UP = os.path.join(BUILT, "tests/integration/report/made_up_profile")
# A library with line tables, so that symbolizing is part of the cost.
LIBRARY = os.path.join(BUILT, "profiler/collect/libompprof.so")
LIMIT_S = 3600


def run(command, folder):
    """(CPU seconds, wall seconds, peak MiB) of one run; pprof's own scratch files go into `folder`."""
    done = launch.succeed(command, folder=folder, env=launch.environment(folder, PPROF_TMPDIR=folder), limit=LIMIT_S)
    return done.cpu, done.wall, done.peak_kib / 1024


def pprof_command():
    """The tool itself, if go tells its path: the go command's own start would be measured otherwise."""
    if not shutil.which("go"):
        return None
    folder = launch.run(["go", "env", "GOTOOLDIR"]).out.strip()
    tool = os.path.join(folder, "pprof")
    return [tool] if os.access(tool, os.X_OK) else ["go", "tool", "pprof"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1000000)
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--library", default=LIBRARY)
    arguments = parser.parse_args()
    for needed in (OMPPROF, MADE_UP, arguments.library):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is not there; build it with scripts/bench")

    folder = tempfile.mkdtemp(prefix="ompprof-bench-")
    try:
        profile = os.path.join(folder, "large.ompprof")
        exported = os.path.join(folder, "large.pb.gz")
        launch.succeed([MADE_UP, profile, str(arguments.nodes), str(arguments.threads), arguments.library])
        steps = {
            "ompprof report": [OMPPROF, "report", "--full", profile],
            "ompprof report --tree": [OMPPROF, "report", "--tree", profile],
            "ompprof export --format=pprof": [OMPPROF, "export", "--format=pprof", "-o", exported, profile],
        }
        pprof = pprof_command()
        if pprof:
            steps["go tool pprof -top, of that export"] = pprof + ["-top", exported]
        else:
            print("go tool pprof is left out: go is not installed (package golang-go).")
        runs = {name: [] for name in steps}
        for _ in range(arguments.rounds):
            for name, command in steps.items():
                runs[name].append(run(command, folder))
        print(
            f"\na profile of {arguments.nodes:,} nodes and as many samples of {arguments.threads} threads, {os.path.getsize(profile) / 2**20:.1f} MiB, "
            f"export {os.path.getsize(exported) / 2**20:.1f} MiB; rounds: {arguments.rounds}"
        )
        rows = [["", "CPU, s", "wall, s", "peak memory, MiB"]]
        for name, of_step in runs.items():
            cpu, wall, peak = (min(column) for column in zip(*of_step))
            rows.append([name, f"{cpu:.2f}", f"{wall:.2f}", f"{peak:.0f}"])
        interleaved.print_table(rows)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
