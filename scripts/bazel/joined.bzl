"""joined: sources that the compiler reads together.

A source of the commands and the reports spends most of its compile time on headers: those of the view, of libprotobuf and of CLI11.
Joined sources read them once. Twelve sources of profiler/report took 26 s of CPU time one by one, and 7 s together.

Names in the unnamed namespaces of joined sources must differ. Messages and debug symbols name the sources themselves. clang_tidy.bzl
judges each source alone.
"""

JoinedInfo = provider("The sources that were joined.", fields = ["sources"])

# gcc would take the classes of the sources, which have names of their own by #line, for classes of headers.
_BEGIN = '#pragma GCC diagnostic ignored "-Wsubobject-linkage"'

def _joined(ctx):
    sources = ctx.files.srcs
    parts = (len(sources) + ctx.attr.together - 1) // ctx.attr.together
    outputs = []
    for part in range(parts):
        some = sources[part * len(sources) // parts:(part + 1) * len(sources) // parts]
        output = ctx.actions.declare_file("%s_%d.cc" % (ctx.label.name, part + 1))
        ctx.actions.run_shell(
            command = '(echo "$2"; for source in "${@:3}"; do printf \'#line 1 "%s"\\n\' "$source"; cat "$source"; done) >"$1"',
            arguments = [output.path, _BEGIN] + [source.path for source in some],
            inputs = some,
            outputs = [output],
            mnemonic = "Join",
        )
        outputs.append(output)
    return [DefaultInfo(files = depset(outputs)), JoinedInfo(sources = sources)]

_joined_sources = rule(
    implementation = _joined,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cc"]),
        "together": attr.int(),
    },
)

def joined(name, srcs, together = 8):
    """The `srcs` of the cc_library NAME: of these sources, at most `together` at a time are one."""
    _joined_sources(name = name + "_joined", srcs = srcs, together = together)
    return [":%s_joined" % name]
