"""Links libraries and programs for each glibc from 2.17 on."""

_FOLDER = "scripts/bazel/libc_floor"

FLOOR_INPUTS = [
    "//%s:libdl.so.2" % _FOLDER,
    "//%s:libpthread.so.0" % _FOLDER,
]

FLOOR_LINKOPTS = ["$(location %s)" % stub for stub in FLOOR_INPUTS]

def floor_binary(name, deps, **others):
    """A cc_binary that needs glibc 2.17, and of other libraries only those of its `deps` that have no archive in :archives."""
    native.cc_binary(
        name = name,
        additional_linker_inputs = FLOOR_INPUTS + ["//%s:archives" % _FOLDER],
        linkopts = [
            "-L$(GENDIR)/%s/static" % _FOLDER,
            "-static-libgcc",
            # libstdc++ needs libpthread; no object of ours does.
            "-Wl,--push-state,--no-as-needed",
        ] + FLOOR_LINKOPTS + ["-Wl,--pop-state"],
        deps = deps + ["//%s:executable" % _FOLDER],
        **others
    )
