// The instants of a thread. The timer is real, and its signal is blocked. Signals are made up.
#include "profiler/collect/sampling/source.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "profiler/collect/arch/code.h"
#include "profiler/collect/arch/registers.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kPeriod = 1000000;

class OnCpuTimerTest : public testing::Test {
 protected:
  void SetUp() override {
    session.period = kPeriod;
    session.tick_ns = KernelTickNs();
    session.config.signal = SIGRTMIN + 3;
    session.collecting.store(true);
    session.asleep_signals.Reset();
    sigemptyset(&signal_);
    sigaddset(&signal_, session.config.signal);
    pthread_sigmask(SIG_BLOCK, &signal_, nullptr);
    thread_->identity.tid = Tid();
    thread_->sampler.source = &kOnCpuTimer;
    thread_->sampler.armed = true;
    ASSERT_EQ(kOnCpuTimer.create(thread_.get()), nullptr);
    kOnCpuTimer.arm(thread_.get());
  }

  void TearDown() override {
    thread_->sampler.source->destroy(thread_.get());
    this_thread = nullptr;
    Take();
    session.collecting.store(false);
  }

  ThreadInstants& instants() { return thread_->sampler.instants; }

  // How many signals are pending.
  unsigned Take() {
    unsigned taken = 0;
    const timespec now = {0, 0};
    while (sigtimedwait(&signal_, nullptr, &now) > 0) ++taken;
    return taken;
  }

  // The timer's signal comes `delay_ns` after the instant. The thread was off its processor for `off_processor_ns` of
  // the time since the signal before, a period before the instant.
  uint64_t Weigh(uint64_t delay_ns, uint64_t off_processor_ns, const ucontext_t& context) {
    const Memory before(instants());
    const uint64_t off_before = OffProcessorNs();
    const uint64_t weight = WeighNow(delay_ns, off_processor_ns, context);
    if (OffProcessorNs() - off_before > 10000) {  // the clocks that it read are not the ones that were made up
      before.Restore(&instants());
      session.asleep_signals.Reset();
      Take();
      return Weigh(delay_ns, off_processor_ns, context);
    }
    if (in_handler_) in_handler_();
    if (weight == 0) EndSleepSignal(thread_.get());
    return weight;
  }

  // What a signal leaves behind.
  struct Memory {
    explicit Memory(const ThreadInstants& instants)
        : mean_ns(instants.mean_ns),
          yields(instants.yields),
          switches(instants.switches),
          yield_ns(instants.yield_ns),
          yields_ns(instants.yields_ns),
          usual_delay_ns(instants.usual_delay_ns),
          late_ns(instants.late_ns),
          unbroken(instants.unbroken),
          asleep(instants.asleep) {}
    void Restore(ThreadInstants* instants) const {
      instants->mean_ns = mean_ns;
      instants->yields = yields;
      instants->switches = switches;
      instants->yield_ns = yield_ns;
      instants->yields_ns = yields_ns;
      instants->usual_delay_ns = usual_delay_ns;
      instants->late_ns = late_ns;
      instants->unbroken = unbroken;
      instants->asleep = asleep;
    }
    uint64_t mean_ns;
    bool yields;
    uint64_t switches, yield_ns, yields_ns, usual_delay_ns, late_ns, unbroken;
    uint32_t asleep;
  };

  static uint64_t OffProcessorNs() { return MonotonicNs() - ThreadCpuNs(); }

  uint64_t WeighNow(uint64_t delay_ns, uint64_t off_processor_ns, const ucontext_t& context) {
    const uint64_t cpu_ns = ThreadCpuNs();
    const uint64_t now = MonotonicNs();
    instants().on = true;
    instants().due_ns = now - delay_ns;
    instants().seen_ns = now - delay_ns - kPeriod;
    instants().seen_cpu_ns = cpu_ns - (kPeriod + delay_ns - off_processor_ns);
    siginfo_t info;
    memset(&info, 0, sizeof(info));
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = thread_.get();
    uint32_t count = 0;
    return kOnCpuTimer.weigh(thread_.get(), &info, &context, &count);
  }

