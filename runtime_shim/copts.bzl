"""How the shim is compiled: it lives in a stranger's process, needs libc only and exports the runtime's entry points only."""

SHIM_COPTS = [
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fvisibility=hidden",
    "-fno-stack-protector",
    "-fPIC",
]
