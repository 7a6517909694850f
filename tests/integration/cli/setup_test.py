#!/usr/bin/python3
"""scripts/setup shows that it goes on while it installs: what it installs, and a line with the seconds so far and the
installer's last words. Users get fewer packages than developers. The installers are made up here: they install nothing.

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
    "apt-get": 'case "$*" in *$ABSENT*) echo "E: Unable to locate package $ABSENT"; exit 100 ;; *" -s "*) ;; *install*) for i in 1 2 3; do echo "Unpacking package-$i"; sleep $PACE; done ;; *update*) ;; *"download libomp-15-dev"*) touch libomp-15-dev_1_amd64.deb ;; *) exit 1 ;; esac',
    "apt-cache": "printf '%s\\n' libomp-22-dev libomp-13-dev libomp-15-dev libomp-dev libomp-14-dev",
    "dpkg": 'mkdir -p "$3/usr"; echo "of $2" >"$3/usr/omp-tools.h"',
    "dpkg-query": "exit 1",  # as it does if it has never heard of a package
    "npm": 'mkdir -p node_modules; echo "$*" >npm_words',
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


def environment(absent="nothing", pace="0"):
    """Of scripts/setup. `absent`: a package that apt-get does not have. `pace`: seconds that it takes for a package."""
    return launch.environment() | {"PATH": f"{TREE}/bin:{launch.PATH}", "ABSENT": absent, "PACE": pace}


def setup(*words, **options):
    outcome = launch.run([str(TREE / "scripts" / "setup"), *words], env=environment(**options))
    assert outcome.status == 0 and not outcome.timed_out, outcome.describe()
    return outcome


def on_terminal(*words):
    """What a command prints on a terminal."""
    seen = b""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, environment(pace="0.8"))
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
    assert re.search(r"  [1-9] s  Unpacking package-\d\x1b\[K\r", seen), seen
    assert "Installing the npm packages of profiler/report/html\r\n" in seen and "version 14\r\n" in seen, seen


def check_a_file_gets_lines_and_nothing_waits_for_the_next():
    forget_what_was_installed()
    outcome = setup()
    assert "\x1b" not in outcome.out, outcome.describe()
    assert "Installing the npm packages of profiler/report/html\n" in outcome.out, outcome.describe()


def packages(outcome):
    return re.search(r"^Installing \d+ Debian packages: (.*)$", outcome.out, re.MULTILINE).group(1).split()


def check_a_user_gets_what_the_build_needs():
    shutil.rmtree(TREE / ".deps", ignore_errors=True)
    build = packages(setup("--build"))
    assert "g++" in build and "python3" in build, build
    for package in build:
        assert not re.match("clang|libomp|llvm|chromium|flang|gfortran|golang|libgtest|libopenmpi|lintian|valgrind", package), build
    assert sorted(os.listdir(TREE / ".deps")) == ["npm", "omp_tools"], os.listdir(TREE / ".deps")
    # The oldest version from 14 on that can be had.
    assert "/libomp-15-dev_1_amd64.deb" in (TREE / ".deps/omp_tools/omp-tools.h").read_text(encoding="utf-8")
    assert "--omit=dev" in (TREE / ".deps/npm/npm_words").read_text(encoding="utf-8")


def check_a_developer_gets_the_rest():
    forget_what_was_installed()
    setup("--build")
    outcome = setup()
    assert {"chromium-headless-shell", "clang", "libomp-14-dev", "g++", "gfortran", "libopenmpi-dev"} <= set(packages(outcome)), outcome.out
    assert "--omit=dev" not in (TREE / ".deps/npm/npm_words").read_text(encoding="utf-8")
    assert (TREE / ".deps/developer.bazelrc").read_text(encoding="utf-8") == "build --copt=-Werror\n"
    again = setup("--build")
    assert "npm" not in again.out.replace("nodejs npm", ""), again.out  # what the tests need is enough for the build


def check_a_test_program_may_be_absent():
    forget_what_was_installed()
    outcome = setup(absent="valgrind")
    assert outcome.err.startswith("scripts/setup: apt-get has no valgrind; the tests that use them will be skipped."), outcome.describe()
    failed = launch.run([str(TREE / "scripts" / "setup"), "--build"], env=environment(absent="libdw-dev"))
    assert failed.status == 1 and "E: Unable to locate package libdw-dev\n" in failed.err, failed.describe()


prepare()
counted.run([check_a_terminal_shows_that_it_goes_on, check_a_file_gets_lines_and_nothing_waits_for_the_next,
             check_a_user_gets_what_the_build_needs, check_a_developer_gets_the_rest, check_a_test_program_may_be_absent])
