// Reads of memory that may not be there: they return an error and keep errno, with process_vm_readv and without. A read
// that faults ends the test.
#include "profiler/collect/unwind/safe_read.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/collect/unwind/stack_reader.h"

namespace ompprof::collect {
namespace {

constexpr uintptr_t kPage = 4096;

// Two pages, the second without access.
class SafeReadTest : public testing::Test {
 protected:
  void SetUp() override {
    void* memory = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    base_ = reinterpret_cast<uintptr_t>(memory);
    auto* words = reinterpret_cast<uintptr_t*>(base_);
    for (uintptr_t i = 0; i < kPage / sizeof(uintptr_t); ++i) words[i] = i;
    ASSERT_EQ(mprotect(reinterpret_cast<void*>(base_ + kPage), kPage, PROT_NONE), 0);
  }
  void TearDown() override { munmap(reinterpret_cast<void*>(base_), 2 * kPage); }

  uintptr_t base_;
};

TEST_F(SafeReadTest, ReadsWhatIsThereAndRefusesTheRestWithoutErrno) {
  uintptr_t word = 0;
  errno = 12345;
  EXPECT_TRUE(SafeRead(base_ + 80, &word, sizeof(word)));
  EXPECT_EQ(word, 10u);
  EXPECT_FALSE(SafeRead(base_ + kPage, &word, sizeof(word)));
  EXPECT_FALSE(SafeRead(base_ + kPage - 4, &word, sizeof(word)));  // half of it is there
  EXPECT_FALSE(SafeRead(0, &word, sizeof(word)));
  EXPECT_FALSE(SafeRead(UINTPTR_MAX - 2, &word, sizeof(word)));
  EXPECT_FALSE(SafeRead(uintptr_t{1} << 62, &word, sizeof(word)));  // not canonical
  EXPECT_EQ(errno, 12345);
}

// In a child: after this call process_vm_readv fails with EPERM, as under some container runtimes.
bool ForbidProcessVmReadv() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(SafeReadTest, DoesWithoutProcessVmReadv) {
  const pid_t child = fork();
  if (child == 0) {
    if (!ForbidProcessVmReadv()) _exit(77);
    uintptr_t word = 0;
    if (!SafeRead(base_ + 80, &word, sizeof(word)) || word != 10) _exit(1);
    if (SafeRead(base_ + kPage, &word, sizeof(word))) _exit(2);
    if (SafeRead(base_ + kPage - 4, &word, sizeof(word))) _exit(3);
    if (SafeRead(0, &word, sizeof(word))) _exit(4);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "seccomp is not available";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(SafeReadTest, StackReaderChecksWhatIsOutsideTheBounds) {
  StackReader stack({0, 0}, base_);
  uintptr_t word = 0;
  for (uintptr_t i = 0; i < kPage / sizeof(uintptr_t); ++i) {
    ASSERT_TRUE(stack.Read(base_ + i * sizeof(uintptr_t), &word)) << i;
    ASSERT_EQ(word, i);
  }
  EXPECT_TRUE(stack.Read(base_ + 12, &word));  // unaligned
  EXPECT_EQ(word, uintptr_t{2} << 32);
  EXPECT_FALSE(stack.Read(base_ + kPage, &word));
  EXPECT_FALSE(stack.Read(base_ + kPage - 4, &word));
  EXPECT_TRUE(stack.Read(base_ + kPage - 8, &word));
  EXPECT_FALSE(stack.Read(UINTPTR_MAX - 3, &word));
}

TEST_F(SafeReadTest, StackReaderLoadsPlainlyWhatIsUsedAndProved) {
  StackReader stack({base_, base_ + 2 * kPage}, base_ + 2048);
  EXPECT_EQ(stack.high(), 0u);  // nothing is proved
  uintptr_t word;
  EXPECT_TRUE(stack.Read(base_, &word));  // below the stack pointer: a copy
  EXPECT_EQ(stack.high(), 0u);
  EXPECT_TRUE(stack.Read(base_ + 2048, &word));
  EXPECT_EQ(word, 2048 / sizeof(uintptr_t));
  EXPECT_EQ(stack.low(), base_ + 2048 - arch::kRedZone);
  EXPECT_EQ(stack.high(), base_ + kPage);
  EXPECT_FALSE(stack.Read(base_ + kPage, &word));  // on the stack, and not there
  EXPECT_FALSE(stack.Read(base_ + kPage - 4, &word));
  EXPECT_TRUE(stack.Read(base_ + kPage - 8, &word));
  EXPECT_FALSE(stack.starved());
  stack.Enter(base_ + 8);
  EXPECT_EQ(stack.low(), base_);
  stack.Enter(base_ + 2 * kPage);  // another stack
  EXPECT_EQ(stack.high(), 0u);
  EXPECT_TRUE(stack.Read(base_, &word));
}

}  // namespace
}  // namespace ompprof::collect
