#!/usr/bin/env python3
"""No loop in the signal handler is as long as the program, its stack or a runtime likes.

The test disassembles libompprof.so, follows all calls from the handler, and finds the loops of the reached functions.
Each loop must be in handler_loops.txt with its bound: a constant, or fuel (profiler/collect/base/fuel.h). The list must
also have each indirect call and each called function of libc. A line of the list that matches nothing fails. A call that
leads back to its caller is a loop as well. A library with loops of each kind (handler_loops_sample.cc) shows first that
the test finds them.
"""

import collections
import re
import subprocess
import sys

ROOT = "_ZN7ompprof7collect12_GLOBAL__N_16HandleEiP9siginfo_tPv"  # Handle in signal_handler.cc


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


class Instruction:
    def __init__(self, address, name, operands):
        self.address = address
        self.name = name
        self.operands = operands

    def target(self):
        """The target of a direct jump or call; None for an indirect one."""
        match = re.match(r"(?:\*?)([0-9a-f]+)(?: <|$)", self.operands)
        return int(match.group(1), 16) if match and not self.operands.startswith("*") else None

    def is_jump(self):
        return self.name.startswith("j")

    def ends(self):
        """True if no instruction follows this one."""
        return self.name in ("jmp", "ret", "hlt", "ud2", "repz")


class Function:
    def __init__(self, symbol):
        self.symbol = symbol
        self.code = []  # Instructions; those of the part out of line (symbol.cold) too


class Library:
    """The code of a shared library, by function."""

    def __init__(self, path):
        self.path = path
        self.functions = {}  # by symbol and first address, as names of internal functions are not unique
        self.at = {}  # function by address of its first instruction
        self.owner = {}  # function by address of any of its instructions
        self.imports = {}  # name by address in .plt
        self.read_code()
        self.read_only = self.read_section(".rodata")

    def read_code(self):
        function = None
        cold = []
        for line in run("objdump", "-d", "--no-show-raw-insn", "-w", self.path).splitlines():
            header = re.match(r"([0-9a-f]+) <(.+)>:$", line)
            if header:
                address, symbol = int(header.group(1), 16), header.group(2)
                if symbol.endswith("@plt"):
                    self.imports[address] = symbol[: -len("@plt")]
                    function = None
                    continue
                function = Function(symbol)
                self.at[address] = function
                if symbol.endswith(".cold"):
                    cold.append(function)
                else:
                    self.functions[(symbol, address)] = function
                continue
            match = re.match(r" +([0-9a-f]+):\t(?:(?:notrack|bnd|lock|cs|data16) )*([a-z0-9]+)(?: +(.*))?$", line)
            if match and function is not None:
                instruction = Instruction(int(match.group(1), 16), match.group(2), (match.group(3) or "").split("#")[0])
                instruction.comment = (match.group(3) or "").partition("#")[2]
                function.code.append(instruction)
        for function in list(self.functions.values()) + cold:
            for instruction in function.code:
                self.owner[instruction.address] = function
        for part in cold:
            self.merge(part)

    def merge(self, part):
        """Joins a part out of line to the function that jumps into it."""
        first, last = part.code[0].address, part.code[-1].address
        for function in self.functions.values():
            for instruction in function.code:
                if instruction.is_jump() and first <= (instruction.target() or 0) <= last:
                    function.code += part.code
                    for moved in part.code:
                        self.owner[moved.address] = function
                    return

    def read_section(self, name):
        bytes_at = {}
        for line in run("objdump", "-s", "-j", name, self.path).splitlines():
            match = re.match(r" ([0-9a-f]+) ((?:[0-9a-f]{2,8} ){1,4})", line)
            if not match:
                continue
            for offset, byte in enumerate(bytes.fromhex(match.group(2).replace(" ", ""))):
                bytes_at[int(match.group(1), 16) + offset] = byte
        return bytes_at

    def table_targets(self, function, position):
        """Where the jump through a table at code[position] may go: addresses relative to the table, of four bytes."""
        count = table = base = None
        for before in reversed(function.code[max(0, position - 14) : position]):
            entry = re.match(r"\((%\w+),%\w+,4\)", before.operands) if before.name == "movslq" else None
            if entry and base is None:
                base = entry.group(1)
            limit = re.match(r"\$0x([0-9a-f]+),", before.operands) if before.name.startswith("cmp") else None
            if limit and count is None:
                count = int(limit.group(1), 16) + 1
        # Code may take the table's address long before, outside of a loop.
        for before in reversed(function.code[:position]):
            if before.name == "lea" and base and re.search(r"\(%%rip\),%s\b" % base, before.operands):
                table = int(re.match(r" *([0-9a-f]+)", before.comment).group(1), 16)
                break
        if table is None:
            return None
        targets = []
        for index in range(count or 256):
            entry = [self.read_only.get(table + 4 * index + i) for i in range(4)]
            if None in entry:
                break
            target = table + int.from_bytes(bytes(entry), "little", signed=True)
            if self.owner.get(target) is not function:
                break
            targets.append(target)
        return targets or None


