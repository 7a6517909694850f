// Who waited for whom at a lock, by the order of made-up events: charges plus hand-over time equal the waits. Late
// reports, quick releases and full sets must not lose or double a wait.
#include "profiler/collect/locks/lock_table.h"

#include <gtest/gtest.h>

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr uint64_t kLock = 0x1000;

class LockTableTest : public ::testing::Test {
 protected:
  int64_t Handoff() const { return table_->handoff_ns() + static_cast<int64_t>(handoff_); }

  std::unique_ptr<LockTable> table_ = std::make_unique<LockTable>();
  uint64_t handoff_ = 0;  // of quick releases
};

TEST_F(LockTableTest, NobodyInTheWay) {
  const LockTable::Ticket ticket = table_->Acquire(kLock, 100);
  EXPECT_FALSE(ticket.contended);
  EXPECT_EQ(table_->Acquired(ticket, 150), 0u);
  EXPECT_EQ(table_->Release(kLock, 900), 0u);
}

TEST_F(LockTableTest, TheHolderIsChargedWithTheOthersWait) {
  const LockTable::Ticket holder = table_->Acquire(kLock, 0);
  table_->Acquired(holder, 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_TRUE(waiter.contended);
  EXPECT_EQ(table_->Release(kLock, 1000), 900u);
  EXPECT_EQ(table_->Acquired(waiter, 1010), 910u);
  EXPECT_EQ(Handoff(), 10);
  EXPECT_EQ(table_->Release(kLock, 2000), 0u);
}

// Three threads wait. Two holders share the wait of the last, by the time that each held.
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
  EXPECT_EQ(charged + Handoff(), waited);
}

// mutex_released is reported after the release: the next holder may have reported its acquisition before.
TEST_F(LockTableTest, ReleaseReportedLate) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Acquired(waiter, 1000), 900u);
  EXPECT_EQ(table_->Release(kLock, 1005), 900u);
  EXPECT_EQ(Handoff(), 0);
  EXPECT_EQ(table_->Release(kLock, 2000), 0u);
}

// The holder loses its processor between its release and mutex_released. A thread that waited for it has taken and
// released the lock in the meantime. That thread is not charged with its own wait.
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
  EXPECT_EQ(Handoff(), 5) << "nobody has held it since 1100";
  EXPECT_EQ(table_->Release(kLock, 2000, turn), 0u);
}

// The holder reports late, and the next holder still holds the lock: the third thread waits for the next holder.
TEST_F(LockTableTest, AHolderThatReportsWhileTheNextOneHolds) {
  uint32_t first = 0, second = 0, turn = 0;
  table_->Acquired(table_->Acquire(kLock, 0), 0, &first);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  const LockTable::Ticket third = table_->Acquire(kLock, 200);
  EXPECT_EQ(table_->Acquired(waiter, 1000, &second), 900u);
  EXPECT_EQ(table_->Release(kLock, 5000, first), 900u + 800u);
  EXPECT_EQ(table_->Release(kLock, 6000, second), 5000u);
  EXPECT_EQ(table_->Acquired(third, 6000, &turn), 5800u);
  EXPECT_EQ(Handoff(), 0);
}

// Two threads have released and not said so. Each is charged for itself.
TEST_F(LockTableTest, TwoHoldersThatReportLate) {
  uint32_t first = 0, second = 0, turn = 0;
  table_->Acquired(table_->Acquire(kLock, 0), 0, &first);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  const LockTable::Ticket third = table_->Acquire(kLock, 200);
  EXPECT_EQ(table_->Acquired(waiter, 1000, &second), 900u);
  EXPECT_EQ(table_->Acquired(third, 4000, &turn), 3800u);
  EXPECT_EQ(table_->Release(kLock, 7000, first), 900u + 800u);
  EXPECT_EQ(table_->Release(kLock, 7000, second), 3000u);
  EXPECT_EQ(table_->Release(kLock, 8000, turn), 0u);
  EXPECT_EQ(Handoff(), 0);
}

