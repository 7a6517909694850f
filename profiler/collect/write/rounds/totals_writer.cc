#include "profiler/collect/write/rounds/totals_writer.h"

#include <string.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

bool IsDrained(const ThreadState& thread) {
  return thread.lifecycle.load(std::memory_order_acquire) == ThreadState::kDrained;
}

// A process of one thread, or of a moment, does not pay for two files of each processor.
bool NeedsTopology() {
  constexpr uint64_t kMomentNs = 100'000'000;
  return session.threads.load(std::memory_order_relaxed) > 1 && MonotonicNs() - session.start_mono_ns > kMomentNs;
}

Topology topology;  // in a forked child, its parent's

}  // namespace

void ThreadTotals::Add(const ThreadState& thread) {
  for (uint32_t reason = 0; reason < fields::kLostReasonCount; ++reason) {
    lost.samples[reason] += thread.paths.lost[reason].samples.load(std::memory_order_relaxed);
    lost.weight[reason] += thread.paths.lost[reason].weight.load(std::memory_order_relaxed);
  }
  for (uint32_t event = 0; event < kOmptEvents; ++event)
    events[event] += thread.tasks.events[event].load(std::memory_order_relaxed);
  governed.Add(thread);
  cut.Add(thread.sampler.limits);
  intervals_lost += thread.waiting.intervals_lost.load(std::memory_order_relaxed);
}

void TotalsWriter::Drain(ThreadState* thread) {
  gone_.Add(*thread);
  masked_.Add(*thread);
  thread->lifecycle.store(ThreadState::kDrained, std::memory_order_release);
}

void TotalsWriter::AddUnwritten(const Sample& sample) {
  if (sample.kind == kInterval) {
    ++gone_.intervals_lost;
    return;
  }
  gone_.lost.samples[fields::kLostWrite] += sample.count;
  gone_.lost.weight[fields::kLostWrite] += sample.weight;
}

ThreadTotals TotalsWriter::Now() const {
  ThreadTotals now = gone_;
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (!IsDrained(*thread)) now.Add(*thread);
  }
  return now;
}

bool TotalsWriter::Write(bool last) {
  ThreadTotals now = Now();
  for (const ThreadState* thread = FirstThread(); last && thread != nullptr; thread = thread->next) {
    if (IsDrained(*thread) || !thread->HasCarriedNowhere()) continue;
    now.lost.samples[fields::kLostBusy] += thread->sampler.carried_count;
    now.lost.weight[fields::kLostBusy] += thread->sampler.carried_weight;
  }
  now.lost.samples[fields::kLostNotAttached] += session.unattached_samples.load(std::memory_order_relaxed);
  now.lost.samples[fields::kLostNoTimer] += session.unarmed_threads.load(std::memory_order_relaxed);
  if (!file_->MakeRoom()) return false;
  WriteGoverned(now.governed);
  if (ProcessorLoad::Reading reading; load_.Read(last, &reading)) EncodeProcessorLoad(reading, &file_->out);
  if (!topology_written_ && NeedsTopology()) WriteTopology();
  if (!file_->MakeRoom()) return false;
  if (memcmp(&now.lost, &lost_written_, sizeof(now.lost)) != 0) {
    EncodeLost(now.lost, &file_->out);
    lost_written_ = now.lost;
  }
  uint64_t sum = 0;
  for (const uint64_t count : now.events) sum += count;
  if (sum != events_written_) {
    EncodeEvents(now.events, &file_->out);
    events_written_ = sum;
  }
  if (last && !noted_) AddNotes(now.cut);
  for (const Note* note; (note = NoteAt(notes_written_)) != nullptr; ++notes_written_) {
    if (!file_->MakeRoom()) return false;
    EncodeNote(*note, &file_->out);
  }
  return true;
}

void TotalsWriter::WriteTopology() {
  if (topology.count == 0) ReadTopology("", &topology);
  EncodeTopology(topology, &file_->out);
  topology_written_ = true;
}

void TotalsWriter::WriteGoverned(const GovernedTotals& now) {
  for (uint32_t event_class = 1; event_class < fields::kEventClassCount; ++event_class) {
    const GovernedTotals::Class& totals = now.classes[event_class];
    // Exact observations need no record.
    if (totals.unobserved == 0 || totals.events == governed_written_[event_class]) continue;
    EncodeGoverned(event_class, totals.events, totals.unobserved, &file_->out);
    governed_written_[event_class] = totals.events;
  }
}

void TotalsWriter::AddNotes(const CutSamples& cut) {
  noted_ = true;
  if (device_timeline.lost() != 0)
    AddNote("%llu operations of devices are missing in the timeline, because the writer did not keep up",
            static_cast<unsigned long long>(device_timeline.lost()));
  MaskedTime masked = masked_;
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (!IsDrained(*thread)) masked.Add(*thread);
  }
  AddSamplingNotes(cut, masked);
}

}  // namespace ompprof::collect