class Calls:
    """What a function calls."""

    def __init__(self, library, function):
        self.known = set()
        self.imported = set()
        self.indirect = 0
        inside = {instruction.address for instruction in function.code}
        for position, instruction in enumerate(function.code):
            if not instruction.is_jump() and instruction.name != "call":
                continue
            target = instruction.target()
            if target in library.imports:
                self.imported.add(library.imports[target])
            elif target is None:
                through = re.search(r"<([A-Za-z_][\w]*)@", instruction.comment)
                if "(%rip)" in instruction.operands and through:
                    self.imported.add(through.group(1))
                elif instruction.name == "call" or library.table_targets(function, position) is None:
                    self.indirect += 1
            elif target not in inside:
                self.known.add(library.at[target])


def strongly_connected(nodes, successors):
    """Tarjan's algorithm, without recursion. Components with a way back to their members."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for start in nodes:
        if start in index:
            continue
        work = [(start, iter(successors(start)))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, more = work[-1]
            for successor in more:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(successors(successor))))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.add(member)
                        if member == node:
                            break
                    if len(component) > 1 or node in successors(node):
                        found.append(component)
    return found


def loops_of(library, function):
    """The loops of a function, inner ones too: sets of addresses."""
    code = sorted(function.code, key=lambda instruction: instruction.address)
    addresses = [instruction.address for instruction in code]
    inside = set(addresses)
    edges = {}
    for position, instruction in enumerate(code):
        following = set()
        if not instruction.ends() and position + 1 < len(code):
            following.add(addresses[position + 1])
        if instruction.is_jump():
            target = instruction.target()
            if target is not None:
                following.add(target)
            else:
                following |= set(library.table_targets(function, function.code.index(instruction)) or [])
        edges[instruction.address] = following & inside

    found = []
    work = [inside]
    while work:
        region = work.pop()
        for component in strongly_connected(sorted(region), lambda at: edges[at] & region):
            # The head is where the loop is entered. Without the edges back to the head the loops within it remain.
            entered = {at for at in component for other in inside - component if at in edges[other]}
            head = min(entered) if entered else min(component)
            found.append(component)
            work.append(component - {head})
    return found


class Source:
    """The sources of instructions: for each, the functions that it was inlined into, outermost first, and their lines."""

    def __init__(self, library, addresses):
        self.frames = {}
        addresses = sorted(addresses)
        out = run("addr2line", "-a", "-i", "-f", "-C", "-e", library.path, input="\n".join(map(hex, addresses)))
        at = None
        lines = out.splitlines()
        position = 0
        while position < len(lines):
            if lines[position].startswith("0x"):
                at = int(lines[position], 16)
                self.frames[at] = []
                position += 1
                continue
            name, place = lines[position], lines[position + 1]
            position += 2
            file, _, line = place.split(" (")[0].rpartition(":")
            file = re.sub(r"^.*?((profiler|proto|tests)/)", r"\1", file.replace("/./", "/"))
            name = re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "")).split("::")[-1]
            self.frames[at].insert(0, (file, name, int(line) if line.isdigit() else 0))

    def place(self, loop, claimed):
        """The function that the loop is in, and its statement: (file, name, text, key of the statement).

        The outermost function with a loop statement on one of the loop's lines is taken. The lines of functions around
        it are lines of calls. A statement that a loop within this one has `claimed` is taken only if there is no other:
        the compiler makes two loops of one where parts of its body lead back by different ways. Only the loop's jumps
        count: the compiler moves other instructions in from outside."""
        stacks = [self.frames[at] for at in sorted(loop)]  # where two are as good, it is the same in each build
        outermost = stacks[0][0]
        around = again = None
        for level in range(max(map(len, stacks))):
            places = collections.defaultdict(set)
            for stack in stacks:
                if len(stack) > level:
                    places[stack[level][:2]].add(stack[level][2])
            for (file, name), lines in sorted(places.items(), key=lambda place: -len(place[1])):
                for header in headers_of(file):
                    key = (file, header.first)
                    if any(header.first <= line <= header.last for line in lines):
                        if key not in claimed:
                            return file, name, header.text, key
                        again = again or (file, name, header.text + " (within itself)", None)
                    elif key not in claimed and any(header.first <= line <= header.body_last for line in lines):
                        around = around or (file, name, header.text, key)
        return around or again or (*outermost[:2], "?", None)


# `body_last`: the last line of the body of "for (;;)", which has no code on its own line.
Header = collections.namedtuple("Header", "first last body_last text")
known_headers = {}


def headers_of(file):
    """The loop statements of a source file, by their lines: "for (...)", "while (...)", also at the end of a "do"."""
    if file in known_headers:
        return known_headers[file]
    headers = known_headers[file] = []
    try:
        with open(file, encoding="utf-8") as source:
            text = source.read()
    except OSError:
        return headers
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(r"\b(?:for|while) \(", text):
        depth, end = 1, match.end()
        while depth != 0 and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        line = text.count("\n", 0, match.start()) + 1
        statement = re.sub(r"\s+", " ", text[match.start() : end])
        last = body_last = line + text.count("\n", match.start(), end)
        if statement == "for (;;)":
            depth = 0
            while end < len(text) and (depth != 0 or text[end] != "}"):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
                if depth == 0 and text[end - 1] == "}":
                    break
            body_last = line + text.count("\n", match.start(), end)
        headers.append(Header(line, last, body_last, statement))
    return headers


def find(library_path, roots, indirect):
    """Loops, indirect calls and imports that the handler reaches. `indirect`: each function's possible callees through pointers."""
    library = Library(library_path)
    names = collections.defaultdict(list)
    demangled = {}
    symbols = sorted({symbol for symbol, _ in library.functions})
    for symbol, name in zip(symbols, run("c++filt", input="\n".join(symbols)).splitlines()):
        short = re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "").replace("ompprof::collect::", ""))
        short = re.sub(r" \[clone.*", "", short).split("<")[0].split(" ")[-1]
        demangled[symbol] = short
    for (symbol, _), function in library.functions.items():
        names[demangled[symbol]].append(function)

    # Files tell apart the names that are called indirectly.
    wanted = {target.rpartition(":")[2] for targets in indirect.values() for target in targets}
    entries = {f.code[0].address: f for name in wanted for f in names.get(name, [])}
    frames = Source(library, entries).frames if entries else {}
    entry_files = {f: frames[address][0][0] for address, f in entries.items()}

    reached, work, edges = {}, [], {}
    for (symbol, _), function in library.functions.items():
        if symbol in roots:
            work.append(function)
    if not work:
        sys.exit("%s has none of %s" % (library_path, ", ".join(roots)))
    imports, indirect_calls = set(), collections.Counter()
    while work:
        function = work.pop()
        if function in reached:
            continue
        name = demangled[function.symbol]
        reached[function] = name
        calls = Calls(library, function)
        imports |= calls.imported
        targets = set(calls.known)
        if calls.indirect:
            indirect_calls[name] += 1
            for target in indirect.get(name, []):
                file, _, short = target.rpartition(":")
                if not any(entry_files.get(f) == file for f in names.get(short, [])):
                    sys.exit("there is no %s, which %s is said to call" % (target, name))
                targets |= {f for f in names[short] if entry_files.get(f) == file}
        edges[function] = targets
        work += sorted(targets - set(reached), key=lambda f: f.symbol)

    loops = []
    for function in reached:
        jumps = {instruction.address for instruction in function.code}
        loops += [loop & jumps for loop in loops_of(library, function)]
    source = Source(library, {at for loop in loops for at in loop})
    found, placed = set(), []
    for loop in sorted(loops, key=len):  # inner ones first
        claimed = {key for inner, key in placed if inner < loop}
        file, name, text, key = source.place(loop, claimed)
        placed.append((loop, key))
        found.add("%s | %s | %s" % (file, name, text))
    for component in strongly_connected(list(reached), lambda f: edges[f]):
        found.add("recursion | %s |" % ", ".join(sorted(reached[f] for f in component)))
    found |= {"indirect | %s |" % name for name in indirect_calls}
    found |= {"libc | %s |" % name for name in imports}
    return found, reached


