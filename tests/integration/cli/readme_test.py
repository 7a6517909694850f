#!/usr/bin/python3
"""README's commands work as a new user would type them. Each `ompprof ...` of its text, tables and examples runs on the
demonstration program, in a folder of its own, and must succeed. A command that no longer works fails, and so does a
command with a placeholder that a reader could not fill in.

usage: readme_test.py INSTALLED_OMPPROF DEMO_PROGRAM README
"""

import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, DEMO, README = (os.path.abspath(path) for path in sys.argv[1:4])
FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
PROFILE = "demo_heat.ompprof"  # as README calls it
IMBALANCE = "influence [omp parallel demo_heat.cc:176]"
CRITICAL = "critical bins at demo_heat.cc:168 in count_tracers"

# What a reader puts in the place of README's words. 0: a run that ends at once.
WORDS = {"FILE": PROFILE, "FILE...": PROFILE, "FUNCTION": "count_tracers", "REGEX": "influence", "REGION": "influence",
         "BEFORE": PROFILE, "AFTER": PROFILE, "BASE": PROFILE, "THIS": PROFILE, "NAME": "critical\\ bins", "N": "4",
         "arguments": "0"}
# Arguments that README leaves to the reader.
PROGRAM = "-- ./program 0"
NEEDS = {"record": PROGRAM, "annotate": "count_tracers " + PROFILE, "report": PROFILE, "export": PROFILE,
         "whatif": PROFILE, "info": PROFILE}
ALSO = {"--focus": "--focus=REGEX", "--ignore": "--ignore=REGEX", "--hide": "--hide=REGEX",
        "--peek": "--peek=REGEX", "--before FILE... --after FILE...": "--before FILE --after FILE"}
LEFT_OUT = {"ompprof serve FILE": "runs until it is stopped: views_test of the reports",
            "ompprof top -p PID": "wants a process: live_test",
            "ompprof record -- ./hybrid": "wants MPI: ranks_test"}


def run(command):
    """Runs `command` in a shell where `ompprof` is installed and the program is `./program`. `./script` runs it twice."""
    environment = launch.environment(FOLDER, PATH=os.path.dirname(OMPPROF) + ":" + launch.PATH, OMP_NUM_THREADS="2")
    return launch.succeed(["bash", "-c", command], folder=FOLDER, env=environment).out


def sections():
    """README's text up to where the commands end."""
    with open(README, encoding="utf-8") as file:
        text = file.read()
    begin, end = text.index("## Two commands"), text.index("## What it does to your program")
    return text[begin:end]


def examples():
    """The commands of the indented blocks."""
    commands = re.findall(r"^    (?:\$ )?(ompprof .*)$", sections(), re.MULTILINE)
    assert len(commands) >= 3, commands
    return commands


def filled(command):
    """`command` with README's words replaced. No placeholder may be left."""
    def word(match):
        return WORDS.get(match.group(), match.group())
    command = re.sub(r"(?<![\w./-])[A-Z]+(?:\.\.\.)?(?![\w.])|\barguments\b", word, command)
    assert not re.search(r"(?<![\w/.-])[A-Z]{2,}(?![\w.])", command), f"{command}: what is to be put there?"
    return command


def complete(command):
    """`command` with its program or its profile."""
    verb = command.split()[1]
    if "--help" in command or PROFILE in command or ".ompprof" in command or " -- " in command:
        return command
    return f"{command} {NEEDS[verb]}" if verb in NEEDS else command


def with_option(command, option):
    """`command` with `option`, which replaces that option with another value."""
    name = re.split("[= ]", option)[0]
    if option.startswith("--before"):
        return " ".join(command.split()[:2]) + " " + option
    return re.sub(rf" {name}(=\S+)?(?= |$)", "", command) + " " + option


def commands_of(line):
    """The commands in a line of text or a row of a table: full commands, and each option named after a command with it."""
    spans = re.findall(r"`([^`]+)`", line)
    base = None
    for span in spans:
        if re.match("(annotate|whatif) --", span):  # "`ompprof report --format=json`, `annotate --format=json`"
            span = "ompprof " + span
        if span.startswith("mpirun"):
            span = span[span.index("ompprof"):]
        if span.startswith("ompprof "):
            base = span
            if span not in LEFT_OUT:
                yield complete(filled(span))
        elif span.startswith("--") and base is not None and base not in LEFT_OUT:
            yield complete(filled(with_option(base, ALSO.get(span, span))))


def told():
    """All commands of the text and the tables, each once."""
    commands = {}
    for line in sections().splitlines():
        if not line.startswith("    "):
            for command in commands_of(line):
                commands[command] = True
    return list(commands)


def question(command):
    """Gives whatif a question: README lists the questions after the command."""
    asked = re.search("--(balance|remove-lock|schedule|threads)", command)
    return command if asked or "whatif" not in command else command + " --balance influence"


def check_a_program_of_the_users():
    """The examples, in README's order."""
    for command in examples():
        if PROFILE not in command:
            run(filled(command))
    written = [name for name in os.listdir(FOLDER) if re.fullmatch(r"ompprof\.program\.[^.]+\.\d+\.ompprof", name)]
    assert len(written) == 1, os.listdir(FOLDER)
    os.remove(os.path.join(FOLDER, written[0]))


def check_the_first_screen_names_what_is_planted():
    first = run(f"ompprof report {PROFILE}").splitlines()[:40]
    assert any(line.startswith("Advice") for line in first), first
    assert any(CRITICAL in line for line in first), first
    assert any(IMBALANCE in line for line in first), first


def check_the_prediction():
    command, = (command for command in examples() if PROFILE in command)
    out = run(command)
    assert out.startswith(f"If {IMBALANCE} had schedule(dynamic,32):\n"), out
    assert "as recorded" in out and "predicted" in out, out


def check_every_command_of_the_text():
    commands = told()
    verbs = {command.split()[1] for command in commands}
    assert verbs >= {"record", "report", "annotate", "export", "diff", "whatif", "merge", "info"}, verbs
    assert len(commands) >= 40, commands
    failures = []
    for command in map(question, commands):
        before = set(os.listdir(FOLDER))
        try:
            # Not every machine counts the event, and `record` refuses an event that the machine lacks.
            run(command.replace("record --event", "record --run-anyway --event"))
        except (AssertionError, launch.Failure) as failure:
            failures.append(str(failure))
        if "record" in command and ("--clock=wall" in command or "--event" in command):
            # This is another experiment than the runs that `*.ompprof` stands for, which count CPU time.
            for name in set(os.listdir(FOLDER)) - before:
                os.remove(os.path.join(FOLDER, name))
    assert not failures, "\n".join(failures)


def check_what_they_write():
    for name in ("heat.html", "run.html", "p.pb.gz", "run.json", "all.ompprof"):
        assert os.path.getsize(os.path.join(FOLDER, name)) > 100, name


shutil.copy(DEMO, os.path.join(FOLDER, "program"))
with open(os.path.join(FOLDER, "script"), "w", encoding="utf-8") as script:
    script.write("#!/bin/sh\n./program 0\n./program 0\n")
os.chmod(os.path.join(FOLDER, "script"), 0o755)
run(f"ompprof record --timeline -o {PROFILE} -- {DEMO} 2")
counted.run([check_a_program_of_the_users, check_the_first_screen_names_what_is_planted, check_the_prediction,
             check_every_command_of_the_text, check_what_they_write])
