#!/usr/bin/python3
"""Writes a library that offers names of libc by old versions, and does nothing. The linker then binds to these versions.

usage: stub.py SYMBOLS LIBRARY COMPILER OUT     LIBRARY: as in the first column of SYMBOLS
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    symbols, library, compiler, out = sys.argv[1:]
    versions = {}
    for line in pathlib.Path(symbols).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            of, name, version = line.split()
            if of == library:
                versions.setdefault(version, []).append(name)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "stub.c")
        script = pathlib.Path(folder, "stub.lds")
        source.write_text("".join(f"void {name}(void) {{}}\n" for names in versions.values() for name in names))
        script.write_text("".join(f"{version} {{ global: {'; '.join(names)}; }};\n" for version, names in versions.items()))
        subprocess.run([compiler, "-shared", "-nostdlib", "-fno-builtin", "-w", f"-Wl,-soname,{library}",
                        f"-Wl,--version-script={script}", str(source), "-o", out], check=True)


if __name__ == "__main__":
    main()
