#!/usr/bin/env python3
"""Reports know a View and nothing of the recorded form: they neither include it nor name its messages.

profiler/analyze/view/run_facts.h has the facts of a run and its processes that reports need. So a change of the profile's
format reaches model and analyze, and no report.
"""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT = "profiler/report"
FORMAT = "proto/callpath_profile.proto"
HEADERS = ("profiler/model/process_profile.h", "proto/callpath_profile.pb.h", "proto/callpath_profile_magic.h")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')


def format_names(text):
    """The messages and enumerations of the format, and the enumerators."""
    types = re.findall(r"^(?:message|enum) (\w+) *{", text, re.MULTILINE)
    values = re.findall(r"^  ([A-Z]+_[A-Z_]+) = \d+;", text, re.MULTILINE)
    return types, values


def uses(text, types, values):
    """Yields the uses of the recorded form in a file."""
    for header in INCLUDE.findall(text):
        if header in HEADERS:
            yield f"includes {header}"
    code = TEXT.sub('""', COMMENT.sub("", text))
    if re.search(r"\bProcessProfile\b", code):
        yield "names model::ProcessProfile"
    # A type stands before its variable, or before its members. Functions and namespaces may share its name.
    for name in types:
        if re.search(rf"(?<!pprof::)(?<!analyze::)\b{name}(?:_Name|_IsValid|::\w|(?: const)?[&*] ?\w|>)", code):
            yield f"names the message {name}"
    for name in values:
        if re.search(rf"\b{name}\b", code):
            yield f"names {name}"


def own_names(texts):
    """Types that the reports define themselves. Some have a name that the format has as well."""
    return set(re.findall(r"^ *(?:struct|class|enum|enum class) (\w+)", "\n".join(texts), re.MULTILINE))


def main():
    checks = Checks()
    check = checks.check

    types, values = format_names("message Header {\n  uint32 pid = 1;\n}\nenum Reason {\n  LOST_BUSY = 3;\n}\n")
    check((types, values) == (["Header", "Reason"], ["LOST_BUSY"]), "names of the format are found")
    made_up = (
        '#include "proto/callpath_profile.pb.h"\nvoid F(const Header& header) {}\n// Header& LOST_BUSY\n'
        'void Header() { Text("LOST_BUSY"); }\n'
    )
    found = list(uses(made_up, types, values))
    check(found == ["includes proto/callpath_profile.pb.h", "names the message Header"], f"uses are found: {found}")
    check(list(uses("if (reason == LOST_BUSY) Reason_Name(reason);", types, values)) ==
          ["names the message Reason", "names LOST_BUSY"], "enumerators are found")
    check(list(uses("#include \"profiler/analyze/view/view.h\"\nmodel::ProcessProfile p;", types, values)) ==
          ["names model::ProcessProfile"], "the model is found")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))  # from Bazel's copy to the sources
    with open(FORMAT, encoding="utf-8") as file:
        types, values = format_names(file.read())
    check("Header" in types and "RegionContext" in types and "LOST_NO_TIMER" in values,
          f"the format has {len(types)} messages and enumerations, {len(values)} enumerators")
    texts = {}
    for folder, _, names in os.walk(ROOT):
        for name in sorted(names):
            if name.endswith((".h", ".cc")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    texts[os.path.join(folder, name)] = file.read()
    check(len(texts) > 80, f"{len(texts)} files are looked at")
    types = [name for name in types if name not in own_names(texts.values())]
    for path, text in sorted(texts.items()):
        for use in uses(text, types, values):
            check(False, f"{path} {use}: the facts that it needs belong into profiler/analyze/view/run_facts.h")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
