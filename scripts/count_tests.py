"""Counts the test cases of one `bazel test` run and prints `N passed, N failed[, N skipped]`, after what failed and why, and
which tests took longest.

usage: count_tests.py BUILD_EVENT_JSON_FILE BAZEL_EXIT_STATUS

GoogleTest writes its cases to each target's test.xml. A script prints a line of the
form above, which is read from its test.log. A target that did not build, timed out or crashed counts as one
failed case: nothing that went wrong may leave the count clean.
"""

import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree

BAZEL_NOTHING_TO_TEST = 4
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)
SKIPPED = re.compile(r"^(?:skipped: |\S.* \.\.\. skipped )(.+)$", re.MULTILINE)  # of scripts, and of unittest with verbosity 2


def local_path(uri):
    return urllib.parse.unquote(urllib.parse.urlparse(uri).path)


MESSAGE_LINES = 12  # of a failed case
FAILED_CASES_LINES = 120  # of one test
LONGEST = 12  # tests that are named with their time
LOG_LINES = 40  # of a test that is no GoogleTest, or that failed outside of any case


def last_lines(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            return log.read().splitlines()[-LOG_LINES:]
    except OSError as error:
        return [str(error)]


def count_xml(path, skips, failed_cases):
    """(passed, failed, skipped) of a GoogleTest file; None if no GoogleTest wrote it.

    Appends a line to `skips` for each skipped case, and to `failed_cases` the name and the messages of each failed case.
    """
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return None
    cases = [case for case in root.iter("testcase") if case.get("classname") is not None]
    if not cases or all(case.get("result") is None for case in cases):
        return None  # the one-case file Bazel itself writes for a test that wrote none
    passed = failed = skipped = 0
    for case in cases:
        if case.get("status") == "notrun":
            continue
        reason = case.find("skipped")
        failures = case.findall("failure")
        if failures:
            failed += 1
            failed_cases.append(f"{case.get('classname')}.{case.get('name')}")
            text = "\n".join(failure.get("message") or failure.text or "" for failure in failures)
            failed_cases += ["  " + line for line in text.splitlines()[:MESSAGE_LINES]]
        elif reason is not None:
            skipped += 1
            text = reason.get("message") or reason.text or "no reason given"
            # GoogleTest puts "file:line" on a line before the message.
            text = " ".join(line for line in text.splitlines() if not re.match(r"^\S+:\d+$", line.strip()))
            skips.append(f"{case.get('classname')}.{case.get('name')}: {text.strip()}")
        else:
            passed += 1
    return passed, failed, skipped


def count_log(path, skips):
    """(passed, failed, skipped) of a script's last line; None if there is none. Appends the reasons of skips to `skips`."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            text = log.read()
    except OSError:
        return None
    found = COUNTS.findall(text)
    if not found:
        return None
    skips += SKIPPED.findall(text)
    return tuple(int(count or 0) for count in found[-1])


def main():
    events_path, bazel_status = sys.argv[1], int(sys.argv[2])
    passed = failed = skipped = 0
    skips = []
    failures = []
    tested = set()
    seconds = {}
    with open(events_path, encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines if line.strip()]
    for event in events:
        identity = event.get("id", {})
        if "testResult" in identity and "testResult" in event:
            label = identity["testResult"]["label"]
            result = event["testResult"]
            files = {output["name"]: local_path(output["uri"]) for output in result.get("testActionOutput", [])}
            failed_cases = []
            counts = count_xml(files.get("test.xml", ""), skips, failed_cases) or count_log(files.get("test.log", ""), skips)
            green = result.get("status") in ("PASSED", "FLAKY")
            if counts is None:
                counts = (1, 0, 0) if green else (0, 1, 0)
            elif not green and counts[1] == 0:
                counts = (counts[0], 1, counts[2])  # it failed outside of any case: a crash, a leak report, a time limit
            if counts[1]:
                failures.append(f"{label}: {result.get('status', 'no status').lower()}")
                failures += ["  " + line for line in failed_cases[:FAILED_CASES_LINES] or last_lines(files.get("test.log", ""))]
            passed, failed, skipped = (total + more for total, more in zip((passed, failed, skipped), counts))
            tested.add(label)
            if not result.get("cachedLocally"):
                seconds[label] = seconds.get(label, 0) + int(result.get("testAttemptDurationMillis", 0)) / 1000
    for event in events:
        identity = event.get("id", {}).get("targetCompleted")
        # A target that fails to build has a completion event without success, or is aborted.
        if identity and identity["label"] not in tested:
            if "aborted" in event or not event.get("completed", {}).get("success", False):
                failed += 1
                failures.append(f"{identity['label']}: did not build")
    if bazel_status not in (0, BAZEL_NOTHING_TO_TEST) and failed == 0:
        failed = 1
        failures.append(f"bazel itself: exit status {bazel_status}")
    longest = sorted(seconds, key=seconds.get, reverse=True)[:LONGEST]
    print(f"the tests' times: {sum(seconds.values()):.0f} s together; " + ", ".join(f"{label} {seconds[label]:.0f}" for label in longest))
    for skip in skips:
        print(f"skipped: {skip}")
    for failure in failures:
        print(failure if failure.startswith(" ") else f"failed: {failure}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
