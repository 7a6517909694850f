#!/usr/bin/env python3
"""The documents: each link in a Markdown file leads somewhere, README.md leads to each document for users, and
profiler/docs/troubleshooting.md has every note and warning that the sources print.
"""

import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

DOCS = "profiler/docs"
TROUBLESHOOTING = f"{DOCS}/troubleshooting.md"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
LITERAL = r'"(?:[^"\\]|\\.)*"'
# Where the sources have sentences for the user: {folder or file: calls whose string literals are such sentences}.
SENTENCES = {
    "profiler/collect": r"\b(?:Warn|AddNote)\(|kText\[\] =",
    "profiler/collect/write/rounds/sampling_notes.cc": r"\{Cut::\w+,",
    "profiler/collect/quirks/libomptarget.cc": r"\breturn(?= \")|\n    return\n",
    "profiler/analyze/builder/build_view.cc": r"warnings\.push_back\(",
    "profiler/analyze/builder/counted_events.cc": r"\breturn(?= \"the processes| std::to_string)",
    "profiler/analyze/view/run_facts.cc": r"notes\.push_back\(",
    "profiler/model/symbolizer.cc": r"warnings_\.push_back\(",
    "profiler/model/debug_file.cc": r"\breturn fail\(",
    "profiler/report/whole/text_header.cc": r"notes\.push_back\(",
    "profiler/report/sections/overhead.cc": r"notes\.push_back\(|return OwnText\(view\) \+ ",
    "profiler/cli/files/load.cc": r"\bComplain\((?!const)",
    "profiler/cli/commands/record.cc": r"Complain\((?=\s*\"(?:warning: |the collector|LD_PRELOAD))",
    "profiler/cli/record/preload_check.cc": r"\breturn(?= \"the program)",
    "profiler/collect/process/executed_program.cc": r"\bSay\(",
    "profiler/config/preload_fit.cc": r"\breturn(?= \"the program)",
}
LEAST_LETTERS = 12  # of a piece of a sentence that counts


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def links(text):
    return [urllib.parse.unquote(link) for link in LINK.findall(without_code(text))
            if not re.match(r"[a-z]+:", link)]


def anchors(text):
    """The names by which a link may mean a heading."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(path, text, read):
    """The links of the document at `path` that lead nowhere. `read` gives a file's text, or None."""
    wrong = []
    for link in links(text):
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        there = read(target)
        if there is None or (anchor and anchor not in anchors(there)):
            wrong.append(link)
    return wrong


def read(path):
    """A file's text; of a folder or of a picture, nothing; None if there is no such file."""
    if not os.path.exists(path):
        return None
    if not path.endswith(".md"):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def pieces(source, call):
    """The sentences that calls like `call` have, in pieces between figures and names."""
    found = []
    for match in re.finditer(call, source):
        statement = re.match(rf"(?:{LITERAL}|[^\";])*", source[match.end():]).group()
        if "{Cut" in match.group():
            statement = statement.partition("}")[0]
        # Literals that follow each other are one.
        joined = re.sub(r'"\s*"', "", statement)
        for literal in re.findall(LITERAL, joined):
            text = literal[1:-1].removeprefix("warning: ").replace('\\"', '"').replace("\\n", " ")
            for piece in re.split(r"%[-.*\d]*(?:ll|l|z)?[a-z]", text):
                # Marks at the ends may be within quotes in the document.
                piece = re.sub(r"\s+", " ", piece).strip(" .,:;('\"")
                if sum(letter.isalpha() for letter in piece) >= LEAST_LETTERS:
                    found.append(piece)
    return found


def sources(path):
    if os.path.isfile(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if name.endswith(".cc")]


def main():
    checks = Checks()
    check = checks.check

    texts = {"a/x.md": "# Of all: `x`\n[a](y.md#b-c) [b](#of-all-x) `[c](d)` [e](https://e)\n", "a/y.md": "## B c\n"}
    check(broken("a/x.md", texts["a/x.md"], texts.get) == [], "good links are found")
    check(broken("a/x.md", "[a](z.md) [b](y.md#b) [c](#c)\n", texts.get) == ["z.md", "y.md#b", "#c"], "bad links are found")
    check(pieces('AddNote(\n "the stacks here of %u have "\n "no end at all", 3); x("not this at all");', r"AddNote\(") ==
          ["the stacks here of", "have no end at all"], "sentences are found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], text=True,
                            check=False, capture_output=True).stdout.split()
    documents = listed or [path for root in ("profiler", "runtime_shim", "tests") for folder, _, names in os.walk(root)
                           for path in (os.path.join(folder, name) for name in names) if path.endswith(".md")]
    check("README.md" in documents and len(documents) > 15, f"{len(documents)} documents are here")
    for path in sorted(documents):
        wrong = broken(path, read(path), read)
        check(not wrong, f"the links of {path}" + (f": {', '.join(wrong)} leads nowhere" if wrong else " lead somewhere"))
    readme = {os.path.normpath(link.partition("#")[0]) for link in links(read("README.md"))}
    for name in sorted(os.listdir(DOCS)):
        if name.endswith(".md"):
            check(f"{DOCS}/{name}" in readme, f"README.md leads to {name}")

    told = " ".join(read(TROUBLESHOOTING).replace("`", "").split())
    number = 0
    for root, call in SENTENCES.items():
        for path in sorted(sources(root)):
            with open(path, encoding="utf-8") as file:
                for piece in pieces(file.read(), call):
                    number += 1
                    check(piece.replace("`", "") in told, f"{TROUBLESHOOTING} has a sentence of {path}: {piece}")
    check(number > 60, f"{number} pieces of sentences are known")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
