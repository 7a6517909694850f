#!/bin/bash
# archives.sh COMPILER ARCHIVE...: copies the compiler's archives into this folder. libdw.a becomes a script that names the
# archives which libdw needs.
#
# Debian 13's libelf.a and libdw.a call functions of a libeu.a that no package has. There, the scripts libdw.a and libelf.a name
# the shared libraries instead. What is linked with them runs on this system, and makes no portable tree.
set -euo pipefail
compiler=$1
shift
for archive in "$@"; do cp "$("$compiler" -print-file-name="$archive")" .; done
mv libdw.a libdw_objects.a
if [ -n "$(nm libelf.a 2>/dev/null | sed -n 's/^ *U \(eu_search_tree_init\)$/\1/p')" ]; then
  shared() { "$compiler" -print-file-name="$1"; }
  echo "GROUP ( $(shared libdw.so) $(shared libelf.so) )" >libdw.a
  echo "INPUT ( $(shared libelf.so) )" >libelf.a
else
  echo 'GROUP ( -ldw_objects -lelf -lbz2 -llzma -lz )' >libdw.a
fi
