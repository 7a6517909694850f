"""conformance_test: the programs of one construct, on every runtime that they are for."""

OMPTARGET = "@offload//:lib/libomp.so"
DEVICE = "//runtime_shim/device:libgomp_reference_device.so"

def conformance_test(name, constructs = None, shim = "//runtime_shim:libgomp_ompt.so", sanitizer = None, more = False):
    """Checks every program of programs/NAME, or of CONSTRUCTS (README.md), with SHIM built with SANITIZER. SANITIZER and MORE leave it to scripts/test --all."""
    programs = native.glob([
        "programs/%s/*.%s" % (construct, suffix)
        for suffix in ["c", "cc", "f90"]
        for construct in (constructs or [name])
    ])
    native.sh_test(
        name = name + "_test",
        timeout = "eternal" if sanitizer else "long",
        srcs = ["check.py"],
        args = ["--shim", "$(rootpath %s)" % shim, "--device", "$(rootpath %s)" % DEVICE] +
               (["--omptarget", "$(rootpath %s)" % OMPTARGET] if not sanitizer else []) +
               (["--sanitizer", sanitizer] if sanitizer else []) +
               ["$(rootpath %s)" % program for program in programs],
        data = programs + [
            "conformance.c",
            "conformance.f90",
            "conformance.h",
            "differences.md",
            "expectations.py",
            "matching.py",
            "tsan_suppressions.txt",
            "//tests/launch",
            shim,
            DEVICE,
        ] + ([] if sanitizer else [
            OMPTARGET,
            "@offload//:files",
        ]) + native.glob(["recorder/*"]),
        tags = ["more"] if sanitizer or more else [],
    )
