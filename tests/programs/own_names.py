#!/usr/bin/python3
"""Writes functions with the names of libc's that LIBRARIES call, in assembly. Each counts its calls by code of these libraries, and goes
on with libc's function (own_names.cc).

usage: own_names.py LIBRARY... > STUBS.S

Names that begin with two letters of the loader's (dl), or with an underscore, belong to the implementation. Memory is left out: who
defines malloc defines it for libc as well.
"""

import subprocess
import sys

MEMORY = ("malloc", "calloc", "realloc", "free", "aligned_alloc")


def names_of(libraries):
    names = set()
    for library in libraries:
        table = subprocess.run(["readelf", "-W", "--dyn-syms", library], stdout=subprocess.PIPE, check=True, universal_newlines=True)
        for line in table.stdout.splitlines():
            words = line.split()
            if len(words) > 7 and words[3] == "FUNC" and words[6] == "UND":
                names.add(words[7].partition("@")[0])
    return sorted(name for name in names if not name.startswith(("_", "dl")) and name not in MEMORY)


def main():
    names = names_of(sys.argv[1:])
    print(".text")
    for at, name in enumerate(names):
        print(f".globl {name}\n.type {name}, @function\n{name}:\nendbr64")
        for library in (0, 8):
            print(f"mov (%rsp), %r11\nsub own_names_begin+{library}(%rip), %r11\ncmp own_names_size+{library}(%rip), %r11\n"
                  f"jae 1f\nlock incl own_names_counts+{4 * at}(%rip)\n1:")
        print(f"jmp *own_names_real+{8 * at}(%rip)")
    print(".section .rodata\n.globl own_names\nown_names:")
    for name in names:
        print(f'.string "{name}"')
    print('.string ""')
    print(".bss\n.globl own_names_begin, own_names_size, own_names_real, own_names_counts\n.p2align 12")
    print("own_names_counts: .skip 4096\nown_names_begin: .skip 16\nown_names_size: .skip 16")
    print(f"own_names_real: .skip {8 * len(names)}\n.section .note.GNU-stack")


if __name__ == "__main__":
    main()
