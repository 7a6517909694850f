"""conformance_test: the programs of one construct, on both runtimes."""

def conformance_test(name):
    """Checks every program of programs/NAME (README.md)."""
    programs = native.glob([
        "programs/%s/*.%s" % (name, suffix)
        for suffix in ["c", "cc", "f90"]
    ])
    native.sh_test(
        name = name + "_test",
        timeout = "long",
        srcs = ["check.py"],
        args = ["--shim", "$(rootpath //runtime_shim:libgomp_ompt.so)"] + ["$(rootpath %s)" % program for program in programs],
        data = programs + [
            "conformance.c",
            "conformance.f90",
            "conformance.h",
            "differences.md",
            "expectations.py",
            "matching.py",
            "//runtime_shim:libgomp_ompt.so",
        ] + native.glob(["recorder/*"]),
        # Each program starts threads of its own and waits for their state: not something to do eight at a time.
        tags = ["cpu:2"],
    )
