"""cc_proto: a C++ library from a .proto file, with Debian's protoc and libprotobuf."""

def cc_proto(name, src, visibility = None):
    """Generates NAME (a cc_library) from SRC; include it by the source's path with .pb.h."""
    stem = src[:-len(".proto")]
    native.genrule(
        name = name + "_gen",
        srcs = [src],
        outs = [stem + ".pb.cc", stem + ".pb.h"],
        cmd = "protoc --cpp_out=$(GENDIR) -I. $(location " + src + ")",
    )
    native.cc_library(
        name = name,
        srcs = [stem + ".pb.cc"],
        hdrs = [stem + ".pb.h"],
        copts = ["-w", "-g1"],  # generated code
        deps = ["@system//:protobuf"],
        visibility = visibility,
    )
