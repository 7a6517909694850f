#!/usr/bin/python3
"""The manual pages and completions have the commands and options of --help, none missing and none more. Foreign readers
read them: mandoc, bash and zsh.

usage: manual_test.py OMPPROF WRITE_MANUAL
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted

OMPPROF, WRITE_MANUAL = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][A-Za-z-]*)")


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, **more)


def help_text(*command):
    done = run(OMPPROF, *command, "--help")
    assert done.returncode == 0, done
    return done.stdout


def commands():
    text = help_text()
    return re.findall(r"^  ([a-z]+) {2,}\S", text[text.index("Subcommands:"):], re.MULTILINE)


def options_of_help(*command):
    """The names at the beginning of each line of the list of options, such as "  -F,--frequency HZ   Samples"."""
    names = set()
    for line in help_text(*command).splitlines():
        entry = re.match(r"  (-[^ ]+)", line)
        if entry:
            names.update(entry.group(1).split(","))
    return names


def page(name):
    with open(f"{FOLDER}/man/man1/{name}.1", encoding="utf-8") as file:
        return file.read()


def options_of_page(name):
    """The names in the entries of the OPTIONS section."""
    options = page(name).split(".SH OPTIONS\n")[1].split("\n.SH ")[0]
    names = set()
    for entry in re.findall(r"^\.TP\n(.*)$", options, re.MULTILINE):
        names.update(OPTION.findall(re.sub(r"\\f[BIR]", "", entry).replace("\\-", "-").split("=")[0]))
    return names


def bash_completion(*words):
    """Bash's completions of the last word. readline splits the line: an "=" is a word of its own."""
    script = f"""
        source {FOLDER}/bash-completion/completions/ompprof
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ompprof; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = run("bash", "-uc", script, "bash", *words, cwd=FOLDER)
    assert done.returncode == 0 and done.stderr == "", done
    return set(done.stdout.split())


def check_it_is_written():
    done = run(WRITE_MANUAL, FOLDER)
    assert done.returncode == 0 and done.stderr == "", done
    names = {"ompprof.1"} | {f"ompprof-{command}.1" for command in commands()}
    assert set(os.listdir(f"{FOLDER}/man/man1")) == names, names
    assert len(names) >= 9, names


def check_every_command_has_help_with_examples():
    assert "Examples:\n  ompprof record" in help_text()
    for command in commands():
        text = help_text(command)
        assert re.search(rf"Examples:\n(.*\n)*.*ompprof {command} ", text), f"{command}: {text}"


def check_pages_have_the_options_of_help():
    for command in commands():
        wanted = options_of_help(command)
        assert "--help" in wanted, command
        found = options_of_page(f"ompprof-{command}")
        assert wanted == found, (command, wanted ^ found)
    assert options_of_help() == options_of_page("ompprof")


def check_pages_are_right_for_mandoc():
    counted.want("mandoc", "mandoc")
    for name in sorted(os.listdir(f"{FOLDER}/man/man1")):
        linted = run("mandoc", "-T", "lint", "-W", "warning", f"{FOLDER}/man/man1/{name}")
        assert linted.returncode == 0, linted.stdout
        shown = run("mandoc", "-T", "utf8", f"{FOLDER}/man/man1/{name}").stdout
        plain = re.sub(".\x08", "", shown)  # bold is printed twice
        sections = ["NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
        if name != "ompprof-help.1":
            sections.append("FILES")
        if name not in ("ompprof-help.1", "ompprof-info.1", "ompprof-merge.1"):  # they read no variable
            sections.append("ENVIRONMENT")
        for section in sections:
            assert f"\n{section}\n" in plain, (name, section)


def check_every_option_tells_its_default():
    """A value has a default behind "=", a sentence with "default", or it is required."""
    for command in commands():
        for entry in re.findall(r"^  (-.*(?:\n {10,}.*)?)", help_text(command), re.MULTILINE):
            head = re.match(r"(-\S+) ([A-Z]\S*)?(.*)", entry, re.DOTALL)
            if not head or not head.group(2) or command == "whatif" and "=" not in head.group(2):
                continue  # a flag, or the question of whatif
            assert "=" in head.group(2) or "default" in entry or "REQUIRED" in entry, (command, entry)


def check_statuses_of_diff_and_record():
    assert re.search(r"\.TP\n\\fB3\\fR\n.*fail", page("ompprof-diff")), page("ompprof-diff")
    statuses = page("ompprof-record").split(".SH EXIT STATUS\n")[1].split("\n.SH ")[0]
    assert re.findall(r"\\fB(.*?)\\fR", statuses) == ["the program's", "1", "2", "126", "127"], statuses


def check_help_is_the_commands_help():
    assert "Usage: ompprof record [OPTIONS] [--] PROGRAM [ARGUMENT...]\n" in help_text("record")
    assert run(OMPPROF, "help").stdout == help_text()
    for command in commands():
        assert run(OMPPROF, "help", command).stdout == help_text(command), command
    assert run(OMPPROF, "-V").stdout == run(OMPPROF, "--version").stdout


def check_bash_offers_what_there_is():
    offered = bash_completion("ompprof", "")
    assert set(commands()) <= offered, offered
    assert bash_completion("ompprof", "rec") == {"record"}
    for command in commands():
        assert bash_completion("ompprof", command, "-") == options_of_help(command), command
    assert bash_completion("ompprof", "export", "--format", "=", "fo") == {"folded"}
    assert bash_completion("ompprof", "info", "--format", "") == {"text", "json"}
    assert bash_completion("ompprof", "annotate", "--format", "") == {"text", "json"}
    assert bash_completion("ompprof", "info", "--format", "=") == {"text", "json"}
    assert bash_completion("ompprof", "record", "--clock", "=") == {"cpu", "wall"}
    assert bash_completion("ompprof", "help", "re") == {"record", "report"}
    assert "cache-misses" in bash_completion("ompprof", "record", "-e", "cache")


def check_bash_offers_profiles():
    for name in ("run.ompprof", "notes.txt"):
        with open(f"{FOLDER}/{name}", "w", encoding="utf-8"):
            pass
    assert bash_completion("ompprof", "info", "r") == {"run.ompprof"}
    assert "notes.txt" not in bash_completion("ompprof", "info", "")
    assert bash_completion("ompprof", "merge", "-o", "n") == {"notes.txt"}


# zsh offers its completions to a terminal only. So the test makes a terminal, types a line, and presses the tab key.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
type() { zpty -w shell "$1" }
wait_for() { local text all= n=0; while (( n++ < 200 )); do
  zpty -r -t shell text && all+=$text || sleep 0.05; [[ $all == *$1* ]] && { print -r -- $all; return 0; }; done; print -r -- $all; return 1; }
type "PS1=; stty columns 200; fpath=($FOLDER/zsh/site-functions \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000; zstyle ':completion:*' list-prompt ''"
type "print rea''dy"
wait_for ready >/dev/null
zpty -w -n shell "ompprof $1"$'\t\t'
wait_for "$2"
"""


def zsh_completion(line, expected):
    done = run("zsh", "-f", "-c", ZSH, "zsh", line, expected, env=dict(os.environ, FOLDER=FOLDER, TERM="xterm"))
    assert done.returncode == 0, (line, expected, done.stdout[-2000:], done.stderr)
    return done.stdout


def check_zsh_offers_what_there_is():
    counted.want("zsh", "zsh")
    assert run("zsh", "-n", f"{FOLDER}/zsh/site-functions/_ompprof").returncode == 0
    zsh_completion("merg", "ompprof merge")
    zsh_completion("top --iter", "--iterations")
    zsh_completion("help ann", "help annotate")
    zsh_completion("export --format=fol", "--format=folded")
    zsh_completion("diff --fail", "--fail-on-regression")
    zsh_completion("record --unwind=lib", "--unwind=libunwind")


counted.run([check_it_is_written, check_every_command_has_help_with_examples, check_pages_have_the_options_of_help,
             check_pages_are_right_for_mandoc, check_every_option_tells_its_default, check_statuses_of_diff_and_record,
             check_help_is_the_commands_help, check_bash_offers_what_there_is, check_bash_offers_profiles,
             check_zsh_offers_what_there_is])
