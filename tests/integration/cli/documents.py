"""The commands and outputs in README.md and profiler/docs. documents_test.py runs and compares them; scripts/outputs fills
the outputs in.

In a document, a block ```sh is a script that a reader runs, and a block ```diff is an edit that a reader makes. The comment
`<!-- not run: REASON -->` stands before a script that no test can run. The comment `<!-- output: COMMAND -->` stands before a
block ```text with COMMAND's output; other blocks ```text are drawings. Blocks are run in the order of the document, in a folder of its own.

usage: documents.py INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE DOCUMENT...
Fills the outputs of the documents in.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

PROFILE = "demo_heat.ompprof"  # as the documents call the demonstration program's profile
MUCH = 0.2  # processors that other programs use
STATES = {"work", "barrier", "overhead", "critical", "idle"}  # headings of `ompprof annotate`
NOT_IN_EVERY_RUN = {"off CPU", "in MPI", "outside OpenMP"}  # names of efficiencies without a row where their time is 0
BLOCK = re.compile(r"(?:^<!-- (?P<word>output|not run): (?P<said>[^\n]*) -->\n)?^```(?P<kind>\w*)\n(?P<body>.*?)^```$",
                   re.MULTILINE | re.DOTALL)
KINDS = {"sh", "diff", "text"}


@dataclasses.dataclass
class Block:
    kind: str  # sh, diff or text
    body: str
    output_of: str  # the command of a block of text
    not_run: str  # the reason
    begin: int  # of the body
    end: int


def blocks(text):
    """The blocks of a document, in order."""
    found = []
    for match in BLOCK.finditer(text):
        output_of = match["said"] if match["word"] == "output" else ""
        not_run = match["said"] if match["word"] == "not run" else ""
        block = Block(match["kind"], match["body"], output_of, not_run, match.start("body"), match.end("body"))
        assert block.kind in KINDS, f"a block ```{block.kind}"
        assert block.kind == "text" or not output_of, f"a block ```{block.kind} after {match['word']}:\n{block.body}"
        found.append(block)
    return found


def prose(text):
    """The lines of a document outside of blocks and comments."""
    return re.sub(r"<!--.*?-->", "", BLOCK.sub("", text), flags=re.DOTALL).splitlines()


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Place:
    """A folder where `ompprof` is installed, with what the documents speak of: `./program` and `./demo_heat`, the
    demonstration program; its source; its profile; `./script`, which runs the program twice."""

    def __init__(self, ompprof, demo, source, short):
        self.short = short
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.path = os.path.dirname(ompprof) + ":" + launch.PATH
        for name in ("program", "demo_heat"):
            shutil.copy(demo, os.path.join(self.folder, name))
        shutil.copy(source, os.path.join(self.folder, "demo_heat.cc"))
        os.chmod(os.path.join(self.folder, "demo_heat.cc"), 0o644)
        with open(os.path.join(self.folder, "script"), "w", encoding="utf-8") as script:
            script.write("#!/bin/sh\n./program 0\n./program 0\n")
        os.chmod(os.path.join(self.folder, "script"), 0o755)

    def run(self, command):
        """What a shell prints for `command`."""
        if self.short:  # a seventh of the demonstration program's work
            command = re.sub(r"\./demo_heat(?=\s|$)", "./demo_heat 2", command)
        environment = launch.environment(self.folder, PATH=self.path, OMP_NUM_THREADS="2")
        return launch.succeed(["bash", "-e", "-o", "pipefail", "-c", command], folder=self.folder, env=environment).out

    def record(self):
        self.run(f"ompprof record --timeline -o {PROFILE} -- ./demo_heat")

    def take(self, profile):
        """Uses a profile of another place."""
        shutil.copy(profile, os.path.join(self.folder, PROFILE))

    def edit(self, difference):
        self.run(f"patch -p0 <<'END_OF_EDIT'\n{difference}END_OF_EDIT\n")


def outputs(place, text):
    """[(block, output)] for each output of a document. Runs the document's scripts."""
    found = []
    for block in blocks(text):
        if block.not_run:
            continue
        if block.kind == "sh":
            place.run(block.body)
        elif block.kind == "diff":
            place.edit(block.body)
        elif block.output_of:
            found.append((block, place.run(block.output_of)))
    return found


def is_heading(line):
    """Whether a line is the headings of a table's columns: several words, apart from each other, and no figures."""
    words = re.split(r"\s{2,}", line.strip().replace("95 %", "95%"))
    return len(words) > 1 and not any(re.match(r"[~±+-]?\d", word) and word != "95%" for word in words)


def shape(output):
    """What stays the same in each run: titles without their remarks, the headings of each table as a tuple, and the names
    of efficiencies that each run prints. Numbers in titles become #. Of a program with its arguments and time, the program
    stays."""
    found = []
    title = ""
    after_title = True  # an output may begin with headings
    for line in output.splitlines():
        if line and not line[0].isspace():
            title = re.sub(r"\d[\d,.]*", "#", re.sub(r"\s*\(.*|(?<=^\./demo_heat) .*", "", line))
            found.append(title)
        elif after_title and is_heading(line):
            found.append(tuple(re.split(r"\s{2,}", line.strip())))
        elif title == "Efficiency" and re.match(r"  \S", line):
            name = re.match(r"  (\S+(?: \S+)*)", line)[1]
            if name not in NOT_IN_EVERY_RUN:
                found.append(name)
        after_title = bool(line) and not line[0].isspace()
    return found


def is_same(one, other):
    """Whether two shapes are the same. A column without any figure may be missing in one of them, and a column for a state
    that no sample met."""
    def same(a, b):
        if not isinstance(a, tuple) or not isinstance(b, tuple):
            return a == b
        a, b = set(a) - STATES, set(b) - STATES
        return a <= b or b <= a
    return len(one) == len(other) and all(map(same, one, other))


def fill(place, text):
    """The document with its outputs as they are now."""
    for block, output in reversed(outputs(place, text)):
        lines = [line.rstrip() for line in output.splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        text = text[:block.begin] + "\n".join(lines) + "\n" + text[block.end:]
    return text


def main():
    ompprof, demo, source, *documents = (os.path.abspath(path) for path in sys.argv[1:])
    first = Place(ompprof, demo, source, short=False)
    first.record()
    busy = re.search(r"other programs used (\d[\d.]*) of them", first.run(f"ompprof report --full {PROFILE}"))
    if busy and float(busy[1]) > MUCH:
        print(f"the machine is busy: other programs used {busy[1]} processors, so the outputs will be unusual", file=sys.stderr)
    for path in documents:
        text = read(path)
        if not any(block.output_of for block in blocks(text)):
            continue
        place = Place(ompprof, demo, source, short=False)
        place.take(os.path.join(first.folder, PROFILE))
        filled = fill(place, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled)
        print(f"{path}: {'as before' if filled == text else 'filled in'}")


if __name__ == "__main__":
    main()
