"""Rows of libraries that bring OpenMP runtimes of their own, of threads made elsewhere, of generated code, and of a
kernel that refuses perf_event."""

from row import DEFAULT_RATE, Row

_ACTIVATION = "../integration/runtime_shim/activation/"
_PROGRAMS = "../programs/"

# What the libraries bring: the system's libgomp or a copy under its own name, renamed copies, libomp.
_RUNTIMES = {
    "libgomp": ("gomp",),
    "a renamed libgomp": ("gomp_9",),
    "libomp": ("omp",),
    "two renamed libgomps": ("gomp_8", "gomp_9"),
    "libomp beside a libgomp": ("omp", "gomp_9"),
    "four runtimes": ("gomp", "omp", "gomp_8", "gomp_9"),
}
_BINDINGS = ("now", "lazy", "deep", "global")  # how the program opens the libraries
_CALLS = ("direct", "third", "plugin")  # by itself, through a pointer, by a library that opens them

_IN_PYTHON = """
import ctypes, sys
for path in sys.argv[1:]:
    library = ctypes.CDLL(path)
    library.set_threads(3)
    library.step()
    print(library.get_threads(), library.team())
print(hasattr(ctypes.CDLL(None), 'omp_get_num_threads'))
"""


def _libraries(names):
    return tuple("{built}/" + _ACTIVATION + f"libown_{name}.so" for name in names)


def _own(host, name, *arguments, **more):
    return Row(f"runtimes {name}", _ACTIVATION + host, arguments, one_build=True, rates=(DEFAULT_RATE,), **more)


# A program whose OMPT tool prints what it heard.
def _own_tool(name, host, **environment):
    return Row(
        f"runtimes {name}",
        _PROGRAMS + host,
        ("{ms}",),
        one_build=True,
        rates=(DEFAULT_RATE,),
        environment=environment,
        hides=((r"cpu_ns \d+", "cpu_ns N"),),
    )


def _on_kernel(kernel, name, host, *arguments):
    return Row(f"{kernel}: {name}", host, arguments, around=("{built}/../bench/other_kernel", kernel))


# A root in which nobody has mounted /proc.
def _without_proc(name, host, *arguments):
    hide = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"')
    return Row(f"no /proc: {name}", host, arguments, around=hide, needs=("root", "unshare"))


ROWS = (
    [
        _own("own_host", f"{runtimes}, {binding}, {calls}", binding, calls, "{built}/" + _ACTIVATION + "libthird.so", *_libraries(names))
        for runtimes, names in _RUNTIMES.items()
        for binding in _BINDINGS
        for calls in _CALLS
    ]
    + [
        Row(
            f"runtimes {runtimes}, python",
            command=("python3", "-c", _IN_PYTHON, *_libraries(names)),
            rates=(DEFAULT_RATE,),
        )
        for runtimes, names in _RUNTIMES.items()
    ]
    + [
        _own(host, f"a constructor, {host}", "{built}/" + _ACTIVATION + "libconstructor.so")
        for host in ("local", "local_gomp")
    ]
    + [
        Row(
            f"unseen threads {mode[0]}",
            _PROGRAMS + "unseen_threads",
            mode,
            one_build=True,
            loses=loses,
        )
        for mode, loses in (
            (("deepbind", "{built}/" + _PROGRAMS + "libunseen_threads.so"), ""),
            (("timer",), "libc's own threads block all signals"),
            (("clone",), "the thread has no descriptor"),
        )
    ]
    + [_own_tool(f"{host} has a tool", host) for host in ("own_tool", "own_tool_gcc", "own_tool_linked", "own_tool_linked_gcc")]
    + [
        _own_tool(f"{host} and OMP_TOOL_LIBRARIES", host, OMP_TOOL_LIBRARIES="{built}/" + _PROGRAMS + "libown_tool.so")
        for host in ("flat", "flat_gcc")
    ]
    + [Row("generated region", _PROGRAMS + "generated_region", ("{ms}",), one_build=True)]
    + [
        _on_kernel("no_perf", "blocking calls", "handlers", "blocking_calls", "{ms}"),
        _on_kernel("no_perf", "sleeps", "host", "sleeps", "{ms}"),
        _on_kernel("no_perf", "a timer of its own", "handlers", "own_cpu_timer", "{ms}"),
        _on_kernel("no_perf", "threads", "machine", "just_work", "{ms}"),
        _on_kernel("linux_3.10", "threads", "machine", "just_work", "{ms}"),
        _on_kernel("linux_3.10", "tasks", "tasks", "{ms}"),
        _on_kernel("linux_3.10", "processes", "processes", "deep_family", "{ms}"),
        _without_proc("threads", "machine", "just_work", "{ms}"),
        _without_proc("tasks", "tasks", "{ms}"),
        _without_proc("processes", "processes", "deep_family", "{ms}"),
    ]
)
