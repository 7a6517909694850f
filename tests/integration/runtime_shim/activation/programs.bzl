"""program: an output of gcc or clang, as a user would make it, without this project's flags."""

_FLAGS = "-O2 -g -Wall -Wextra -fno-optimize-sibling-calls"

# omp-tools.h alone: clang's other headers are not for gcc.
_WITH_HEADER = "include=$$(mktemp -d) && cp $$(clang -print-resource-dir)/include/omp-tools.h $$include && "

def program(name, srcs, compiler = "gcc", flags = "", libraries = ""):
    """Builds NAME from SRCS; `libraries` come after them on the command line."""
    native.genrule(
        name = name + "_build",
        testonly = True,
        srcs = srcs,
        outs = [name],
        cmd = _WITH_HEADER + " ".join([compiler, _FLAGS, "-isystem $$include", flags] +
                                      ["$(location %s)" % src for src in srcs] + ["-o $@", libraries]) + " && rm -r $$include",
    )
