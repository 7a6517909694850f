// arch/system_call.h for x86-64 Linux.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSTEM_CALL_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSTEM_CALL_H_

namespace ompprof::collect::arch {

// A system call without libc: no errno, no cancellation point, no PLT. Returns the kernel's value, -errno on error.
inline long RawSyscall(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

}  // namespace ompprof::collect::arch

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSTEM_CALL_H_
