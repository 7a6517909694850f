#!/usr/bin/env python3
"""Programs behave the same bare and under the shim, without a tool and with the recording tool. The script compares their
output, exit status, and what they print about threads, affinity and schedules.

usage: compare.py --shim LIBRARY --recorder LIBRARY --built TAR PROGRAM...
       compare.py --build TAR PROGRAM...     compiles the programs into the archive

Each `RUN: NAME=VALUE ...` line of a program is an environment, each `ARGS:` line a list of arguments; a case is one pair
of them in one way of running. The last line is `N passed, N failed`.
"""

import argparse
import pathlib
import re
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "launch"))
import launch

COMPILERS = {".c": "gcc", ".cc": "g++", ".f90": "gfortran"}
TIME_LIMIT_S = 300  # 64 threads spin for each other on two processors, which others may use too


def settings(path):
    """The (environment, arguments) pairs of a program's comments."""
    environments, arguments = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            found = re.match(r"^\s*(?://|!)\s*(RUN|ARGS):\s*(.*)$", line)
            if found and found.group(1) == "RUN":
                environments.append(dict(word.split("=", 1) for word in found.group(2).split()))
            elif found:
                arguments.append(found.group(2).split())
    return [(environment, words) for environment in environments or [{}] for words in arguments or [[]]]


def run(program, arguments, environment):
    """(how it ended, standard output, standard error) with addresses and process numbers taken out."""
    done = launch.run([program, *arguments], env=environment, limit=TIME_LIMIT_S)
    return (done.how(), done.out, re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", done.err)), done.timed_out


def compile_all(paths, folder):
    """Compiles the programs, each under its file's name with _ for the dot."""
    for path in paths:
        standard = ["-std=c++17"] if path.suffix == ".cc" else []
        program = folder / path.name.replace(".", "_")
        launch.succeed([COMPILERS[path.suffix], *standard, "-O2", "-fopenmp", "-pthread", path, "-o", program], folder=".")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shim")
    parser.add_argument("--recorder", help="the tool of conformance/recorder")
    parser.add_argument("--built", metavar="TAR")
    parser.add_argument("--build", metavar="TAR")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.build:
        with tempfile.TemporaryDirectory() as folder, tarfile.open(arguments.build, "w") as archive:
            compile_all(arguments.programs, pathlib.Path(folder))
            archive.add(folder, arcname=".")
        return 0
    if not (arguments.shim and arguments.recorder and arguments.built):
        parser.error("--shim, --recorder and --built are required")
    shim = pathlib.Path(arguments.shim).resolve()
    recorder = pathlib.Path(arguments.recorder).resolve()
    clean = launch.environment()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        with tarfile.open(arguments.built) as archive:
            archive.extractall(work)
        ways = {
            "no tool": {"LD_PRELOAD": str(shim)},
            "tool disabled": {"LD_PRELOAD": str(shim), "OMP_TOOL": "disabled", "OMP_TOOL_LIBRARIES": str(recorder)},
            "every callback": {"LD_PRELOAD": str(shim), "OMP_TOOL_LIBRARIES": str(recorder)},
        }
        for path in arguments.programs:
            program = work / path.name.replace(".", "_")
            for environment, words in settings(path):
                bare, bare_hangs = run(program, words, {**clean, **environment})
                for name, additions in ways.items():
                    label = f"{path.name} {' '.join(words)} {environment} [{name}]"
                    events = work / "events"
                    outcome, _ = run(program, words, {**clean, **additions, **environment, "CONFORMANCE_OUTPUT": str(events)})
                    recorded = events.exists()
                    for old in work.glob("events*"):
                        old.unlink()
                    # Without the tool the case would prove nothing. Some endings leave the tool no time to write.
                    as_asked = recorded == (name == "every callback") or (not recorded and path.stem == "endings")
                    if outcome == bare and not bare_hangs and as_asked:
                        passed += 1
                        print(f"passed {label}")
                        continue
                    failed += 1
                    print(f"FAILED {label}{'' if as_asked else ': the tool recorded ' + ('events' if recorded else 'nothing')}")
                    for title, left, right in zip(("end", "output", "errors"), bare, outcome):
                        if left != right or bare_hangs:
                            print(f"  {title} bare:\n{left}\n  under the shim:\n{right}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