// An ordered region is free, but another thread gets it first.
TEST_F(LockTableTest, AFreeLockGoesToAnother) {
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

// Times of one thread come to the table later than another thread's later times.
TEST_F(LockTableTest, TimesOutOfOrderAreConserved) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  uint64_t charged = table_->Release(kLock, 150);
  table_->Acquired(table_->Acquire(kLock, 160), 160);
  charged += table_->Release(kLock, 200);
  table_->Acquired(table_->Acquire(kLock, 190), 190);
  const LockTable::Ticket late = table_->Acquire(kLock, 120);
  charged += table_->Release(kLock, 300);
  const uint64_t waited = table_->Acquired(late, 290);
  EXPECT_EQ(waited, 100u) << "from 200, the latest time before it, to 300";
  EXPECT_EQ(charged + Handoff(), waited);
}

TEST_F(LockTableTest, AloneNobodyTakesTheTime) {
  for (int i = 0; i < 3; ++i) {
    LockTable::Ticket ticket{};
    ASSERT_TRUE(table_->AcquireAlone(kLock, &ticket));
    ASSERT_TRUE(table_->AcquiredAlone(ticket));
    ASSERT_TRUE(table_->ReleaseAlone(kLock, i == 0 ? 0 : ticket.slot));
  }
  EXPECT_TRUE(table_->ReleaseAlone(kLock + 8, 0)) << "never seen";
}

TEST_F(LockTableTest, OneThatCameAloneIsChargedToo) {
  LockTable::Ticket holder{}, waiter{};
  ASSERT_TRUE(table_->AcquireAlone(kLock, &holder));
  ASSERT_TRUE(table_->AcquiredAlone(holder));
  ASSERT_FALSE(table_->AcquireAlone(kLock, &waiter));
  waiter = table_->Acquire(kLock, 100);
  EXPECT_TRUE(waiter.contended);
  ASSERT_FALSE(table_->ReleaseAlone(kLock, holder.slot));
  EXPECT_EQ(table_->Release(kLock, 1000), 900u);
  ASSERT_FALSE(table_->AcquiredAlone(waiter));
  EXPECT_EQ(table_->Acquired(waiter, 1010), 910u);
  EXPECT_EQ(Handoff(), 10);
  ASSERT_FALSE(table_->ReleaseAlone(kLock, waiter.slot));
  EXPECT_EQ(table_->Release(kLock, 2000), 0u);
  EXPECT_TRUE(table_->AcquireAlone(kLock, &holder)) << "forgotten when nobody is left";
}

// The next holder has come, waited and gone before the holder's release is reported.
TEST_F(LockTableTest, OneThatCameAloneReportsItsReleaseLate) {
  LockTable::Ticket holder{};
  ASSERT_TRUE(table_->AcquireAlone(kLock, &holder));
  ASSERT_TRUE(table_->AcquiredAlone(holder));
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Acquired(waiter, 1000), 900u);
  const uint64_t charged = table_->Release(kLock, 1100);
  ASSERT_FALSE(table_->ReleaseAlone(kLock, holder.slot));
  EXPECT_EQ(charged + table_->Release(kLock, 1200), 900u);
  EXPECT_TRUE(table_->AcquireAlone(kLock, &holder));
}

// The thread found no other, but another thread got the lock first.
TEST_F(LockTableTest, OneThatCameAloneIsOvertaken) {
  LockTable::Ticket early{};
  ASSERT_TRUE(table_->AcquireAlone(kLock, &early));
  EXPECT_EQ(table_->Acquired(table_->Acquire(kLock, 90), 100), 10u) << "who comes second cannot know that it is free";
  ASSERT_FALSE(table_->AcquiredAlone(early));  // asked in its mutex_acquired, after the other's release
  EXPECT_EQ(table_->Acquired(early, 700), 600u);
  EXPECT_EQ(table_->Release(kLock, 710), 600u);
  ASSERT_FALSE(table_->ReleaseAlone(kLock, early.slot));
  EXPECT_EQ(table_->Release(kLock, 800), 0u);
  EXPECT_EQ(Handoff(), 10);
  EXPECT_TRUE(table_->AcquireAlone(kLock, &early));
}

TEST_F(LockTableTest, GivenUpIsForgotten) {
  LockTable::Ticket holder{}, next{};
  ASSERT_TRUE(table_->AcquireAlone(kLock, &holder));
  table_->GiveUp(holder);
  ASSERT_TRUE(table_->AcquireAlone(kLock, &holder));
  ASSERT_TRUE(table_->AcquiredAlone(holder));
  table_->GiveUp(table_->Acquire(kLock, 100));  // a nestable lock, taken again
  EXPECT_EQ(table_->Release(kLock, 900), 0u);
  EXPECT_TRUE(table_->AcquireAlone(kLock, &next));
}