  // A signal without time off the processor is a sample that stands for `times` the mean time between instants and the
  // time from the instant to the handler.
  void ExpectSample(uint64_t mean, uint64_t delay_ns, const ucontext_t& context, uint64_t times = 1) {
    const uint64_t begin = MonotonicNs();
    const uint64_t weight = Weigh(delay_ns, 0, context);
    const uint64_t lasted = MonotonicNs() - begin;
    EXPECT_GE(weight, times * (mean + delay_ns));
    EXPECT_LE(weight, times * (mean + delay_ns + lasted));
  }

  // A signal finds the thread asleep, in a process that has few of those.
  uint64_t Sleep() {
    const uint64_t weight = Weigh(3000, 500000, At(system_call_, SYS_futex));
    session.asleep_signals.Reset();
    return weight;
  }

  static ucontext_t At(const void* code, long result) {
    ucontext_t context;
    memset(&context, 0, sizeof(context));
    context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(code);
    context.uc_mcontext.gregs[REG_RAX] = result;
    return context;
  }

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  std::function<void()> in_handler_;  // the rest of the handler
  sigset_t signal_;
  const uint8_t user_code_[4] = {0x90, 0x90, 0x90, 0x90};
  const uint8_t system_call_[4] = {0x0f, 0x05, 0x90, 0x90};
};

// The times between instants are exponential: as many are in each tenth of the
// distribution.
TEST_F(OnCpuTimerTest, InstantsAreAPoissonProcess) {
  std::vector<unsigned> in_tenth(10);
  constexpr unsigned kInstants = 20000;
  double sum = 0;
  for (unsigned i = 0; i < kInstants; ++i) {
    WeighNow(1000, 0, At(user_code_, 0));
    const double periods = static_cast<double>(instants().due_ns - instants().seen_ns) / kPeriod;
    ++in_tenth[static_cast<size_t>(10 * (1 - std::exp(-periods)))];
    sum += periods;
  }
  EXPECT_NEAR(sum / kInstants, 1, 0.03);
  // Chi-squared with 9 degrees of freedom: above 40 once in 100,000.
  double chi = 0;
  for (const unsigned count : in_tenth)
    chi += (count - kInstants / 10.0) * (count - kInstants / 10.0) / (kInstants / 10.0);
  EXPECT_LT(chi, 40);
}

TEST_F(OnCpuTimerTest, AThreadOnItsProcessorIsSampled) { ExpectSample(kPeriod, 3000, At(user_code_, 0)); }

// It was in the kernel for 300 us, and had a processor all the time. No instant could come meanwhile.
TEST_F(OnCpuTimerTest, ALateSignalInTheKernelIsASample) { ExpectSample(kPeriod, 300000, At(system_call_ + 2, 17)); }

// Signals that come soon tell that the thread loses its processor between most of them. Then the clocks prove few of
// the late ones, which stand for the others. Eight times is the most.
TEST_F(OnCpuTimerTest, ALateSignalStandsForThoseThatAreNotProved) {
  ExpectSample(kPeriod, 300000, At(system_call_ + 2, 17));
  for (int i = 0; i < 100; ++i) Weigh(3000, 200000, At(user_code_, 0));
  ExpectSample(kPeriod, 300000, At(system_call_ + 2, 17));  // this loss hides none of 300 us
  for (int i = 0; i < 100; ++i) Weigh(3000, 500000, At(user_code_, 0));
  ExpectSample(kPeriod, 300000, At(system_call_ + 2, 17), 8);
}

TEST_F(OnCpuTimerTest, AThreadThatHadLostItsProcessorIsNot) {
  EXPECT_EQ(Weigh(2000000, 2500000, At(user_code_, 0)), 0u);
  EXPECT_TRUE(instants().on) << "the next instant is set";
}

// It had lost its processor before, and had it again at the instant.
TEST_F(OnCpuTimerTest, APunctualSignalAfterALossIsASample) {
  EXPECT_EQ(Weigh(3000, 500000, At(user_code_, 0)), kPeriod);
}

