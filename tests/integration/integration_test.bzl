"""integration_test: a GoogleTest that runs programs of //tests/programs under the installed profiler."""

def integration_test(name, programs, data = [], deps = [], tags = [], timeout = "moderate"):
    """Builds NAME.cc against the harness, with PROGRAMS and the installed tree beside it."""
    native.cc_test(
        name = name,
        timeout = timeout,
        srcs = [name + ".cc"],
        data = data + [
            "BUILD",  # its real path is how the harness finds .deps/
            ":installed",
        ] + ["//tests/programs:" + program for program in programs],
        # The tests start and stop processes and count files and signals: not something to do eight at a time.
        tags = tags + ["cpu:2"],
        deps = deps + [
            ":expect",
            ":harness",
            ":profile",
            "@system//:gtest_main",
        ],
    )