TEST_F(LockTableTest, AForkedChildStartsWithout) {
  LockTable::Ticket ticket{};
  ASSERT_TRUE(table_->AcquireAlone(kLock, &ticket));
  table_->Acquire(kLock, 100);
  table_->Forget();
  EXPECT_EQ(table_->Release(kLock, 200), 0u);
  EXPECT_TRUE(table_->AcquireAlone(kLock, &ticket));
}

TEST_F(LockTableTest, QuickReleaseIsAcquiredAndRelease) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  ASSERT_TRUE(waiter.quick);
  EXPECT_EQ(table_->Release(kLock, 1000), 900u);
  const LockTable::Ticket third = table_->Acquire(kLock, 1100);
  EXPECT_EQ(table_->QuickRelease(waiter, 1010, 2000, &handoff_).ns, 900u) << "what the third has waited";
  EXPECT_EQ(Handoff(), 10);
  EXPECT_EQ(table_->QuickRelease(third, 2000, 2500, &handoff_).ns, 0u);
  EXPECT_EQ(Handoff(), 10);
  LockTable::Ticket alone{};
  EXPECT_TRUE(table_->AcquireAlone(kLock, &alone)) << "nobody is left";
}

// The release is told when the next thread has had the lock for a while, which that thread has not told. It is charged
// to the next thread, which is charged less later.
TEST_F(LockTableTest, AnOverchargeIsMadeUpFor) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  const LockTable::Ticket third = table_->Acquire(kLock, 1200);
  uint64_t charged = table_->Release(kLock, 1500);
  EXPECT_EQ(charged, 1400u + 300u);
  charged += table_->QuickRelease(waiter, 1000, 2100, &handoff_).ns;
  EXPECT_EQ(charged, 1700u + 100u);
  charged += table_->QuickRelease(third, 2100, 3000, &handoff_).ns;
  EXPECT_EQ(charged, 900u + 900u) << "until 1000, and from 1200 to 2100";
  EXPECT_EQ(Handoff(), 0);
}

// As above, but no thread waits for the lock again.
TEST_F(LockTableTest, AnOverchargeAtTheEndIsDeducted) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Release(kLock, 5000), 4900u) << "though the other had it at 1000";
  EXPECT_EQ(table_->QuickRelease(waiter, 1000, 6000, &handoff_).ns, 0u);
  EXPECT_EQ(Handoff(), 900 - 4900);
}

// The holder loses its processor before it tells of its release. Another thread has taken the lock, and holds it.
TEST_F(LockTableTest, QuickReleaseThatComesLate) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  uint64_t charged = table_->Release(kLock, 1000);
  const LockTable::Ticket third = table_->Acquire(kLock, 1050);
  uint32_t turn = 0;
  uint64_t waited = 900 + table_->Acquired(third, 1200, &turn);
  EXPECT_EQ(waited, 900u + 150u);
  EXPECT_EQ(table_->QuickRelease(waiter, 1000, 5000, &handoff_).ns, 0u) << "it is the other's now";
  charged += table_->Release(kLock, 6000, turn);
  EXPECT_EQ(charged + Handoff(), waited);
  LockTable::Ticket alone{};
  EXPECT_TRUE(table_->AcquireAlone(kLock, &alone)) << "nobody is left";
}

// Another thread releases the lock, as the program must not do.
TEST_F(LockTableTest, ReleaseByAnother) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
  EXPECT_EQ(table_->Release(kLock, 1000), 900u);
  EXPECT_EQ(table_->Release(kLock, 1500), 0u);
  EXPECT_EQ(table_->QuickRelease(waiter, 1000, 2000, &handoff_).ns, 0u);
  LockTable::Ticket alone{};
  EXPECT_TRUE(table_->AcquireAlone(kLock, &alone)) << "nobody is left";
}

