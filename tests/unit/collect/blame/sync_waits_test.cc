// The effect of a thread's wait events on its team and its counts, without a runtime.
#include "profiler/collect/blame/sync_waits.h"
#include "profiler/collect/thread/thread_state.h"

#include <gtest/gtest.h>
#include <omp-tools.h>

#include <memory>

#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/window_clock.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kMs = 1000000;
constexpr uint64_t kPlace = 0x4711;

// A thread in the implicit task of a team of two.
class SyncWaitsTest : public ::testing::Test {
 protected:
  SyncWaitsTest() {
    window_clock.Forget();
    session.collecting.store(true);
    session.period = 100000 * kMs;  // no wait is so long that its path is kept
    region_.session.store(region_session.load());
    region_.live.store(true);
    region_.codeptr_ra = 0x42;
    region_.team.Reset(2);
    region_.team.clock.Reset(MonotonicNs(), 0);
    region_.team.Begin(2);
    OpenTask* task = &thread_->tasks.open[0];
    task->region = MakeRef(&region_);
    task->team_size = 2;
    task->member = region_.team.member(0);
    task->membership.instance = region_.team.instance;
    task->quiet_stamp = kNeverQuiet;
    task->data = &implicit_;
    thread_->tasks.depth = 1;
    task->Publish(Participation::kWorking);
  }
  ~SyncWaitsTest() override {
    window_clock.Forget();
    session.collecting.store(false);
    session.period = 0;
  }

  void Estimate() {
    window_clock.Start(MonotonicNs() - 100 * kMs);
    region_.team.Estimate(MonotonicNs(), window_clock.Now(), 0);
  }
  void Wait(ompt_sync_region_t kind, const void* task) {
    WaitBegins(thread_.get(), kind, task, kPlace);
    WaitEnds(thread_.get(), task);
  }
  uint64_t Unobserved(fields::EventClass event_class) const {
    return thread_->waiting.costs.unobserved[event_class].load();
  }
  // Returns whether the team hears of the thread's taskwait.
  bool TellsOfTaskwait(const void* task) {
    WaitBegins(thread_.get(), ompt_sync_region_taskwait, task, kPlace);
    const bool tells = thread_->tasks.open[0].membership.participation == Participation::kWaitingForTask;
    EXPECT_EQ(thread_->waiting.stack.kind(), ompt_sync_region_taskwait) << "the handler is to know";
    WaitEnds(thread_.get(), task);
    EXPECT_TRUE(Works(thread_->tasks.open[0].membership.participation));
    return tells;
  }
  // Expects the waits' sum between two bounds by the clock `now`, which hold however long the thread has no processor.
  void ExpectTimesOf(uint64_t (*now)()) {
    uint64_t least = 0;
    uint64_t most = 0;
    for (int i = 0; i < 100; ++i) {
      const uint64_t before = now();
      WaitBegins(thread_.get(), ompt_sync_region_barrier_explicit, &implicit_, kPlace);
      const uint64_t begin = now();
      while (now() < begin + kMs / 4) continue;
      const uint64_t end = now();
      WaitEnds(thread_.get(), &implicit_);
      least += end - begin;
      most += now() - before;
    }
    ASSERT_NE(Counts(), nullptr);
    EXPECT_GE(Counts()->total_ns.load(), least);
    EXPECT_LE(Counts()->total_ns.load(), most);
  }
  WaitCounts* Counts() { return thread_->waiting.stats != nullptr ? thread_->waiting.stats->entry(0) : nullptr; }

  RegionRecord region_{};
  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  ompt_data_t implicit_{}, task_{}, other_{};
};

// Kinds of waits that the runtime is vague about. They take the long way.
TEST_F(SyncWaitsTest, EventsBeforeAPlannedWindowAreNotObserved) {
  Estimate();
  Wait(ompt_sync_region_barrier_implicit, &implicit_);
  EXPECT_EQ(Unobserved(fields::kClassBarrier), 2u) << "the clock stands still";
  window_clock.Plan(MonotonicNs() + 100000 * kMs, kMs);
  ASSERT_FALSE(window_clock.IsStill());
  Wait(ompt_sync_region_barrier_implicit, &implicit_);
  EXPECT_EQ(Unobserved(fields::kClassBarrier), 4u) << "the window has not begun";
}

TEST_F(SyncWaitsTest, TasksBeforeAPlannedWindowAreNotObserved) {
  Estimate();
  // After a wait from before the last window, the task's begin takes the long way.
  WaitBegins(thread_.get(), ompt_sync_region_taskwait, &implicit_, kPlace);
  window_clock.Plan(MonotonicNs() - 20 * kMs, kMs);
  window_clock.Now();
  window_clock.Plan(MonotonicNs() + 100000 * kMs, kMs);
  TaskSwitches(thread_.get(), &implicit_, &task_);
  EXPECT_EQ(Unobserved(fields::kClassTask), 2u);
}

