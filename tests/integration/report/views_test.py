#!/usr/bin/env python3
"""Every view and every verb on a real profile of the demonstration program, compared with the profile's own totals.

usage: views_test.py INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE
"""

import base64
import csv
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import unittest
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from demo_profile import (FOLDER, OMPPROF, PLAIN, PROFILE, PROGRAM, SOURCE, count, nanoseconds, ompprof, record, report,
                          report_json, run, run_tests, short)

AMOUNT = r"(?:\d[\d.]* (?:ns|us|ms|s))"
IMBALANCE = "influence [omp parallel demo_heat.cc:176]"  # planted, as is the critical section `bins`
ROUNDING = 0.006  # of a number with two decimals


def table(*arguments):
    """The rows of a CSV report, from a CSV reader."""
    return list(csv.DictReader(io.StringIO(report("--format=csv", *arguments), newline="")))


def whole(rows, column):
    return sum(int(row[column]) for row in rows)


def text_rows(title, *arguments):
    """The rows of the table that begins with `title` in a text report, its header left out."""
    block = re.search(rf"^{title}.*\n.*\n((?:.+\n)*)", report(*arguments), re.MULTILINE)
    assert block, report(*arguments)
    return block.group(1).splitlines()


def first_amounts(rows):
    """The sum, in nanoseconds, of the amounts at the rows' beginnings."""
    return sum(nanoseconds(re.match(rf" *({AMOUNT})", row).group(1)) for row in rows)


class Demo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.json = report_json()
        cls.functions = {short(function["name"]): function for function in cls.json["functions"]}
        cls.whole = cls.json["sampled_cpu_ns"]

    def assertNear(self, value, expected, tolerance=ROUNDING):
        self.assertAlmostEqual(value / expected, 1, delta=tolerance)


