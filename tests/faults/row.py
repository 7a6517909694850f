"""A row of the fault matrix, and the needs of a row."""

import ctypes
import dataclasses
import os
import shutil
import subprocess
import zlib

COMPILERS = ("gcc", "clang")
DEFAULT_RATE, HIGH_RATE = 199, 10000  # samples a second and thread
RATES = (DEFAULT_RATE, HIGH_RATE)


@dataclasses.dataclass(frozen=True)
class Combination:
    """One cell of a row. `compiler` is empty if this project does not build the host."""

    compiler: str
    rate: int

    def __str__(self):
        rate = "10 kHz" if self.rate == HIGH_RATE else "default rate"
        return f"{self.compiler}, {rate}" if self.compiler else rate


@dataclasses.dataclass
class Row:
    """A hostile host, and what is known of it in advance.

    In `command`, `around`, `environment` and `shell`, {host} is the built program, {built} the folder of it and its like,
    {source} the folder of this file, {ompprof} the installed tree, {folder} the run's own directory, {ms} how many
    milliseconds the host shall work.
    """

    name: str
    host: str = ""  # a program that tests/faults/BUILD builds by gcc (HOST_gcc) and by clang (HOST_clang)
    arguments: tuple = ()
    command: tuple = ()  # in place of `host` and `arguments`; may use {host} where `host` is set as well
    around: tuple = ()  # words before all others, those of the profiler too
    one_build: bool = False  # the host exists once, by any compiler
    environment: dict = dataclasses.field(default_factory=dict)
    input: str = ""
    shell: str = ""  # prepares the folder before either run, without the profiler
    cleanup: str = ""  # after either run
    options: tuple = ()  # options of `ompprof record`
    needs: tuple = ()  # names of NEEDS, or commands that must exist
    profiles: int = 1  # at least that many; 0: none is due (a static program)
    anybody: bool = False  # the host becomes another user, who must be able to read the installed tree
    loses: str = ""  # why CPU time may be missing from the profile
    hides: tuple = ()  # (pattern, replacement) for differences between two runs without the profiler
    ignores: str = ""  # pattern of files whose content differs between two runs without the profiler
    known: str = ""  # why the row is different today: fails once it is not
    known_at: tuple = ()  # the compilers and rates of the difference; empty: all
    rates: tuple = RATES  # rates at which the row runs at all
    limit: float = 60  # seconds that the host may take without the profiler

    def combinations(self):
        compilers = COMPILERS if self.host and not self.one_build else ("",)
        return [Combination(compiler, rate) for compiler in compilers for rate in self.rates]

    def is_known(self, combination):
        """Whether the row is marked as different there."""
        if not self.known:
            return False
        compilers = [at for at in self.known_at if at in COMPILERS] or list(COMPILERS) + [""]
        rates = [at for at in self.known_at if at in RATES] or list(RATES)
        return combination.compiler in compilers and combination.rate in rates

    def chosen(self):
        """The combination that the test runs: the same one each time, evenly spread over the rows."""
        candidates = self.combinations()
        if self.known:
            candidates = [each for each in candidates if self.is_known(each)]
        return candidates[zlib.crc32(self.name.encode()) % len(candidates)]


def _succeeds(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _userfaultfd():
    descriptor = ctypes.CDLL(None).syscall(323, os.O_CLOEXEC)
    if descriptor >= 0:
        os.close(descriptor)
    return descriptor >= 0


def _io_uring():
    descriptor = ctypes.CDLL(None).syscall(425, 1, ctypes.create_string_buffer(256))
    if descriptor >= 0:
        os.close(descriptor)
    return descriptor >= 0


_TCMALLOC = "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"
_GPERFTOOLS = "/usr/lib/x86_64-linux-gnu/libtcmalloc_and_profiler.so.4"

# name: (whether it is there, the sentence where it is not)
NEEDS = {
    "root": (lambda: os.geteuid() == 0, "Changing ids and limits needs root."),
    "mount": (lambda: _succeeds("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"), "Mounting needs root."),
    "user namespace": (lambda: _succeeds("unshare", "-U", "true"), "User namespaces are not permitted here."),
    "pid namespace": (
        lambda: _succeeds("unshare", "-p", "--fork", "--mount-proc", "true"),
        "Namespaces of processes are not permitted here.",
    ),
    "setcap": (
        lambda: os.geteuid() == 0 and shutil.which("setcap", path="/usr/sbin:/sbin") is not None,
        "Files cannot be given capabilities here: that needs root and setcap.",
    ),
    "tcmalloc": (lambda: os.path.exists(_TCMALLOC), "libtcmalloc is not installed."),
    "userfaultfd": (_userfaultfd, "userfaultfd is not permitted here."),
    "static libc": (lambda: os.path.exists("/usr/lib/x86_64-linux-gnu/libc.a"), "There is no static libc."),
    "io_uring": (_io_uring, "io_uring is not permitted here, or the kernel was built without it."),
    "gperftools": (lambda: os.path.exists(_GPERFTOOLS), "libgoogle-perftools is not installed."),
    "time namespace": (
        lambda: _succeeds("unshare", "-T", "--monotonic", "1000", "--fork", "true"),
        "Namespaces of time are not permitted here.",
    ),
    "numpy": (lambda: _succeeds("/usr/bin/python3", "-c", "import numpy"), "Python's numpy is not installed."),
}


def why_skipped(row):
    """A sentence; empty if the machine has all that the row needs."""
    for need in row.needs:
        if need in NEEDS:
            there, sentence = NEEDS[need]
            if not there():
                return sentence
        elif shutil.which(need, path="/usr/bin:/bin:/usr/sbin") is None:
            return f"{need} is not installed."
    return ""
