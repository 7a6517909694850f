"""Rows of the programs that other tests have, and of one program in unusual builds and surroundings."""

from row import Row

HOST_MODES = (
    "errno",
    "sleeps",
    "alt_stack",
    "small_stacks",
    "masked",
    "thread_storm",
    "masked_threads",
    "own_sigprof",
    "unshare",
    "setns",
    "unshare_pid",
)
HOST_LOSES = {
    "masked": "all signals are blocked",
    "masked_threads": "all signals are blocked",
    "thread_storm": "threads that live for less than a tick of the kernel",
    "own_sigprof": "the program takes SIGPROF for itself",
    "unshare_pid": "the process can have no further thread, so no more is written of it",
}
MEASURED = ((r"peak \d+ KB", "peak N KB"), (r"own signals \d+", "own signals N"))

SIGNAL_MODES = (
    "reset",
    "reset_later",
    "take_later",
    "one_shot",
    "sigset",
    "sigignore",
    "all_by_descriptor",
    "one_by_descriptor",
    "wait",
    "wait_long",
    "past_libc",
)
# The number of signals at a rate.
RATE = ((r"signals \d{2,}", "signals N"),)
# The profiler finds a handler that is set past libc at its next round of writing, a second later. Its signals come
# there until then.
UNTIL_FOUND = ((r"signals \d+", "signals N"),)

BUILDS = (
    "frame_pointers",
    "lto",
    "no_header",
    "no_pie",
    "no_tables",
    "own_runtime_libraries",
    "split_stack",
    "stripped",
    "unoptimized",
)


def in_tree(name, program, *arguments, **more):
    """A program that tests/programs builds, by one compiler."""
    return Row(name, "../programs/" + program, arguments, one_build=True, **more)


def surrounded(name, *command, **more):
    """The plainest host, in surroundings that `command` makes."""
    return Row(f"surroundings: {name}", "machine", command=command, **more)


