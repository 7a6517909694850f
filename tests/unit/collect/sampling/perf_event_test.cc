// A perf event that counts the thread's CPU time, and its signals.
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

// A real event. Its signal is queued as often as it is sent while it is blocked.
class PerfEventTest : public testing::Test {
 protected:
  static constexpr uint64_t kMillisecond = 1000000;

  void SetUp() override {
    char error[256];
    session.config.frequency = 1000;
    if (!SelectPerfEvent("task-clock", error, sizeof(error))) GTEST_SKIP() << error;
    session.tick_ns = KernelTickNs();
    session.config.signal = SIGRTMIN + 3;
    sigemptyset(&signal_);
    sigaddset(&signal_, session.config.signal);
    pthread_sigmask(SIG_BLOCK, &signal_, nullptr);
    thread_->identity.tid = Tid();
    thread_->sampler.source = &kPerfEvent;
    ASSERT_EQ(kPerfEvent.create(thread_.get()), nullptr);
    created_ = true;
  }

  void TearDown() override {
    if (created_) kPerfEvent.destroy(thread_.get());
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
    kPerfEvent.weigh(thread_.get(), &info, nullptr, &count);
  }

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  sigset_t signal_;
  bool created_ = false;
};

TEST_F(PerfEventTest, InterruptsAThreadThatBlocksTheSignalOnceOnly) {
  kPerfEvent.arm(thread_.get());
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

TEST_F(PerfEventTest, GoesOnThoughTheFirstSignalOfTheEventWasLost) {
  kPerfEvent.arm(thread_.get());
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

TEST_F(PerfEventTest, GoesOnAfterAPauseInTheFirstPeriod) {
  for (int i = 0; i < 3; ++i) {
    kPerfEvent.arm(thread_.get());
    kPerfEvent.disarm(thread_.get());
  }
  kPerfEvent.arm(thread_.get());
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