class Tables(Demo):
    def test_functions_as_csv_are_those_of_json(self):
        rows = table("--top")
        self.assertEqual(len(rows), len(self.json["functions"]))
        for row, function in zip(rows, self.json["functions"]):
            for column, cell in row.items():
                if column.endswith("_ci95"):  # an object in JSON where a sum is estimated
                    expected = function.get("ci95", {}).get(column.replace("_ci95", "_ns"), 0)
                else:
                    expected = function[column]
                self.assertEqual(cell if isinstance(expected, str) else int(cell), expected, row)
        self.assertEqual(whole(rows, "self_cpu_ns"), self.whole)
        self.assertEqual(report("--format=csv"), ompprof("export", "--format=csv-functions"))

    def test_other_tables_as_csv(self):
        regions = table("--regions")
        self.assertEqual(whole(regions, "elapsed_ns"), sum(region["elapsed_ns"] for region in self.json["regions"]))
        self.assertEqual(whole(regions, "cpu_ns"), sum(region["cpu_ns"] for region in self.json["regions"]))
        self.assertEqual([float(region["imbalance"]) for region in regions],
                         [region["imbalance"] for region in self.json["regions"]])
        self.assertEqual(report("--format=csv", "--regions"), ompprof("export", "--format=csv-regions"))
        self.assertEqual(whole(table("--threads"), "sampled_cpu_ns"), self.whole)
        states = table("--states")
        self.assertEqual(whole(states, "cpu_ns"), self.whole)
        self.assertEqual(whole(states, "wait_ns"), sum(state["wait_ns"] for state in self.json["states"].values()))
        self.assertEqual(whole(table("--waits"), "wait_ns"), sum(wait["wait_ns"] for wait in self.json["waits"]))
        self.assertEqual([lock["name"] for lock in table("--locks")], [lock["name"] for lock in self.json["locks"]])
        self.assertIn("one table", report("--format=csv", "--locks", "--waits", status=2))

    def test_csv_columns_are_numbers_or_text(self):
        texts = {"name", "file", "module", "function", "state", "kind", "at", "region", "blamed_function",
                 "waiting_function", "may_use", "ran_on"}
        for kind in "--top", "--regions", "--threads", "--states", "--waits", "--locks":
            for row in table(kind):
                for column, cell in row.items():
                    if column not in texts:
                        self.assertRegex(cell, r"^-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?$", (kind, column))

    def test_by_thread(self):
        rows = table("--by=thread")
        for name in "Run", "<omp critical>":
            self.assertEqual(sum(int(row["self_cpu_ns"]) for row in rows if short(row["name"]) == name),
                             self.functions[name]["self_cpu_ns"])
        values = report_json("--by=state")["by"]
        self.assertEqual({value["value"]: value["cpu_ns"] for value in values if value["cpu_ns"]},
                         {name: state["cpu_ns"] for name, state in self.json["states"].items() if state["cpu_ns"]})
        text = report("--by=thread")
        self.assertRegex(text, r"thread 1 +thread 2 +function\n")
        self.assertIn("influence [omp parallel demo_heat.cc:176]: ", report("--by=region"))
        self.assertIn("no ranks", report("--by=rank", status=2))
        self.assertIn("no phases", report("--by=phase", status=2))

    def test_metric(self):
        for metric, member in ("wait", "wait_ns"), ("blame", "blame_ns"):
            most = max(self.json["functions"], key=lambda function: function[member])
            first = report("--top", "--metric=" + metric).split("Functions ")[1].split("\n")[2]
            self.assertIn(short(most["name"]), first)
            amount = nanoseconds(re.match(r" +([0-9.]+ [mun]?s)", first).group(1))
            self.assertAlmostEqual(amount / most[member], 1, delta=0.01)
        self.assertIn("samples", report("--top", "--metric=samples"))
        self.assertEqual(report("--tree", "--metric=cpu"), report("--tree"))
        self.assertIn("the profile has cpu, wait, blame and samples", report("--top", "--metric=cache-misses", status=2))

    def test_peek(self):
        text = report("--peek=::influence(\\([^[]*)?$").split("Callers and callees")[1]
        rows = text.splitlines()[2:]
        at = next(i for i, row in enumerate(rows) if "> influence" in row)
        amount = lambda row: nanoseconds(re.findall(r"[0-9.]+ [mun]?s", row)[-1])
        total = nanoseconds(re.findall(r"[0-9.]+ [mun]?s", rows[at])[-1])
        self.assertAlmostEqual(total / self.functions["influence"]["total_cpu_ns"], 1, delta=0.01)
        self.assertIn("Run", rows[at - 1])
        self.assertAlmostEqual(sum(amount(row) for row in rows[:at]) / total, 1, delta=0.01)
        self.assertIn("influence [omp parallel demo_heat.cc:176]", rows[at + 1])
        self.assertIn("no function in the profile matches", report("--peek=^nothing$"))

    def test_hide_and_show_from(self):
        hidden = report_json("--hide=::Run(\\(|$)")
        functions = {short(function["name"]): function for function in hidden["functions"]}
        self.assertNotIn("Run", functions)
        self.assertEqual(functions["main"]["total_cpu_ns"], self.functions["main"]["total_cpu_ns"])
        self.assertEqual(functions["main"]["self_cpu_ns"],
                         self.functions["main"]["self_cpu_ns"] + self.functions["Run"]["self_cpu_ns"])
        shown = report_json("--show-from=::influence(\\([^[]*)?$")["functions"]
        self.assertEqual(sum(function["self_cpu_ns"] for function in shown),
                         self.functions["influence"]["total_cpu_ns"])
        self.assertNotIn("main", [function["name"] for function in shown])

    def test_states(self):
        for name, state in self.json["states"].items():
            for member in "cpu_ns", "samples", "wait_ns":
                of_threads = (thread["states"].get(name, {member: 0})[member] for thread in self.json["threads"])
                self.assertEqual(sum(of_threads), state[member], name)
        text = report("--states")
        self.assertIn("CPU by thread and state", text)
        self.assertRegex(text, r"waited +share +waits +state")

    def test_paths_of_regions(self):
        for region in self.json["regions"]:
            paths = region["paths"]
            cpu = sum(path["cpu_ns"] for path in paths)
            self.assertLessEqual(cpu, region["cpu_ns"], region["name"])
            # A sample at the fork may have no body of the region on its stack yet.
            self.assertGreaterEqual(cpu, 0.97 * region["cpu_ns"] - 1.1e7, region["name"])
            for path in paths:
                self.assertEqual(path["callers"][0], "main")
            for exact, of_all in ("runs", "invocations"), ("elapsed_ns", "elapsed_ns"), ("end_wait_ns", "end_wait_ns"):
                of_paths = sum(path[exact] for path in paths)
                self.assertLessEqual(of_paths, region[of_all], region["name"])
                # All executions of this region are longer than a sampling period.
                if region["name"].startswith("influence"):
                    self.assertEqual(of_paths, region[of_all])
        text = report("--regions", "--paths")
        self.assertRegex(text, r" elapsed +runs +imbalance +CPU +share")
        self.assertIn(" main > Run > influence\n", text)
        self.assertIn("main > Run > explicit_solve", text)

    def test_errors(self):
        most = max(self.json["functions"], key=lambda function: function["self_cpu_ns"])
        share, error = (most[member] / self.whole for member in ("self_cpu_ns", "self_cpu_error_ns"))
        samples = self.json["effective_samples"]
        self.assertLessEqual(samples, self.json["samples"] * 1.001)
        self.assertNear(error, 1.96 * (share * (1 - share) / samples) ** 0.5, 0.05)
        self.assertIn("±%.1f %%" % (100 * error), report("--top"))

    def test_annotate_source(self):
        text = ompprof("annotate", "count_tracers", "--source-path", os.path.dirname(SOURCE))
        of_it = [function for name, function in self.functions.items() if name.startswith("count_tracers")]
        samples = sum(function["self_samples"] for function in of_it)
        # Waiting time belongs to the line that waits.
        locked = re.search(r"^ +([0-9.]+) % .*#pragma omp critical", text, re.MULTILINE)
        self.assertGreaterEqual(float(locked.group(1)) + 0.1,
                                100 * self.functions["<omp critical>"]["self_cpu_ns"] / self.whole)
        shown = int(re.search(r"in ([0-9,]+) samples", text).group(1).replace(",", ""))
        self.assertGreater(shown, samples)  # with the runtime's time, at the lines that called it
        self.assertIn("lock", text.splitlines()[4])
        self.assertIn("is called 'nothing'", ompprof("annotate", "nothing", status=2))

    def test_annotate_instructions(self):
        text = ompprof("annotate", "explicit_step", "--asm", "--min-percent=0", "--context=0")
        samples = sum(map(count, re.findall(r"in ([0-9,]+) samples, what is inlined", text)))
        self.assertGreater(samples, 0)
        column = [line for line in text.splitlines() if re.search(r" [0-9a-f]{4,}    ?[a-z]", line)]
        # A share further to the right belongs to the function that the instruction calls.
        counts = [re.match(r" {1,6}[0-9.]+ % +([0-9,]+) ", line) for line in column]
        self.assertEqual(sum(int(count.group(1).replace(",", "")) for count in counts if count), samples, text)
        self.assertRegex(text, r"demo_heat.cc:5[0-9]")

    def check_costs(self, spots, cost):
        """The spots add up to a cost, and each spot's parts to its own cost."""
        for member in "self_cpu_ns", "self_samples":
            self.assertEqual(sum(spot[member] for spot in spots), cost[member])
        for spot in spots:
            self.assertEqual(sum(spot["spent_cpu_ns"].values()), spot["self_cpu_ns"], spot)
            self.assertLessEqual(spot["self_cpu_ns"], spot["total_cpu_ns"], spot)

    def test_annotate_json_source(self):
        # Over all functions, every sample is at some line, but for workers between regions.
        all_of_it = json.loads(ompprof("annotate", "--format=json", "--source-path", os.path.dirname(SOURCE), "."))
        self.assertEqual(all_of_it["sampled_cpu_ns"], self.whole)
        self.assertEqual(sum(file["self_cpu_ns"] for file in all_of_it["files"]), all_of_it["self_cpu_ns"])
        for file in all_of_it["files"]:
            self.check_costs(file["lines"], file)
        self.assertEqual(all_of_it["self_samples"], self.json["samples"] - self.samples_without_code())
        self.assertEqual(all_of_it["code"], [])
        with open(SOURCE, encoding="utf-8") as source:
            text = source.read().splitlines()
        demo = next(file for file in all_of_it["files"] if file["file"].endswith("demo_heat.cc"))
        self.assertTrue(os.path.samefile(demo["read_from"], SOURCE))
        for line in demo["lines"]:
            self.assertEqual(line["text"], text[line["line"] - 1] if line["line"] else "")
        critical = next(line for line in demo["lines"] if "omp critical(bins)" in line["text"])
        self.assertEqual(critical["spent_cpu_ns"]["lock"], self.functions["<omp critical>"]["self_cpu_ns"])

    def samples_without_code(self):
        """Samples with only a made-up frame left: workers between regions."""
        stacks = (line.rsplit(" ", 1) for line in ompprof("export", "--format=folded").splitlines())
        return sum(int(samples) for stack, samples in stacks if re.fullmatch("<[^;]*>", stack))

    def test_annotate_json_instructions(self):
        answer = json.loads(ompprof("annotate", "--format=json", "--asm", "explicit_step"))
        self.assertGreater(len(answer["code"]), 0)
        for code in answer["code"]:
            self.check_costs(code["instructions"], code)
            self.assertEqual(code["note"], "")
            for instruction in code["instructions"]:
                self.assertTrue(code["low"] <= instruction["address"] < code["high"])
                self.assertRegex(instruction["text"], "^[a-z]")
        machine = json.loads(ompprof("annotate", "--format=json", "--asm", "--view=machine", "explicit_step"))
        self.assertGreaterEqual(sum(code["self_cpu_ns"] for code in machine["code"]), machine["self_cpu_ns"])
        self.assertEqual(max(answer["code"], key=lambda code: code["self_cpu_ns"]), answer["code"][0])
        # Without a disassembler there are addresses only.
        bare = json.loads(ompprof("annotate", "--format=json", "--asm", "--objdump=no-such-objdump", "explicit_step"))
        self.assertIn("no-such-objdump could not", bare["code"][0]["note"])
        self.check_costs(bare["code"][0]["instructions"], answer["code"][0])
        self.assertIn("--format: 'xml' is not valid; accepted: text or json", ompprof("annotate", "--format=xml", "main", status=2))


