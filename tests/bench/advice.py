"""What advice predicts, and what following it gains: a table with a row for each rule and runtime.

usage: advice.py [--rounds=N] [--only=RULE,...]

A rule has a flawed program (tests/programs/flaws.cc), the program with the advice followed, and a program without the
flaw that looks like it. Each round records the flawed program, and runs flawed and mended program alone, one after the
other. `predicted` is the median of the advice's gains over the recorded run's wall time. `measured` is the median of
what the mended program saves of the flawed program's time in the same round. A gain is a lower bound, so a rule is good
if `measured` is `predicted` or more.

`mended` and `look-alike` count the recordings with this advice of both programs: 0 is right. Advice on threads is
followed by the environment. The programs sleep or compute for the same time whatever the machine does, but two
rules need a quiet machine: chunks and regions that are too small are only found if their cost is not lost in others'.

scripts/bench builds what this runs. Standard library only.
"""

import argparse
import dataclasses
import json
import os
import re
import statistics
import subprocess
import tempfile

import interleaved
import runtimes
from interleaved import Variant


@dataclasses.dataclass
class Rule:
    """Programs are (mode, flawed or mended, scale); `cheap` scales count constructs, which cost less on libgomp."""

    name: str
    flawed: tuple
    mended: tuple
    look_alike: tuple
    cheap: int = 1
    threads: int = 2
    flaw: dict = dataclasses.field(default_factory=dict)  # environment of the flawed run
    follow: dict = dataclasses.field(default_factory=dict)  # environment of the mended run


MANY = 4 * (os.cpu_count() or 2)

RULES = [
    Rule("static-schedule", ("imbalance", "flawed", 1000), ("imbalance", "mended", 1000), ("barriers", "flawed", 500)),
    Rule("static-schedule", ("uneven", "flawed", 1000), ("uneven", "mended", 1000), ("control", "flawed", 1000)),
    Rule("uneven-team", ("sections", "flawed", 1000), ("sections", "mended", 1000), ("threads", "flawed", 1000)),
    Rule("chunk-too-small", ("chunks", "flawed", 400), ("chunks", "mended", 400), ("uneven", "mended", 500), cheap=10),
    Rule("short-critical", ("critical", "flawed", 200), ("critical", "mended", 200), ("hash-table", "flawed", 300), cheap=10),
    Rule("atomic-updates", ("atomics", "flawed", 500), ("atomics", "mended", 500), ("atomics", "mended", 5000)),
    Rule("contended-lock", ("hash-table", "flawed", 600), ("hash-table", "mended", 600), ("hash-table", "mended", 600)),
    Rule("long-held-lock", ("held-lock", "flawed", 1000), ("held-lock", "mended", 1000), ("serial", "mended", 1000)),
    Rule("region-too-short", ("short", "flawed", 1500), ("short", "mended", 1500), ("control", "flawed", 1000)),
    Rule("tasks-too-fine", ("tasks", "flawed", 2000), ("tasks", "mended", 2000), ("tasks", "mended", 20000)),
    Rule("fuse-regions", ("small-regions", "flawed", 960), ("small-regions", "mended", 960), ("imbalance", "mended", 500)),
    Rule("serial-part", ("serial", "flawed", 1000), ("serial", "mended", 1000), ("serial", "mended", 1000)),
    Rule("too-many-threads", ("barriers", "flawed", 100), ("barriers", "flawed", 100), ("threads", "flawed", 1000), threads=MANY,
         follow={"OMP_NUM_THREADS": str(os.cpu_count() or 2)}),
    Rule("bound-together", ("control", "flawed", 1000), ("control", "flawed", 1000), ("control", "flawed", 1000),
         flaw={"OMP_PLACES": "{0}", "OMP_PROC_BIND": "true"}),
]


def command_of(runtime, rule, program):
    mode, which, scale = program
    longer = rule.cheap if runtime is runtimes.LIBGOMP and mode == rule.flawed[0] else 1
    return [os.path.join(runtimes.BUILT, "tests/programs", "flaws" + runtime.suffix), mode, which, str(scale * longer)]


def wall(run):
    return float(re.search(r"^truth wall \S+ (\S+)$", run.out, re.MULTILINE)[1])


def report_of(runtime, command, environment):
    """The JSON report of a recording of the command."""
    with tempfile.TemporaryDirectory(prefix="ompprof-bench-") as folder:
        profile = os.path.join(folder, "run.ompprof")
        interleaved.run_once(runtime.ours(output=profile), command, environment)
        if not os.path.exists(profile):  # a mended program may end before its first sample
            return {"advice": [], "duration_ns": 1}
        ompprof = os.path.join(runtimes.BUILT, "profiler/cli/ompprof")
        return json.loads(subprocess.run([ompprof, "report", "--format=json", profile], check=True, capture_output=True).stdout)


def gain(report, rule):
    """The advice's gain over the run's wall time; None: there is no such advice."""
    of_rule = [advice for advice in report["advice"] if advice["kind"] == rule.name]
    return of_rule[0]["gain_ns"] / report["duration_ns"] if of_rule else None


def percent(share):
    return f"{100 * share:.0f} %"


def row(runtime, rule, rounds):
    environment = {"OMP_NUM_THREADS": str(rule.threads)}
    flawed, mended = {**environment, **rule.flaw}, {**environment, **rule.follow}
    predicted, saved = [], []
    for_mended = for_look_alike = 0
    for _ in range(rounds):
        flawed_command = command_of(runtime, rule, rule.flawed)
        mended_command = command_of(runtime, rule, rule.mended)
        if (share := gain(report_of(runtime, flawed_command, flawed), rule)) is not None:
            predicted.append(share)
        before = wall(interleaved.run_once(Variant("flawed"), flawed_command, flawed))
        after = wall(interleaved.run_once(Variant("mended"), mended_command, mended))
        saved.append(1 - after / before)
        for_mended += gain(report_of(runtime, mended_command, mended), rule) is not None
        look_alike = {**environment, "OMP_NUM_THREADS": "2"}
        for_look_alike += gain(report_of(runtime, command_of(runtime, rule, rule.look_alike), look_alike), rule) is not None
    known = [share for share in predicted if share > 0]
    said = percent(statistics.median(known)) if known else "not known" if predicted else ""
    return (rule.name, rule.flawed[0], runtime.name, f"{len(predicted)} of {rounds}", said, percent(statistics.median(saved)), for_mended,
            for_look_alike)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows = [("advice", "program", "runtime", "given", "predicted", "measured", "mended", "look-alike")]
    for rule in RULES:
        if options.only and rule.name not in options.only.split(","):
            continue
        rows += [row(runtime, rule, options.rounds) for runtime in (runtimes.LIBOMP, runtimes.LIBGOMP)]
    interleaved.print_table(rows)


if __name__ == "__main__":
    main()
