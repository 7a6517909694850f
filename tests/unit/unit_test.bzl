"""Tests of single source files."""

def unit_test(name, deps, srcs = [], **others):
    """A GoogleTest of NAME.cc and `srcs`, with `deps` and any other arguments of cc_test."""
    native.cc_test(
        name = name,
        srcs = [name + ".cc"] + srcs,
        deps = deps + ["@system//:gtest_main"],
        **others
    )
