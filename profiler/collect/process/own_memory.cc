// The functions that the compiler calls to copy and clear memory. Here these are libc's own functions, also in the
// signal handler, whoever stands in front of these names in the program. Not visible outside this library.
#include <stddef.h>

#include "profiler/collect/base/os.h"

using ompprof::collect::libc_functions;

extern "C" {

__attribute__((used)) void* ompprof_memcpy(void* to, const void* from, size_t size) {
  return libc_functions.memcpy(to, from, size);
}

__attribute__((used)) void* ompprof_memmove(void* to, const void* from, size_t size) {
  return libc_functions.memmove(to, from, size);
}

__attribute__((used)) void* ompprof_memset(void* to, int value, size_t size) {
  return libc_functions.memset(to, value, size);
}

}  // extern "C"

// Aliases are used, because functions with these names belong to the compiler and would be visible.
asm(".globl memcpy\n.hidden memcpy\n.set memcpy, ompprof_memcpy\n"
    ".globl memmove\n.hidden memmove\n.set memmove, ompprof_memmove\n"
    ".globl memset\n.hidden memset\n.set memset, ompprof_memset\n");
