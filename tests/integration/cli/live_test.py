#!/usr/bin/python3
"""The display while a program runs: `ompprof top`, and the progress line of `ompprof record` on a terminal. A foreign
terminal emulator (pyte) draws the screen, and the tests read it.

usage: live_test.py OMPPROF PROGRAM        PROGRAM: flat of tests/programs
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time

try:
    import pyte
except ImportError:
    pyte = None

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, FLAT = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
ROWS, COLUMNS = 24, 80
DEADLINE = 60

# The program prints a line without its end and works a little. It ends the line after the progress line has come.
PROGRAM = """
import sys, time
end = time.time() + 7
print("first line")
sys.stdout.write("half ")
sys.stdout.flush()
x = 0
for i in range(3000000): x += i
while time.time() < end: time.sleep(0.05)
print("a line")
"""


class Terminal:
    """A program with a terminal of its own for standard output and error."""

    def __init__(self, words):
        if pyte is None:
            raise counted.Skip("Python's pyte is not installed (package python3-pyte): run scripts/setup")
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            os.execv(words[0], words)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.set_blocking(self.fd, False)
        self.status = None

    def read(self):
        """Takes the printed text; False once no process can print any more."""
        try:
            data = os.read(self.fd, 65536)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.seen += data
        self.stream.feed(data)
        return bool(data)

    def line(self, row):
        return self.screen.display[row].rstrip()

    def wait(self):
        while self.read():
            time.sleep(0.01)
        self.status = os.waitpid(self.pid, 0)[1]


def record(name, *options):
    return [OMPPROF, "record", "-F", "100", "-o", f"{FOLDER}/{name}.ompprof", *options, "--",
            sys.executable, "-c", PROGRAM]


# Standard output is a terminal, standard error is not. These runs start first because they are long, and mostly asleep.
PIPED_MASTER, PIPED_SLAVE = pty.openpty()
PIPED = subprocess.Popen(record("piped"), stdout=PIPED_SLAVE, stderr=subprocess.PIPE)
os.close(PIPED_SLAVE)


def check_progress_line():
    shown = Terminal(record("shown"))
    quiet = Terminal(record("quiet", "--quiet"))
    deadline = time.time() + DEADLINE
    pattern = re.compile(r"ompprof: 0:\d\d, [\d,]+ samples?, 0 lost")
    while not pattern.fullmatch(shown.line(ROWS - 1)):
        assert time.time() < deadline and shown.read(), shown.screen.display
        quiet.read()
        time.sleep(0.01)
    # It is the bottom row, and the program's unfinished line is still in its place.
    assert shown.line(0) == "first line", shown.screen.display
    assert shown.line(1) == "half", shown.screen.display
    assert (shown.screen.cursor.y, shown.screen.cursor.x) == (1, 5), shown.screen.cursor
    shown.wait()
    quiet.wait()
    assert shown.status == 0 and quiet.status == 0
    assert [line.rstrip() for line in shown.screen.display[:2]] == ["first line", "half a line"], shown.screen.display
    assert shown.line(2).startswith("ompprof: wrote /"), shown.screen.display
    assert shown.line(ROWS - 1) == "", shown.screen.display
    assert last_line("shown") in shown.seen, shown.seen
    assert b"ompprof" not in quiet.seen, quiet.seen
    # All rows scroll again.
    shown.stream.feed(b"".join(b"\r\nline %d" % i for i in range(40)))
    assert shown.line(ROWS - 1) == "line 39" and shown.line(0) == "line 16", shown.screen.display


def last_line(name):
    path = f"{FOLDER}/{name}.ompprof"
    return f"ompprof: wrote {path}; read it with: ompprof report {path}\r\r\n".encode()


def on_terminal(*words, **variables):
    """What a command prints on a terminal of its own."""
    terminal = Terminal(["/usr/bin/env", *(f"{name}={value}" for name, value in variables.items()), *words])
    terminal.wait()
    return terminal.seen


def short(name, *options):
    return [OMPPROF, "record", "-o", f"{FOLDER}/{name}.ompprof", *options, "--"]


def check_the_last_line_comes_before_the_prompt():
    command = " ".join([*short("line"), "true"]) + "; echo prompt"
    for _ in range(20):
        assert on_terminal("/bin/sh", "-c", command) == last_line("line") + b"prompt\r\n"
    folder = os.getcwd()
    os.chdir(FOLDER)
    seen = on_terminal(*short("line"), "true")
    os.chdir(folder)
    assert seen == b"ompprof: wrote line.ompprof; read it with: ompprof report line.ompprof\r\r\n", seen


def check_the_last_line_of_a_program_that_a_signal_ends():
    for signal in ("INT", "KILL", "SEGV"):
        seen = on_terminal(*short("killed"), "/bin/sh", "-c", f"printf half; kill -{signal} $$")
        assert seen.startswith(b"half") and seen.endswith(last_line("killed")), (signal, seen, os.listdir(FOLDER))
        screen = pyte.Screen(COLUMNS, ROWS)
        pyte.ByteStream(screen).feed(seen)
        assert screen.display[0].rstrip() == "half" and screen.display[1].startswith("ompprof: wrote /"), screen.display


def check_the_last_line_of_a_short_program_on_a_busy_machine():
    # The watcher of the program may come to run only after the program, and the terminal's session, have ended.
    busy = [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(3 * os.cpu_count())]
    try:
        for _ in range(120):
            seen = on_terminal(*short("busy"), "/bin/sh", "-c", "printf half; kill -KILL $$")
            assert seen.startswith(b"half") and seen.endswith(last_line("busy")), seen
    finally:
        for process in busy:
            process.kill()
            process.wait()


def check_no_last_line_where_nobody_wants_it():
    assert on_terminal(*short("none", "--quiet"), "true") == b""
    assert on_terminal(*short("none"), "true", OMPI_COMM_WORLD_RANK="3") == b"", "a rank of many"
    assert on_terminal("/bin/sh", "-c", " ".join([*short("none"), "true", "2>/dev/null"])) == b""
    inner = " ".join([*short("inner", "--quiet"), "true"])
    # The inner command can be a process of the outer run with samples.
    seen = on_terminal(*short("outer"), "/bin/sh", "-c", inner + "; true")
    assert seen.count(b"ompprof: ") == 1 and seen.endswith(b"\r\r\n") and b"/outer" in seen, seen
    closed = on_terminal(*short("closed"), "/bin/sh", "-c", "exec 2>&-; true")
    assert closed == b"", closed


def check_no_progress_where_stderr_is_no_terminal():
    errors = PIPED.communicate(timeout=DEADLINE)[1]
    out = os.read(PIPED_MASTER, 65536)
    assert PIPED.returncode == 0 and errors == last_line("piped").replace(b"\r\r\n", b"\n"), errors
    assert out == b"first line\r\nhalf a line\r\n", out


def start_flat(name, cpu_ms=2500):
    return subprocess.Popen([OMPPROF, "record", "-F", "500", "--flush-interval=0.2", "-o", f"{FOLDER}/{name}.ompprof",
                             "--", FLAT, str(cpu_ms)], stdout=subprocess.DEVNULL, env=launch.environment(OMP_NUM_THREADS="2"))


def ompprof(*words):
    return launch.run([OMPPROF, *words], limit=DEADLINE)


def samples_of(block):
    return int(re.search(r"^samples ([\d,]+) \(", block, re.MULTILINE).group(1).replace(",", ""))


def check_top_follows_to_the_end():
    program = start_flat("flat", cpu_ms=8000)  # the first look may take two seconds
    deadline = time.time() + DEADLINE
    once = ompprof("top", "--once", "-p", str(program.pid))
    while once.status != 0 and time.time() < deadline:
        assert "writes no profile, or none yet" in once.err, once
        time.sleep(0.05)
        once = ompprof("top", "--once", "-p", str(program.pid))
    assert once.status == 0, once
    assert once.out.count("samples ") == 1 and "  running\n" in once.out, once.out

    followed = ompprof("top", f"--interval=0.3", "-p", str(program.pid))
    assert program.wait(DEADLINE) == 0
    assert followed.status == 0 and followed.err == "", followed
    blocks = followed.out.split("\n\n" + FLAT)
    assert len(blocks) >= 3, followed.out
    counts = [samples_of(block) for block in blocks]
    assert counts == sorted(counts) and counts[0] < counts[-1], counts
    assert "ended (exit)" in blocks[-1] and "ended" not in blocks[0], followed.out
    assert "\033" not in followed.out
    assert re.search(r"work_a +flat\.cc", blocks[-1]) and "work_parallel" in blocks[1], followed.out

    # The last picture has the whole run, as the report does.
    report = json.loads(ompprof("report", "--format=json", f"{FOLDER}/flat.ompprof").out)
    assert counts[-1] == report["samples"], (counts[-1], report["samples"])
    finished = ompprof("top", f"{FOLDER}/flat.ompprof")
    assert finished.status == 0 and samples_of(finished.out) == report["samples"], finished
    assert finished.out.count("samples ") == 1


def check_top_by_file_and_its_iterations():
    program = start_flat("file")
    while not os.path.exists(f"{FOLDER}/file.ompprof"):
        time.sleep(0.02)
    followed = ompprof("top", "--interval=0.2", "--iterations=2", "--limit=1", f"{FOLDER}/file.ompprof")
    program.kill()
    program.wait()
    assert followed.status == 0 and len(re.findall("^samples ", followed.out, re.MULTILINE)) == 2, followed
    # The process was killed: the log has no end, and the process is gone.
    ended = ompprof("top", f"{FOLDER}/file.ompprof")
    assert ended.status == 0 and "ended without the collector's notice" in ended.out, ended


def check_top_without_a_recording():
    absent = ompprof("top", "-p", "4194304")
    assert absent.status == 1 and "there is no process 4194304" in absent.err, absent
    mine = ompprof("top", "-p", str(os.getpid()))
    assert mine.status == 1 and "writes no profile" in mine.err, mine
    assert ompprof("top").status == 2
    other = ompprof("top", "/etc/passwd")
    assert other.status == 1 and "is not an ompprof profile" in other.err, other


counted.run([check_progress_line, check_the_last_line_comes_before_the_prompt,
             check_the_last_line_of_a_program_that_a_signal_ends, check_no_last_line_where_nobody_wants_it,
             check_no_progress_where_stderr_is_no_terminal, check_top_follows_to_the_end,
             check_top_by_file_and_its_iterations, check_top_without_a_recording])
