#!/usr/bin/python3
"""Makes the fuzzers' corpora anew. Inputs that a fuzzer found (corpus/*/found-*) stay.

usage: make_corpus.py       in the top folder, after `bazel build //tests/integration:installed //tests/programs/... //runtime_shim/device/...`

Logs are real profiles of programs of tests/programs, without this machine's names. Objects and unwind tables are
compiled from this repository's own files. Settings, names and jitdumps are written down here.
"""

import glob
import os
import random
import struct
import subprocess
import tempfile

CORPUS = "tests/fuzz/corpus"
BUILT = os.path.abspath("bazel-bin/tests")
MOST_BYTES = 24000  # of one log


def write(target, name, data):
    folder = os.path.join(CORPUS, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


# Protocol buffers' wire format: fields as (number, wire type, value).
def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def to_varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    at, found = 0, []
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = 8 if key & 7 == 1 else 4
            value, at = data[at : at + size], at + size
        found.append((key >> 3, key & 7, value))
    return found


def message(found):
    out = b""
    for number, kind, value in found:
        out += to_varint(number << 3 | kind)
        out += to_varint(value) if kind == 0 else to_varint(len(value)) + value if kind == 2 else value
    return out


HEADER, MODULE, FOOTER = 1, 2, 11


def neutral(kind, body):
    """A record without this machine's names: a header's program, argv, host and rank, a module's path."""
    changed = []
    for number, wire, value in fields(body):
        if kind == HEADER and number in (2, 3):
            value = b"/nowhere/" + os.path.basename(value)
        elif kind == HEADER and number == 4:
            value = b"host"
        elif kind == MODULE and number == 2 and value.startswith(b"/"):
            value = b"/nowhere/" + os.path.basename(value)
        changed.append((number, wire, value))
    return message(changed)


def trimmed(log):
    """The log's first records up to MOST_BYTES, and its footer."""
    magic, at, out, end = log[:8], 8, b"", b""
    while at < len(log):
        size, at = varint(log, at)
        record, at = log[at : at + size], at + size
        (number, wire, body), *rest = fields(record) or [(0, 2, b"")]
        if not number or rest:
            continue
        one = message([(number, wire, neutral(number, body))])
        one = to_varint(len(one)) + one
        if number == FOOTER:
            end = one
        elif len(out) + len(one) < MOST_BYTES:
            out += one
    return magic + out + end


def record(folder, *words, options=(), **variables):
    environment = {"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "2", "OMP_CANCELLATION": "true", **variables}
    command = [f"{BUILT}/integration/installed/bin/ompprof", "record", "-q", "-F", "250", *options, "-o", f"{folder}/log.ompprof", "--", *words]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd=folder, timeout=60)
    with open(f"{folder}/log.ompprof", "rb") as file:
        log = file.read()
    for path in glob.glob(f"{folder}/*.ompprof"):
        os.remove(path)
    return trimmed(log)


def logs():
    programs = f"{BUILT}/programs/"
    with tempfile.TemporaryDirectory() as folder:
        first = record(folder, programs + "stages", "200", options=("--timeline",))
        write("log_fuzz", "stages-timeline", first)
        write("log_fuzz", "locks-libgomp", record(folder, programs + "locks_gcc", "200"))
        write("log_fuzz", "flaws", record(folder, programs + "flaws", "imbalance", "flawed", "200", options=("--task-context=full",)))
        write("log_fuzz", "governed", record(folder, programs + "soak", "3", "30", programs + "libsoak.so", options=("--max-overhead=0.1",)))
        reference = os.path.abspath("bazel-bin/runtime_shim/device/libgomp_reference_device.so")
        devices = record(folder, programs + "device_paths_gcc", "nowait", "4", options=("--timeline",), LD_PRELOAD=reference)
        write("log_fuzz", "devices-timeline", devices)
        second = record(folder, programs + "stages", "50", options=("--waits=off",))
        write("log_fuzz", "two-processes", first[:8000] + second[8:])
    chance = random.Random(1)
    for number, size in enumerate((900, 1500, 2500)):
        write("log_fuzz", f"nonsense-{number}", bytes(chance.randrange(256) for _ in range(size)))


def compile_to(path, *words):
    subprocess.run([*words, "-shared", "-fPIC", "-nostdlib", "-Wl,-z,noseparate-code", "-Wl,--hash-style=gnu", "-o", path], check=True, stderr=subprocess.DEVNULL)
    with open(path, "rb") as file:
        return file.read()


def tables(path):
    """The file's bytes from .eh_frame_hdr to the end of .eh_frame."""
    with open(path, "rb") as file:
        data = file.read()
    offset, count, names = struct.unpack_from("<Q", data, 0x28)[0], *struct.unpack_from("<HH", data, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i) for i in range(count)]
    found = {}
    for section in sections:
        at = sections[names][4] + section[0]
        found[data[at : data.index(b"\0", at)]] = section
    head, frame = found[b".eh_frame_hdr"], found[b".eh_frame"]
    return data[head[4] : frame[4] + frame[5]]


