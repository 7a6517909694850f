"""Runs a command to its end and returns its outcome. Every test and benchmark in Python starts its
programs here; tests in C++ use tests/integration/harness.h.

The command has a session of its own, files as its streams, an environment without the caller's variables, and a time
limit. `run` also waits for all processes that the command started, even for daemons: the calling process adopts
them. Processes that remain SETTLE_S after the command's end were left behind, and are ended. Earlier children of the
caller are left alone. Only one thread of a process may call `run` at a time: to run several commands at once, use
processes.
"""

import ctypes
import dataclasses
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
SETTLE_S = 2.0
LIMIT_S = 120
LONGEST_TEXT = 1 << 27  # of a stream, in bytes
TURN_MS = 10  # between two looks for ended processes
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


class Failure(Exception):
    """A command that did not end as wanted. Its text is Outcome.describe's."""


@dataclasses.dataclass
class Outcome:
    command: list
    status: int  # as in subprocess: negative for a signal; of a command that was ended, 0
    timed_out: bool
    limit: float  # seconds
    wall: float  # seconds, to the end of the last process
    cpu: float  # seconds, user and system, of all processes
    peak_kib: int  # memory of the largest process
    pid: int
    raw_out: bytes
    raw_err: bytes
    left: list  # names of the processes left behind
    where: list  # a line for each remaining thread: its process, state, and system call

    @property
    def out(self):
        return self.raw_out.decode("utf-8", "replace")

    @property
    def err(self):
        return self.raw_err.decode("utf-8", "replace")

    def how(self):
        """How the command ended, in a few words."""
        if self.timed_out:
            return f"hangs ({self.limit:.0f} s)"
        if self.status < 0:
            try:
                return signal.Signals(-self.status).name
            except ValueError:
                return f"signal {-self.status}"
        return f"exit {self.status}"

    def describe(self):
        """For a failed test's message."""
        text = f"{' '.join(map(str, self.command))}: {self.how()}"
        for title, body in (("stdout", self.out), ("stderr", self.err), ("threads", "\n".join(self.where))):
            if body:
                text += f"\n-- {title}\n{body[-4000:].rstrip()}"
        return text


def environment(home="/tmp", **variables):
    """A program's environment: `variables`, and nothing of the caller's."""
    return {"PATH": PATH, "HOME": home, "LANG": "C.UTF-8", **variables}


def adopt_orphans():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children():
    found = []
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children", encoding="ascii") as listed:
                found += [int(word) for word in listed.read().split()]
        except OSError:
            continue  # the thread has ended; another thread of this process is the parent of its children now
    return found


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _name(pid):
    return _read(f"/proc/{pid}/comm") or "?"


def _threads(pid):
    """A line for each thread of a process."""
    try:
        tasks = sorted(os.listdir(f"/proc/{pid}/task"), key=int)
    except OSError:
        return []
    lines = []
    for task in tasks:
        state = _read(f"/proc/{pid}/task/{task}/stat").rpartition(")")[2].split()[:1]
        lines.append(f"{_name(pid)} {pid}, thread {task}: {''.join(state)} {_read(f'/proc/{pid}/task/{task}/syscall')}")
    return lines


class _Family:
    """The processes of one command that are the caller's children, its own or adopted."""

    def __init__(self, others):
        self.others = others
        self.cpu, self.peak_kib = 0.0, 0

    def members(self):
        return [pid for pid in _children() if pid not in self.others]

    def reap(self, pid):
        """The exit status of `pid`; None if it has not ended."""
        got, how, usage = os.wait4(pid, os.WNOHANG)
        if got == 0:
            return None
        self.cpu += usage.ru_utime + usage.ru_stime
        self.peak_kib = max(self.peak_kib, usage.ru_maxrss)
        return os.waitstatus_to_exitcode(how)

    def end(self):
        """Ends all of them, and their children, which the caller adopts: in several turns."""
        until = time.monotonic() + 10
        while members := self.members():
            for pid in members:
                try:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                except OSError:
                    pass
            if time.monotonic() > until:
                raise RuntimeError(f"processes {members} cannot be ended")


def _wait(child, family, limit):
    """Waits for the process `child` and then for all others. (status or None, members left)"""
    status = None
    until = time.monotonic() + limit
    poller = select.poll()
    descriptor = os.pidfd_open(child)
    poller.register(descriptor, select.POLLIN)
    try:
        while True:
            # The kernel's list may lack a process while another ends.
            members = family.members()
            if status is None and child not in members:
                members.append(child)
            if not members and not family.members():
                return status, []
            for pid in members:
                ended = family.reap(pid)
                if pid == child and ended is not None:
                    status = ended
                    until = min(until, time.monotonic() + SETTLE_S)
                    poller.unregister(descriptor)
            if time.monotonic() > until:
                return status, family.members()
            if status is None:
                # Returns at once when the command itself ends.
                poller.poll(TURN_MS)
            elif members != [child]:
                time.sleep(TURN_MS / 1000)
    finally:
        os.close(descriptor)


def run(command, folder=None, env=None, text=b"", limit=LIMIT_S):
    """`folder` is the working directory, by default a new one that is removed. `text` is standard input."""
    adopt_orphans()
    command = [os.fspath(word) for word in command]
    scratch = tempfile.mkdtemp(prefix="launch-", dir=os.environ.get("TEST_TMPDIR"))
    os.chmod(scratch, 0o755)  # a program that becomes another user may open its streams again
    paths = {name: os.path.join(scratch, name) for name in ("in", "out", "err")}
    try:
        if folder is None:
            folder = os.path.join(scratch, "folder")
            os.mkdir(folder)
        with open(paths["in"], "wb") as stream:
            stream.write(text.encode() if isinstance(text, str) else text)
        family = _Family(frozenset(_children()))
        with open(paths["in"], "rb") as given, open(paths["out"], "ab") as out, open(paths["err"], "ab") as err:
            begin = time.monotonic()
            child = subprocess.Popen(
                command, cwd=folder, env=environment() if env is None else env, stdin=given, stdout=out, stderr=err,
                start_new_session=True,
            )
            try:
                status, left = _wait(child.pid, family, limit)
                wall = time.monotonic() - begin
                where = [line for pid in left for line in _threads(pid)]
                names = sorted(map(_name, left))
            finally:
                family.end()
                child.returncode = 0  # Popen must not wait for it again
        streams = []
        for name in ("out", "err"):
            with open(paths[name], "rb") as stream:
                streams.append(stream.read(LONGEST_TEXT + 1))
                if len(streams[-1]) > LONGEST_TEXT:
                    raise Failure(f"{' '.join(map(str, command))} prints more than {LONGEST_TEXT} bytes")
        return Outcome(command, status or 0, status is None, limit, wall, family.cpu, family.peak_kib, child.pid, *streams, names, where)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def succeed(command, status=0, **options):
    """`run`, for a command that has to end with `status`."""
    outcome = run(command, **options)
    if outcome.timed_out or outcome.status != status:
        raise Failure(outcome.describe())
    return outcome
