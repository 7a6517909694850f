#!/bin/bash
# Walks thousands of sampled stacks of several programs by CFI and with libunwind and compares them frame by frame.
# Stacks must be identical, or differ by libunwind's error (compare_preload.cc names the kinds): 99.9 % of them. Each
# program also states how many must be identical, so that a new error of libunwind is seen: 99.9 %, and less where
# libunwind errs for a known reason.
#   99 %: Python, whose stacks libunwind cuts now and then (6 of 4,758 beside two busy loops)
#   98 %, and 99 % with the explained stacks: exceptions. libgcc overwrites its own saved registers while it installs a
#         landing pad, and libunwind may take these for a short stack with a root (30 of 5,019 stacks beside two busy
#         loops, all at one instruction)
# Where the interrupted function has no CFI, both walks guess its caller, and libunwind stops or goes astray often. There,
# 95 % must be identical or differ by libunwind's error. OpenBLAS's assembly is such code (numpy). OpenBLAS chooses its kernels by the processor, so the test names the
# kernels that each x86-64 processor has; these have most of such code.
# usage: differential_test.sh PRELOAD SECONDS PYTHON_SCRIPT NUMPY_SCRIPT PROGRAM...
preload=$PWD/$1 seconds=$2 script=$3 numpy_script=$4
shift 4
out=${TEST_TMPDIR:-/tmp}/compare.$$
failed=0
if ! /usr/bin/python3 -c 'import ctypes; ctypes.CDLL("libunwind.so.8")' 2>/dev/null; then
  echo "skipped: libunwind.so.8 is not installed (package libunwind8): run scripts/setup"
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi

# run NAME LEAST_IDENTICAL_PERCENT LEAST_EXPLAINED_PERCENT COMMAND...
run() {
  name=$1 least=$2 least_explained=$3
  shift 3
  : > "$out"
  if ! LD_PRELOAD=$preload OMPPROF_COMPARE_OUT=$out OMP_NUM_THREADS=2 "$@" > /dev/null; then
    echo "$name: the program failed under the sampler" && failed=1 && return
  fi
  awk -v name="$name" -v least="$least" -v least_explained="$least_explained" '
    $1 == "samples" {
      for (i = 1; i < NF; i += 2) n[$i] = $(i + 1)
      guessed = n["without_cfi"]
      total = n["samples"] > guessed ? n["samples"] - guessed : 1
      sound = guessed ? 100 * (guessed - n["without_cfi_different"]) / guessed : 100
      identical = 100 * n["identical"] / total
      explained = 100 * (total - n["cfi_short"] - n["different"]) / total
      printf "%-20s %6d stacks %7d frames  identical %8.4f %%  with explained %8.4f %%", name, n["samples"],
             n["frames"], identical, explained
      for (i = 7; i < NF; i += 2) printf "  %s %d", $i, $(i + 1)
      printf "\n"
      exit !(n["samples"] >= 1000 && total >= 500 && identical >= least && explained >= least_explained && sound >= 95)
    }' "$out" || { failed=1 && echo "$name: less agreement than asked for, or fewer than 1000 samples"; }
  sed -n '2,20p' "$out"
}

for program in "$@"; do
  case $program in
    *exceptions*) shares=(98 99) ;;
    *) shares=(99.9 99.9) ;;
  esac
  run "$(basename "$program")" "${shares[@]}" "./$program" "$seconds"
done
run python3 99 99.9 /usr/bin/python3 "$script" "$seconds"
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  OPENBLAS_CORETYPE=Prescott run numpy 99 99.9 /usr/bin/python3 "$numpy_script" "$seconds"
else
  echo "numpy: skipped, because Python's numpy is not installed (package python3-numpy): run scripts/setup"
fi
rm -f "$out"
exit $failed
