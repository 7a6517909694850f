"""How the shim is compiled: it lives in a stranger's process, needs libc only and exports the runtime's entry points only."""

SHIM_COPTS = [
    # gomp/real.cc walks over the shim's own frames to the user's call; enter and exit frames are frame addresses.
    "-fno-omit-frame-pointer",
    # A wrapper's traced part takes the wrapper's frame (gomp/enter.h, TRACED): in sanitizer builds too.
    "-foptimize-sibling-calls",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fvisibility=hidden",
    "-fno-stack-protector",
    "-fPIC",
]