// A nestable lock, taken again by its owner before the previous holder has told of its release.
TEST_F(LockTableTest, AThreadThatGaveUpHasItsChargeDeducted) {
  table_->Acquired(table_->Acquire(kLock, 0), 0);
  const LockTable::Ticket owner = table_->Acquire(kLock, 100);
  const LockTable::Ticket again = table_->Acquire(kLock, 300);
  uint64_t charged = table_->Release(kLock, 500);
  EXPECT_EQ(charged, 400u + 200u);
  table_->GiveUp(again);
  charged += table_->QuickRelease(owner, 200, 900, &handoff_).ns;
  EXPECT_EQ(static_cast<int64_t>(charged) + Handoff(), 100) << "the owner waited from 100 to 200, and that is all";
}

// A thread gives up a wait that is over. Others can still use the lock.
TEST_F(LockTableTest, MoreLeaveThanCame) {
  const LockTable::Ticket ticket = table_->Acquire(kLock, 0);
  table_->GiveUp(ticket);
  table_->GiveUp(ticket);
  table_->Acquired(ticket, 10);
  table_->Release(kLock, 20);
  table_->Release(kLock, 30);
  table_->Acquired(table_->Acquire(kLock, 40), 50);
  EXPECT_EQ(table_->Release(kLock, 60), 0u);
}

// A thread that expects others tells of its acquisition with its release, even if it finds no other thread.
TEST_F(LockTableTest, OneThatExpectsOthersAndMeetsNobody) {
  const LockTable::Ticket before = table_->Acquire(kLock, 0);
  table_->Acquired(before, 0);
  table_->Release(kLock, 10);
  LockTable::Ticket ticket{};
  table_->AcquireHot(kLock, before.slot, 100, &ticket);
  ASSERT_TRUE(ticket.quick);
  EXPECT_FALSE(ticket.contended);
  const LockTable::Charge told = table_->QuickRelease(ticket, 130, 500, &handoff_);
  EXPECT_FALSE(told.waited);
  EXPECT_EQ(told.ns, 0u);
  EXPECT_EQ(Handoff(), 0);
  LockTable::Ticket alone{};
  EXPECT_TRUE(table_->AcquireAlone(kLock, &alone)) << "nobody is left";
}

TEST_F(LockTableTest, AThreadWaitsForAHolderThatExpectedOthers) {
  const LockTable::Ticket before = table_->Acquire(kLock, 0);
  table_->Acquired(before, 0);
  table_->Release(kLock, 10);
  LockTable::Ticket holder{};
  table_->AcquireHot(kLock, before.slot, 100, &holder);
  const LockTable::Ticket waiter = table_->Acquire(kLock, 200);
  EXPECT_TRUE(waiter.contended);
  const LockTable::Charge told = table_->QuickRelease(holder, 130, 500, &handoff_);
  EXPECT_FALSE(told.waited);
  EXPECT_EQ(told.ns, 300u);
  const LockTable::Charge next = table_->QuickRelease(waiter, 520, 900, &handoff_);
  EXPECT_TRUE(next.waited);
  EXPECT_EQ(next.ns, 0u);
  EXPECT_EQ(Handoff(), 20);
}

// The thread found no other, but another got the lock first, and was charged for it.
TEST_F(LockTableTest, OneThatExpectedOthersIsOvertaken) {
  const LockTable::Ticket before = table_->Acquire(kLock, 0);
  table_->Acquired(before, 0);
  table_->Release(kLock, 10);
  LockTable::Ticket early{};
  table_->AcquireHot(kLock, before.slot, 100, &early);
  LockTable::Ticket first{};
  table_->AcquireHot(kLock, before.slot, 110, &first);
  const LockTable::Charge told = table_->QuickRelease(first, 120, 400, &handoff_);
  EXPECT_TRUE(told.waited) << "who comes second cannot know that it is free";
  const LockTable::Charge last = table_->QuickRelease(early, 420, 600, &handoff_);
  EXPECT_TRUE(last.waited);
  EXPECT_EQ(told.ns + last.ns + Handoff(), (120u - 110u) + (420u - 100u));
}

// A program with a lock for each vertex of a graph. All locks have been taken.
constexpr uint64_t kManyLocks = 100000;

