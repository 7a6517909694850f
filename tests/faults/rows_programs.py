"""Rows of foreign programs: interpreters, runtimes with signals of their own, tools that watch others."""

from row import Row


def python(function, **more):
    return Row(f"python {function}", command=("/usr/bin/python3", "{source}/scripts/threads.py", function), **more)


SHORT_LIVED = "threads and processes that live for a few ticks of the kernel"
PROBED = "memcheck tells of a page that is proved readable by a system call, as if its words were used"
RACES = "valgrind's thread tools report the collector's atomic variables as races"
# Valgrind's lines begin with the number of the process.
NUMBERED = ((r"(?m)^[=-]{2}\d+[=-]{2}", "==PID=="),)
WATCHED = "processes that work for a moment each"
# The quick compiler alone: javac is short.
COMPILE_JAVA = "javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -d . {source}/scripts/Threads.java"

ROWS = [
    python("threads", loses=SHORT_LIVED),
    python("timers", loses="the program takes SIGPROF for itself"),
    python("processes", loses=WATCHED),
    python("pool", loses=SHORT_LIVED),
    python("spawned"),
    python("coroutines"),
    python("alarm"),
    python("fault", loses="killed", hides=(("0x[0-9a-f]+", "ADDRESS"),)),
    python("recursion"),
    python("sleeps"),
    Row("python numpy", command=("/usr/bin/python3", "{source}/scripts/numbers.py"), needs=("numpy",)),
    Row("perl", command=("perl", "{source}/scripts/forks.pl"), needs=("perl",)),
    Row("bash starts ten programs", command=("bash", "{source}/scripts/ten.sh"), loses=WATCHED),
    Row("dash starts ten programs", command=("dash", "{source}/scripts/ten.sh"), needs=("dash",), loses=WATCHED),
    Row("make -j", command=("make", "-s", "-j4", "-f", "{source}/scripts/Makefile"), needs=("make",), loses=WATCHED),
    Row("xargs -P", command=("sh", "-c", "seq 1 60 | xargs -P 4 -n 1 expr 100 + | sort -n | sha256sum"), loses=WATCHED),
    Row(
        "sort in threads",
        command=("bash", "-c", "seq 1 400000 | tac | sort --parallel=4 -S 50M -n | sha256sum"),
        loses=WATCHED,
    ),
    Row(
        "xz in threads",
        command=("bash", "-c", "seq 1 300000 | xz -T2 -0 | xz -d | sha256sum"),
        needs=("xz",),
        loses="all signals are blocked",
    ),
    Row("tar through gzip", command=("bash", "-c", "tar c -C {source} . --sort=name | gzip -9 | gzip -d | wc -c")),
    Row(
        "env shows itself",
        command=("sh", "-c", "env | cut -d= -f1 | sort"),
        known="the collector reaches children by variables, which are in the environment",
    ),
    Row("find and exec", command=("bash", "-c", "find {source}/ -name '*.py' -exec wc -l {} + | wc -l"), loses=WATCHED),
    Row("node", command=("node", "{source}/scripts/worker.js"), needs=("node",)),
    Row(
        "node with a signal",
        command=("node", "{source}/scripts/worker.js", "signal"),
        needs=("node",),
        loses="the program takes SIGPROF for itself",
    ),
    Row(
        "node and its profiler",
        command=("node", "{source}/scripts/own_profiler.js"),
        needs=("node",),
        loses="V8's profiler takes SIGPROF",
    ),
    Row(
        "java",
        shell=COMPILE_JAVA,
        command=("java", "-XX:+UseSerialGC", "-Xmx100m", "Threads"),
        needs=("java", "javac"),
    ),
    Row(
        "java in parallel",
        shell=COMPILE_JAVA,
        command=("java", "-XX:+UseG1GC", "-Xmx200m", "Threads"),
        needs=("java", "javac"),
    ),
    Row("go", "goroutines", one_build=True, profiles=0),
    Row("go and its profiler", "goroutines", ("profile",), one_build=True, profiles=0),
    Row("go on libc", "goroutines_libc", one_build=True, loses="Go takes every signal past libc, and makes threads past it"),
    Row("go on libc and its profiler", "goroutines_libc", ("profile",), one_build=True, loses="Go's profiler takes SIGPROF"),
    Row(
        "gdb",
        "machine",
        command=(
            "gdb",
            "-nx",
            "-batch",
            *("-ex", "set debuginfod enabled off"),
            *("-ex", "handle SIGPROF nostop noprint pass"),
            *("-ex", "run"),
            "--args",
            *("{host}", "just_work", "{ms}"),
        ),
        needs=("gdb",),
        hides=((r"\[(New )?Thread [^\n]*\n", ""), (r"\[Inferior [^\n]*\n", "")),
    ),
    Row("strace", "machine", command=("strace", "-f", "-o", "/dev/null", "{host}", "just_work", "{ms}"), needs=("strace",)),
    Row(
        "valgrind memcheck",
        "machine",
        command=("valgrind", "-q", "{host}", "just_work", "60"),
        needs=("valgrind",),
        hides=NUMBERED,
        loses="valgrind's own work",
        known=PROBED,
    ),
    Row(
        "valgrind helgrind",
        "machine",
        command=("valgrind", "-q", "--tool=helgrind", "{host}", "just_work", "60"),
        needs=("valgrind",),
        hides=NUMBERED,
        loses="valgrind's own work",
        known=RACES,
    ),
    Row(
        "valgrind drd",
        "machine",
        command=("valgrind", "-q", "--tool=drd", "{host}", "just_work", "60"),
        needs=("valgrind",),
        hides=NUMBERED,
        loses="valgrind's own work",
        known=RACES,
    ),
    Row(
        "perf record",
        "machine",
        command=("perf", "record", "-q", "-N", "-o", "perf.data", "{host}", "just_work", "{ms}"),
        needs=("perf",),
        ignores="perf.data",
    ),
    Row("gcc", command=("gcc", "-O2", "-c", "-o", "plain.o", "{source}/plain.c"), needs=("gcc",), loses=WATCHED),
    Row(
        "clang",
        command=("clang", "-O2", "-g", "-c", "-o", "plain.o", "{source}/meddler.c"),
        needs=("clang",),
        loses=WATCHED,
    ),
    Row("openssl", command=("sh", "-c", "head -c 30000000 /dev/zero | openssl sha512"), needs=("openssl",), loses=WATCHED),
    Row(
        "sqlite",
        command=(
            "sqlite3",
            ":memory:",
            "with recursive c(x) as (select 1 union all select x+1 from c where x<600000) select sum(x*x%7) from c;",
        ),
        needs=("sqlite3",),
    ),
    Row(
        "tcl",
        command=("tclsh",),
        input="proc f n {expr {$n < 2 ? $n : [f [expr {$n-1}]] + [f [expr {$n-2}]]}}\nputs [f 20]\n",
        needs=("tclsh",),
    ),
    Row(
        "git",
        command=(
            "sh",
            "-c",
            "git init -q . && echo x > f && git add f && git -c user.name=n -c user.email=e commit -qm m && git log --format=%s",
        ),
        needs=("git",),
        ignores="\\.git/",
        loses=WATCHED,
    ),
]
