#include "profiler/collect/unwind/safe_read.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

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

TEST_F(SafeReadTest, StackReaderTakesOnlyTheUsedPartForMapped) {
  StackReader stack({base_, base_ + kPage}, base_ + 2048);
  EXPECT_EQ(stack.low(), base_ + 2048 - arch::kRedZone);
  EXPECT_EQ(stack.high(), base_ + kPage);
  stack.Enter(base_ + 8);
  EXPECT_EQ(stack.low(), base_);
  stack.Enter(base_ + kPage);  // another stack
  EXPECT_EQ(stack.high(), 0u);
  uintptr_t word;
  EXPECT_TRUE(stack.Read(base_, &word));
}

}  // namespace
}  // namespace ompprof::collect
