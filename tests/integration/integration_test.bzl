"""integration_test: a GoogleTest that runs programs of //tests/programs under the installed profiler."""

def integration_test(name, programs, data = [], deps = [], tags = [], timeout = "moderate", source = None, args = [], cpus = 2, env = {}):
    """Builds NAME.cc (or SOURCE) against the harness, with PROGRAMS and the installed tree beside it. CPUS: what it keeps busy."""
    native.cc_test(
        name = name,
        timeout = timeout,
        srcs = [source or name + ".cc"],
        args = args,
        env = env,
        data = data + [
            "//tests/integration:BUILD",  # the harness finds .deps/ by its real path
            "//tests/integration:installed",
        ] + ["//tests/programs:" + program for program in programs],
        # The tests start and stop processes and count files and signals: not eight at a time.
        tags = tags + ["cpu:%d" % cpus],
        deps = deps + [
            "//tests/integration:expect",
            "//tests/integration:harness",
            "//tests/integration:profile",
            "@system//:gtest_main",
        ],
    )
