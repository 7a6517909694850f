// The weights of task-clock samples. The signals are made up; the CPU clock is the thread's own.
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <memory>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kPeriod = 100000;

class TaskClockTest : public testing::Test {
 protected:
  TaskClockTest() {
    session.period = kPeriod;
    thread_->identity.tid = Tid();
    thread_->sampler.source = &kPerfTaskClock;
    thread_->sampler.event.fd = 1 << 20;  // no such descriptor
    thread_->sampler.event.on = true;
    thread_->sampler.last_clock = start_ = ThreadCpuNs();
  }

  // Runs for `ns` of CPU time, then a signal comes.
  uint64_t After(uint64_t ns, bool event) {
    const uint64_t until = ThreadCpuNs() + ns;
    while (ThreadCpuNs() < until) {
    }
    siginfo_t info;
    memset(&info, 0, sizeof(info));
    if (event) {
      info.si_code = POLL_IN;
      info.si_fd = thread_->sampler.event.fd;
    } else {
      info.si_code = SI_TIMER;
      info.si_value.sival_ptr = thread_.get();
    }
    uint32_t count = 0;
    const uint64_t weight = kPerfTaskClock.weigh(thread_.get(), &info, &count);
    EXPECT_EQ(count, 1u);
    given_ += weight;
    return weight;
  }

  // The given weight and the weight that the thread's end would add, against the clock at the last reading or now.
  void ExpectSumIsTheClock() {
    EXPECT_EQ(given_, thread_->sampler.last_clock - start_ + thread_->sampler.credited);
    EXPECT_LE(given_, ThreadCpuNs() - start_ + kPeriod);
  }

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  uint64_t start_ = 0;
  uint64_t given_ = 0;
};

TEST_F(TaskClockTest, TheWeightsAddUpToTheClock) {
  for (int i = 0; i < 200; ++i) {
    After(kPeriod + (i % 7) * 1000, /*event=*/true);
    ExpectSumIsTheClock();
  }
  EXPECT_GE(given_ + 16 * (7000 + kPeriod / 10), ThreadCpuNs() - start_) << "what is not settled yet is little";
}

TEST_F(TaskClockTest, OneSampleInSixteenReadsTheClock) {
  unsigned exact_periods = 0;
  for (int i = 0; i < 161; ++i) exact_periods += After(kPeriod + 1000, /*event=*/true) == kPeriod;
  EXPECT_EQ(exact_periods, 150u);
}

// The timer's signal received half a period, so the event after it must not receive a whole period.
TEST_F(TaskClockTest, ATimerSignalAndTheEventAfterItAreWeighedByTheClock) {
  After(kPeriod, true);
  After(kPeriod, true);
  EXPECT_NE(After(kPeriod / 2, false), kPeriod);
  EXPECT_NE(After(kPeriod / 2, true), kPeriod) << "the clock says how long it was, on a busy machine longer than half";
  EXPECT_EQ(thread_->sampler.credited, 0u);
  ExpectSumIsTheClock();
}

// No event signals time in the kernel. The timer's signal receives all of it.
TEST_F(TaskClockTest, TimeWithoutEventsGoesToTheTimersSignal) {
  After(kPeriod, true);
  After(kPeriod, true);
  EXPECT_GE(After(20 * kPeriod, false), 19 * kPeriod);
  ExpectSumIsTheClock();
}

TEST_F(TaskClockTest, AnExcessOfWeightIsTakenBack) {
  After(kPeriod, true);
  for (int i = 0; i < 10; ++i) After(0, true);  // ten periods within no time
  EXPECT_GT(thread_->sampler.credited, 8 * kPeriod);
  EXPECT_EQ(After(kPeriod, false), 1u);
  while (thread_->sampler.credited > kPeriod / 2) After(kPeriod, false);
  ExpectSumIsTheClock();
}

// A real event. Its signal is queued as often as it is sent while it is blocked.
class RealTaskClockTest : public testing::Test {
 protected:
  static constexpr uint64_t kMillisecond = 1000000;

  void SetUp() override {
    if (!PerfTaskClockWorks()) GTEST_SKIP() << "perf_event_open gives no task-clock here";
    session.period = kMillisecond;
    session.tick_ns = KernelTickNs();
    session.config.signal = SIGRTMIN + 3;
    sigemptyset(&signal_);
    sigaddset(&signal_, session.config.signal);
    pthread_sigmask(SIG_BLOCK, &signal_, nullptr);
    thread_->identity.tid = Tid();
    thread_->sampler.source = &kPerfTaskClock;
    ASSERT_EQ(kPerfTaskClock.create(thread_.get()), nullptr);
    created_ = true;
  }

  void TearDown() override {
    if (created_) kPerfTaskClock.destroy(thread_.get());
    Take();
  }

  // Runs for that many periods of CPU time.
  static void Run(uint64_t periods) {
    const uint64_t until = ThreadCpuNs() + periods * kMillisecond;
    while (ThreadCpuNs() < until) {
      for (volatile int i = 0; i < 20000; i = i + 1) {  // in the kernel no event comes
      }
    }
  }

  struct Taken {
    unsigned events = 0;
    unsigned ticks = 0;
    siginfo_t event;
    siginfo_t tick;
  };

  // The signals that are pending.
  Taken Take() {
    Taken taken;
    siginfo_t info;
    const timespec now = {0, 0};
    while (sigtimedwait(&signal_, &info, &now) > 0) {
      const bool tick = info.si_code == SI_TIMER;
      (tick ? taken.tick : taken.event) = info;
      ++(tick ? taken.ticks : taken.events);
    }
    return taken;
  }

  void Weigh(siginfo_t info) {
    uint32_t count = 0;
    kPerfTaskClock.weigh(thread_.get(), &info, &count);
  }

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  sigset_t signal_;
  bool created_ = false;
};

TEST_F(RealTaskClockTest, InterruptsAThreadThatBlocksTheSignalOnceOnly) {
  kPerfTaskClock.arm(thread_.get());
  Run(40);
  const Taken blocked = Take();
  EXPECT_EQ(blocked.events, 1u);
  EXPECT_GE(blocked.ticks, 1u);
  Run(20);
  EXPECT_EQ(Take().events, 0u);
  Weigh(blocked.event);  // now the signal is heard
  Run(40);
  EXPECT_GE(Take().events, 10u);
}

TEST_F(RealTaskClockTest, GoesOnThoughTheFirstSignalOfTheEventWasLost) {
  kPerfTaskClock.arm(thread_.get());
  Run(40);
  const Taken blocked = Take();
  ASSERT_GE(blocked.ticks, 1u);
  Weigh(blocked.tick);
  Run(2);
  const Taken again = Take();
  ASSERT_EQ(again.events, 1u);
  Weigh(again.event);
  Run(40);
  EXPECT_GE(Take().events, 10u);
}

TEST_F(RealTaskClockTest, GoesOnAfterAPauseInTheFirstPeriod) {
  for (int i = 0; i < 3; ++i) {
    kPerfTaskClock.arm(thread_.get());
    kPerfTaskClock.disarm(thread_.get());
  }
  kPerfTaskClock.arm(thread_.get());
  unsigned events = 0;
  for (int i = 0; i < 60; ++i) {
    Run(1);
    const Taken taken = Take();
    events += taken.events;
    if (taken.events != 0) Weigh(taken.event);
  }
  EXPECT_GE(events, 20u);
}

}  // namespace
}  // namespace ompprof::collect
