// The function syscall() as the collector exports it.
//
// OMPPROF_COLLECT_SYSCALL(first, seen, other) defines syscall(). There are four cases:
// - Calls that may take readable memory away (kChangingCalls) go to ompprof_changing_syscall (interpose_mappings.cc).
// - Calls that a signal would cut short (kSleepingCalls) go to ompprof_sleeping_syscall (interpose_sleeps.cc).
// - The numbers first + i with bit i of `seen` set, the number `other`, and all numbers while ompprof_next_syscall is
//   not known: syscall() calls SystemCall ompprof_before_syscall(number, and the first three arguments) and jumps to
//   the result.
// - All other numbers: syscall() jumps to ompprof_next_syscall.
//
// OMPPROF_COLLECT_VFORK(name) defines vfork(): it calls ompprof_before_vfork() and jumps to the result.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_SYSCALL_JUMP_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_SYSCALL_JUMP_H_

#include <stddef.h>
#include <stdint.h>

#include "scripts/bazel/libc_floor/system_calls.h"

namespace ompprof::collect {

using SystemCall = long (*)(long number, long a, long b, long c, long d, long e, long f);

// System calls by their numbers, a bit each, as the processor's bit test reads them.
struct SystemCalls {
  static constexpr long kMost = 512;
  uint64_t bits[kMost / 64] = {};

  template <size_t N>
  constexpr explicit SystemCalls(const long (&numbers)[N]) {
    for (const long number : numbers) bits[number / 64] |= uint64_t{1} << (number % 64);
  }
};

constexpr long kChangingCalls[] = {SYS_mmap,          SYS_mprotect,       SYS_munmap, SYS_mremap,
                                   SYS_madvise,       SYS_shmat,          SYS_shmdt,  SYS_remap_file_pages,
                                   SYS_pkey_mprotect, SYS_process_madvise};

// What signal(7) and the kernel's sources say of a signal whose handler has SA_RESTART: waits for a time or for events,
// transfers (which wait for room), and long work in the kernel. A futex's wait is among them if it has a timeout; that
// one is in OMPPROF_COLLECT_SYSCALL.
constexpr long kSleepingCalls[] = {SYS_poll,
                                   SYS_ppoll,
                                   SYS_select,
                                   SYS_pselect6,
                                   SYS_epoll_wait,
                                   SYS_epoll_pwait,
                                   SYS_epoll_pwait2,
                                   SYS_nanosleep,
                                   SYS_clock_nanosleep,
                                   SYS_pause,
                                   SYS_futex_waitv,
                                   SYS_rt_sigtimedwait,
                                   SYS_rt_sigsuspend,
                                   SYS_io_getevents,
                                   SYS_io_pgetevents,
                                   SYS_semop,
                                   SYS_semtimedop,
                                   SYS_msgsnd,
                                   SYS_msgrcv,
                                   SYS_io_uring_enter,
                                   SYS_read,
                                   SYS_readv,
                                   SYS_write,
                                   SYS_writev,
                                   SYS_pread64,
                                   SYS_preadv,
                                   SYS_preadv2,
                                   SYS_sendfile,
                                   SYS_splice,
                                   SYS_tee,
                                   SYS_vmsplice,
                                   SYS_copy_file_range,
                                   SYS_getrandom,
                                   SYS_accept,
                                   SYS_accept4,
                                   SYS_connect,
                                   SYS_recvfrom,
                                   SYS_recvmsg,
                                   SYS_recvmmsg,
                                   SYS_sendto,
                                   SYS_sendmsg,
                                   SYS_sendmmsg,
                                   SYS_fallocate,
                                   SYS_mlock,
                                   SYS_mlock2,
                                   SYS_mlockall,
                                   SYS_ioctl};

}  // namespace ompprof::collect

extern "C" __attribute__((visibility("hidden"))) const ompprof::collect::SystemCalls ompprof_sleeping_calls;
extern "C" __attribute__((visibility("hidden"))) const ompprof::collect::SystemCalls ompprof_changing_calls;
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
