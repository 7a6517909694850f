"""Runs a command in a folder of its own and says all that came of it: what it wrote, how and when it ended, which
processes and files it left.

The calling process adopts what the command leaves behind, so it must have no other children.
"""

import ctypes
import dataclasses
import hashlib
import os
import signal
import stat
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
SETTLE_S = 2.0  # what still runs so long after the command has ended was left behind
PROFILE = ".ompprof"


@dataclasses.dataclass
class Outcome:
    status: int  # as subprocess says it: negative for a signal
    timed_out: bool
    wall: float  # seconds, to the end of the last process
    cpu: float  # seconds, of all processes
    out: bytes
    err: bytes
    left: list  # names of the processes left behind
    files: dict  # path in the folder: what it is
    profiles: list  # paths of the profiles, which are not among the files


def adopt_orphans():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children():
    found = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children", encoding="ascii") as listed:
            found += [int(word) for word in listed.read().split()]
    return found


def _name(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as name:
            return name.read().strip()
    except OSError:
        return "?"


def _kill_all():
    """Ends all children, and theirs, which become ours: several turns."""
    end = time.monotonic() + 10
    while children := _children():
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except OSError:
                pass
            try:
                os.waitpid(child, 0)
            except OSError:
                pass
        if time.monotonic() > end:
            raise RuntimeError(f"processes {children} cannot be ended")


def _reap(first, limit):
    """Waits for the process `first` and then for all others. (status or None, CPU seconds, names left)"""
    status, cpu = None, 0.0
    end = time.monotonic() + limit
    while True:
        try:
            pid, how, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return status, cpu, []
        if pid == 0:
            if time.monotonic() > end:
                return status, cpu, sorted(_name(child) for child in _children())
            time.sleep(0.003)
            continue
        cpu += usage.ru_utime + usage.ru_stime
        if pid == first:
            status = os.waitstatus_to_exitcode(how)
            end = min(end, time.monotonic() + SETTLE_S)


def _describe(path):
    facts = os.lstat(path)
    kind = stat.filemode(facts.st_mode)
    if stat.S_ISLNK(facts.st_mode):
        return f"{kind} -> {os.readlink(path)}"
    if not stat.S_ISREG(facts.st_mode):
        return kind
    with open(path, "rb") as content:
        return f"{kind} {facts.st_size} {hashlib.sha256(content.read(1 << 22)).hexdigest()[:12]}"


def _walk(folder):
    files, profiles = {}, []
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(where, name)
            if name.endswith(PROFILE) and os.path.isfile(path):
                profiles.append(path)
            else:
                files[os.path.relpath(path, folder)] = _describe(path)
    return files, sorted(profiles)


def run(command, folder, environment, text, limit):
    """`folder` is where the command runs and what is looked through; `text` its standard input, bytes."""
    scratch = folder + ".streams"
    os.mkdir(scratch)
    paths = {name: os.path.join(scratch, name) for name in ("in", "out", "err")}
    with open(paths["in"], "wb") as stream:
        stream.write(text)
    with open(paths["in"], "rb") as given, open(paths["out"], "ab") as out, open(paths["err"], "ab") as err:
        begin = time.monotonic()
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=given, stdout=out, stderr=err, start_new_session=True
        )
        status, cpu, left = _reap(child.pid, limit)
        wall = time.monotonic() - begin
        child.returncode = status if status is not None else -signal.SIGKILL  # Popen must not wait for it again
    _kill_all()
    texts = []
    for name in ("out", "err"):
        with open(paths[name], "rb") as stream:
            texts.append(stream.read(1 << 24))
    files, profiles = _walk(folder)
    return Outcome(status if status is not None else 0, status is None, wall, cpu, *texts, left, files, profiles)
