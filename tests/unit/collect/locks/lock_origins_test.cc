// Locks have numbers in the order of their making. A lock at a destroyed lock's address gets a new number. A full table
// reports once that locks do not fit.
#include "profiler/collect/locks/lock_origins.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr uint32_t kLock = 1;
constexpr uint32_t kNestLock = 3;
constexpr uint64_t kHere = 0x401000;
constexpr uint64_t kThere = 0x402000;

class LockOriginsTest : public ::testing::Test {
 protected:
  // Makes a lock at `wait_id` and returns its number.
  uint32_t Make(uint64_t wait_id, uint64_t codeptr_ra, uint32_t kind = kLock) {
    last_ = origins_->Init(wait_id, codeptr_ra, kind, 0);
    if (last_.origin != nullptr) origins_->Publish(last_.origin);
    return origins_->Find(wait_id);
  }

  std::unique_ptr<LockOrigins> origins_ = std::make_unique<LockOrigins>();
  LockOrigins::Made last_{};
};

TEST_F(LockOriginsTest, LocksHaveNumbersInOrder) {
  EXPECT_EQ(Make(0x1000, kHere), 1u);
  EXPECT_EQ(Make(0x2000, kHere, kNestLock), 2u);
  EXPECT_EQ(origins_->Find(0x3000), 0u);
  ASSERT_NE(origins_->At(2), nullptr);
  EXPECT_EQ(origins_->At(2)->wait_id, 0x2000u);
  EXPECT_EQ(origins_->At(2)->kind, kNestLock);
  EXPECT_EQ(origins_->At(3), nullptr);
  EXPECT_EQ(origins_->At(0), nullptr);
}

TEST_F(LockOriginsTest, AnotherLockAtTheSameAddress) {
  EXPECT_EQ(Make(0x1000, kHere), 1u);
  origins_->Destroy(0x1000);
  EXPECT_EQ(origins_->Find(0x1000), 0u) << "what is there now is not that lock";
  EXPECT_EQ(Make(0x1000, kThere), 2u);
  EXPECT_EQ(origins_->At(1)->codeptr_ra, kHere);
  EXPECT_EQ(origins_->At(2)->codeptr_ra, kThere);
}

TEST_F(LockOriginsTest, MadeOnceMoreByTheSameCall) {
  EXPECT_EQ(Make(0x1000, kHere), 1u);
  origins_->Destroy(0x1000);
  EXPECT_EQ(Make(0x1000, kHere), 1u);
  EXPECT_EQ(last_.origin, nullptr);
  EXPECT_EQ(Make(0x1000, kHere), 1u) << "without a destroy in between";
}

TEST_F(LockOriginsTest, PathsOfOneCallAreFew) {
  int wanted = 0;
  for (uint64_t i = 1; i <= 100; ++i) {
    Make(0x10000 + 64 * i, kHere);
    if (last_.wants_path) ++wanted;
  }
  EXPECT_EQ(wanted, 8);
  Make(0x1000, kThere);
  EXPECT_TRUE(last_.wants_path);
  Make(0x2000, 0);
  EXPECT_FALSE(last_.wants_path);
}

TEST_F(LockOriginsTest, LocksThatDoNotFitAreNotNamedAndReportedOnce) {
  int overflowed = 0;
  constexpr uint64_t kAll = 3 * LockOrigins::kMaxLocks;
  for (uint64_t i = 1; i <= kAll; ++i) {
    Make(0x10000 + 16 * i, kHere);
    if (last_.overflowed) ++overflowed;
  }
  EXPECT_EQ(overflowed, 1);
  EXPECT_EQ(origins_->Find(0x10000 + 16 * kAll), 0u);
  EXPECT_NE(origins_->Find(0x10000 + 16), 0u);
  // A lock made elsewhere, where a known lock was, has no name either, and not the old name.
  Make(0x10000 + 16, kThere);
  EXPECT_EQ(origins_->Find(0x10000 + 16), 0u);
}

TEST_F(LockOriginsTest, ForgottenPathsLeaveTheLocks) {
  last_ = origins_->Init(0x1000, kHere, kLock, 0);
  last_.origin->tree = 1;
  last_.origin->node = 7;
  origins_->Publish(last_.origin);
  origins_->ForgetPaths();
  EXPECT_EQ(origins_->Find(0x1000), 1u);
  EXPECT_EQ(origins_->At(1)->node, 0u);
}

TEST_F(LockOriginsTest, ThreadsMakeLocksAtOnce) {
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (uint64_t i = 1; i <= 1000; ++i) {
        const uint64_t wait_id = (thread << 32) + 16 * i;
        const LockOrigins::Made made = origins_->Init(wait_id, kHere + thread, kLock, 0);
        if (made.origin != nullptr) origins_->Publish(made.origin);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint64_t thread = 0; thread < 4; ++thread) {
    for (uint64_t i = 1; i <= 1000; ++i) {
      const LockOrigin* origin = origins_->At(origins_->Find((thread << 32) + 16 * i));
      ASSERT_NE(origin, nullptr);
      EXPECT_EQ(origin->wait_id, (thread << 32) + 16 * i);
      EXPECT_EQ(origin->codeptr_ra, kHere + thread);
    }
  }
}

}  // namespace
}  // namespace ompprof::collect
