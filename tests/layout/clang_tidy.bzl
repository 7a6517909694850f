"""clang_tidy: an aspect that has clang-tidy judge the C++ sources of a target by .clang-tidy.

`bazel build --config=tidy //...` judges all sources below the folders named here; scripts/test does so too. Bazel keeps
the verdict as it keeps an object file: a source is judged again if the source, a header or the configuration changes.
Sources of tests are not judged. GoogleTest's headers alone take 2 s of each.
"""

load("//scripts/bazel:joined.bzl", "JoinedInfo")

_FOLDERS = ("profiler", "proto", "runtime_shim")
_SUFFIXES = ("cc", "c")

def _judge(ctx, source, compilation, copts):
    verdict = ctx.actions.declare_file("%s.%s.tidy" % (ctx.rule.attr.name, source.path.replace("/", "_")))
    arguments = ctx.actions.args()
    arguments.add(verdict)
    arguments.add(source)
    arguments.add("-xc" if source.extension == "c" else "-xc++")
    arguments.add("-std=c11" if source.extension == "c" else "-std=c++17")
    arguments.add_all(copts)
    arguments.add_all(compilation.defines, before_each = "-D")
    arguments.add_all(compilation.local_defines, before_each = "-D")
    arguments.add_all(compilation.quote_includes, before_each = "-iquote")
    arguments.add_all(compilation.includes, before_each = "-I")
    arguments.add_all(compilation.system_includes, before_each = "-isystem")
    ctx.actions.run(
        executable = ctx.executable._judge,
        arguments = [arguments],
        inputs = depset([source, ctx.file._configuration], transitive = [compilation.headers]),
        outputs = [verdict],
        mnemonic = "ClangTidy",
        progress_message = "Judging %s" % source.short_path,
        use_default_shell_env = True,
    )
    return verdict

def _clang_tidy(target, ctx):
    if CcInfo not in target or target.label.workspace_name or not hasattr(ctx.rule.attr, "copts"):
        return []
    if target.label.package.split("/")[0] not in _FOLDERS:
        return []
    compilation = cc_common.merge_cc_infos(
        cc_infos = [target[CcInfo]] + [dep[CcInfo] for dep in ctx.rule.attr.deps if CcInfo in dep],
    ).compilation_context
    copts = [ctx.expand_make_variables("copts", option, {}) for option in ctx.rule.attr.copts]
    own_defines = ["-D" + ctx.expand_make_variables("defines", define, {}) for define in getattr(ctx.rule.attr, "local_defines", [])]
    verdicts = [
        _judge(ctx, source, compilation, copts + own_defines)
        for attribute in getattr(ctx.rule.attr, "srcs", [])
        for source in (attribute[JoinedInfo].sources if JoinedInfo in attribute else attribute.files.to_list())
        if source.is_source and source.extension in _SUFFIXES
    ]
    return [OutputGroupInfo(tidy = depset(verdicts))]

clang_tidy = aspect(
    implementation = _clang_tidy,
    attrs = {
        "_configuration": attr.label(default = "//:.clang-tidy", allow_single_file = True),
        "_judge": attr.label(default = "//tests/layout:clang_tidy", executable = True, cfg = "host"),
    },
)