class TextViews(Demo):
    """The sums of the columns of each text table."""

    def test_all_tables(self):
        text = report("--full")
        self.assertIn(f"samples   {self.json['samples']:,}, ", text)
        self.assertNear(nanoseconds(re.search(rf"time +({AMOUNT}) wall", text).group(1)), self.json["duration_ns"])
        for title in "Efficiency", "Advice", "Time by OpenMP state", "Parallel regions", "Hottest functions":
            self.assertRegex(text, rf"(?m)^{title}")

    def test_functions(self):
        for view in ["--top"], ["--top", "--lines"], ["--top", "--view=machine"]:
            self.assertNear(first_amounts(text_rows("Hottest functions", *view, "--limit=100000")), self.whole)

    def test_tree(self):
        rows = text_rows("Call tree", "--tree", "--min-percent=0")
        root = next(row for row in rows if row.endswith(" main")).rindex("main")
        self.assertNear(first_amounts(row for row in rows if row[root - 1:root + 1][1:].strip(" │├└")), self.whole)

    def test_states(self):
        self.assertNotIn("ompt_state", report("--states"), "plain names without --raw")
        rows = text_rows("Time by OpenMP state", "--states", "--raw")
        names = {row.split()[-1] for row in rows}
        self.assertLessEqual(names, set(self.json["states"]))
        self.assertGreaterEqual(names, {name for name, state in self.json["states"].items() if state["samples"]})
        self.assertNear(first_amounts(rows), self.whole)

    def test_regions(self):
        rows = text_rows("Parallel regions", "--regions", "--limit=1000")
        self.assertEqual(len(rows), len(self.json["regions"]))
        self.assertNear(first_amounts(rows), sum(region["elapsed_ns"] for region in self.json["regions"]))

    def test_threads(self):
        rows = text_rows("Threads", "--threads")
        self.assertEqual(len(rows), len(self.json["threads"]))
        amounts = [[nanoseconds(amount) for amount in re.findall(AMOUNT, row)] for row in rows]
        # Lifetime, its four parts, CPU clock, sampled.
        self.assertEqual({len(of_thread) for of_thread in amounts}, {7})
        for lifetime, *parts, _, _ in amounts:
            self.assertNear(sum(parts), lifetime, 0.03)
        self.assertNear(sum(of_thread[-1] for of_thread in amounts), self.whole)
        for thread in self.json["threads"]:
            parts = sum(thread[part] for part in ("on_cpu_ns", "wait_ns", "ready_ns", "blocked_ns"))
            self.assertEqual(parts, thread["lifetime_ns"])

    def test_losses_add_up(self):
        efficiency = self.json["efficiency"]
        parts = ("useful_ns", "barrier_ns", "task_ns", "lock_ns", "device_wait_ns", "idle_ns", "ready_ns", "blocked_ns", "mpi_ns", "library_wait_ns", "ompprof_ns")
        self.assertNear(sum(efficiency[part] for part in parts), efficiency["threads"] * efficiency["duration_ns"], 0.001)
        text = report("--regions")
        lost = re.search(r"lost +~?([\d.]+) %: (.*)", text)
        self.assertAlmostEqual(float(lost.group(1)), 100 - 100 * efficiency["parallel"], delta=0.2)

    def test_waits(self):
        rows = text_rows("Where threads waited", "--waits", "--limit=1000")
        self.assertNear(first_amounts(rows), sum(wait["wait_ns"] for wait in self.json["waits"]))
        counts = [count(re.search(r"% +([\d,]+) ", row).group(1)) for row in rows]
        self.assertEqual(sum(counts), sum(wait["count"] for wait in self.json["waits"]))

    def test_blame(self):
        rows = text_rows("Code that kept other threads waiting", "--blame", "--limit=100000")
        idle_and_locks = (re.match(rf" *({AMOUNT}) *({AMOUNT})?  ", row).groups() for row in rows)
        shown = sum(nanoseconds(amount) for pair in idle_and_locks for amount in pair if amount)
        self.assertNear(shown, sum(function["blame_ns"] for function in self.json["functions"]))

    def test_locks(self):
        rows = [row for row in text_rows("Locks and criticals", "--locks") if " critical bins" in row]
        self.assertEqual(len(rows), 1)
        bins = next(lock for lock in self.json["locks"] if lock["name"] == "critical bins")
        self.assertNear(first_amounts(rows), bins["wait_ns"])
        self.assertIn(f" {bins['count']:,} ", rows[0])

    def test_advice(self):
        text = report("--advice")
        self.assertEqual(text.count("\n      because "), len(self.json["advice"]))
        begin = 0  # a place may have several pieces of advice: both formats list them in the same order
        for advice in self.json["advice"]:
            if advice["gain_ns"] == 0:  # not known
                continue
            heading = re.compile(rf"^ *(?:up to )?({AMOUNT}), .*{re.escape(advice['where'])}$", re.MULTILINE).search(text, begin)
            self.assertNear(nanoseconds(heading.group(1)), advice["gain_ns"])
            begin = heading.end()

    # What --regions calls a possible saving of 3 % or more is advised on, or refused with a reason.
    def test_possible_savings(self):
        text = report("--advice")
        refused = self.json["advice_refused"]
        for refusal in refused:
            self.assertIn(" ".join(refusal["text"].split()), " ".join(text.split()))
        for region in self.json["regions"]:
            name = short(region["name"])
            advised = any(advice["where"].endswith(name) for advice in self.json["advice"])
            for cause, gain in region["potential_gain_ns"].items():
                if gain >= 0.03 * self.json["duration_ns"]:
                    mine = [refusal for refusal in refused if refusal["where"] == name and refusal["cause"] == cause]
                    self.assertTrue(mine or advised, f"{name}: {cause}, {gain} ns")

    # Waits shorter than a sampling period have no call path, but a row: all rows together are all waiting.
    def test_waiting_of_functions(self):
        waited = sum(wait["wait_ns"] for wait in self.json["waits"])
        self.assertNear(sum(function["wait_ns"] for function in self.json["functions"]), waited)
        shorter = [function for function in self.json["functions"] if function["name"].startswith("<waits shorter")]
        self.assertEqual([function["self_cpu_ns"] for function in shorter], [0])

    def test_whole_report_has_waiting_in_its_own_table(self):
        rows = text_rows("Hottest functions", "--full")
        self.assertEqual([row for row in rows if re.search(r"<omp (?!overhead)|<waiting", row)], [])
        self.assertNear(first_amounts(text_rows("Where threads waited", "--full", "--limit=1000")), sum(
            wait["wait_ns"] for wait in self.json["waits"]))

    def test_ranks(self):
        self.assertEqual(len(self.json["ranks"]), 1)
        self.assertIn("One process only", report("--ranks"))


