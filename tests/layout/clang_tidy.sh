#!/bin/bash
# Has clang-tidy judge one source file by .clang-tidy. The verdict is an empty file: there is none if anything is found.
#   clang_tidy.sh VERDICT SOURCE COMPILER_OPTION...
set -uo pipefail
program=clang-tidy-14 # versions differ in what they find
verdict=$1 source=$2
shift 2
command -v "$program" >/dev/null 2>&1 || {
  echo "$program is not installed: scripts/setup installs it" >&2
  exit 1
}
# On stderr, clang-tidy counts the findings that it doesn't show.
findings=$("$program" --quiet --config-file=.clang-tidy "$source" -- "$@" -Wno-unknown-warning-option 2>"$verdict.log")
status=$?
if [ "$status" != 0 ] || [ -n "$findings" ]; then
  echo "$findings" >&2
  [ -n "$findings" ] || cat "$verdict.log" >&2
  rm -f "$verdict.log"
  exit 1
fi
rm -f "$verdict.log"
: >"$verdict"