// The work timer's signal tells that a sleep has ended. Until then, 64 ms lie between two instants.
TEST_F(OnCpuTimerTest, WorkEndsALongSleep) {
  for (int i = 0; i < 100; ++i) Sleep();
  ASSERT_TRUE(thread_->sampler.work.on);
  siginfo_t info;
  const timespec now = {0, 0};
  const uint64_t begin_cpu = ThreadCpuNs();
  while (sigtimedwait(&signal_, &info, &now) < 0 || !FromWorkTimer(thread_.get(), &info))
    ASSERT_LT(ThreadCpuNs(), begin_cpu + 1000000000) << "no signal";
  uint32_t count = 0;
  EXPECT_EQ(kOnCpuTimer.weigh(thread_.get(), &info, nullptr, &count), 0u);
  EXPECT_EQ(instants().mean_ns, kPeriod);
  EXPECT_EQ(instants().asleep, 0u);
}

TEST_F(OnCpuTimerTest, AThreadAsleepIsNotSampledAndIsWokenLessOften) {
  EXPECT_EQ(Sleep(), 0u);
  EXPECT_EQ(instants().mean_ns, kPeriod);
  for (int i = 0; i < 100; ++i) Sleep();
  EXPECT_EQ(instants().mean_ns, 64 * kPeriod);
  ExpectSample(kPeriod * 64, 3000, At(user_code_, 0));  // instants were 64 times as rare
  EXPECT_EQ(instants().mean_ns, kPeriod);
}

// 500 yields in 503 us of CPU time, all but an eighth of it in the kernel, are 440 of 1,000 us.
TEST_F(OnCpuTimerTest, SignalsBehindYieldsStandForTheYields) {
  uint8_t code[sizeof(arch::kYieldCall) + 4] = {};
  memcpy(code, arch::kYieldCall, sizeof(arch::kYieldCall));
  const ucontext_t context = At(code + sizeof(arch::kYieldCall), 0);
  const auto samples = [&](uint64_t yields) {
    int count = 0;
    for (int i = 0; i < 500; ++i) {
      rusage usage;
      getrusage(RUSAGE_THREAD, &usage);
      instants().asleep = 0;
      instants().mean_ns = kPeriod;
      instants().yields = true;
      instants().yield_ns = 2000;
      instants().yields_ns = 0;
      instants().switches = static_cast<uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw) - yields;
      count += Weigh(3000, 500000, context) != 0 ? 1 : 0;
    }
    return count;
  };
  EXPECT_NEAR(samples(500), 220, 6 * 11);
  EXPECT_LT(samples(0), 10) << "it has just been woken, or had lost its processor once";
}

// Sleeps before the first yield tell nothing about what a yield takes.
TEST_F(OnCpuTimerTest, TheFirstSignalBehindAYieldCountsNothing) {
  uint8_t code[sizeof(arch::kYieldCall) + 4] = {};
  memcpy(code, arch::kYieldCall, sizeof(arch::kYieldCall));
  for (int i = 0; i < 1000; ++i) usleep(1);
  EXPECT_EQ(Weigh(3000, 500000, At(code + sizeof(arch::kYieldCall), 0)), 0u);
  EXPECT_TRUE(instants().yields);
  EXPECT_EQ(instants().yield_ns, 2000u);
  EXPECT_EQ(instants().yields_ns, 0u);
}

// After each signal, a thread that sleeps leaves its processor once.
TEST_F(OnCpuTimerTest, SleepsThatTheHandlerCausesDoNotCount) {
  const auto sleep = [] { usleep(100); };
  const auto signals = [&](int count, int sleeps) {
    for (int i = 0; i < count; ++i) {
      for (int each = 0; each < sleeps; ++each) sleep();
      Weigh(3000, 500000, At(system_call_, SYS_futex));
    }
    return instants().asleep;
  };
  EXPECT_EQ(signals(20, 1), 20u);
  EXPECT_LE(signals(1, 2), 1u) << "it worked meanwhile";
  in_handler_ = sleep;
  EXPECT_GE(signals(20, 1), 20u) << "the handler waits for the process's memory";
}

