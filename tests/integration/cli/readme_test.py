#!/usr/bin/python3
"""The commands in README.md and profiler/docs work as a new user would type them. Each `ompprof ...` of the text and the
tables runs on the demonstration program, in one folder for each document, and must succeed. A command that no longer works
fails, and so does a command with a placeholder that a reader could not fill in. documents_test.py runs the scripts between
the paragraphs.

usage: readme_test.py --commands|--first-screen INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE README DOCUMENT...
    --commands      the commands
    --first-screen  what the first screen and the prediction say of the demonstration program, on a quiet machine
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted
import documents

sys.path.insert(0, str(documents.pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

WHAT = sys.argv[1]
OMPPROF, DEMO, SOURCE, README, *OTHERS = (os.path.abspath(path) for path in sys.argv[2:])
LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(OMPPROF)), "lib")
PROFILE = documents.PROFILE
MOST_WORDS = 1200  # of README: what a reader takes in at once
IMBALANCE = "influence [omp parallel demo_heat.cc:176]"
CRITICAL = "critical bins at demo_heat.cc:168 in count_tracers"

# What a reader puts in the place of README's words. 0: a run that ends at once.
WORDS = {"FILE": PROFILE, "FILE...": PROFILE, "FUNCTION": "count_tracers", "REGEX": "influence", "REGION": "influence",
         "BEFORE": PROFILE, "AFTER": PROFILE, "BASE": PROFILE, "THIS": PROFILE, "NAME": "critical\\ bins", "N": "1",
         "arguments": "0"}
# Arguments that README leaves to the reader.
PROGRAM = "-- ./program 0"
LONGER = "-- ./program 1"  # of a command that wants regions
NEEDS = {"record": PROGRAM, "scale": LONGER, "annotate": "count_tracers " + PROFILE, "report": PROFILE, "export": PROFILE,
         "whatif": PROFILE, "info": PROFILE}
ALSO = {"--focus": "--focus=REGEX", "--ignore": "--ignore=REGEX", "--hide": "--hide=REGEX",
        "--peek": "--peek=REGEX", "--before FILE... --after FILE...": "--before FILE --after FILE"}
LEFT_OUT = {"ompprof serve FILE": "runs until it is stopped: views_test of the reports",
            "ompprof top -p PID": "wants a process: live_test",
            "ompprof record -- ./hybrid": "wants MPI: ranks_test",
            "ompprof report run": "wants a large job: jobs_test",
            "ompprof merge --unify": "without files: late_rank_test",
            "ompprof merge --unify -o job.ompprof *.ompprof": "the folder has a merged file too",
            "ompprof merge --unify -o job.ompprof FOLDER": "likewise",
            "ompprof merge --unify --keep=all": "likewise"}


def filled(command):
    """`command` with README's words replaced. No placeholder may be left."""
    def word(match):
        return WORDS.get(match.group(), match.group())
    command = re.sub(r"(?<![\w./-])[A-Z]+(?:\.\.\.)?(?![\w.])|\barguments\b", word, command)
    assert not re.search(r"(?<![\w/.-])(?!RTMIN\+)[A-Z]{2,}(?![\w.])", command), f"{command}: what is to be put there?"
    return command


def complete(command):
    """`command` with its program or its profile."""
    verb = command.split()[1]
    if verb == "scale":
        command = command.replace(PROGRAM, LONGER)
    if "--help" in command or PROFILE in command or ".ompprof" in command or " -- " in command:
        return command
    return f"{command} {NEEDS[verb]}" if verb in NEEDS else command


def with_option(command, option):
    """`command` with `option`, which replaces that option with another value."""
    name = re.split("[= ]", option)[0]
    if name == "--format":  # no command writes over another kind of file
        command = re.sub(r" -o (\S+)", rf" -o \1.{option[len('--format='):]}", command)
    if option.startswith("--before"):
        return " ".join(command.split()[:2]) + " " + option
    command, dashes, program = re.sub(rf" {name}(=\S+)?(?= |$)", "", command).partition(" -- ")
    return command + " " + option + dashes + program