TEST_F(LockTableTest, ManyLocksOneAfterTheOther) {
  for (uint64_t lock = 1; lock <= kManyLocks; ++lock) {
    LockTable::Ticket ticket{};
    ASSERT_TRUE(table_->AcquireAlone(8 * lock, &ticket));
    ASSERT_NE(ticket.slot, 0u) << lock;
    ASSERT_TRUE(table_->AcquiredAlone(ticket));
    ASSERT_TRUE(table_->ReleaseAlone(8 * lock, ticket.slot));
  }
  const LockTable::Ticket holder = table_->Acquire(8 * kManyLocks + 8, 0);
  table_->Acquired(holder, 0);
  const LockTable::Ticket waiter = table_->Acquire(8 * kManyLocks + 8, 100);
  EXPECT_EQ(table_->Release(8 * kManyLocks + 8, 1000), 900u);
  EXPECT_EQ(table_->Acquired(waiter, 1010), 910u);
}

// A thread at a lock stays in the table while others come and go.
TEST_F(LockTableTest, ManyLocksWhileSomeAreHeld) {
  constexpr uint64_t kHeld = 500;
  std::vector<LockTable::Ticket> alone(kHeld), waiting(kHeld);
  for (uint64_t lock = 0; lock < kHeld; ++lock) {
    ASSERT_TRUE(table_->AcquireAlone(8 * lock + 8, &alone[lock]));
    ASSERT_TRUE(table_->AcquiredAlone(alone[lock]));
    waiting[lock] = table_->Acquire(8 * lock + 8, 100);
    ASSERT_TRUE(waiting[lock].contended);
  }
  for (uint64_t lock = kHeld; lock < kManyLocks; ++lock) {
    LockTable::Ticket ticket{};
    ASSERT_TRUE(table_->AcquireAlone(8 * lock + 8, &ticket));
    ASSERT_TRUE(table_->AcquiredAlone(ticket));
    ASSERT_TRUE(ticket.unmeasured || table_->ReleaseAlone(8 * lock + 8, ticket.slot));
  }
  for (uint64_t lock = 0; lock < kHeld; ++lock) {
    ASSERT_FALSE(table_->ReleaseAlone(8 * lock + 8, alone[lock].slot));
    ASSERT_EQ(table_->Release(8 * lock + 8, 1000), 900u);
    ASSERT_EQ(table_->Acquired(waiting[lock], 1000), 900u);
    ASSERT_EQ(table_->Release(8 * lock + 8, 1500), 0u);
  }
  EXPECT_EQ(Handoff(), 0);
}

// Locks of one set, so many that each takes the place of another.
std::vector<uint64_t> LocksOfOneSet(size_t count) {
  std::vector<uint64_t> locks;
  for (uint64_t wait_id = kLock; locks.size() < count; wait_id += 8) {
    if (LockTable::SetOf(wait_id) == LockTable::SetOf(kLock)) locks.push_back(wait_id);
  }
  return locks;
}

TEST_F(LockTableTest, MoreAreHeldThanThereIsRoomFor) {
  const std::vector<uint64_t> locks = LocksOfOneSet(LockTable::kWays + 2);
  std::vector<LockTable::Ticket> tickets(locks.size());
  for (size_t i = 0; i < locks.size(); ++i) {
    ASSERT_TRUE(table_->AcquireAlone(locks[i], &tickets[i]));
    EXPECT_EQ(tickets[i].unmeasured, i >= LockTable::kWays);
    EXPECT_EQ(tickets[i].slot == 0, i >= LockTable::kWays);
    EXPECT_TRUE(table_->AcquiredAlone(tickets[i]));
  }
  EXPECT_TRUE(table_->Acquire(locks.back(), 100).unmeasured);
  EXPECT_TRUE(table_->IsFirstUnmeasured());
  EXPECT_FALSE(table_->IsFirstUnmeasured());
  EXPECT_TRUE(table_->ReleaseAlone(locks[0], tickets[0].slot));
  const LockTable::Ticket late = table_->Acquire(locks.back(), 200);
  EXPECT_FALSE(late.unmeasured) << "it has the place of the one that was released";
  EXPECT_EQ(late.slot, tickets[0].slot);
  table_->Acquired(late, 200);
  EXPECT_TRUE(table_->Acquire(locks.back(), 300).contended);
  EXPECT_EQ(table_->Release(locks.back(), 400), 100u);
}

