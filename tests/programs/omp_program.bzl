"""omp_program: an OpenMP program built by a compiler of its own, not by Bazel's.

The tests need clang's OpenMP (libomp) and gcc's (libgomp) side by side, as users build them: -O2 -g, and none of this
project's own flags.
"""

# What a compiler is called, and what it needs of its own.
_COMPILERS = {
    "clang": ["clang++", "-std=c++17"],
    "gcc": ["g++", "-std=c++17"],
    "mpi": ["OMPI_CXX=clang++", "mpicxx", "-std=c++17"],
    "mpi-gcc": ["OMPI_CXX=g++", "mpicxx", "-std=c++17"],
    "gcc-c": ["gcc", "-std=c11"],
    # Fortran has no noinline: without these the procedures that the truth names would be merged into each other.
    "gfortran": [
        "gfortran",
        "-J$$(mktemp -d)",
        "-fno-inline-functions-called-once",
        "-fno-inline-small-functions",
        "-fno-partial-inlining",
        "-fno-ipa-icf",
        "-fno-ipa-cp",
        "-fno-ipa-sra",
    ],
    # For devices: here, the host's processor.
    "offload": [
        "clang++-19",
        "-std=c++17",
        "-fopenmp-targets=x86_64-pc-linux-gnu",
        "-I$$(dirname $(location @offload//:include/omp.h))",
        "-L$$(dirname $(location @offload//:lib/libomp.so))",
    ],
    # A newer clang than the system's.
    "clang-19": [
        "clang++-19",
        "-std=c++17",
        "-I$$(dirname $(location @offload//:include/omp.h))",
        "-L$$(dirname $(location @offload//:lib/libomp.so))",
    ],
    # LLVM's, on LLVM's runtime.
    "flang": [
        "flang-new-19",
        "-J$$(mktemp -d)",
        "-L$$(clang -print-resource-dir)/../..",  # of libomp
    ],
}

# A frame that a jump took off the stack cannot be found in a profile, and would be missing from the truth.
_COMMON = ["-O2", "-g"]
_OFFLOAD_FILES = [
    "@offload//:files",
    "@offload//:include/omp.h",
    "@offload//:lib/libomp.so",
]
_NOT_FLANG = ["-fno-optimize-sibling-calls", "-Wall"]

def omp_program(name, srcs, compiler = "clang", copts = ["-fopenmp"], linkopts = ["-lpthread"], shared = False, hdrs = [], libraries = []):
    """Builds SRCS (which may include truth.h and HDRS, these by their path from the top) into the executable NAME, or into the library NAME if `shared`.

    LIBRARIES, of this folder, are linked, and found beside the program."""
    flags = _COMMON + ([] if compiler == "flang" else _NOT_FLANG) + ["-I."] + copts + (["-shared", "-fPIC"] if shared else [])
    for library in libraries:
        linkopts = linkopts + ["-L$$(dirname $(location %s)) -l:%s '-Wl,-rpath,$$ORIGIN'" % (library, library)]
    native.genrule(
        name = name + "_build",
        srcs = srcs + hdrs + libraries + ["truth.h"] + (_OFFLOAD_FILES if compiler in ["offload", "clang-19"] else []),
        outs = [name],
        cmd = " ".join(_COMPILERS[compiler] + flags + ["$(location %s)" % src for src in srcs] + ["-o $@"] + linkopts),
        executable = not shared,
        visibility = ["//tests:__subpackages__"],
    )