ROWS = (
    [Row(f"host {mode}", "host", (mode, "{ms}"), hides=MEASURED, loses=HOST_LOSES.get(mode, "")) for mode in HOST_MODES]
    + [Row("host passthrough", "host", ("passthrough", "0"), input="some lines\nof text\n" * 20000)]
    + [
        Row(
            f"signals {mode}",
            "signals",
            (mode,),
            hides=UNTIL_FOUND if mode == "past_libc" else RATE,
            loses="the program deals with SIGPROF itself",
        )
        for mode in SIGNAL_MODES
    ]
    + [
        Row(name, name.split()[0], tuple(arguments), loses=loses)
        for name, arguments, loses in (
            ("called_back", ["300"], ""),  # a run of half the length is mostly waits of less than a sample
            ("exceptions", ["{ms}"], ""),
            ("nested", ["{ms}"], ""),
            ("qsort_worker", ["{ms}"], ""),
            ("recursion", ["{ms}"], ""),
            ("std_threads", ["{ms}"], ""),
            ("tasks", ["{ms}"], ""),
            ("untied", ["{ms}"], ""),
        )
    ]
    + [
        Row("unloading", "unloading", ("{built}/../programs/libunloading.so", "{ms}")),
        Row("unloading and forking", "unloading", ("{built}/../programs/libunloading.so", "{ms}", "fork"), profiles=2, hides=((r"truth .*\n", ""),)),
        in_tree("dlopen_omp libomp", "dlopen_omp", "{built}/../programs/libdlopen_omp.so", "{ms}"),
        in_tree("dlopen_omp libgomp", "dlopen_omp", "{built}/../programs/libdlopen_omp_gcc.so", "{ms}"),
        in_tree("two_runtimes", "two_runtimes", "{built}/../programs/libdlopen_omp.so", "{ms}"),
        in_tree(
            "mpirun",
            "hybrid",
            # The ranks' lines come in any order.
            command=("bash", "-o", "pipefail", "-c", "mpirun --allow-run-as-root --oversubscribe -n 2 {host} 150 | sort"),
            needs=("mpirun",),
        ),
    ]
    + [
        in_tree(
            f"constructors{suffix} {first} first",
            f"constructors{suffix}",
            "{ms}",
            environment={"CONSTRUCTOR_FIRST": first},
        )
        for suffix in ("", "_gcc")
        for first in ("thread", "region")
    ]
    + [
        in_tree(
            f"sanitized {kind}",
            f"sanitized_{kind}",
            environment={"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"},
            loses="threads that spin for each other: how long depends on who else is on the machine",
        )
        for kind in ("address_clang", "address_gcc", "thread_clang", "undefined_clang", "undefined_gcc")
    ]
    + [Row(f"built {build}", f"machine_{build}", ("just_work", "{ms}")) for build in BUILDS]
    + [
        Row("built no_tables, with regions", "machine_no_tables", ("usual_traps_in_regions", "{ms}")),
        Row("built stripped, with regions", "machine_stripped", ("usual_traps_in_regions", "{ms}")),
        Row("built profiled (gprof)", "machine_profiled", ("just_work", "{ms}"), ignores="gmon"),
        Row(
            "built coverage (gcov)",
            "machine_coverage",
            ("just_work", "{ms}"),
            environment={"GCOV_PREFIX": "{folder}", "GCOV_PREFIX_STRIP": "99"},
            ignores="gcda",
        ),
        Row("built static", "plain_static", profiles=0, needs=("static libc",)),
        Row("built static_pie", "plain_static_pie", profiles=0, needs=("static libc",)),
        Row("built without_libc", "plain_without_libc", profiles=0),
        surrounded(
            "a huge environment",
            "sh",
            "-c",
            "export BIG=$(head -c 120000 /dev/zero | tr '\\0' x); exec {host} just_work 150",
        ),
        surrounded("no environment", "env", "-i", "{host}", "just_work", "{ms}", profiles=0),
        surrounded(
            "a thousand variables",
            "bash",
            "-c",
            "for i in {1..1000}; do export OMPPROF$i=x V$i=y; done; exec {host} just_work 150",
        ),
        surrounded("a thousand arguments", "sh", "-c", "exec {host} just_work 150 $(seq 1 1000)"),
        surrounded("a name of no letters", "bash", "-c", "exec -a '' {host} just_work 150"),
        surrounded(
            "a name with everything", "./a name\nof % 'two' lines", "just_work", "{ms}",
            shell="cp {host} \"$(printf \"a name\\nof %% 'two' lines\")\"",
        ),
        surrounded("bound at once", "{host}", "just_work", "{ms}", environment={"LD_BIND_NOW": "1"}),
        surrounded(
            "the loader by hand",
            "/lib64/ld-linux-x86-64.so.2",
            "{host}",
            "just_work",
            "{ms}",
            known="record takes the loader for a static program",
        ),
        surrounded(
            "malloc checked",
            "{host}",
            "just_work",
            "{ms}",
            environment={"MALLOC_PERTURB_": "85", "MALLOC_ARENA_MAX": "1"},
        ),
        surrounded(
            "tcmalloc preloaded",
            "env",
            "sh",
            "-c",
            "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4:$LD_PRELOAD exec {host} just_work 150",
            needs=("tcmalloc",),
        ),
        surrounded(
            "tcmalloc preloaded before us",
            "{host}",
            "just_work",
            "{ms}",
            environment={"LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"},
            needs=("tcmalloc",),
        ),
        surrounded(
            "a new process namespace",
            "unshare", "-p", "--fork", "--mount-proc", "{host}", "just_work", "{ms}",
            needs=("pid namespace",),
        ),
        # The loader would complain of libraries that are not there.
        surrounded(
            "another root directory",
            "chroot",
            "root",
            "/bin/echo",
            "worked",
            shell="mkdir -p root/bin root/lib64 root/lib/x86_64-linux-gnu; cp /bin/echo root/bin; "
            "cp /lib64/ld-linux-x86-64.so.2 root/lib64; cp /lib/x86_64-linux-gnu/libc.so.6 root/lib/x86_64-linux-gnu",
            needs=("root",),
        ),
        surrounded("a new user namespace", "unshare", "-U", "-r", "{host}", "just_work", "{ms}", needs=("user namespace",)),
        # Not in ompprof record itself: its timer outlives exec, and kills a program without a handler.
        surrounded(
            "gperftools' profiler",
            "sh",
            "-c",
            "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libtcmalloc_and_profiler.so.4:$LD_PRELOAD exec {host} just_work 150",
            environment={"CPUPROFILE": "cpu.prof"},
            needs=("gperftools",),
            ignores="cpu.prof",
            hides=((r"PROFILE: interrupts/evictions/bytes = .*", "PROFILE: N"),),
            loses="gperftools takes SIGPROF",
        ),
        surrounded(
            "another time",
            "unshare",
            "-T",
            "--monotonic",
            "100000",
            "--fork",
            "{host}",
            "just_work",
            "{ms}",
            needs=("time namespace",),
        ),
        surrounded(
            "one processor, idle priority",
            "taskset",
            "-c",
            "0",
            "chrt",
            "-i",
            "0",
            "{host}",
            "just_work",
            "{ms}",
            needs=("chrt",),
        ),
        surrounded("a time limit", "timeout", "0.2", "{host}", "just_work", "3000", loses="killed"),
        surrounded("nohup and setsid", "setsid", "-w", "nohup", "{host}", "just_work", "{ms}"),
        surrounded(
            "a terminal", "script", "-q", "-e", "-c", "{host} just_work 150", "/dev/null", needs=("script",),
        ),
        surrounded("signals ignored", "sh", "-c", "trap '' PROF USR1 HUP; exec {host} just_work 150", loses=""),
        surrounded("a soft limit of stack", "sh", "-c", "ulimit -s 200; exec {host} just_work 150"),
    ]
)
