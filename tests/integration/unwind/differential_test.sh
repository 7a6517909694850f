#!/bin/sh
# Walks thousands of sampled stacks of several programs by CFI and with libunwind and compares them frame by frame.
# Passes if 99.9 % of all stacks are identical, and of each program's 99 % are identical and 99.9 % identical or differ by
# libunwind's error (compare_preload.cc names the kinds). The rest is printed. The exceptions programs are why a program by itself
# may have less than 99.9: while libgcc installs a landing pad it overwrites its own saved registers, and CFI hardly describes that stack.
# usage: differential_test.sh PRELOAD SECONDS PYTHON_SCRIPT PROGRAM...
preload=$PWD/$1 seconds=$2 script=$3
shift 3
out=${TEST_TMPDIR:-/tmp}/compare.$$
failed=0
: > "$out.all"

run() {
  name=$1
  shift
  : > "$out"
  if ! LD_PRELOAD=$preload OMPPROF_COMPARE_OUT=$out OMP_NUM_THREADS=2 "$@" > /dev/null; then
    echo "$name: the program failed under the sampler" && failed=1 && return
  fi
  awk -v name="$name" '
    $1 == "samples" {
      for (i = 1; i < NF; i += 2) n[$i] = $(i + 1)
      total = n["samples"] ? n["samples"] : 1
      identical = 100 * n["identical"] / total
      explained = 100 * (total - n["cfi_short"] - n["different"]) / total
      printf "%-20s %6d stacks %7d frames  identical %8.4f %%  with explained %8.4f %%", name, n["samples"],
             n["frames"], identical, explained
      for (i = 9; i < NF; i += 2) printf "  %s %d", $i, $(i + 1)
      printf "\n"
      exit !(n["samples"] >= 1000 && identical >= 99 && explained >= 99.9)
    }' "$out" || { failed=1 && echo "$name: less agreement than asked for, or fewer than 1000 samples"; }
  grep '^samples' "$out" >> "$out.all"
  sed -n '2,20p' "$out"
}

for program in "$@"; do
  run "$(basename "$program")" "./$program" "$seconds"
done
run python3 /usr/bin/python3 "$script" "$seconds"
awk '
  { for (i = 1; i < NF; i += 2) n[$i] += $(i + 1) }
  END {
    identical = n["samples"] ? 100 * n["identical"] / n["samples"] : 0
    printf "%-20s %6d stacks  identical %8.4f %%\n", "all programs", n["samples"], identical
    exit !(identical >= 99.9)
  }' "$out.all" || { failed=1 && echo "all programs: fewer than 99.9 % of the stacks are identical"; }
rm -f "$out" "$out.all"
exit $failed
