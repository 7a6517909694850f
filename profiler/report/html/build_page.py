"""Assembles the web page's template: page/index.html with its styles, its scripts and the libraries. The build runs it.

usage: build_page.py --html OUT.html --cc OUT.cc FILE...

FILE: index.html, styles (*.css), scripts (*.js), and the minified files and licences of the libraries. The files' names
tell their kinds. Writes the template, and a C++ file that holds the template. The policy in the template's head names the
checksums of these scripts and styles. No other script can run in the page, even if a profile's data contain a script.
"""

import argparse
import base64
import hashlib
import re
import sys

# The order of the other scripts does not matter. main.js comes last, because it starts the page.
LAST_SCRIPT = "main.js"
LIBRARIES = [("d3", "d3.min.js"), ("d3-flame-graph", "d3-flamegraph.umd.min.js")]
# d3-flame-graph adds this style element.
FLAME_STYLE = re.compile(r"document\.createElement\(\"style\"\);\w+\.textContent=`([^`\\$]|\$(?!\{))*`")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def checksum(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def library(files, package, script):
    """The library's code after its licence."""
    folder = f"/node_modules/{package}/"
    found = [path for path in files if folder in path]
    code = next(read(path) for path in found if path.endswith("/" + script))
    licence = next(read(path) for path in found if path.endswith("/LICENSE"))
    if "*/" in licence:
        sys.exit(f"build_page.py: the licence of {package} cannot be put into a comment")
    return f"/*! {package}, under this licence:\n\n{licence}\n*/\n{code}"


def template(files):
    page = [path for path in files if "/node_modules/" not in path]
    styles = "\n".join(read(path) for path in sorted(page) if path.endswith(".css"))
    scripts = sorted((path for path in page if path.endswith(".js")), key=lambda path: (path.endswith(LAST_SCRIPT), path))
    ours = '(function () {\n"use strict";\n' + "\n".join(read(path) for path in scripts) + "})();\n"
    elements = [library(files, package, script) for package, script in LIBRARIES] + [ours]
    for text in elements + [styles]:
        if re.search(r"</(script|style)|<!--", text, re.IGNORECASE):
            sys.exit("build_page.py: a script or style holds text that would end its element")
    added = [match.group(0) for text in elements[:-1] for match in FLAME_STYLE.finditer(text)]
    if len(added) != 1:
        sys.exit(f"build_page.py: the libraries add {len(added)} styles to the page, not the one that is known")
    flame_style = added[0].split("`")[1]

    html = next(read(path) for path in page if path.endswith("/index.html"))
    for place, text in (
        ("SCRIPT_HASHES", " ".join(checksum(text) for text in elements)),
        ("STYLE_HASHES", " ".join(checksum(text) for text in (styles, flame_style))),
        ("<!--STYLES-->", f"<style>{styles}</style>"),
        ("<!--SCRIPTS-->", "\n".join(f"<script>{text}</script>" for text in elements)),
    ):
        if html.count(place) != 1:
            sys.exit(f"build_page.py: index.html has {place} {html.count(place)} times, not once")
        html = html.replace(place, text)
    return html


def as_cc(text):
    """A C++ file with the text, in pieces that compilers take."""
    data = text.encode()
    pieces = []
    for begin in range(0, len(data), 4000):
        escaped = "".join(
            chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in data[begin : begin + 4000]
        )
        pieces.append(f'    "{escaped}"')
    return (
        '// Made by build_page.py.\n#include "profiler/report/html/page_template.h"\n\n'
        "namespace ompprof::report {\n\nstd::string_view PageTemplate() {\n  static constexpr char kText[] =\n"
        + "\n".join(pieces)
        + ";\n  return {kText, sizeof kText - 1};\n}\n\n}  // namespace ompprof::report\n"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--html", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    text = template(arguments.files)
    with open(arguments.html, "w", encoding="utf-8") as out:
        out.write(text)
    with open(arguments.cc, "w", encoding="ascii") as out:
        out.write(as_cc(text))


if __name__ == "__main__":
    main()
