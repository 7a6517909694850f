#!/usr/bin/env python3
"""The collector does no arithmetic in the program's floating-point environment. A program that lets inexact results trap
would die of it. A program that asks for its raised flags would get the collector's.

The test reads the compiled library. It follows the calls from each function that a runtime calls (Entry<...>::Call). It
stops at functions that save the environment (OwnFloatingPoint reads MXCSR by stmxcsr). Functions on the way may not add,
subtract, multiply, divide, or convert to an integer. Comparisons and conversions of integers below 2^53 raise nothing.
"""

import collections
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
from checks import Checks  # pylint: disable=wrong-import-position

LIBRARY = "profiler/collect/libompprof.so"
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
INSTRUCTION = re.compile(r"^ *[0-9a-f]+:\t(?:(?:lock|rep|repz|bnd|notrack|cs|ds) )*(\S+)(?: +(.*))?$")
TARGET = re.compile(r"<([^>+]+)(?:\+0x[0-9a-f]+)?>$")
ARITHMETIC = re.compile(r"^v?(?:(?:add|sub|mul|div|sqrt|round|hadd|fmadd\d*|fmsub\d*|fnmadd\d*)[sp][sd]|cvtt?[sp][sd]2.*)$")
ENTRY = re.compile(r"Entry<.*>::Call\(")
MADE_UP = """
0000000000000010 <entry>:
      10:\tcall   40 <guarded>
      15:\tjmp    70 <bare>
0000000000000040 <guarded>:
      40:\tstmxcsr 0xc(%rsp)
      45:\tcall   90 <divides>
0000000000000070 <bare>:
      70:\tcomisd %xmm0,%xmm1
      74:\tcall   a0 <adds>
0000000000000090 <divides>:
      90:\tdivsd  %xmm0,%xmm1
00000000000000a0 <adds>:
      a0:\taddsd  %xmm0,%xmm1
"""


class Function:
    def __init__(self):
        self.calls = set()
        self.arithmetic = []
        self.saves = False


def read(disassembly):
    """{name: Function}"""
    functions = collections.defaultdict(Function)
    name = None
    for line in disassembly.splitlines():
        if begins := FUNCTION.match(line):
            name = begins.group(1)
            functions[name]  # pylint: disable=pointless-statement
        elif name is not None and (instruction := INSTRUCTION.match(line)):
            mnemonic, operands = instruction.group(1), (instruction.group(2) or "").split("#")[0].strip()
            function = functions[name]
            if ARITHMETIC.match(mnemonic):
                function.arithmetic.append(f"{mnemonic} {operands}")
            elif mnemonic in ("stmxcsr", "vstmxcsr"):
                function.saves = True
            elif mnemonic[0] == "j" or mnemonic.startswith("call"):
                if (target := TARGET.search(operands)) and target.group(1) != name:
                    function.calls.add(target.group(1))
    return functions


def reached(functions, entries):
    """Yields (calls, arithmetic): arithmetic that these calls reach without a saved environment."""
    ways = {entry: (entry,) for entry in entries if not functions[entry].saves}
    left = list(ways)
    while left:
        name = left.pop()
        if functions[name].arithmetic:
            yield ways[name], functions[name].arithmetic
        for called in sorted(functions[name].calls):
            if called in functions and called not in ways and not functions[called].saves:
                ways[called] = (*ways[name], called)
                left.append(called)


def demangled(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def short(name):
    return re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "").replace("ompprof::collect::", ""))


def main():
    checks = Checks()
    check = checks.check

    found = list(reached(read(MADE_UP), ["entry"]))
    check(found == [(("entry", "bare", "adds"), ["addsd %xmm0,%xmm1"])], f"what is not kept apart is found: {found}")

    done = subprocess.run(["objdump", "-d", "--no-show-raw-insn", LIBRARY], capture_output=True, text=True, check=True)
    functions = read(done.stdout)
    names = demangled(sorted(functions))
    entries = [name for name in functions if ENTRY.search(names[name])]
    check(len(entries) >= 18, f"{len(entries)} functions are called by runtimes")
    check(sum(function.saves for function in functions.values()) >= 10, "the environment is saved")
    check(sum(bool(function.arithmetic) for function in functions.values()) >= 10, "there is arithmetic")
    wrong = list(reached(functions, entries))
    for way, arithmetic in wrong:
        check(False, f"{' > '.join(short(names[name]) for name in way)}: {'; '.join(arithmetic[:3])}")
    check(not wrong, "all of it that callbacks come to is kept apart")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
