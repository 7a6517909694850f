"""Rows about processes and threads: how they begin, multiply and end."""

from row import HIGH_RATE, Row

SHORT = ("{ms}",)
SHORT_LIVED = "a CPU timer goes off at ticks of the kernel only: threads that live for less have too few samples"
END_AT_ONCE = "children that end at once, and take most of the time"
KILLED = "a process that is killed loses what was sampled since the last round of writing"


def _after(host, mode, more_arguments, more):
    name = " ".join((f"{host} {mode}", *(["after a region"] if more_arguments else [])))
    return Row(name, host, (mode, "{ms}", *more_arguments), **more)


def processes(mode, *more_arguments, **more):
    return _after(processes.__name__, mode, more_arguments, more)


def identity(mode, *more_arguments, **more):
    return _after(identity.__name__, mode, more_arguments, more)


def threads(mode, **more):
    return Row(f"threads {mode}", "threads", (mode, *SHORT), **more)


def unwinding(mode, **more):
    return Row(f"unwinding {mode}", "unwinding", (mode, *SHORT), **more)


def exits(mode, **more):
    return Row(f"exits {mode}", "exits", (mode, "{ms}"), **more)


REGION = "openmp"

ROWS = [
    exits("return"),
    exits("exit"),
    exits("_exit"),
    exits("quick_exit"),
    exits("abort"),
    exits("raise", loses=KILLED),
    exits("kill9", loses=KILLED),
    exits("segv", loses=KILLED),
    exits("atexit"),
    exits("exec", profiles=2),
    exits("exec_fails"),
    exits("fork", profiles=4),
    exits("spawn", profiles=2),
    exits("vfork", profiles=2),
    exits("system"),
    exits("thread_exits"),
    exits("main_leaves"),
    exits("detached"),
    exits("thread_without_descriptors_last"),
    exits("unknown_thread_last"),
    exits("c11_thread_last"),
    exits("c11_thread_joined"),
    Row("exits _exit_in_hard_places", "exits", ("_exit_in_hard_places", "20"), loses=END_AT_ONCE),
    processes("fork_storm", loses=END_AT_ONCE),
    processes("fork_beside_ending_roots", loses=SHORT_LIVED),
    processes("fork_storm", REGION, loses=END_AT_ONCE),
    processes("vfork_storm"),
    processes("vfork_storm", REGION),
    processes("vfork_then_exit"),
    processes("spawn_storm"),
    processes("spawn_storm", REGION),
    processes("exec_in_a_thread", profiles=2),
    processes("exec_in_a_thread", REGION, profiles=2),
    processes("daemon"),
    processes("daemon", REGION),
    processes("daemon_at_root"),
    processes("double_fork"),
    processes("traced"),
    # At the default rate the outcome depends on the machine.
    processes("single_stepped", rates=(HIGH_RATE,)),
    processes("stopped_and_continued"),
    processes("fork_in_a_handler"),
    processes("fork_in_a_handler", REGION),
    processes("fork_in_a_thread"),
    processes("atfork_handlers"),
    processes("bare_fork", loses="a fork past libc is not seen: the child's work has no profile"),
    processes("deep_family", profiles=12),
    identity("from_memory", profiles=2),
    identity("bare_execveat", loses="an exec past libc is not seen: what was sampled since the last round is gone"),
    identity("other_user", needs=("root",)),
    identity("other_user", REGION, needs=("root",)),
    identity("other_user_with_threads", needs=("root",)),
    identity("capabilities_then_user", needs=("root",)),
    identity("other_root", needs=("root",)),
    identity("no_folder"),
    identity("not_dumpable"),
    identity("fixed_addresses", profiles=2),
    processes("whole_group_terminated", loses=KILLED),
    processes("parent_dies", loses=KILLED),
    Row(
        "identity file_gone",
        "identity",
        shell="cp {host} program",
        command=("./program", "file_gone", "{ms}"),
    ),
    threads("cancel_soon"),
    threads("cancel_deferred", loses=SHORT_LIVED),
    threads("cancel_asynchronously", loses=SHORT_LIVED),
    threads("cancel_through_cpp", loses=SHORT_LIVED),
    threads("cancel_in_calls"),
    threads("small_stacks", loses=SHORT_LIVED),
    threads("thousand_at_once", loses=SHORT_LIVED),
    threads("detached_storm", loses=SHORT_LIVED),
    threads("work_in_destructors", loses="what the destructors of keys do in their last round is in no sample"),
    threads("thread_locals"),
    threads("thread_names"),
    threads("counted_threads", known="the helper thread is in the list of threads"),
    threads("bare_clone"),
    threads("asynchronous"),
    threads("robust_mutex"),
    threads("scheduling"),
    threads("kill_each_other"),
    unwinding("deep_exceptions"),
    unwinding("exceptions_in_threads"),
    unwinding("exceptions_in_regions"),
    unwinding("exception_from_a_handler"),
    unwinding("uncaught"),
    unwinding("terminates"),
    unwinding("passed_on", loses=SHORT_LIVED),
    unwinding("longjmp"),
    unwinding("own_tracebacks"),
    unwinding("dlopen"),
    unwinding("dlmopen"),
    unwinding("work_in_another_namespace"),
    unwinding("iterates_objects"),
    unwinding("static_objects"),
    unwinding("quick_exit"),
]
