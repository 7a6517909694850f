"""Rows about limits of a program: seccomp, descriptors, memory, files, capabilities."""

from row import Row

SHORT = ("{ms}",)
# Changes the ids, and leaves the capabilities to the kernel.
AS_NOBODY = ("chroot", "--userspec=65534:65534", "--groups=", "--skip-chdir", "/")


def confined(mode, **more):
    return Row(f"confined {mode}", "confined", (mode, *SHORT), loses="sampling ends where the filter begins", **more)


def descriptors(mode, **more):
    return Row(f"descriptors {mode}", "descriptors", (mode, *SHORT), **more)


def memory(mode, **more):
    return Row(f"memory {mode}", "memory", (mode, *SHORT), **more)


def machine(mode, **more):
    return Row(f"machine {mode}", "machine", (mode, *SHORT), **more)


def limits(kind, limit, **more):
    """A program that uses up a limit exactly. tests/integration/limits_test.cc compares its profile with its truth."""
    return Row(f"limits {kind} of {limit}", "limits", (kind, str(limit), "{ms}"), needs=("root",), anybody=True, **more)


def output(name, value, **more):
    """A row with the profile's path in OMPPROF_OUTPUT, which the program ignores."""
    return Row(
        f"output {name}",
        "exits",
        ("return", "{ms}"),
        environment={"OMPPROF_OUTPUT": value},
        options=("--run-anyway",),  # otherwise `record` does not start the program
        profiles=0,
        **more,
    )


# The path of OMPPROF_OUTPUT is made, where that is possible, without the profiler as well: then the files are equal.
ROWS = [
    confined("strict"),
    confined("strict_child"),
    confined("kills_by_prctl"),
    confined("kills_by_syscall"),
    confined("kills_in_one_thread"),
    confined("kills_in_all_threads"),
    confined("kills_in_idle_threads"),
    confined("kills_around_exec"),
    confined("refuses_around_exec"),
    confined("refuses"),
    confined("traps"),
    Row(
        "capabilities of the file",
        "machine",
        anybody=True,
        needs=("setcap",),
        shell="cp {host} bearer && chmod 755 bearer && setcap cap_sys_nice+ep bearer",
        command=(*AS_NOBODY, "./bearer", "just_work", "{ms}"),
        profiles=0,
    ),
    Row(
        "capabilities of the file, by OMP_TOOL_LIBRARIES",
        "machine",
        anybody=True,
        needs=("setcap",),
        environment={"OMP_TOOL_LIBRARIES": "{ompprof}/lib/libompprof.so"},
        shell="cp {host} bearer && chmod 755 bearer && setcap cap_sys_nice+ep bearer",
        command=(*AS_NOBODY, "./bearer", "slow_numbers", "{ms}"),
        profiles=0,
    ),
    Row(
        "set-user-id",
        "machine",
        anybody=True,
        needs=("root",),
        shell="cp {host} other && chown 65533 other && chmod 4755 other",
        command=(*AS_NOBODY, "./other", "just_work", "{ms}"),
        profiles=0,
    ),
    Row(
        "ambient capabilities",
        "machine",
        anybody=True,
        needs=("root", "setpriv"),
        shell="cp {host} bearer && chmod 755 bearer",
        command=(
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=+sys_nice",
            "--ambient-caps=+sys_nice",
            "./bearer",
            "just_work",
            "{ms}",
        ),
    ),
    Row(
        "no new privileges",
        "machine",
        needs=("root", "setpriv"),
        command=("setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "{host}", "just_work", "{ms}"),
    ),
    descriptors("limit_4"),
    descriptors("limit_5"),
    descriptors("limit_8"),
    descriptors("limit_64"),
    descriptors("list"),
    descriptors("close_each"),
    descriptors("close_range"),
    descriptors("close_and_reuse"),
    descriptors("dup_over_all"),
    descriptors("inherited"),
    descriptors("lowered_later"),
    descriptors("no_standard_streams"),
    descriptors("kernel_queue", needs=("io_uring",)),
    memory("locked_all", needs=("root",)),
    Row(
        "memory locked_all without the right to",
        "memory",
        needs=("root", "prlimit"),
        anybody=True,
        shell="cp {host} program && chmod 755 program",
        command=(
            "prlimit",
            "--memlock=65536",
            *AS_NOBODY,
            "./program",
            "locked_all",
            "{ms}",
        ),
    ),
    memory("address_space_512m"),
    memory("address_space_64m"),
    memory("data_64m"),
    memory("own_break"),
    memory("written_code"),
    memory("code_taken_away"),
    memory("tables_taken_away", known="the handler reads the unwind tables without a check"),
    memory("userfaultfd", needs=("userfaultfd",)),
    memory("many_mappings"),
    memory("arenas"),
    Row("memory of its own malloc", "own_malloc", ("counted_calls", *SHORT)),
    Row("memory arenas of its own malloc", "own_malloc", ("arenas", *SHORT)),
    machine("no_pending_signals"),
    machine("no_pending_signals_at_all"),
    machine("small_files", loses="the profile may have 100 bytes"),
    machine("file_too_large", loses="killed"),
    machine("file_too_large_ignored"),
    machine("cpu_time_up", loses="killed"),
    machine("no_threads", needs=("root",), anybody=True),
    limits("team", 4),
    limits("group", 4),
    limits("threads", 4),
    limits("rivals", 6),
    limits("forks", 3),
    limits("forks", 12),
    limits("starts", 2),
    limits("fork_in_handler", 2),
    limits("vfork", 2),
    limits("timers", 20),
    limits("timers", 2),
    limits("queue", 20),
    machine("no_core"),
    output("in a folder that is not there", "/nonexistent/folder/x.ompprof"),
    output("in /proc", "/proc/self/x.ompprof"),
    output("on a full device", "/dev/full"),
    output("is a folder", "/tmp"),
    output("is a pipe that nobody reads", "pipe.ompprof", shell="mkfifo pipe.ompprof"),
    Row(
        "output on a disk that fills up",
        "exits",
        ("return", "{ms}"),
        needs=("mount",),
        shell="mkdir disk && mount -t tmpfs -o size=8k none disk && head -c 4096 /dev/zero > disk/filler",
        cleanup="umount -l {folder}/disk",
        options=("-o", "disk/x.ompprof"),
        profiles=0,
    ),
    Row(
        "output in a folder that may not be written to",
        "exits",
        anybody=True,
        needs=("root",),
        shell="cp {host} program && chmod 755 program && mkdir locked && chmod 555 locked",
        command=(
            *AS_NOBODY,
            "sh",
            "-c",
            "cd locked && exec ../program return 150",
        ),
        options=("-o", "locked/x.ompprof"),
        profiles=0,
    ),
    Row("output of a program without streams", "exits", command=("sh", "-c", "exec {host} return 150 <&- >&- 2>&-")),
    Row("output onto a full device", "exits", command=("sh", "-c", "exec {host} return 150 >/dev/full")),
    Row(
        "output into a closed pipe",
        "exits",
        command=("bash", "-c", "{host} return 150 | true; echo ${PIPESTATUS[0]}"),
        loses="killed",
    ),
]
