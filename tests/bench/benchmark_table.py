"""Google Benchmark's JSON as tables of ratios.

usage: benchmark_table.py handler|structures FILE...
"""

import json
import re
import sys

import interleaved

DEPTHS = ("8", "32", "128")
# In the order of the tables; the runs come in random order.
WHATS = ("ompprof_cfi", "ompprof_fp", "take_sample_cfi", "unwind_cfi", "libunwind_backtrace",
         "glibc_backtrace", "empty")


def read(paths):
    """{name: {"cpu": ns, ...}}: CPU time where the loop is hot, the median of single samples where it is cold. Of
    several repetitions the least counts: the repetition that was disturbed least."""
    found = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)["benchmarks"]
        for entry in entries:
            if entry.get("run_type") == "aggregate" or entry.get("error_occurred"):
                continue
            name = re.sub(r"/(iterations:\d+|manual_time|repeats:\d+)", "", entry["name"])
            ns = entry.get("median_ns", entry["cpu_time"])
            best = found.setdefault(name, dict(entry, ns=ns))
            if ns < best["ns"]:
                best["ns"] = ns
    return found


def number(ns):
    return f"{ns:,.0f}" if ns >= 10 else f"{ns:.1f}"


def handler_tables(found):
    def ns(name):
        return found[name]["ns"] if name in found else None

    for heat, meaning in (("hot", "caches full"), ("cold", "caches emptied before each")):
        print(f"\nThe handler's own time, {heat} ({meaning}): ns, and the ratio to ompprof_cfi at that depth")
        rows = [["", *(f"{depth} frames" for depth in DEPTHS), *(f"ratio, {depth}" for depth in DEPTHS)]]
        for what in WHATS:
            times = [ns(f"{what}/{depth}/{heat}") for depth in DEPTHS]
            ours = [ns(f"ompprof_cfi/{depth}/{heat}") for depth in DEPTHS]
            if None in times or None in ours:
                continue
            rows.append([what, *map(number, times), *(f"{time / our:.2f}" for time, our in zip(times, ours))])
        interleaved.print_table(rows)

    print("\nompprof_cfi at 32 frames by what differs from sample to sample, and in a parallel region: ns, ratio to the same path")
    rows = [["", "hot", "cold", "ratio, hot", "ratio, cold"]]
    for path in ("", "leaf/", "leaf_middle/", "new/", "primary/", "worker/"):
        times = [ns(f"ompprof_cfi/{path}32/{heat}") for heat in ("hot", "cold")]
        same = [ns(f"ompprof_cfi/32/{heat}") for heat in ("hot", "cold")]
        if None not in times and None not in same:
            ratios = (f"{time / base:.2f}" for time, base in zip(times, same))
            rows.append([path.rstrip("/") or "the same path", *map(number, times), *ratios])
    interleaved.print_table(rows)

    empty, ours = ns("signal_empty/32/hot"), ns("signal_ompprof/32/hot")
    if empty and ours:
        print(f"\nA whole signal, sent, delivered and returned from: {number(empty)} ns with an empty handler, "
              f"{number(ours)} ns with ompprof's at 32 frames: ratio {ours / empty:.2f}")
    unwind = found.get("unwind_cfi/32/hot")
    if unwind:
        print(f"Unwinding, hot, 32 frames: {unwind['ns'] / unwind['frames']:.1f} ns a frame")


def structures_table(found):
    rows = [["", "ns", "ns an item", "bytes an item"]]
    for name, entry in sorted(found.items()):
        items = entry.get("items_per_second")
        written = entry.get("bytes_per_node", entry.get("bytes_per_row"))
        rows.append([
            name,
            number(entry["ns"]),
            f"{1e9 / items:.1f}" if items else "",
            f"{written:.1f}" if written else "",
        ])
    print("\nHot structures")
    interleaved.print_table(rows)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("handler", "structures"):
        sys.exit(__doc__)
    found = read(sys.argv[2:])
    (handler_tables if sys.argv[1] == "handler" else structures_table)(found)


if __name__ == "__main__":
    main()
