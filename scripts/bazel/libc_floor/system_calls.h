// SYS_NAME of system calls that the headers of older systems lack. The collector knows them by number, and commands try
// them: both run on newer kernels than they are built with, and on older ones, which answer ENOSYS. The numbers are the
// same on all processors, from 424 on (include/uapi/asm-generic/unistd.h).
#ifndef OMPPROF_SCRIPTS_BAZEL_LIBC_FLOOR_SYSTEM_CALLS_H_
#define OMPPROF_SCRIPTS_BAZEL_LIBC_FLOOR_SYSTEM_CALLS_H_

#include <sys/syscall.h>

#ifndef SYS_io_uring_enter  // Linux 5.1
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_pidfd_open  // Linux 5.3
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range  // Linux 5.9
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_getfd  // Linux 5.6
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_process_madvise  // Linux 5.10
#define SYS_process_madvise 440
#endif
#ifndef SYS_epoll_pwait2  // Linux 5.11
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv  // Linux 5.16
#define SYS_futex_waitv 449
#endif

#endif  // OMPPROF_SCRIPTS_BAZEL_LIBC_FLOOR_SYSTEM_CALLS_H_
