#!/usr/bin/python3
"""scripts/setup shows that it goes on while it installs: what it installs, and a line with the seconds so far and the
installer's last words. The installers are made up here: they take seconds and install nothing.

usage: setup_test.py SETUP
"""

import os
import pathlib
import pty
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

SETUP = os.path.abspath(sys.argv[1])
TREE = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
TOOLS = {
    "apt-get": 'case "$*" in *install*) for i in 1 2 3; do echo "Unpacking package-$i"; sleep 0.8; done ;; *update*) ;; *) exit 1 ;; esac',
    "dpkg-query": "echo missing",
    "npm": "mkdir -p node_modules",
}


def prepare():
    (TREE / "bin").mkdir()
    for name, script in TOOLS.items():
        tool = TREE / "bin" / name
        tool.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        tool.chmod(0o755)
    (TREE / "scripts").mkdir()
    shutil.copy(SETUP, TREE / "scripts" / "setup")
    for folder in ("profiler/report/html", "tests/integration/report/readers"):
        (TREE / folder).mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            (TREE / folder / name).touch()


def forget_what_was_installed():
    """All but the runtimes for devices, which the build needs."""
    shutil.rmtree(TREE / ".deps", ignore_errors=True)
    (TREE / ".deps/libomp-19-dev").mkdir(parents=True)
    (TREE / ".deps/libomp-19-dev/.complete").touch()


def on_terminal(*words):
    """What a command prints on a terminal."""
    seen = b""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, launch.environment() | {"PATH": f"{TREE}/bin:{launch.PATH}"})
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode()


def check_a_terminal_shows_that_it_goes_on():
    forget_what_was_installed()
    status, seen = on_terminal(str(TREE / "scripts" / "setup"))
    assert status == 0, seen
    assert re.search(r"^Installing \d+ Debian packages: bazel", seen), seen
    assert re.search(r"  1 s  Unpacking package-[12]\x1b\[K\r", seen), seen
    assert "Installing the npm packages of profiler/report/html\r\n" in seen and "version 14\r\n" in seen, seen


def check_a_file_gets_lines_and_nothing_waits_for_the_next():
    forget_what_was_installed()
    outcome = launch.run([str(TREE / "scripts" / "setup")], env=launch.environment() | {"PATH": f"{TREE}/bin:{launch.PATH}"})
    assert outcome.status == 0 and not outcome.timed_out and "\x1b" not in outcome.out, outcome.describe()
    assert "Installing the npm packages of profiler/report/html\n" in outcome.out, outcome.describe()


prepare()
counted.run([check_a_terminal_shows_that_it_goes_on, check_a_file_gets_lines_and_nothing_waits_for_the_next])