TEST_F(LockTableTest, OneThatExpectsOthersWhereAnotherLockIsNow) {
  const std::vector<uint64_t> locks = LocksOfOneSet(3 * LockTable::kWays);
  const LockTable::Ticket before = table_->Acquire(kLock, 0);
  table_->Acquired(before, 0);
  table_->Release(kLock, 10);
  LockTable::Ticket ticket{};
  for (size_t i = 1; i < locks.size(); ++i) {
    ASSERT_TRUE(table_->AcquireAlone(locks[i], &ticket));
    ASSERT_TRUE(table_->AcquiredAlone(ticket));
    if (i > 2 * LockTable::kWays) continue;
    ASSERT_TRUE(table_->ReleaseAlone(locks[i], ticket.slot));
  }
  EXPECT_FALSE(table_->AcquireHot(kLock, before.slot, 100, &ticket));
  for (size_t i = 2 * LockTable::kWays + 1; i < locks.size(); ++i)
    EXPECT_TRUE(table_->ReleaseAlone(locks[i], 0)) << "it has seen nobody";
}

TEST_F(LockTableTest, ADestroyedLockMakesRoom) {
  const std::vector<uint64_t> locks = LocksOfOneSet(LockTable::kWays + 1);
  std::vector<LockTable::Ticket> tickets(locks.size());
  for (size_t i = 0; i < LockTable::kWays; ++i) {
    tickets[i] = table_->Acquire(locks[i], 0);
    table_->Acquired(tickets[i], 0);
    table_->Release(locks[i], 10);
  }
  table_->Destroy(locks[3]);
  EXPECT_EQ(table_->Acquire(locks.back(), 20).slot, tickets[3].slot) << "not one that may be used again";
  table_->Destroy(locks.back());
  EXPECT_TRUE(table_->Acquire(locks.back(), 30).contended) << "somebody is there";
}

// Compare AnOverchargeAtTheEndIsDeducted.
TEST_F(LockTableTest, AnOverchargeIsDeductedFromAHolderThatIsGone) {
  for (const bool destroyed : {true, false}) {
    table_ = std::make_unique<LockTable>();
    table_->Acquired(table_->Acquire(kLock, 0), 0);
    const LockTable::Ticket waiter = table_->Acquire(kLock, 100);
    EXPECT_EQ(table_->Release(kLock, 5000), 4900u);
    EXPECT_EQ(table_->QuickRelease(waiter, 1000, 6000, &handoff_).ns, 0u);
    if (destroyed) table_->Destroy(kLock);
    LockTable::Ticket ticket{};
    for (const uint64_t lock : LocksOfOneSet(3 * LockTable::kWays)) {
      if (lock == kLock) continue;
      ASSERT_TRUE(table_->AcquireAlone(lock, &ticket));
      ASSERT_TRUE(table_->AcquiredAlone(ticket));
      ASSERT_TRUE(table_->ReleaseAlone(lock, ticket.slot));
    }
    EXPECT_EQ(Handoff(), 900 - 4900);
    handoff_ = 0;
  }
}

// The sequence of the callbacks, as lock_waits.cc makes it.
class User {
 public:
  // `quick`: QuickRelease is used wherever it is allowed. `hot`: others are expected where there were some the last
  // time.
  User(LockTable* table, uint64_t wait_id, bool quick = false, bool hot = false)
      : table_(table), wait_id_(wait_id), quick_(quick), hot_(hot) {}
  template <typename Clock>
  void Wants(Clock clock) {
    if (hot_slot_ != 0 && table_->AcquireHot(wait_id_, hot_slot_, clock(), &ticket_)) return;
    if (!table_->AcquireAlone(wait_id_, &ticket_)) ticket_ = table_->Acquire(wait_id_, clock());
  }
  template <typename Clock>
  void Has(Clock clock) {
    acquired_ns_ = 0;
    turn_ = 0;
    if (table_->AcquiredAlone(ticket_)) return;
    const uint64_t now = clock();
    if (quick_ && ticket_.quick) {
      acquired_ns_ = now > ticket_.since_ns ? now : ticket_.since_ns;
    } else {
      const uint64_t waited = table_->Acquired(ticket_, now, quick_ ? &turn_ : nullptr);
      waited_ += waited;
      if (hot_) hot_slot_ = waited != 0 ? ticket_.slot : 0;
    }
  }
  template <typename Clock>
  void Released(Clock clock) {
    if (ticket_.unmeasured) {
      ++unmeasured_;
    } else if (acquired_ns_ != 0) {
      const LockTable::Charge charge = table_->QuickRelease(ticket_, acquired_ns_, clock(), &handoff_);
      charged_ += charge.ns;
      if (charge.waited) waited_ += acquired_ns_ - ticket_.since_ns;
      if (hot_) hot_slot_ = charge.waited || charge.ns != 0 ? ticket_.slot : 0;
    } else if (!table_->ReleaseAlone(wait_id_, ticket_.slot)) {
      charged_ += table_->Release(wait_id_, clock(), turn_);
    }
  }
  uint64_t waited() const { return waited_; }
  uint64_t charged() const { return charged_; }
  uint64_t handoff() const { return handoff_; }
  uint64_t unmeasured() const { return unmeasured_; }

