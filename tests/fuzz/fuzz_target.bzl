"""fuzz_target: a fuzzer, as a bounded test for every day and as a libFuzzer program for hours (scripts/fuzz)."""

def fuzz_target(name, executions, deps = [], srcs = [], data = [], size = "medium", tags = [], corpus = None):
    """NAME.cc defines LLVMFuzzerTestOneInput; corpus/NAME/ holds its inputs, or corpus/CORPUS/ those of another target too.

    NAME_test runs the corpus and EXECUTIONS seeded changes of it, with any compiler. NAME_libfuzzer needs
    --config=fuzz."""
    corpus = corpus or name
    native.cc_library(
        name = name,
        testonly = True,
        srcs = [name + ".cc"] + srcs,
        deps = deps,
        alwayslink = True,
        linkstatic = True,  # what is tested may have hidden symbols
    )
    native.cc_test(
        name = name + "_test",
        size = size,
        args = [
            "--corpus=tests/fuzz/corpus/" + corpus,
            "--executions=%d" % executions,
        ],
        data = native.glob(["corpus/" + corpus + "/**"]) + data,
        linkstatic = True,
        tags = tags,
        deps = [
            ":bounded_driver",
            name,
        ],
    )
    native.cc_binary(
        name = name + "_libfuzzer",
        testonly = True,
        data = data,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [name],
    )
