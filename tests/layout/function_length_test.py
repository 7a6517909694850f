#!/usr/bin/env python3
"""No function is longer than 60 lines, declaration and closing brace included: a reader sees it on one screen.

EXCEPTIONS lists the functions that may be longer, with a reason and a maximum. An entry that is no longer needed fails.
A lambda or a local class belongs to the function around it. Macros are not looked at.
"""

import bisect
import os
import re
import sys

ROOTS = ("profiler", "runtime_shim", "tests")
SUFFIXES = (".cc", ".h", ".c")
LONGEST = 60

# {(file, function): (maximum, reason)}
EXCEPTIONS = {
    ("runtime_shim/ompt/callbacks.cc", "CallbackSupport"): (90, "a table: a line for each event"),
}

# Comments, literals and preprocessor lines: a brace in them opens or closes nothing.
NO_CODE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
      |(?P<literal>"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
      |(?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:typedef\s+)?(?:class|struct|union|enum)\b[^()]*$|^(?:class|struct|union)\s+alignas\b", re.DOTALL)
SCOPE = re.compile(r"^(?:inline\s+)?namespace\b|^extern\s*\"*\s*$")
# Text before a declaration that does not end with a semicolon: an access specifier, the call of a macro.
BEFORE = re.compile(r"^(?:(?:public|protected|private)\s*:|[A-Z][A-Z0-9_]*\s*\([^()]*\)(?=\s*[\w~]))\s*")
MEMBERS = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")  # what begins a constructor's list of members
NAME = re.compile(r"(operator\s*[^\s\w(]+|operator\s*\(\)|operator\s+[\w:]+|~?[A-Za-z_][\w:~]*)\s*\(")
BRACE = re.compile(r"[{}]")
STATEMENT_MARK = re.compile(r"[{};]")
NO_NAME = {"alignas", "decltype", "noexcept", "__attribute__", "__attribute", "section", "aligned", "constructor"}


def blank(text):
    """`text` with spaces for all but its line ends."""
    return re.sub(r"[^\n]", " ", text)


def code_only(text):
    """`text` without comments, literals and preprocessor lines, each character at its place. #else branches are left out."""
    branches = []  # for each #if around: whether its other branch is being left out

    pieces, end = [], 0
    for found in NO_CODE.finditer(text):
        between = text[end : found.start()]
        pieces.append(blank(between) if any(branches) else between)
        kind = found.lastgroup if found.lastgroup != "mark" else "raw"
        pieces.append(blank(found.group()))
        end = found.end()
        if kind != "directive":
            continue
        word = re.match(r"\s*#\s*(\w*)", found.group()).group(1)
        if word in ("if", "ifdef", "ifndef"):
            branches.append(False)
        elif word in ("else", "elif") and branches:
            branches[-1] = True
        elif word == "endif" and branches:
            branches.pop()
    pieces.append(text[end:])
    return "".join(pieces)


def function_name(head):
    """The name in a declaration; for TEST(Suite, Name), "TEST(Suite, Name)"."""
    test = re.match(r"((?:TYPED_)?TEST(?:_[FP])?|BENCHMARK\w*)\s*(\([^)]*\))", head)
    if test:
        return test.group(1) + re.sub(r"\s+", " ", test.group(2))
    for found in NAME.finditer(head):
        if found.group(1) not in NO_NAME:
            return re.sub(r"\s+", " ", found.group(1))
    return "?"


def declaration(head):
    shorter = BEFORE.sub("", head)
    return head if shorter == head else declaration(shorter)


def without_parentheses(text):
    """`text` without parentheses and their content, default arguments for example."""
    shorter = re.sub(r"\([^()]*\)", "", text)
    return text if shorter == text else without_parentheses(shorter)


def classify(head, last):
    """The kind of a brace after `head` (the code since the last end of a statement): scope, function, member or value."""
    if SCOPE.match(head) or TYPE.match(head):
        return "scope"
    if ")" not in head:
        return "lambda" if re.search(r"\[[^\]]*\]\s*(?:mutable)?$", head) else "value"
    if "=" in without_parentheses(re.sub(r"operator\s*[^\s\w(]+", "", head)):
        return "function" if re.search(r"\[[^\]]*\]\s*(?:\(.*\))?[^=()]*$", head, re.DOTALL) else "value"
    if MEMBERS.search(head) and (last.isalnum() or last in "_>"):
        return "member"
    return "function"


def functions(text):
    """[(name, number of the first line, count of lines)] of the functions in a source file's `text`."""
    code = code_only(text)
    line_starts = [0] + [found.end() for found in re.finditer("\n", code)]

    def line_of(place):
        return bisect.bisect_right(line_starts, place)

    found = []
    start = 0  # start of the current statement
    scopes = 0
    place = 0
    while True:
        mark = STATEMENT_MARK.search(code, place)
        if mark is None:
            break
        place = mark.end()
        if mark.group() == ";":
            if code.count("(", start, place) == code.count(")", start, place):
                start = place
            continue
        if mark.group() == "}":
            scopes -= 1
            start = place
            if scopes < 0:
                raise ValueError(f"line {line_of(mark.start())}: a brace closes that none opened")
            continue
        raw = code[start : mark.start()]
        head = declaration(raw.strip())
        kind = classify(head, head[-1:] or " ")
        if kind == "scope":
            scopes += 1
            start = place
            continue
        depth = 1
        while depth > 0:
            brace = BRACE.search(code, place)
            if brace is None:
                raise ValueError(f"line {line_of(mark.start())}: no brace closes the one here")
            depth += 1 if brace.group() == "{" else -1
            place = brace.end()
        if kind == "function":
            first = line_of(start + raw.index(head) if head else mark.start())
            found.append((function_name(head), first, line_of(place - 1) - first + 1))
            start = place
        # After a member's or a variable's value the statement goes on.
    if scopes != 0:
        raise ValueError("a namespace or a type is not closed")
    return found


MADE_UP = r'''
#include <x.h>
#define BODY(name) \
  void name() {    \
    if (x) {
MACRO(a)
namespace a {
namespace {
// A comment with a brace {
const int table[] = {1, 2, {3}};
extern "C" {
int InC(void) { return '}' + "{"[0] + 1'000; }
}
struct S : T {
  S() : a_{1}, b_(2) {
    a_ = 3;
  }
  bool operator==(const S& s) const { return true; }
  bool operator()(int a = 3) const {
    return R"x(}})x"[0];
  }

 private:
  int Get() const { return 4; }
  int a_{5};
  std::vector<int> c_ = {1, 2};
};
}  // namespace

template <typename T>
std::vector<int> Outer::Long(int a,
                             int b) noexcept {
  auto inner = [&](int c) {
    return S{c};
  };
#ifdef X
  if (a) {
#else
  if (b) {
#endif
    for (int i = 0; i < 1; ++i) inner(i);
  }
}
auto made = [] {
  return 1;
}();
int value = Call({1, 2});
TEST(Suite, Name) {
  EXPECT_EQ(1, 1);
}
enum class E : int { kA, kB };
auto Typed(int x) -> decltype(x) { return x; }
}  // namespace a
'''

MADE_UP_FUNCTIONS = {
    "InC": 1,
    "S": 3,
    "operator==": 1,
    "operator()": 3,
    "Get": 1,
    "Outer::Long": 14,
    "TEST(Suite, Name)": 3,
    "Typed": 1,
}


def main():
    passed = failed = 0

    def check(right, sentence):
        nonlocal passed, failed
        passed, failed = passed + right, failed + (not right)
        print(("ok: " if right else "FAILED: ") + sentence)

    made_up = functions(MADE_UP)
    lengths = {name: length for name, _, length in made_up}
    lengths.pop("?", None)  # the lambda
    check(lengths == MADE_UP_FUNCTIONS, f"functions are found with their lengths: {lengths}")
    first = {name: MADE_UP.split("\n")[line - 1].strip() for name, line, _ in made_up}
    check(first["Outer::Long"] == "template <typename T>", "a function begins with its declaration")
    for text in ("void F() {\n", "namespace a {\nvoid F() {}\n", "}\n"):
        try:
            functions(text)
            check(False, f"unbalanced braces are an error: {text!r}")
        except ValueError as error:
            check(True, f"unbalanced braces are an error: {error}")

    os.chdir(os.path.dirname(os.path.realpath("README.md")))  # from Bazel's copy to the sources
    count, longer = 0, {}
    for root in ROOTS:
        for folder, _, names in os.walk(root):
            for name in sorted(names):
                if not name.endswith(SUFFIXES):
                    continue
                path = f"{folder}/{name}"
                with open(path, encoding="utf-8") as file:
                    try:
                        of_file = functions(file.read())
                    except ValueError as error:
                        check(False, f"{path} can be read: {error}")
                        continue
                count += len(of_file)
                for function, line, length in of_file:
                    if length > LONGEST:
                        longer.setdefault((path, function), []).append((line, length))
    check(count > 4000, f"{count} functions are looked at")
    for (path, function), places in sorted(longer.items()):
        most, reason = EXCEPTIONS.get((path, function), (LONGEST, ""))
        for line, length in places:
            check(
                length <= most,
                f"{path}:{line}: {function} has {length} lines, {most} allowed" + (f" ({reason})" if reason else ": split it by meaning"),
            )
    for path, function in EXCEPTIONS:
        check((path, function) in longer, f"{function} of {path} is longer than {LONGEST} lines, as is listed: else take the entry away")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