 private:
  LockTable* table_;
  uint64_t wait_id_;
  bool quick_;
  bool hot_;
  uint32_t hot_slot_ = 0;
  LockTable::Ticket ticket_{};
  uint64_t acquired_ns_ = 0;  // not told to the table yet
  uint32_t turn_ = 0;
  uint64_t waited_ = 0, charged_ = 0, handoff_ = 0, unmeasured_ = 0;
};

// A run in which threads want, take and release a lock and report the release, in a random order. The run knows who
// waited for whom. A thread waits from when it came, or from when another took the lock that it had found free. In the
// second case a thread that expected others waits from when it came. It does not wait at all if the other has not told
// yet that it had the lock.
class DrawnRun {
 public:
  static constexpr size_t kThreads = 5;
  static constexpr int kSteps = 400;

  // Four kinds of runs: no user is quick, all are, every other user is, and all are quick and hot.
  DrawnRun(int run, std::mt19937* random) : hot_(run % 4 == 3), random_(random) {
    for (size_t i = 0; i < kThreads; ++i)
      users_.emplace_back(table_.get(), kLock, run % 4 == 1 || (run % 4 == 2 && i % 2 == 0) || hot_, hot_);
  }

  void Run() {
    for (int i = 0; i < kSteps || InUse(); ++i) {
      now_ += (*random_)() % 50;
      const size_t who = (*random_)() % kThreads;
      if (steps_[who] == kAway && i < kSteps) {
        Want(who);
      } else if (steps_[who] == kWants && !held_) {
        Take(who);
      } else if (steps_[who] == kHas) {
        held_ = false;
        steps_[who] = kReleasing;
      } else if (steps_[who] == kReleasing) {
        steps_[who] = kAway;
        users_[who].Released([this] { return now_; });
      }
    }
  }

  void ExpectConserved() {
    uint64_t said = 0, charged = 0;
    for (const User& user : users_) {
      said += user.waited();
      charged += user.charged();
      table_->AddHandoff(user.handoff());
    }
    if (hot_) {
      ASSERT_GE(said, least_);
      ASSERT_LE(said, most_);
    } else {
      ASSERT_EQ(said, waited_);
    }
    ASSERT_EQ(charged + table_->handoff_ns(), said);
    LockTable::Ticket ticket{};
    ASSERT_TRUE(table_->AcquireAlone(kLock, &ticket));
  }

 private:
  enum Step { kAway, kWants, kHas, kReleasing };

  bool InUse() const {
    return std::any_of(steps_.begin(), steps_.end(), [](Step step) { return step != kAway; });
  }

  void Want(size_t who) {
    came_[who] = now_;
    since_[who] = InUse() ? now_ : 0;
    steps_[who] = kWants;
    users_[who].Wants([this] { return now_; });
  }

  void Take(size_t who) {
    held_ = true;
    if (since_[who] != 0) {
      waited_ += now_ - since_[who];
      most_ += now_ - came_[who];
      if (since_[who] == came_[who]) least_ += now_ - came_[who];
    }
    for (size_t other = 0; other < kThreads; ++other) {
      if (other != who && steps_[other] == kWants && since_[other] == 0) since_[other] = now_;
    }
    steps_[who] = kHas;
    users_[who].Has([this] { return now_; });
  }

