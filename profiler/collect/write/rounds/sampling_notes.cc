#include "profiler/collect/write/rounds/sampling_notes.h"

#include <stdio.h>
#include <string.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/sample_limits.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {
namespace {

// Less is usual in any program, because programs block signals around a call now and then.
constexpr uint64_t kLeastMaskedNs = 20000000;

struct Reason {
  Cut cut;
  const char* sentence;  // follows "N samples"
};
constexpr Reason kReasons[kCuts] = {
    {Cut::kTasks, "too many tasks lay within each other"},
    {Cut::kCircle, "the runtime's chain of tasks led back into itself"},
    {Cut::kSlow, "the runtime took too long to answer and was not asked"},
    {Cut::kFrames, "the stack was too deep for one sample"},
    {Cut::kTables, "the code's unwind tables took too long"},
    {Cut::kTree, "the call path was too long and new"},
};

void AddCutNote(const CutSamples& cut) {
  char list[400];
  size_t length = 0;
  for (const Reason& reason : kReasons) {
    const uint64_t count = cut.samples[static_cast<uint32_t>(reason.cut)];
    if (count == 0) continue;
    const int added = snprintf(list + length, sizeof(list) - length, "%s%s (%llu)", length != 0 ? ", " : "",
                               reason.sentence, static_cast<unsigned long long>(count));
    if (added < 0 || static_cast<size_t>(added) >= sizeof(list) - length) break;
    length += static_cast<size_t>(added);
  }
  if (length != 0) AddNote("some samples were cut short, to keep each sample within 0.1 ms: %s", list);
}

}  // namespace

void CutSamples::Add(const SampleLimits& limits) {
  for (uint32_t i = 0; i < kCuts; ++i) samples[i] += limits.cut[i].load(std::memory_order_relaxed);
}

void MaskedTime::Add(const ThreadState& thread) {
  uint64_t of_thread = thread.sampler.mask.cpu_ns.load(std::memory_order_relaxed);
  if (thread.sampler.mask.blocks() && session.source->weight != WeightKind::kWallTime) {
    const bool live = thread.lifecycle.load(std::memory_order_acquire) == ThreadState::kLive;
    const uint64_t now = live ? ClockNs(ThreadCpuClock(thread.identity.tid))
                              : thread.identity.end_cpu_ns.load(std::memory_order_relaxed);
    if (now > thread.sampler.mask.begin_clock) of_thread += now - thread.sampler.mask.begin_clock;
  }
  ns += of_thread;
  if (of_thread <= most_ns) return;
  most_ns = of_thread;
  most_id = thread.identity.id;
  memcpy(most_name, thread.identity.name, sizeof(most_name));
}

void AddSamplingNotes(const CutSamples& cut, const MaskedTime& masked) {
  AddCutNote(cut);
  const uint32_t slow = session.slow_threads.load(std::memory_order_relaxed);
  if (slow != 0)
    AddNote(
        "%u threads were sampled at the kernel's tick only, at most %u times a second. They slept in system calls that "
        "a signal ends, and made these calls without libc. Beside other programs their shares may be wrong",
        slow, 1000000000u / session.tick_ns);
  const uint64_t unsampled = session.unsampled_handlers_ns.load(std::memory_order_relaxed);
  if (unsampled != 0)
    AddNote(
        "signal handlers on alternate stacks of less than %zu bytes took some %.3f s of CPU time. They cannot be "
        "sampled, and are in <not sampled: signal handler>",
        RoomForTwo(), static_cast<double>(unsampled) * 1e-9);
  const uint32_t paced = session.paced_threads.load(std::memory_order_relaxed);
  if (paced != 0)
    AddNote(
        "samples took more than a quarter of the time: %u times the rate of a thread was lowered. The lowest rate is "
        "%.0f a second",
        paced, session.config.frequency / static_cast<double>(1u << session.most_pace.load(std::memory_order_relaxed)));
  if (masked.ns >= kLeastMaskedNs)
    AddNote(
        "for %.3f s of CPU time threads blocked the sampling signal (%d). This time has no samples. Thread %u, %s, "
        "has the largest part: %.3f s",
        static_cast<double>(masked.ns) * 1e-9, session.config.signal, masked.most_id, masked.most_name,
        static_cast<double>(masked.most_ns) * 1e-9);
}

}  // namespace ompprof::collect
