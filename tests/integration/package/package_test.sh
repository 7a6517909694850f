#!/bin/bash
# Makes the Debian package, installs it into an empty root, profiles a program compiled against it, and removes it.
#   package_test.sh SOURCE_SCRIPT PROGRAM
# SOURCE_SCRIPT: scripts/package, in whose tree the rest lies; PROGRAM: any known-answer program.
set -uo pipefail
package=$(realpath "$1") program=$PWD/$2
passed=0 failed=0 skipped=0
PATH=$PATH:/usr/sbin:/sbin  # dpkg insists on these folders

check() {
  local what=$1
  shift
  if "$@" >"$TEST_TMPDIR/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what" >&2
    head -40 "$TEST_TMPDIR/log" >&2
  fi
}
skip() {
  skipped=$((skipped + 1))
  echo "skipped: $*"
}
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ] && [ $passed -gt 0 ]
  exit
}

deb=$("$package" --built=. --output="$TEST_TMPDIR" 2>"$TEST_TMPDIR/log") || { cat "$TEST_TMPDIR/log" >&2; failed=1; finish; }
scratch=$TEST_TMPDIR/root
mkdir -p "$scratch/var/lib/dpkg/updates" "$scratch/var/lib/dpkg/info"
: >"$scratch/var/lib/dpkg/status"
# The package depends on the machine's packages, which the empty root does not know.
as_dpkg() {
  local fake=
  [ "$(id -u)" = 0 ] || fake=fakeroot
  $fake dpkg --root="$scratch" --force-depends --force-not-root --force-script-chrootless --log=/dev/null "$@"
}
if [ "$(id -u)" != 0 ] && ! command -v fakeroot >/dev/null; then
  skip "installing the package needs root, or fakeroot"
  finish
fi
check "dpkg -i" as_dpkg -i "$deb"
triplet=$(gcc -print-multiarch)
for file in bin/ompprof "lib/$triplet/ompprof/libompprof.so" "lib/$triplet/ompprof/libgomp_ompt.so" \
  "lib/$triplet/ompprof/libompprof_older_ompt.so" "lib/$triplet/ompprof/libgomp_reference_device.so" "lib/$triplet/ompprof/ompprof-mpi" include/ompprof.h \
  share/pkgconfig/ompprof.pc "lib/$triplet/pkgconfig/ompprof-recorded.pc" "lib/$triplet/pkgconfig/libgomp_ompt.pc" share/cmake/ompprof/ompprof-config.cmake share/doc/ompprof/copyright \
  share/doc/ompprof/README.md share/doc/ompprof/profiler/docs/tutorial.md share/doc/ompprof/tests/programs/demo_heat.cc \
  share/ompprof/callpath_profile.proto share/ompprof/ompprof.f90 share/ompprof/schema.json; do
  check "$file is there" test -s "$scratch/usr/$file"
done
check "md5sums hold" env -C "$scratch" md5sum --quiet -c "$scratch/var/lib/dpkg/info/ompprof.md5sums"

# Links between the installed documents lead somewhere.
broken_links() {
  local document target
  cd "$scratch/usr/share/doc/ompprof" || return
  find . -name '*.md' | while read -r document; do
    # Code is not read: neither between backquotes nor in blocks.
    sed '/^```/,/^```/d; s/`[^`]*`//g' "$document" | grep -o '](\([^)#]*\)' | sed 's/](//' | grep -v : | sort -u | while read -r target; do
      [ -z "$target" ] || [ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
    done
  done
}
links_lead_somewhere() { ! broken_links | grep .; }
check "links between documents" links_lead_somewhere

# A program uses the header by pkg-config and by CMake, in C and C++, without the profiler and with it.
cat >"$TEST_TMPDIR/labels.c" <<'END'
#include <ompprof.h>
#include <stdio.h>
#include <time.h>
int main(void) {
  ompprof_push_label("busy");
  while (clock() < CLOCKS_PER_SEC / 5) {}
  ompprof_pop_label();
  printf("flush %d\n", ompprof_flush());
  return 0;
}
END
cp "$TEST_TMPDIR/labels.c" "$TEST_TMPDIR/labels.cc"
uses() { [ "$("$1")" = "flush $2" ]; }
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$scratch/usr/share/pkgconfig pkg-config --cflags ompprof)
  check "C, by pkg-config" gcc -std=c99 -pedantic -Wall -Wextra -Werror $flags "$TEST_TMPDIR/labels.c" -o "$TEST_TMPDIR/labels"
  check "it runs without the profiler" uses "$TEST_TMPDIR/labels" -1
  check "C++, by pkg-config" g++ -std=c++98 -pedantic -Wall -Wextra -Werror $flags "$TEST_TMPDIR/labels.cc" -o "$TEST_TMPDIR/labels_cc"
  check "clang too" clang -std=gnu17 -Wall -Wextra -Werror $flags "$TEST_TMPDIR/labels.c" -o "$TEST_TMPDIR/labels_clang"
  check "statically linked" gcc -static -Wall -Werror $flags "$TEST_TMPDIR/labels.c" -o "$TEST_TMPDIR/labels_static"
  check "and runs" uses "$TEST_TMPDIR/labels_static" -1
  # Linked with the collector and the shim, a program records itself, and its regions are seen.
  cat >"$TEST_TMPDIR/region.c" <<'END'