def objects():
    source, variables = "tests/unit/model/inlining.cc", "tests/unit/model/variables.cc"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "object.so")
        for name, words in {
            "gcc-dwarf5": ("g++", "-O2", "-g", source),
            "gcc-dwarf4": ("g++", "-O2", "-gdwarf-4", source),
            "gcc-variables": ("g++", "-O1", "-g", "-fopenmp", "-fno-exceptions", variables),
            "gcc-compressed": ("g++", "-O2", "-g", "-gz", source),
            "clang-variables": ("clang++", "-O1", "-g", "-fopenmp", variables),
            "clang-dwarf5": ("clang++", "-O2", "-gdwarf-5", source),
            "stripped": ("g++", "-O2", "-s", source),
        }.items():
            write("object_fuzz", name, compile_to(path, *words))
        for name, words in {
            "gcc": ("g++", "-O2", "tests/programs/soak_library.cc", source),
            "clang": ("clang++", "-O2", "-fno-omit-frame-pointer", source, variables),
            "deep": ("g++", "-O0", "tests/programs/soak_openmp.cc", "-fopenmp"),
        }.items():
            compile_to(path, *words)
            for function in (0, 2, 5):
                write("cfi_fuzz", f"{name}-{function}", bytes([2 if function == 2 else 0, function, 4]) + tables(path))
    # DW_OP_breg7 8, breg16 0, lit15, and, lit11, ge, lit3, shl, plus: a procedure linkage table's; branches and loads.
    write("cfi_fuzz", "expression-plt", bytes([1, 0, 0, 0x77, 8, 0x80, 0, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22]))
    write("cfi_fuzz", "expression-loop", bytes([1, 1, 0, 0x77, 0, 0x06, 0x12, 0x31, 0x1C, 0x28, 0xFA, 0xFF, 0x96]))
    write("cfi_fuzz", "expression-numbers", bytes([1, 1, 0, 0x0E, 1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x7F, 0x1E, 0x94, 4, 0x1B, 0x23, 0xFF, 0x01]))


