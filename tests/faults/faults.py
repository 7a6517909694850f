#!/usr/bin/env python3
"""Runs every hostile host with and without the profiler. Prints which hosts are the same, which are different, and how
much CPU time is missing.

usage: faults.py --built FOLDER --installed FOLDER [--once] [--jobs N] [--list] [PATTERN...]

Rows are those whose name one of the PATTERNs (regular expressions) finds. The exit status is 1 if a row
contradicts its mark: an unmarked row is different, or a marked row is the same.
"""

import argparse
import multiprocessing
import os
import re
import sys

import comparison
import rows
from row import COMPILERS, RATES, why_skipped

SOURCE = os.path.dirname(os.path.abspath(__file__))


def judge(row, combination, places):
    """(row, combination, Verdict) of one cell."""
    try:
        return row, combination, comparison.run_row(row, combination, places)
    except Exception as failure:  # an error of the matrix itself: a row that cannot be judged is not the same
        return row, combination, comparison.Verdict(comparison.DIFFERENT, f"not judged: {failure!r}")


def unexpected(row, combination, verdict):
    """The contradictions of the row's mark; empty if there are none."""
    known = row.is_known(combination)
    if verdict.kind == comparison.SAME and known:
        return f"the same, but marked as known to be different ({row.known}): take the mark away"
    if verdict.kind not in (comparison.SAME, comparison.SKIPPED) and not known:
        return str(verdict)
    return ""


def run_all(cells, places, jobs):
    """Yields judge's answers for (row, combination) pairs as they come, in any order; rows whose needs the
    machine lacks are reported as skipped."""
    runnable, sentences = [], {}
    for row, combination in cells:
        if row.name not in sentences:
            sentences[row.name] = why_skipped(row)
        if sentences[row.name]:
            yield row, combination, comparison.Verdict(comparison.SKIPPED, sentences[row.name])
        else:
            runnable.append((row, combination))
    by_name = {row.name: row for row, _ in runnable}
    # Processes and not threads: each process adopts the processes that its hosts leave behind.
    with multiprocessing.get_context("fork").Pool(jobs, _begin, (places, by_name)) as workers:
        tasks = [(row.name, combination) for row, combination in runnable]
        for name, combination, verdict in workers.imap_unordered(_judge_by_name, tasks):
            yield by_name[name], combination, verdict


_given = ()


def _begin(*given):
    global _given
    _given = given


def _judge_by_name(task):
    places, by_name = _given
    _, combination, verdict = judge(by_name[task[0]], task[1], places)
    return task[0], combination, verdict


def _print_table(answers):
    """One line a row, a column for each compiler and rate."""
    columns = [(compiler, rate) for compiler in COMPILERS for rate in RATES]
    heads = ["host"] + [f"{compiler} {'10 kHz' if rate == 10000 else 'default'}" for compiler, rate in columns]
    lines, notes = [heads], []
    for row in rows.ALL:
        cells = {}
        for combination, verdict in answers.get(row.name, {}).items():
            text = verdict.kind
            if verdict.kind == comparison.SAME and verdict.lost is not None:
                text += f" -{verdict.lost:.0%}"
            elif verdict.kind == comparison.LOST:
                text += f" {verdict.lost:.0%}"
            cells[(combination.compiler, combination.rate)] = text
            surprise = unexpected(row, combination, verdict)
            if verdict.kind in (comparison.DIFFERENT, comparison.LOST) or surprise:
                mark = "UNEXPECTED" if surprise else "known"
                notes.append((f"{row.name} ({combination})", mark, surprise or f"{verdict} [{row.known}]"))
            elif verdict.kind == comparison.SKIPPED:
                notes.append((row.name, "skipped", verdict.how))
        if cells:
            line = [cells.get(column) or cells.get(("", column[1]), "") for column in columns]
            lines.append([row.name] + line)
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    print()
    for where, mark, text in dict.fromkeys(notes):
        print(f"{mark}: {where}: {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", required=True, help="the folder with the hosts")
    parser.add_argument("--installed", required=True, help="the installed tree")
    parser.add_argument("--once", action="store_true", help="one compiler and rate for each row, as the test has it")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="rows at a time")
    parser.add_argument("--list", action="store_true", help="only the names of the rows")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    arguments = parser.parse_args()
    chosen = [row for row in rows.ALL if not arguments.patterns or any(re.search(p, row.name) for p in arguments.patterns)]
    if arguments.list:
        print("\n".join(row.name for row in chosen))
        return 0
    places = comparison.Places(os.path.abspath(arguments.installed), os.path.abspath(arguments.built), SOURCE)
    cells = [(row, each) for row in chosen for each in ([row.chosen()] if arguments.once else row.combinations())]
    answers, counts, surprises = {}, {}, 0
    for number, (row, combination, verdict) in enumerate(run_all(cells, places, arguments.jobs), 1):
        answers.setdefault(row.name, {})[combination] = verdict
        counts[verdict.kind] = counts.get(verdict.kind, 0) + 1
        surprises += unexpected(row, combination, verdict) != ""
        print(f"{number} of {len(cells)}: {row.name} ({combination}): {verdict}", file=sys.stderr, flush=True)
    _print_table(answers)
    summary = ", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts))
    print(f"{len(answers)} rows, {sum(counts.values())} cells: {summary}; {surprises} not as their mark says")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