#include <time.h>
int main(void) {
#pragma omp parallel num_threads(2)
  while (clock() < CLOCKS_PER_SEC / 5) {}
  return 0;
}
END
  export PKG_CONFIG_PATH=$scratch/usr/lib/$triplet/pkgconfig
  records_itself() {
    local profile=$TEST_TMPDIR/$(basename "$1").ompprof
    OMPPROF_OUTPUT=$profile "$1" && "$scratch/usr/bin/ompprof" report --full "$profile" | grep -q "OpenMP *libgomp_ompt"
  }
  check "linked with the collector" gcc -fopenmp "$TEST_TMPDIR/region.c" -o "$TEST_TMPDIR/region" $(pkg-config --libs ompprof-recorded)
  check "it records itself" records_itself "$TEST_TMPDIR/region"
  check "linked with the shim" gcc -fopenmp "$TEST_TMPDIR/region.c" -o "$TEST_TMPDIR/region_ompt" $(pkg-config --libs libgomp_ompt)
  OMP_TOOL_LIBRARIES=$scratch/usr/lib/$triplet/ompprof/libompprof.so check "and a tool" records_itself "$TEST_TMPDIR/region_ompt"
else
  skip "pkg-config is not installed"
fi
cat >"$TEST_TMPDIR/labels.f90" <<'END'
program labels
  use ompprof
  implicit none
  real :: begin, now
  integer :: answer
  call ompprof_push_label("fortran")
  call cpu_time(begin)
  do
    call cpu_time(now)
    if (now - begin > 0.2) exit
  end do
  call ompprof_pop_label()
  answer = ompprof_flush()
  print '(A, I0)', "flush ", answer
end program labels
END
check "Fortran" gfortran -std=f2018 -Wall -Wextra -Werror -J"$TEST_TMPDIR" "$scratch/usr/share/ompprof/ompprof.f90" \
  "$TEST_TMPDIR/labels.f90" -o "$TEST_TMPDIR/labels_fortran"
check "it runs without the profiler" uses "$TEST_TMPDIR/labels_fortran" -1
if command -v cmake >/dev/null; then
  mkdir -p "$TEST_TMPDIR/cmake"
  cat >"$TEST_TMPDIR/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(labels C)
find_package(ompprof 0.1 REQUIRED)
add_executable(labels ../labels.c)
target_link_libraries(labels PRIVATE ompprof::ompprof)
find_package(OpenMP REQUIRED)
add_executable(region ../region.c)
target_link_libraries(region PRIVATE ompprof::recorded OpenMP::OpenMP_C)
END
  check "CMake finds it" cmake -S "$TEST_TMPDIR/cmake" -B "$TEST_TMPDIR/cmake/build" "-DCMAKE_PREFIX_PATH=$scratch/usr"
  check "CMake builds with it" cmake --build "$TEST_TMPDIR/cmake/build"
  check "what CMake built runs" uses "$TEST_TMPDIR/cmake/build/labels" -1
  check "what CMake linked with the collector records itself" records_itself "$TEST_TMPDIR/cmake/build/region"
else
  skip "cmake is not installed"
fi

# The installed commands find their libraries.
label_is_there() {
  "$scratch/usr/bin/ompprof" record -o "$TEST_TMPDIR/$2.ompprof" -- "$1" | grep "flush 0" &&
    "$scratch/usr/bin/ompprof" report --full "$TEST_TMPDIR/$2.ompprof" | grep -w "$2"
}
[ ! -x "$TEST_TMPDIR/labels" ] || check "a label is in the report" label_is_there "$TEST_TMPDIR/labels" busy
check "a Fortran label too" label_is_there "$TEST_TMPDIR/labels_fortran" fortran
check "record without a complaint" bash -c '[ -z "$("$1" record -q -o "$2" -- "$3" 200 2>&1 >/dev/null)" ]' - \
  "$scratch/usr/bin/ompprof" "$TEST_TMPDIR/program.ompprof" "$program"

if command -v lintian >/dev/null; then
  check "lintian" lintian --fail-on error --tag-display-limit 0 --allow-root "$deb"
else
  skip "lintian is not installed"
fi
check "dpkg -P" as_dpkg -P ompprof
check "nothing is left" bash -c '[ -z "$(find "$1/usr" -type f 2>/dev/null)" ]' - "$scratch"
finish
