#!/usr/bin/env python3
"""The table of costs in runtime_shim/README.md marks each figure that misses the aim before it, and no other figure.
tests/bench/shim_cost.py reads its aims from that table."""

import pathlib
import re

ROW = re.compile(r"^\| `(\w+)` \| ([\d.]+) ns \| (.*) \| (.*) \| (.*) \|$", re.MULTILINE)
CELL = re.compile(r"(?:none|\+(\d+) ns|(\d\.\d\d)): ([+-]?[\d.]+)(, \*\*missed\*\*)?")


def main():
    rows = ROW.findall(pathlib.Path("runtime_shim/README.md").read_text(encoding="utf-8").partition("## Cost")[2])
    assert len(rows) == 11, rows
    for construct, bare, *cells in rows:
        for cell in cells:
            found = CELL.fullmatch(cell)
            assert found, (construct, cell)
            over, ratio, figure = (float(text) if text else None for text in found.group(1, 2, 3))
            aim = ratio if over is None else over
            assert (found[4] is not None) == (aim is not None and figure > aim), (construct, cell)
            # Costs of a few nanoseconds are not judged by a ratio, nor hundreds by nanoseconds.
            assert aim is None or (over is not None) == (float(bare) < 10), (construct, cell)


if __name__ == "__main__":
    main()