def settings():
    lines = {
        "variables-good": "V0=997\n1=run.%h.%p\n2=wall\n4=RTMIN+3\n5=fp\n6=64\n7=32M\n8=full\n9=0.5\n10=1\n11=0\n12=0.02\n13=off\n14=1.5\n15=1\n16=off\n",
        "variables-event": "V3=cache-misses\n0=10000\n4=SIGUSR1\n9=1e6\n12=1e-2\n",
        "variables-bad": "V0=-1\n1=%%%p%\n2=cpu\n3=task-clock\n4=9\n6=99999999999999999999\n7=18446744073709551615G\n9=nan\n14=1e999\n12=inf\n",
        "options": "V100=199\n104=PROF\n107=1G\n114=3\n109=-0\n116=auto\n102=wall\n",
        "report": "Wreport\n--tree\n--top\n--regions\n--paths\n--by=thread\n--metric\nwait\n--color=always\n--width=40\np\n",
        "report-html": "Wreport\n--html\nout.html\n--focus\n0x4\n--source-path=.\np\n",
        "report-csv": "Wreport\n--format=csv\n--threads\np\np\n",
        "record": "Wrecord\n-F\n1000\n--timeline\n-o\nx.%p\n--max-overhead=1\n--\nprogram\n--flag\n",
        "export": "Wexport\n--format=speedscope\n-o\n-\n--view\nmachine\np\n",
        "annotate": "Wannotate\n--asm\n.\np\n",
        "diff": "Wdiff\n--fail-on-regression=5\n--before\np\n--after\np\np\n",
        "whatif": "Wwhatif\n--schedule\nsolve=dynamic,16\n--threads\n4\np\n",
        "merge": "Wmerge\n-o\nall\np\np\n",
        "info": "Winfo\n--format=json\np\nnothing\n",
        "help": "W--help\nrecord\n",
    }
    for name, text in lines.items():
        write("options_fuzz", name, text.encode())


def names():
    hostile = [
        b"</script><script>window.hostile=1</script>", b"'\"><svg onload=window.hostile=2>&lt;b&gt;", b"<!--<script>${x}--!>javascript:1",
        b"\x1b[31mred\x1b]0;title\x07", b"a\nb\r\nc\td\x0be", b"\xff\xfe\x80\xc2", b"\xc2\x9b31m \xe2\x80\xae turned \xe2\x81\xa6", b'quote"back\\slash/',
        b"semi;colon,comma\t= 42", b"_ZN4soak6Lo\"cksEm", b"outer.omp_outlined_debug__", b"main._omp_fn.0", b".gomp_critical_user_<b>.var", b"\xed\xa0\x80\xf4\x90\x80\x80",
        b"=cmd|' /C calc'!A0", b"__proto__", b"constructor", b"%s%n%p", b"..", b"", b" ", b"\xf0\x9f\x90\x8d\xcc\x81 wide \xe6\xbc\xa2", b"x" * 250, b"operator<< <int>(std::ostream&)",
    ]  # fmt: skip
    for number in range(4):
        chance = random.Random(number)
        text = b"".join(bytes([len(name)]) + name for name in (chance.choice(hostile) for _ in range(60)))
        write("names_fuzz", f"hostile-{number}", text)
    plain = [b"solve", b"relax(int, double)", b"main", b"sum", b"table", b"heat.cc"]
    write("names_fuzz", "plain", b"".join(bytes([len(name)]) + name for name in plain * 8))


def jit_dumps():
    for name, order in (("plain", "<"), ("swapped", ">")):

        def numbers(text, *values):
            return struct.pack(order + text, *values)

        def record(kind, content):
            return numbers("IIQ", kind, 16 + len(content), 7) + content

        dump = numbers("IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 42, 1, 0)
        dump += record(2, numbers("QQ", 0x1000, 2) + numbers("QII", 0x1000, 5, 0) + b"/a.jit\0" + numbers("QII", 0x1010, 6, 0) + b"\xff\0")
        dump += record(0, numbers("IIQQQQ", 42, 43, 0x1000, 0x1000, 0x40, 1) + b"_ZN4heat5relaxEi\0" + b"c" * 0x40)
        dump += record(4, numbers("QQQ", 8, 8, 0) + b"u" * 8)
        dump += record(0, numbers("IIQQQQ", 42, 43, 0x1020, 0x1020, 0x100, 2) + b"py::<module>:/a.py\0" + b"c" * 0x100)
        dump += record(1, numbers("IIQQQQQ", 42, 43, 0x2000, 0x1000, 0x2000, 0x40, 1))
        write("jit_dump_fuzz", name, dump + record(3, b""))


def main():
    for path in glob.glob(f"{CORPUS}/*/*"):
        if not os.path.basename(path).startswith("found-"):
            os.remove(path)
    logs()
    objects()
    settings()
    names()
    jit_dumps()


if __name__ == "__main__":
    main()
