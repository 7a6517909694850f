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
    common = [
        "conformance.c",
        "conformance.f90",
        "conformance.h",
        "differences.md",
        "expectations.py",
        "matching.py",
        "//tests/launch",
    ] + ([] if sanitizer else ["@offload//:files"])
    settings = ["--device", "$(rootpath %s)" % DEVICE] + (["--omptarget", "$(rootpath %s)" % OMPTARGET] if not sanitizer else [])
    if not sanitizer:
        # To compile the programs takes three times as long as to run them, and they change seldom.
        native.genrule(
            name = name + "_programs",
            testonly = True,
            srcs = programs + common + [OMPTARGET],
            outs = [name + "_programs.tar"],
            cmd = "python3 $(location check.py) --build $@ --omptarget $(location %s) %s" %
                  (OMPTARGET, " ".join(["$(location %s)" % program for program in programs])),
            tools = ["check.py"],
        )
    native.sh_test(
        name = name + "_test",
        timeout = "eternal" if sanitizer else "long",
        srcs = ["check.py"],
        args = ["--shim", "$(rootpath %s)" % shim, "--recorder", "$(rootpath :librecorder.so)"] + settings +
               (["--sanitizer", sanitizer] if sanitizer else ["--built", "$(rootpath :%s_programs.tar)" % name]) +
               ["$(rootpath %s)" % program for program in programs],
        data = programs + common + [
            "tsan_suppressions.txt",
            ":librecorder.so",
            shim,
            DEVICE,
        ] + ([] if sanitizer else [
            OMPTARGET,
            ":%s_programs.tar" % name,
        ]),
        tags = ["more"] if sanitizer or more else [],
    )
