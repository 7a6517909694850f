// The instants of a thread. The timer is real, and its signal is blocked. Signals are made up.
#include "profiler/collect/sampling/source.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmath>
#include <memory>
#include <vector>

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
    const uint64_t now = MonotonicNs();
    instants().on = true;
    instants().due_ns = now - delay_ns;
    instants().seen_ns = now - delay_ns - kPeriod;
    instants().seen_cpu_ns = ThreadCpuNs() - (kPeriod + delay_ns - off_processor_ns);
    siginfo_t info;
    memset(&info, 0, sizeof(info));
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = thread_.get();
    uint32_t count = 0;
    return kOnCpuTimer.weigh(thread_.get(), &info, &context, &count);
  }

  static ucontext_t At(const void* code, long result) {
    ucontext_t context;
    memset(&context, 0, sizeof(context));
    context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(code);
    context.uc_mcontext.gregs[REG_RAX] = result;
    return context;
  }

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
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
    Weigh(1000, 0, At(user_code_, 0));
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

TEST_F(OnCpuTimerTest, AThreadOnItsProcessorIsSampled) { EXPECT_EQ(Weigh(3000, 0, At(user_code_, 0)), kPeriod); }

// It was in the kernel for 300 us, and had a processor all the time.
TEST_F(OnCpuTimerTest, ALateSignalInTheKernelIsASample) {
  EXPECT_EQ(Weigh(300000, 0, At(system_call_ + 2, 17)), kPeriod);
}

TEST_F(OnCpuTimerTest, AThreadThatHadLostItsProcessorIsNot) {
  EXPECT_EQ(Weigh(2000000, 2500000, At(user_code_, 0)), 0u);
  EXPECT_TRUE(instants().on) << "the next instant is set";
}

// It had lost its processor before, and had it again at the instant.
TEST_F(OnCpuTimerTest, APunctualSignalAfterALossIsASample) {
  EXPECT_EQ(Weigh(3000, 500000, At(user_code_, 0)), kPeriod);
}

TEST_F(OnCpuTimerTest, AThreadAsleepIsNotSampledAndIsWokenLessOften) {
  EXPECT_EQ(Weigh(3000, 500000, At(system_call_, SYS_futex)), 0u);
  EXPECT_EQ(instants().mean_ns, kPeriod);
  for (int i = 0; i < 100; ++i) Weigh(3000, 500000, At(system_call_, SYS_futex));
  EXPECT_EQ(instants().mean_ns, 64 * kPeriod);
  EXPECT_EQ(Weigh(3000, 0, At(user_code_, 0)), kPeriod * 64) << "instants were 64 times as rare";
  EXPECT_EQ(instants().mean_ns, kPeriod);
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
