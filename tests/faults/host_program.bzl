"""host_program: a host of the fault matrix, by gcc and by clang."""

_COMMON = "-O2 -g -fno-optimize-sibling-calls -Wall -I."

def host_program(name, srcs, copts = [], c = False, openmp = True):
    """Builds SRCS into NAME_gcc and NAME_clang, as users build their programs: by the compilers' own commands."""
    compilers = {"gcc": "gcc -std=gnu11", "clang": "clang -std=gnu11"} if c else {"gcc": "g++ -std=c++17", "clang": "clang++ -std=c++17"}
    if c and openmp:  # without the names that are not ISO C's: signals.c is about that
        compilers = {"gcc": "gcc -std=c11", "clang": "clang -std=c11"}
    for compiler, command in compilers.items():
        native.genrule(
            name = "%s_%s_build" % (name, compiler),
            srcs = srcs + [
                "host.h",
                "//tests/programs:truth.h",
            ],
            outs = ["%s_%s" % (name, compiler)],
            cmd = " ".join([command, _COMMON] + (["-fopenmp"] if openmp else []) +
                           ["$(locations %s)" % src for src in srcs] + ["-o $@"] + copts + (["-lpthread -ldl -lm"] if openmp else [])),
            executable = True,
            visibility = ["//tests:__subpackages__"],
        )
