// The source of samples by wall time. A sample is taken at random instants (random_instants.h), whether the thread
// works, sleeps or waits for a processor. The signals of threads that sleep wake them, so such threads have fewer
// instants.
#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/interrupted_call.h"
#include "profiler/collect/sampling/random_instants.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {
namespace {

uint64_t Weigh(ThreadState* thread, const siginfo_t* info, const ucontext_t* context, uint32_t* count) {
  ThreadInstants& instants = thread->sampler.instants;
  if (!FromTimer(thread, info) || !instants.on) return 0;
  if (FromWorkTimer(thread, info)) {
    WorkAfterSleep(thread);
    return 0;
  }
  const uint64_t now = MonotonicNs();
  if (now < instants.due_ns) return 0;  // the signal of an instant that was given up
  // The time from an instant to its signal has no instants.
  const uint64_t weight = instants.mean_ns + (now - instants.due_ns);
  const Call call = context != nullptr ? InterruptedCall(*context) : Call::kNone;
  if (call == Call::kGoesOn || call == Call::kFailed) {
    // After a signal the thread goes back to its sleep once.
    const uint64_t sleeps = KernelWorkOfThread().left;
    const uint64_t cpu_ns = ThreadCpuNs();
    CountSleep(thread, now, cpu_ns, instants.asleep == 0 || sleeps - instants.sleeps <= 1);
    instants.seen_cpu_ns = cpu_ns;
  } else {
    instants.asleep = 0;
  }
  ToNextInstant(thread, now);
  *count = 1;
  return weight;
}

void Arm(ThreadState* thread) {
  const uint64_t now = MonotonicNs();
  thread->sampler.instants.CountFrom(now);
  BeginInstants(thread, now, /*cpu_ns=*/0);
}

void Disarm(ThreadState* thread) {
  EndInstants(thread);
  thread->sampler.instants.CountUntil(MonotonicNs());
}

bool Suspend(ThreadState* thread) {
  if (!EndInstants(thread)) return false;
  thread->sampler.mask.begin_clock = MonotonicNs();
  return true;
}

// Time with the signal blocked is time like any other: the next sample has it.
bool Resume(ThreadState* thread) {
  const uint64_t now = MonotonicNs();
  if (thread->sampler.instants.random == 0) {  // the thread began with the signal blocked
    thread->sampler.instants.CountFrom(thread->sampler.mask.begin_clock);
    BeginInstants(thread, now, /*cpu_ns=*/0);
  } else {
    ToNextInstant(thread, now);
  }
  if (!thread->sampler.instants.on) return false;
  thread->sampler.carried_weight += now - thread->sampler.mask.begin_clock;
  return true;
}

void Repace(ThreadState*) {}  // each instant asks for the period

}  // namespace

constexpr Source kWallTimer = [] {
  Source source{};
  source.name = "wall-timer";
  source.weight_unit = "nanoseconds";
  source.weight = WeightKind::kWallTime;
  source.fires_asleep = true;
  source.any_thread = true;
  source.scales = true;
  source.create = CreateInstants;
  source.destroy = DestroyInstants;
  source.arm = Arm;
  source.disarm = Disarm;
  source.weigh = Weigh;
  source.suspend = Suspend;
  source.resume = Resume;
  source.repace = Repace;
  return source;
}();

}  // namespace ompprof::collect