// The sleep has the weight that a sample would have, and the time until the signal came.
TEST_F(OnCpuTimerTest, SleepInAFutexIsTold) {
  const auto slept = [&](const void* code, long result, greg_t operation, uint64_t off_processor_ns) {
    ucontext_t context = At(code, result);
    context.uc_mcontext.gregs[REG_RSI] = operation;
    thread_->sampler.slept_ns = 0;
    Weigh(30000, off_processor_ns, context);
    instants().asleep = 0;
    return thread_->sampler.slept_ns;
  };
  constexpr greg_t kWait = 0x80;  // FUTEX_WAIT | FUTEX_PRIVATE_FLAG
  EXPECT_GE(slept(system_call_, SYS_futex, kWait, 500000), kPeriod + 30000);
  EXPECT_GE(slept(system_call_, SYS_restart_syscall, kWait, 500000), kPeriod + 30000) << "with a timeout";
  EXPECT_EQ(slept(system_call_, SYS_futex, kWait, 0), 0u) << "on its way into the sleep";
  EXPECT_EQ(slept(system_call_, SYS_futex, 0x81, 500000), 0u) << "it wakes others";
  EXPECT_EQ(slept(system_call_, SYS_read, 0, 500000), 0u) << "another call";
  EXPECT_EQ(slept(user_code_, 0, kWait, 500000), 0u);
}

// It has just been woken, too late for the instant.
TEST_F(OnCpuTimerTest, AThreadThatIsWokenWasInTheFutex) {
  ucontext_t context = At(system_call_ + 2, 0);
  context.uc_mcontext.gregs[REG_RSI] = 0x80;
  EXPECT_EQ(Weigh(300000, 500000, context), 0u);
  EXPECT_GE(thread_->sampler.slept_ns, kPeriod + 300000);
  EXPECT_LT(thread_->sampler.slept_ns, 100 * kPeriod);
}

TEST_F(OnCpuTimerTest, ATimedFutexIsAsleep) {
  ucontext_t context = At(system_call_ + 2, -EINTR);
  context.uc_mcontext.gregs[REG_RSI] = 0x189;  // FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME
  EXPECT_EQ(Weigh(3000, 500000, context), 0u);
  EXPECT_EQ(thread_->sampler.source, &kOnCpuTimer);
}

// A call that libc's wrappers do not know has failed. It is the thread's last.
TEST_F(OnCpuTimerTest, AThreadWhoseCallFailedIsLeftToTheTick) {
  ucontext_t context = At(system_call_ + 2, -EINTR);
  context.uc_mcontext.gregs[REG_RSI] = 4096;
  EXPECT_EQ(Weigh(3000, 500000, context), 0u);
  EXPECT_EQ(thread_->sampler.source, &kClockedCpuTimer);
}

TEST_F(OnCpuTimerTest, NoSignalComesInASleepingCall) {
  this_thread = thread_.get();
  {
    const SleepingCall sleeping(&nanosleep);
    EXPECT_FALSE(instants().on);
    Take();
    { const SleepingCall of_a_handler(&nanosleep); }
    EXPECT_FALSE(instants().on) << "the outer call goes on";
    const timespec pause = {0, 5 * kPeriod};
    nanosleep(&pause, nullptr);
    EXPECT_EQ(Take(), 0u);
    instants().due_ns = MonotonicNs() + 1000 * kPeriod;  // a sample of the call would need a collector
  }
  EXPECT_TRUE(instants().on);
  {
    const SleepingCall returns_at_once(&nanosleep, false);
    EXPECT_TRUE(instants().on);
  }
}

TEST_F(OnCpuTimerTest, AJumpOutOfSleepingCallsEndsThem) {
  BeginSleepingCall(thread_.get());
  BeginSleepingCall(thread_.get());
  LeaveSleepingCalls(thread_.get());
  EXPECT_TRUE(instants().on);
  EXPECT_EQ(instants().calls, 0);
}

TEST_F(OnCpuTimerTest, PausesDoNotCount) {
  const uint64_t from = instants().counts_from.load();
  kOnCpuTimer.disarm(thread_.get());
  const uint64_t until = instants().counts_until.load();
  EXPECT_GE(until, from);
  while (ThreadCpuNs() < until + kPeriod) {
  }
  kOnCpuTimer.arm(thread_.get());
  EXPECT_EQ(instants().counts_until.load(), 0u);
  EXPECT_GE(instants().counts_from.load(), from + kPeriod);
}

}  // namespace
}  // namespace ompprof::collect