  const bool hot_;
  std::mt19937* const random_;
  const std::unique_ptr<LockTable> table_ = std::make_unique<LockTable>();
  std::vector<User> users_;
  std::array<Step, kThreads> steps_{};      // all away
  std::array<uint64_t, kThreads> since_{};  // when the thread's wait began, 0: it has found nobody
  std::array<uint64_t, kThreads> came_{};   // when the thread began to want the lock
  bool held_ = false;
  uint64_t now_ = 1000;
  uint64_t waited_ = 0, least_ = 0, most_ = 0;
};

// Four hundred runs, a hundred of each kind.
TEST_F(LockTableTest, AnyOrderIsConserved) {
  std::mt19937 random(7);
  for (int run = 0; run < 400; ++run) {
    SCOPED_TRACE(run);
    DrawnRun drawn(run, &random);
    drawn.Run();
    drawn.ExpectConserved();
    if (HasFatalFailure()) return;
  }
}

uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

enum class Users { kExact, kQuick, kHot };

class LockTableThreadsTest : public LockTableTest, public ::testing::WithParamInterface<Users> {
 protected:
  // Threads use these locks at random. With `destroys` the table is told now and then that a lock is destroyed. It may
  // be told so of any lock.
  void Use(const std::vector<uint64_t>& locks, unsigned threads, bool destroys);
};

void LockTableThreadsTest::Use(const std::vector<uint64_t>& locks, unsigned threads, bool destroys) {
  constexpr int kRounds = 20000;
  std::vector<std::atomic<bool>> taken(locks.size());
  std::vector<int64_t> guarded(locks.size());
  std::atomic<uint64_t> waited{0}, charged{0}, measured{0}, unmeasured{0};
  std::vector<std::thread> running;
  for (unsigned seed = 0; seed < threads; ++seed) {
    running.emplace_back([&, seed] {
      std::mt19937 random(seed);
      uint64_t inside = 0;
      std::vector<User> users;
      for (const uint64_t lock : locks)
        users.emplace_back(table_.get(), lock, GetParam() != Users::kExact, GetParam() == Users::kHot);
      for (int i = 0; i < kRounds; ++i) {
        const size_t lock = random() % locks.size();
        const uint64_t begin = NowNs();
        users[lock].Wants(NowNs);
        while (taken[lock].exchange(true, std::memory_order_acquire)) std::this_thread::yield();
        users[lock].Has(NowNs);
        inside += NowNs() - begin;
        for (unsigned work = random() % 200; work > 0; --work) guarded[lock] = guarded[lock] + 1;
        if (random() % 4000 == 0) std::this_thread::yield();
        taken[lock].store(false, std::memory_order_release);
        if (random() % 64 == 0) std::this_thread::yield();
        users[lock].Released(NowNs);
        if (destroys && random() % 8 == 0) table_->Destroy(locks[random() % locks.size()]);
      }
      for (const User& user : users) {
        waited += user.waited();
        charged += user.charged();
        unmeasured += user.unmeasured();
        table_->AddHandoff(user.handoff());
      }
      measured += inside;
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_GT(waited, 0u);
  EXPECT_EQ(charged + Handoff(), waited);
  EXPECT_LE(waited, measured) << "no thread waits longer than it was away";
  // While a thread goes through a set, others may move from entries before its place to entries behind it.
  EXPECT_LE(unmeasured, threads * kRounds / 1000);
  for (const uint64_t lock : locks) {
    LockTable::Ticket ticket{};
    ASSERT_TRUE(table_->AcquireAlone(lock, &ticket)) << "nobody is left in the entry";
    ASSERT_NE(ticket.slot, 0u);
    table_->GiveUp(ticket);
  }
}

TEST_P(LockTableThreadsTest, AreConserved) { Use({kLock, kLock + 8, kLock + 16}, 8, /*destroys=*/false); }

// Six threads are at six locks at most. Each may have to drive out another lock for its entry.
TEST_P(LockTableThreadsTest, AreConservedAmongLocksOfOneSet) {
  Use(LocksOfOneSet(LockTable::kWays + 2), 6, /*destroys=*/true);
}

INSTANTIATE_TEST_SUITE_P(Users, LockTableThreadsTest, ::testing::Values(Users::kExact, Users::kQuick, Users::kHot));

}  // namespace
}  // namespace ompprof::collect
