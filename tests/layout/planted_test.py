#!/usr/bin/env python3
"""Each fault that scripts/planted plants has its place in the sources. A fault that has lost its place proves nothing."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

TOP = pathlib.Path(os.path.realpath("README.md")).parent
checks = Checks()
done = subprocess.run([TOP / "scripts/planted", "--check"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
checks.check(done.returncode == 0, "each fault has its place" if done.returncode == 0 else done.stdout)
sys.exit(checks.end())