TEST_F(SyncWaitsTest, EventsInAWindowAreObserved) {
  Estimate();
  window_clock.Plan(MonotonicNs() - kMs, 100000 * kMs);
  ASSERT_EQ(window_clock.Read().number % 2, 1u);
  Wait(ompt_sync_region_barrier_implicit, &implicit_);
  Wait(ompt_sync_region_taskwait, &implicit_);
  EXPECT_EQ(Unobserved(fields::kClassBarrier) + Unobserved(fields::kClassTaskWait), 0u);
}

TEST_F(SyncWaitsTest, EachWaitTakesTheTimeBetweenItsEvents) { ExpectTimesOf(QuickNs); }

TEST_F(SyncWaitsTest, AnEstimatedWaitTakesTheWindowClocksTime) {
  window_clock.Start(MonotonicNs() - 10000 * kMs);
  region_.team.Estimate(MonotonicNs(), window_clock.Now(), 0);
  window_clock.Plan(MonotonicNs(), 5000 * kMs);
  ASSERT_GT(window_clock.Speed(), 2.9);
  ExpectTimesOf([] { return window_clock.Now(); });
}

// libomp 8 tells no kind of barrier.
TEST_F(SyncWaitsTest, ABarrierOfTheRegionsAddressIsTheRegionsEnd) {
  WaitBegins(thread_.get(), ompt_sync_region_barrier, &implicit_, kPlace);
  EXPECT_EQ(thread_->waiting.stack.kind(), ompt_sync_region_barrier);
  WaitEnds(thread_.get(), &implicit_);
  WaitBegins(thread_.get(), ompt_sync_region_barrier, &implicit_, region_.codeptr_ra);
  EXPECT_EQ(thread_->waiting.stack.kind(), ompt_sync_region_barrier_implicit_parallel);
  WaitEnds(thread_.get(), &implicit_);
}

TEST_F(SyncWaitsTest, NothingIsWaitedForByATaskThatMadeNone) {
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(TellsOfTaskwait(&implicit_));
  ASSERT_NE(Counts(), nullptr);
  EXPECT_EQ(Counts()->count.load(), 10u) << "they are counted all the same";
  EXPECT_EQ(Counts()->total_ns.load(), 0u);
  TaskMade(thread_.get(), ompt_task_explicit);
  EXPECT_TRUE(TellsOfTaskwait(&implicit_));
  EXPECT_FALSE(TellsOfTaskwait(&implicit_)) << "by then all are done";
  EXPECT_EQ(Counts()->count.load(), 12u);
}

TEST_F(SyncWaitsTest, ATaskWaitsForItsOwnOnly) {
  TaskMade(thread_.get(), ompt_task_explicit);
  TaskSwitches(thread_.get(), &implicit_, &task_);
  EXPECT_FALSE(TellsOfTaskwait(&task_));
  TaskMade(thread_.get(), ompt_task_explicit);
  EXPECT_TRUE(TellsOfTaskwait(&task_));
  TaskEnds(thread_.get(), &task_);
  EXPECT_TRUE(TellsOfTaskwait(&implicit_)) << "a task's taskwait says nothing of its siblings";
}

TEST_F(SyncWaitsTest, WhoseTaskIsNotKnownIsToldOf) {
  EXPECT_TRUE(TellsOfTaskwait(&other_));
  TaskSwitches(thread_.get(), &implicit_, &task_);
  EXPECT_TRUE(TellsOfTaskwait(&other_));
}

// If a thread executes a task in such a taskwait, there was something to wait for.
TEST_F(SyncWaitsTest, ATaskInATaskwaitMakesItAWait) {
  WaitBegins(thread_.get(), ompt_sync_region_taskwait, &implicit_, kPlace);
  TaskSwitches(thread_.get(), &implicit_, &task_);
  EXPECT_EQ(thread_->tasks.open[0].membership.participation, Participation::kExecutingTask);
  TaskEnds(thread_.get(), &task_);
  EXPECT_EQ(thread_->tasks.open[0].membership.participation, Participation::kWaitingForTask);
  WaitEnds(thread_.get(), &implicit_);
  EXPECT_EQ(thread_->tasks.open[0].membership.participation, Participation::kWorking);
  EXPECT_EQ(Counts()->count.load(), 1u);
}

// This test comes last: the process remembers that there are untied tasks.
TEST_F(SyncWaitsTest, PartsOfUntiedTasksMayHaveMadeTasksElsewhere) {
  TaskMade(thread_.get(), ompt_task_explicit | ompt_task_untied);
  TaskSwitches(thread_.get(), &implicit_, &task_);
  EXPECT_TRUE(TellsOfTaskwait(&task_));
}

}  // namespace
}  // namespace ompprof::collect
