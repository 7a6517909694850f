#!/usr/bin/env python3
"""The shim's version script for the linker, made from entry_points.txt: each wrapper gets libgomp's default version.

usage: version_script.py ENTRY_POINTS > exported.lds
"""

import sys


def read_table(path):
    """[(symbol, [versions], since, treatment)]."""
    rows = []
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            fields = line.split(" | ")
            if len(fields) != 4 or not all(fields):
                sys.exit(f"{path}:{number}: not 'symbol | versions | GCC | what the shim does'")
            symbol, versions, since, treatment = fields
            rows.append((symbol, versions.split(), since, treatment))
    return rows


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    of_version = {}
    for symbol, versions, _, treatment in read_table(sys.argv[1]):
        if treatment.startswith("passed: "):
            continue
        of_version.setdefault(versions[0], []).append(symbol)
        for older in versions[1:]:
            of_version.setdefault(older, [])  # the version that .symver names must exist
    if not of_version:
        sys.exit(f"{sys.argv[1]} has no wrapper")
    # Other names are hidden when compiled, except those of the loader (gomp/bindings.cc): these have no version.
    # The linker adds three.
    for index, version in enumerate(sorted(of_version)):
        symbols = " ".join(symbol + ";" for symbol in of_version[version])
        hidden = " local: __bss_start; _edata; _end;" if index == 0 else ""
        print(f"{version} {{ {'global: ' if symbols else ''}{symbols}{hidden} }};")


if __name__ == "__main__":
    main()
