#!/bin/sh
# Proves that a walk cannot allocate, lock or print: lists every function that the unwinding code calls, by name.
# libunwind_engine.cc is exempt: it is not for production, and says so.
# usage: handler_symbols_test.sh FILE...   (the library's archives; other files are ignored)
allowed='^(memset|memcpy|memmove|memcmp|_dl_find_object|_r_debug|_GLOBAL_OFFSET_TABLE_|__(asan|tsan|ubsan)_.*)$'
checked=0
for archive in "$@"; do
  case $archive in *.a) ;; *) continue ;; esac
  [ -r "$archive" ] || exit 1
  undefined=$(nm -A --undefined-only "$archive" | grep -v 'libunwind_engine[^:]*:' | sed 's/.* //' |
    grep -v ompprof | sort -u)
  checked=$((checked + 1))
  forbidden=$(echo "$undefined" | grep -Ev "$allowed")
  if [ -n "$forbidden" ]; then
    echo "$archive calls:" $forbidden
    exit 1
  fi
  echo "$archive calls only:" $undefined
done
[ $checked -gt 0 ]
