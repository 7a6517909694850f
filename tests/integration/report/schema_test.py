#!/usr/bin/env python3
"""Every JSON output is as profiler/report/schema.json says, and the schema has every member.

usage: schema_test.py INSTALLED_OMPPROF PROGRAM SCHEMA
PROGRAM has phases, locks, waits and regions of every kind (tests/programs/stages.cc).
"""

import copy
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

try:
    import jsonschema
except ImportError:
    jsonschema = None

OMPPROF, PROGRAM, SCHEMA = (os.path.abspath(path) for path in sys.argv[1:4])
FOLDER = os.environ["TEST_TMPDIR"]


def closed(schema):
    """The schema without room for members that it does not name. Users' schema has room for those of later versions."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        result["additionalProperties"] = False
    return result


def output(*arguments):
    return json.loads(launch.succeed([OMPPROF, *arguments], folder=FOLDER, env=launch.environment(FOLDER)).out)


@unittest.skipUnless(jsonschema, "Python's module jsonschema is not installed (Debian: python3-jsonschema)")
class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in "a.ompprof", "b.ompprof":
            launch.succeed([OMPPROF, "record", "-F", "997", "-o", name, "--", PROGRAM], folder=FOLDER,
                           env=launch.environment(FOLDER, OMP_NUM_THREADS="2"))
        launch.succeed([OMPPROF, "merge", "--unify", "-o", "job.ompprof", "a.ompprof", "b.ompprof"], folder=FOLDER,
                       env=launch.environment(FOLDER))
        cls.schema = json.loads(pathlib.Path(SCHEMA).read_text(encoding="utf-8"))

    def check(self, command, *arguments):
        made = output(command, "--format=json", *arguments)
        schema = {**self.schema, **self.schema["$defs"][command]}
        del schema["anyOf"]
        for form in schema, closed(schema):
            jsonschema.validate(made, form)
        self.assertEqual(made["schema_version"], 1)
        return made

    def test_the_schema_is_one(self):
        jsonschema.validators.validator_for(self.schema).check_schema(self.schema)

    def test_report(self):
        self.check("report", "a.ompprof")
        self.check("report", "--all-runs", "a.ompprof", "b.ompprof")
        self.check("report", "--view=machine", "a.ompprof")
        self.check("report", "job.ompprof")
        for part in "--phase=setup", "--region=main", "--thread=1":
            self.assertIn("selection", self.check("report", part, "a.ompprof"))
        for dimension in "thread", "state", "region", "phase":
            self.check("report", "--by=" + dimension, "a.ompprof")

    def test_other_commands(self):
        region = self.check("report", "a.ompprof")["regions"][0]
        self.check("annotate", region["function"].split("(")[0], "a.ompprof")
        self.check("annotate", "--asm", region["function"].split("(")[0], "a.ompprof")
        self.check("whatif", "--threads=1", "a.ompprof")
        self.check("info", "a.ompprof", "job.ompprof")
        self.check("diff", "a.ompprof", "b.ompprof")
        self.check("scale", "--extrapolate=8", "a.ompprof", "b.ompprof")
        self.check("diff", "job.ompprof", "job.ompprof")

    def test_advice_has_its_place(self):
        advice = self.check("report", "a.ompprof")["advice"]
        placed = [one for one in advice if one["function"]]
        self.assertTrue(placed, advice)
        for one in placed:
            self.assertTrue(one["file"].endswith(".cc"), one)
            self.assertGreater(one["line"], 0, one)

    def test_the_check_can_fail(self):
        report = self.check("report", "a.ompprof")
        schema = closed({**self.schema, **self.schema["$defs"]["report"]})
        del schema["anyOf"]
        for spoil in (lambda made: made.update(samples="many"), lambda made: made.pop("schema_version"),
                      lambda made: made["regions"][0].update(news=1), lambda made: made.pop("regions"),
                      lambda made: made.update(schema_version=2)):
            spoilt = copy.deepcopy(report)
            spoil(spoilt)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(spoilt, schema)


result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromTestCase(Schema))
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
print(f"{result.testsRun - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed else 0)