def commands_of(line):
    """The commands in a line of text or a row of a table: full commands, and each option named after a command with it."""
    spans = re.findall(r"`([^`]+)`", line)
    base = None
    for span in spans:
        if re.match(r"(LD_PRELOAD|OMP_TOOL_LIBRARIES)=\.\.\./", span):
            # Without `record`, a process without samples writes no profile.
            yield span.replace(".../", LIBRARIES + "/") + " 1"
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


def told(document):
    """All commands of a document's text and tables, each once."""
    commands = {}
    for line in documents.prose(documents.read(document)):
        if not line.startswith("    "):
            for command in commands_of(line):
                commands[command] = True
    return list(commands)


def question(command):
    """Gives whatif a question: README lists the questions after the command."""
    asked = re.search("--(balance|remove-lock|schedule|threads)", command)
    return command if asked or "whatif" not in command else command + " --balance influence"


def place_of_its_own():
    place = documents.Place(OMPPROF, DEMO, SOURCE, short=True)
    place.take(os.path.join(FIRST.folder, PROFILE))
    return place


def failures_of(place, commands):
    failures = []
    for command in map(question, commands):
        before = set(os.listdir(place.folder))
        try:
            # Not every machine counts the event, and `record` refuses an event that the machine lacks.
            place.run(re.sub("record (?=--event|--count)", "record --run-anyway ", command))
            if LIBRARIES in command and not set(os.listdir(place.folder)) - before:
                failures.append(f"{command}: no profile was written")
        except (AssertionError, launch.Failure) as failure:
            failures.append(str(failure))
        if "record" in command and ("--clock=wall" in command or "--event" in command):
            # This is another experiment than the runs that `*.ompprof` stands for, which count CPU time.
            for name in set(os.listdir(place.folder)) - before:
                os.remove(os.path.join(place.folder, name))
    return failures


def check_readme_has_few_words():
    words = len(documents.read(README).split())
    assert words <= MOST_WORDS, f"README.md has {words} words; what is more than {MOST_WORDS} belongs into profiler/docs"


def check_the_name_of_a_profile():
    place = place_of_its_own()
    place.run("ompprof record -- ./program 0")
    written = [name for name in os.listdir(place.folder) if re.fullmatch(r"ompprof\.program\.[^.]+\.\d+\.ompprof", name)]
    assert len(written) == 1, os.listdir(place.folder)


def check_the_first_screen_names_what_is_planted():
    first = FIRST.run(f"ompprof report {PROFILE}").splitlines()
    assert len(first) < 24, first
    assert any(line.startswith("Best changes") for line in first), first
    assert any(CRITICAL in line for line in first), first
    assert any(IMBALANCE in line for line in first), first


def check_the_prediction():
    out = FIRST.run(f"ompprof whatif {PROFILE} --schedule influence=dynamic,32")
    assert out.startswith(f"If {IMBALANCE} had schedule(dynamic,32):\n"), out
    assert "as recorded" in out and "predicted" in out, out


def check_every_command_of_the_text():
    verbs = set()
    failures = []
    number = 0
    for document in [README, *OTHERS]:
        commands = told(document)
        number += len(commands)
        verbs |= {command.split()[1] for command in commands}
        place = place_of_its_own()
        found = failures_of(place, commands)
        failures += [f"{os.path.basename(document)}: {failure}" for failure in found]
        if os.path.basename(document) == "commands.md":
            for name in ("run.html", "p.pb.gz", "run.json", "all.ompprof"):
                assert os.path.getsize(os.path.join(place.folder, name)) > 100, name
    assert not failures, "\n".join(failures)
    assert verbs >= {"record", "report", "annotate", "export", "diff", "whatif", "merge", "info"}, verbs
    assert number >= 80, number


FIRST = documents.Place(OMPPROF, DEMO, SOURCE, short=True)
FIRST.record()
CHECKS = {
    "--commands": [check_readme_has_few_words, check_the_name_of_a_profile, check_every_command_of_the_text],
    "--first-screen": [check_the_first_screen_names_what_is_planted, check_the_prediction],
}
counted.run(CHECKS[WHAT])
