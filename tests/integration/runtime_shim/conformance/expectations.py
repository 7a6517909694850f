"""The expectations in a conformance program's comments: README.md has the format."""

import re
import shlex

RUNTIMES = ("gomp", "libomp", "omptarget")
COMMENT = re.compile(r"^\s*(?://|!(?!\$)|\*)\s?(.*)$")
EXPECT = re.compile(r"^EXPECT\(([^)]*)\)(?:\[([^\]]*)\])?:\s*(.*)$")
COUNT = re.compile(r"^COUNT(?:\(([^)]*)\))?(?:\[([^\]]*)\])?:\s*(\S.*?)\s*(==|>=|<=)\s*(\d+)$")
SETTING = re.compile(r"^(RUN|ARGS|RUNTIMES|VARIANTS|OBSERVE|IGNORE|EXIT|STDOUT|STDERR|COMPILE|OTHERS|TOOL|DEVICES|NEEDS):\s*(.*)$")
LABEL = re.compile(r"\bAT\((\w+)\)")


class FormatError(Exception):
    """A comment that cannot be read: file, line and reason."""


class Pattern:
    """One event: its name, its fields' patterns, its condition; `quantity` is one of 1 ? * + ~ (~: in any order)."""

    def __init__(self, text, line):
        self.text = text
        self.line = line
        condition = None
        found = re.search(r"\{(.*)\}\s*$", text)
        if found:
            condition = found.group(1)
            text = text[: found.start()]
        self.condition = compile(condition.strip(), f"line {line}", "eval") if condition else None
        words = shlex.split(text)
        self.quantity = "1"
        if words and words[0] in ("?", "*", "+", "~"):
            self.quantity = words.pop(0)
        if not words or "=" in words[0]:
            raise FormatError(f"line {line}: no event name in '{text}'")
        self.event = words[0]
        self.fields = []
        for word in words[1:]:
            found = re.match(r"^(\w+)(!?=)(.*)$", word)
            if not found:
                raise FormatError(f"line {line}: '{word}' is not field=pattern")
            self.fields.append(found.groups())

    def __repr__(self):
        return f"line {self.line}: {self.text}"


class Repeat:
    """`repeat N` ... `end`: the items inside, N times. Each time the items bind their variables anew."""

    def __init__(self, count, line):
        self.count = count
        self.items = []
        self.line = line


class Expectations:
    """The comments of one program, for one runtime."""

    def __init__(self, path, runtime, differences):
        self.path = path
        self.environment = {}
        self.arguments = []
        self.runtimes = ["gomp", "libomp"]
        self.variants = [""]
        self.observed = set()
        self.ignored = set()
        self.exit_status = 0
        self.stdout = []
        self.stderr = []
        self.compile_flags = []
        self.others = "forbidden"
        self.tool = True
        self.devices = 0
        self.needs = set()
        self.roles = {}  # in the order of their first line
        self.counts = []
        self.labels = {}
        self.used_differences = set()
        if path.suffix in (".f90", ".F90"):
            self.runtimes = ["gomp"]
        open_repeats = {}
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                for label in LABEL.findall(line):
                    self.labels.setdefault(label, set()).add(number)
                comment = COMMENT.match(line)
                text = comment.group(1).strip() if comment else None
                if text is None:
                    continue
                try:
                    self._read(text, number, runtime, differences, open_repeats)
                except (FormatError, ValueError, SyntaxError) as error:
                    raise FormatError(f"{path}:{number}: {error}") from error
        for role, repeats in open_repeats.items():
            if repeats:
                raise FormatError(f"{path}: repeat of role {role} has no end")

    def _holds(self, condition, runtime, differences):
        """`[libomp because-of]` holds for libomp; the name must be in differences.md."""
        if condition is None:
            return True
        words = condition.split()
        if not words or words[0] not in RUNTIMES:
            raise FormatError(f"[{condition}] does not begin with a runtime")
        for name in words[1:]:
            if name not in differences:
                raise FormatError(f"'{name}' is not a difference that differences.md lists")
            self.used_differences.add(name)
        if len(words) < 2:
            raise FormatError(f"[{condition}] names no difference of differences.md")
        return words[0] == runtime

    def _read(self, text, number, runtime, differences, open_repeats):
        found = EXPECT.match(text)
        if found:
            role, condition, body = found.groups()
            if not self._holds(condition, runtime, differences):
                return
            script = self.roles.setdefault(role.strip(), [])
            repeats = open_repeats.setdefault(role.strip(), [])
            target = repeats[-1].items if repeats else script
            words = body.split()
            if words and words[0] == "repeat":
                repeat = Repeat(int(words[1]), number)
                target.append(repeat)
                repeats.append(repeat)
            elif words == ["end"]:
                if not repeats:
                    raise FormatError("end without repeat")
                repeats.pop()
            elif words == ["nothing"]:
                pass
            else:
                pattern = Pattern(body, number)
                target.append(pattern)
                self.observed.add(pattern.event)
            return
        found = COUNT.match(text)
        if found:
            role, condition, body, comparison, amount = found.groups()
            if self._holds(condition, runtime, differences):
                self.counts.append((role, Pattern(body, number), comparison, int(amount)))
            return
        found = SETTING.match(text)
        if not found:
            if re.match(r"^(EXPECT|COUNT)\b", text):
                raise FormatError(f"cannot read '{text}'")
            return
        name, value = found.groups()
        if name == "RUN":
            for word in shlex.split(value):
                variable, _, setting = word.partition("=")
                self.environment[variable] = setting
        elif name == "ARGS":
            self.arguments = shlex.split(value)
        elif name == "RUNTIMES":
            names, _, reason = value.partition(" because ")
            self.runtimes = names.split()
            if not reason:
                raise FormatError("RUNTIMES without 'because REASON'")
        elif name == "VARIANTS":
            self.variants = [variant.strip() for variant in value.split("|")]
        elif name == "OBSERVE":
            self.observed.update(value.split())
        elif name == "IGNORE":
            self.ignored.update(value.split())
        elif name == "EXIT":
            self.exit_status = int(value)
        elif name == "STDOUT":
            self.stdout.append(value)
        elif name == "STDERR":
            self.stderr.append(value)
        elif name == "COMPILE":
            self.compile_flags = shlex.split(value)
        elif name == "OTHERS":
            self.others = value.strip()
        elif name == "DEVICES":
            count, *runtimes = value.split()
            self.devices = int(count)
            self.runtimes = runtimes or ["gomp"]
        elif name == "NEEDS":
            self.needs.update(value.split())
        elif name == "TOOL":
            self.tool = value.strip() != "none"


def read_differences(path):
    """The names that differences.md defines: lines `## name`."""
    with open(path, encoding="utf-8") as lines:
        return {line[3:].strip() for line in lines if line.startswith("## ")}
