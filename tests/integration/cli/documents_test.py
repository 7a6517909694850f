#!/usr/bin/python3
"""The scripts in README.md and profiler/docs run as a reader would run them, and the outputs shown are today's: titles,
columns and names of efficiencies are the same as in an output made now. Figures and rows differ in each run. scripts/outputs
brings outputs up to date.

usage: documents_test.py INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE DOCUMENT...
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted
import documents

OMPPROF, DEMO, SOURCE, *DOCUMENTS = (os.path.abspath(path) for path in sys.argv[1:])

TABLE = """Threads (shares are of 12.66 s of CPU sampled)
  id   tid  kind     lifetime  p95
   1  6809  initial   12.22 s  3 s

Efficiency (useful: on a processor)
  busy threads         ~0.58 of 2 on average
  lost                 ~70.8 %: 23.7 % waiting
                       for locks
  off CPU              ready without a processor: 3 ms
"""
SHAPE = ["Threads", ("id", "tid", "kind", "lifetime", "p95"), "Efficiency", "busy threads", "lost"]


def check_a_shape_has_what_every_run_prints():
    assert documents.shape(TABLE) == SHAPE, documents.shape(TABLE)
    assert documents.shape(TABLE.replace("12.66", "9").replace("6809", "7")) == SHAPE
    assert documents.shape("If f [omp parallel a.c:12] had schedule(dynamic,3):\n  5.98 s  as recorded\n") == [
        "If f [omp parallel a.c:#] had schedule"]
    assert documents.shape("   before  after  change   95 %\n  1 s  2 s  1 s  ?\n") == [("before", "after", "change", "95 %")]


def check_a_machine_without_other_work_gives_the_same_shape():
    quiet = "".join(line for line in TABLE.splitlines(keepends=True) if "off CPU" not in line)
    assert documents.is_same(documents.shape(quiet), SHAPE), documents.shape(quiet)


def check_another_column_is_another_shape():
    for old, new in (("lifetime", "life"), ("busy threads", "workers"), ("Threads", "Workers"), ("  lost", "  gone"),
                     ("off CPU", "resting")):
        assert not documents.is_same(documents.shape(TABLE.replace(old, new)), SHAPE), old
    assert documents.is_same(documents.shape(TABLE.replace("  tid", "     ")), SHAPE)
    assert documents.is_same([("CPU", "work", "line")], [("CPU", "overhead", "line")])


def check_blocks():
    text = "a\n<!-- not run: why -->\n```sh\nx\n```\n\n```sh\ny\n```\n<!-- output: z | head -->\n```text\n1\n2\n```\nb\n"
    kinds = [(block.kind, block.body, block.output_of, block.not_run) for block in documents.blocks(text)]
    assert kinds == [("sh", "x\n", "", "why"), ("sh", "y\n", "", ""), ("text", "1\n2\n", "z | head", "")], kinds
    assert [line for line in documents.prose(text) if line] == ["a", "b"], documents.prose(text)


def check_the_advice_shown_has_both_mistakes():
    """A busy machine hides one of them: then the tutorial's text and its output do not agree."""
    shown = 0
    for path in DOCUMENTS:
        for block in documents.blocks(documents.read(path)):
            if "--advice" in block.output_of:
                shown += 1
                assert "critical bins" in block.body and "influence [omp parallel" in block.body, block.body
    assert shown > 0


def check_the_documents():
    """Each document in a folder of its own, with the profile of one recording."""
    first = documents.Place(OMPPROF, DEMO, SOURCE, short=True)
    first.record()
    failures = []
    number = 0
    for path in DOCUMENTS:
        place = documents.Place(OMPPROF, DEMO, SOURCE, short=True)
        place.take(os.path.join(first.folder, documents.PROFILE))
        for block, output in documents.outputs(place, documents.read(path)):
            number += 1
            if not documents.is_same(documents.shape(block.body), documents.shape(output)):
                failures.append(f"{os.path.basename(path)}: the output of {block.output_of} has changed: "
                                f"{documents.shape(block.body)} became {documents.shape(output)}; see scripts/outputs")
    assert number >= 8, number
    assert not failures, "\n".join(failures)


counted.run([check_a_shape_has_what_every_run_prints, check_a_machine_without_other_work_gives_the_same_shape,
             check_another_column_is_another_shape, check_blocks, check_the_advice_shown_has_both_mistakes,
             check_the_documents])
