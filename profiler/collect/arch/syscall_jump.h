// The function syscall() as the collector exports it.
//
// OMPPROF_COLLECT_SYSCALL(first, seen, other) defines syscall(). There are four cases:
// - Calls that may take readable memory away go to ompprof_changing_syscall (interpose_mappings.cc).
// - Calls that a signal would cut short go to ompprof_sleeping_syscall (interpose_sleeps.cc).
// - The numbers first + i with bit i of `seen` set, the number `other`, and all numbers while ompprof_next_syscall is
//   not known: syscall() calls SystemCall ompprof_before_syscall(number, and the first three arguments) and jumps to
//   the result.
// - All other numbers: syscall() jumps to ompprof_next_syscall.
//
// OMPPROF_COLLECT_VFORK(name) defines vfork(): it calls ompprof_before_vfork() and jumps to the result.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_SYSCALL_JUMP_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_SYSCALL_JUMP_H_

#include <sys/syscall.h>

namespace ompprof::collect {

using SystemCall = long (*)(long number, long a, long b, long c, long d, long e, long f);

constexpr bool ChangesMappings(long number) {
  return number == SYS_mmap || number == SYS_mprotect || number == SYS_munmap || number == SYS_mremap ||
         number == SYS_madvise || number == SYS_shmat || number == SYS_shmdt || number == SYS_remap_file_pages ||
         number == SYS_pkey_mprotect || number == SYS_process_madvise;
}

constexpr bool IsCutShort(long number) {
  return number == SYS_poll || number == SYS_ppoll || number == SYS_select || number == SYS_pselect6 ||
         number == SYS_epoll_wait || number == SYS_epoll_pwait || number == SYS_epoll_pwait2 ||
         number == SYS_nanosleep || number == SYS_clock_nanosleep || number == SYS_getrandom ||
         number == SYS_io_getevents || number == SYS_io_pgetevents || number == SYS_io_uring_enter ||
         number == SYS_semtimedop || number == SYS_semop || number == SYS_msgsnd || number == SYS_msgrcv ||
         number == SYS_pause || number == SYS_rt_sigtimedwait || number == SYS_futex || number == SYS_futex_waitv;
}

}  // namespace ompprof::collect

extern "C" __attribute__((visibility("hidden"))) long ompprof_sleeping_syscall(long number, long a, long b, long c,
                                                                               long d, long e, long f);
extern "C" __attribute__((visibility("hidden"))) long ompprof_changing_syscall(long number, long a, long b, long c,
                                                                               long d, long e, long f);

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/syscall_jump.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_SYSCALL_JUMP_H_
