"""How code that runs inside a stranger's process is compiled: nothing of it needs libstdc++ at run time, nothing is exported by accident."""

COLLECT_COPTS = [
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fvisibility=hidden",
    "-fno-stack-protector",  # a nanosecond a frame of the unwinder's loop
]