def varints(data):
    """The numbers that a packed field of a protocol buffer holds."""
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def varint(data, at):
    end = at
    while data[end] >= 0x80:
        end += 1
    return next(varints(data[at:end + 1])), end + 1


def fields(message):
    """(number, bytes or value) of each field of a protocol buffer message that profile.proto has."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        value, at = varint(message, at)
        if key & 7 == 2:
            value, at = message[at:at + value], at + value
        yield key >> 3, value


class Verbs(Demo):
    def test_info(self):
        process, = json.loads(ompprof("info", "--format=json"))["processes"]
        for of_info, of_report in ("samples", "samples"), ("weight", "sampled_cpu_ns"), ("duration_ns", "duration_ns"):
            self.assertEqual(process[of_info], self.json[of_report])
        self.assertIn(f"samples     {self.json['samples']:,}, ", ompprof("info"))

    def test_export_folded(self):
        lines = ompprof("export", "--format=folded").splitlines()
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in lines), self.json["samples"])

    def test_export_pprof(self):
        path = os.path.join(FOLDER, "demo.pb.gz")
        ompprof("export", "--format=pprof", "-o", path)
        with gzip.open(path) as file:
            samples = [dict(fields(value)) for number, value in fields(file.read()) if number == 2]
        samples, cpu, wait, blame = map(sum, zip(*(list(varints(sample[2])) for sample in samples)))
        self.assertEqual((samples, cpu), (self.json["samples"], self.whole))
        for total, member in (wait, "wait_ns"), (blame, "blame_ns"):
            self.assertEqual(total, sum(function[member] for function in self.json["functions"]))

    def test_export_timelines(self):
        tracks = json.loads(ompprof("export", "--format=speedscope"))["profiles"]
        self.assertEqual(len(tracks), len(self.json["threads"]))
        slices = [event for event in json.loads(ompprof("export", "--format=perfetto"))["traceEvents"]
                  if event["ph"] == "X"]
        end = max(event["ts"] + event["dur"] for event in slices) * 1e3
        # How long the process's end takes, behind the last record, depends on other programs.
        self.assertTrue(0.5 * self.json["duration_ns"] <= end <= self.json["duration_ns"], end)
        for track in tracks:
            self.assertLessEqual(sum(track["weights"]), track["endValue"])
            self.assertAlmostEqual(track["endValue"], end, delta=1e3)
        self.assertEqual(len({event["tid"] for event in slices}), len(self.json["threads"]))
        # A region has at least its sampled time, and at most all the time of its threads. In the rest of that time the
        # threads had no processor.
        shown = sum(event["dur"] * 1e3 for event in slices
                    if event["cat"] == "region" and short(event["name"]) == IMBALANCE)
        region = next(region for region in self.json["regions"] if short(region["name"]) == IMBALANCE)
        self.assertTrue(0.8 * region["cpu_ns"] <= shown <= 1.02 * 2 * region["elapsed_ns"], (shown, region))

    def test_merge(self):
        merged = os.path.join(FOLDER, "merged.ompprof")
        run("merge", "-o", merged, PROFILE)
        self.assertEqual(json.loads(run("report", "--format=json", merged)), self.json)

    def test_diff_with_itself(self):
        diff = json.loads(ompprof("diff", "--format=json", "--fail-on-regression=1", PROFILE))
        for change, expected in (diff["wall"], self.json["duration_ns"]), (diff["cpu"], self.whole):
            self.assertEqual((change["before"], change["after"]), (expected, expected))
        self.assertEqual(diff["regressions"], [])
        self.assertEqual(sum(function["self"]["before"] for function in diff["functions"]), self.whole)
        self.assertIn("Nothing changed beyond noise", ompprof("diff", PROFILE))

    def what_if(self, *question):
        answer = json.loads(ompprof("whatif", "--format=json", *question))
        self.assertEqual(answer["before_ns"], self.json["duration_ns"])
        return answer["before_ns"] - answer["after_ns"]

    def test_what_if(self):
        region = next(region for region in self.json["regions"] if short(region["name"]) == IMBALANCE)
        gain = region["potential_gain_ns"]["imbalance"]
        self.assertAlmostEqual(self.what_if("--balance=influence"), gain, delta=ROUNDING * gain)
        self.assertLessEqual(self.what_if("--schedule=influence=dynamic,32"), gain)
        if gain:  # 0 where the recording met a machine so busy that the threads' work differs by no more than chance
            self.assertGreater(self.what_if("--schedule=influence=dynamic,32"), 0)
        wait = next(lock["wait_ns"] for lock in self.json["locks"] if lock["name"] == "critical bins")
        self.assertTrue(0 <= self.what_if("--remove-lock=critical bins") <= wait)
        self.assertGreater(self.what_if("--threads=4", "--processors=4"), 0)

    def test_top(self):
        text = ompprof("top", "--once")
        self.assertIn(f"samples {self.json['samples']:,} ", text)
        most = max(self.json["functions"], key=lambda function: function["self_cpu_ns"])
        row = next(row for row in text.splitlines() if row.endswith(short(most["name"])))
        self.assertNear(nanoseconds(re.search(AMOUNT, row).group()), most["self_cpu_ns"])

    def check_page_data(self, data):
        self.assertEqual(data["report"]["sampled_cpu_ns"], self.whole)
        self.assertEqual(sum(data["trees"]["user"]["down"]["rows"]["cpu"]), self.whole)
        read = {os.path.basename(file["path"]): file for file in data["sources"]}["demo_heat.cc"]
        self.assertFalse(read["unreadable"])

    def test_html_page(self):
        page = report("--html=-", "--source-path=" + os.path.dirname(SOURCE))
        encoding, data = re.search('id="data" data-encoding="([a-z]+)">(.*?)</script>', page).groups()
        self.check_page_data(json.loads(gzip.decompress(base64.b64decode(data)) if encoding == "gzip" else data))

    def test_serve(self):
        with subprocess.Popen([OMPPROF, "serve", PROFILE], stdout=subprocess.PIPE, text=True, env=PLAIN) as server:
            try:
                address = server.stdout.readline().strip()
                with urllib.request.urlopen(address + "data.json", timeout=60) as answer:
                    served = json.load(answer)
            finally:
                server.send_signal(signal.SIGINT)
        self.assertEqual(server.returncode, 0)
        self.assertEqual(served["report"]["sampled_cpu_ns"], self.whole)


# perfetto's export needs a timeline.
# The views are compared with exact sums. Estimates are shown otherwise (tests/unit/report:estimates_test).
record("--timeline", "--max-overhead=0")
run_tests(Tables, TextViews, Verbs)
