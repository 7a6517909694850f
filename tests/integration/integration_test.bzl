"""integration_test: a GoogleTest that runs programs of //tests/programs under the installed profiler."""

# Tags of a test for scripts/test --all, which gives it the machine for itself. tests/chance.md says why each test has them.
MORE = [
    "exclusive",
    "more",
]

def _test(name, source, args, programs, data, deps, tags, timeout, env):
    native.cc_test(
        name = name,
        timeout = timeout,
        srcs = [source],
        args = args,
        env = env,
        data = data + [
            "//tests/integration:BUILD",  # the harness finds .deps/ by its real path
            "//tests/integration:installed",
        ] + ["//tests/programs:" + program for program in programs],
        tags = tags,
        deps = deps + [
            "//tests/integration:expect",
            "//tests/integration:harness",
            "//tests/integration:profile",
            "//tests/statistics:claims",
            "@system//:gtest_main",
        ],
    )

def integration_test(name, programs, few = None, args = [], data = [], deps = [], tags = [], timeout = "long", source = None, env = {}):
    """Builds NAME.cc (or SOURCE) against the harness, with PROGRAMS and the installed tree beside it.

    FEW: a GoogleTest filter, positive (A:B) or negative (-A:B). Its cases are NAME, and run on any machine, beside other
    tests. The others are NAME_more_test, for scripts/test --all, which has the machine for itself.
    """
    source = source or name + ".cc"
    _test(name, source, args + (["--gtest_filter=" + few] if few else []), programs, data, deps, tags, timeout, env)
    if few:
        others = few[1:] if few.startswith("-") else "-" + few
        more = name[:-len("_test")] + "_more_test"
        _test(more, source, args + ["--gtest_filter=" + others], programs, data, deps, tags + MORE, "eternal", env)