def read_list(path):
    """The list: entry -> its bound; and the functions that functions call indirectly."""
    known, indirect = {}, {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            entry, _, bound = line.rpartition(" => ")
            known[entry.strip()] = bound.strip()
            if entry.startswith("indirect"):
                indirect[entry.split("|")[1].strip()] = re.findall(r"\[(.*?)\]", bound)[0].split(", ") if "[" in bound else []
    return known, indirect


def check(found, known):
    complaints = ["not in the list: %s" % entry for entry in sorted(found - set(known))]
    complaints += ["in the list, and nowhere else: %s" % entry for entry in sorted(set(known) - found)]
    for entry, bound in sorted(known.items()):
        if not entry.startswith(("indirect", "libc")) and not re.match(r"(constant|fuel): .", bound):
            complaints.append("without a bound: %s => %s" % (entry, bound))
    return complaints


LIBRARY = "profiler/collect/libompprof.so"
LIST = "tests/integration/handler_loops.txt"
SAMPLE = "tests/integration/libhandler_loops_sample.so"
SAMPLE_SOURCE = "tests/integration/handler_loops_sample.cc"


def self_test():
    """The test finds in the sample what the sample's comments say, and complains of a list with other lines."""
    with open(SAMPLE_SOURCE, encoding="utf-8") as source:
        expected = {entry.replace("HERE", SAMPLE_SOURCE) for entry in re.findall(r"// finds: (.*)", source.read())}
    indirect = {"Sample": [SAMPLE_SOURCE + ":Pointed"]}
    found, _ = find(SAMPLE, {"Sample"}, indirect)
    if found != expected or len(expected) < 8:
        sys.exit("in the sample:\n found in vain %s\n not found %s" % (sorted(found - expected), sorted(expected - found)))
    known = {entry: "constant: 8" for entry in expected}
    if check(found, known):
        sys.exit("a complete list is complained of: %s" % check(found, known))
    for entry in expected:
        if not check(found, {other: bound for other, bound in known.items() if other != entry}):
            sys.exit("not noticed to be missing from a list: %s" % entry)
        if not check(found - {entry}, known):
            sys.exit("not noticed to be there no more: %s" % entry)
        if not entry.startswith(("indirect", "libc")) and not check(found, {**known, entry: "as long as it takes"}):
            sys.exit("not noticed to have no bound: %s" % entry)


def main():
    self_test()
    library, path = LIBRARY, LIST
    known, indirect = read_list(path)
    found, reached = find(library, {ROOT}, indirect)
    if len(reached) < 40:
        sys.exit("only %d functions are reached from the handler: this looks at the wrong ones" % len(reached))
    complaints = check(found, known)
    print("%d functions, %d loops and the like" % (len(reached), len(found)))
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
