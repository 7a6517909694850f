// The numbers that system_calls.h has for older systems are those of this system's kernel headers.
#include <asm/unistd.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

// As on a system that lacks them.
#undef SYS_io_uring_enter
#undef SYS_pidfd_open
#undef SYS_close_range
#undef SYS_pidfd_getfd
#undef SYS_process_madvise
#undef SYS_epoll_pwait2
#undef SYS_futex_waitv
#include "scripts/bazel/libc_floor/system_calls.h"

namespace {

TEST(SystemCallsTest, HaveTheKernelsNumbers) {
  EXPECT_EQ(SYS_io_uring_enter, __NR_io_uring_enter);
  EXPECT_EQ(SYS_pidfd_open, __NR_pidfd_open);
  EXPECT_EQ(SYS_close_range, __NR_close_range);
  EXPECT_EQ(SYS_pidfd_getfd, __NR_pidfd_getfd);
  EXPECT_EQ(SYS_process_madvise, __NR_process_madvise);
  EXPECT_EQ(SYS_epoll_pwait2, __NR_epoll_pwait2);
  EXPECT_EQ(SYS_futex_waitv, __NR_futex_waitv);
}

}  // namespace
