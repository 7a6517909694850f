#include "profiler/collect/ompt/lock_table.h"

#include <gtest/gtest.h>

#include <memory>

namespace ompprof::collect {
namespace {

constexpr uint64_t kLock = 0x1000;

class LockTableTest : public ::testing::Test {
 protected:
  std::unique_ptr<LockTable> table_ = std::make_unique<LockTable>();
};

TEST_F(LockTableTest, NobodyInTheWay) {
  const LockTable::Ticket ticket = table_->Acquire(kLock, 100);
  EXPECT_FALSE(ticket.contended);
  EXPECT_EQ(table_->Acquired(ticket, 150), 0u);
  EXPECT_EQ(table_->Release(kLock, 900), 0u);
}

TEST_F(LockTableTest, TheHolderIsChargedWhatTheOtherWaited) {
  const LockTable::Ticket holder = table_->Acquire(kLock, 0);
  table_->Acquired(holder, 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_TRUE(waiter.contended);
  EXPECT_EQ(table_->Release(kLock, 1000), 900u);
  EXPECT_EQ(table_->Acquired(waiter, 1010), 910u);
  EXPECT_EQ(table_->handoff_ns(), 10u);
  EXPECT_EQ(table_->Release(kLock, 2000), 0u);
}

// Three wait; two holders share what the last of them waited, by the time that each held.
TEST_F(LockTableTest, ChargesAndWaitsAreConserved) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket first = table_->Acquire(kLock, 10);
  const LockTable::Ticket second = table_->Acquire(kLock, 20);
  uint64_t charged = table_->Release(kLock, 100);
  EXPECT_EQ(charged, 90u + 80u);
  uint64_t waited = table_->Acquired(first, 100);
  EXPECT_EQ(waited, 90u);
  charged += table_->Release(kLock, 300);
  waited += table_->Acquired(second, 305);
  EXPECT_EQ(waited, 90u + 285u);
  EXPECT_EQ(charged + table_->handoff_ns(), waited);
}

// mutex_released is reported after the release: the next holder may have reported its acquisition before.
TEST_F(LockTableTest, ReleaseReportedLate) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Acquired(waiter, 1000), 900u);
  EXPECT_EQ(table_->Release(kLock, 1005), 900u);
  EXPECT_EQ(table_->handoff_ns(), 0u);
  EXPECT_EQ(table_->Release(kLock, 2000), 0u);
}

// The holder loses its processor between its release and mutex_released. Whoever waited for it, and has taken and given
// back the lock in the meantime, is not charged with its own wait.
TEST_F(LockTableTest, AHolderThatReportsLaterThanTheNextOne) {
  uint32_t first = 0;
  uint32_t second = 0;
  table_->Acquired(table_->Acquire(kLock, 0), 0, &first);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  const LockTable::Ticket third = table_->Acquire(kLock, 200);
  EXPECT_EQ(table_->Acquired(waiter, 1000, &second), 900u);
  EXPECT_NE(first, second);
  EXPECT_EQ(table_->Release(kLock, 1100, second), 100u) << "what the third has waited since then";
  EXPECT_EQ(table_->Release(kLock, 1105, first), 900u + 800u);
  uint32_t turn = 0;
  EXPECT_EQ(table_->Acquired(third, 1105, &turn), 905u);
  EXPECT_EQ(table_->handoff_ns(), 5u);
  EXPECT_EQ(table_->Release(kLock, 2000, turn), 0u);
}

// An ordered region is free, but goes to another first.
// Two wait; the first of them has the lock already, and keeps the second waiting, when the holder before reports.
TEST_F(LockTableTest, AHolderThatReportsLateIsNotChargedForTheNextOne) {
  uint32_t first_turn = 0, second_turn = 0;
  table_->Acquired(table_->Acquire(kLock, 0), 0, &first_turn);
  const LockTable::Ticket second = table_->Acquire(kLock, 100);
  const LockTable::Ticket third = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Acquired(second, 1000, &second_turn), 900u);
  EXPECT_EQ(table_->Release(kLock, 1500, first_turn), 900u + 900u);
  EXPECT_EQ(table_->Release(kLock, 2000, second_turn), 1000u);
  EXPECT_EQ(table_->Acquired(third, 2000), 1900u);
  EXPECT_EQ(table_->handoff_ns(), 0u);
}

// Three holders, one after the other, report only when the last has the lock, and not in their order.
TEST_F(LockTableTest, EachPaysForItsOwnTime) {
  uint32_t turns[3] = {0, 0, 0};
  table_->Acquired(table_->Acquire(kLock, 0), 0, &turns[0]);
  const LockTable::Ticket second = table_->Acquire(kLock, 100);
  const LockTable::Ticket third = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Acquired(second, 1000, &turns[1]), 900u);
  EXPECT_EQ(table_->Acquired(third, 1010, &turns[2]), 910u);
  EXPECT_EQ(table_->Release(kLock, 1020, turns[1]), 10u);
  EXPECT_EQ(table_->Release(kLock, 1030, turns[0]), 1800u);
  EXPECT_EQ(table_->Release(kLock, 1040, turns[2]), 0u);
  EXPECT_EQ(table_->handoff_ns(), 0u);
}

TEST_F(LockTableTest, WhatWasFreeGoesToAnother) {
  const LockTable::Ticket early = table_->Acquire(kLock, 0);
  EXPECT_FALSE(early.contended);
  table_->Acquired(table_->Acquire(kLock, 50), 50);
  EXPECT_EQ(table_->Release(kLock, 500), 500u);
  EXPECT_EQ(table_->Acquired(early, 500), 500u);
}

TEST_F(LockTableTest, LocksAreApart) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  EXPECT_EQ(table_->Acquired(table_->Acquire(kLock + 8, 10), 500), 0u);
  EXPECT_EQ(table_->Release(kLock + 8, 600), 0u);
  EXPECT_EQ(table_->Release(kLock + 16, 600), 0u);  // never seen
}

}  // namespace
}  // namespace ompprof::collect
