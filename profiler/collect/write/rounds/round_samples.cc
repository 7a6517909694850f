// The part of a round that writes a thread's samples.
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/rounds/round.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// The moment at which the CPU time after the thread's last sample was used up. If the thread slept from then on, this
// is right after the sample.
uint64_t TailEndNs(const ThreadState& thread) {
  const bool ended = thread.lifecycle.load(std::memory_order_acquire) != ThreadState::kLive;
  const uint64_t end = ended ? thread.identity.end_ns.load(std::memory_order_relaxed) : MonotonicNs();
  const uint64_t used_up = thread.paths.last_sample.time_ns + thread.sampler.tail_weight;
  return used_up < end ? used_up : end;
}

uint64_t SinceStartUs(uint64_t ns) { return ns > session.start_mono_ns ? (ns - session.start_mono_ns) / 1000 : 0; }

// Adds the contents of the sample besides its weight.
void AddExtra(const Sample& sample, SampleRow* row) {
  // Each estimate comes from one window.
  const uint64_t us = sample.extra / 1000;
  const uint64_t variance = sample.estimated ? us * us : 0;
  row->faults = sample.faults;
  row->kernel_us = sample.kernel_us;
  switch (sample.kind) {
    case kSampled:
      row->blame = sample.extra;
      row->blame_variance = variance;
      (sample.slept ? row->off_processor_blame : row->ready_blame) = sample.extra * sample.off_processor / 255;
      break;
    case kWaited:
      row->wait = sample.extra;
      row->wait_variance = variance;
      break;
    case kLockBlamed:
      row->lock_blame = sample.extra;
      row->lock_blame_variance = variance;
      break;
    default:
      break;
  }
}

uint32_t PhaseOf(const Sample& sample) { return sample.phase != 0 ? sample.phase - 1u : 0; }

}  // namespace

void RoundWriter::AddInterval(const Sample& interval) {
  SampleRow row{0, interval.wait_id, interval.node, interval.state, 0, 0, 0};
  row.splice = contexts.IdOfEnded(interval.splice);
  row.region = contexts.IdOfEnded(interval.region);
  row.phase = PhaseOf(interval);
  row.interval = true;
  batch.AddTimed({batch.Add(row), SinceStartUs(interval.time_ns), interval.extra});
}

bool RoundWriter::WriteSamples(ThreadState* thread, uint64_t head) {
  uint64_t position = thread->paths.ring.tail();
  while (position != head) {
    if (!MakeRoom()) return false;
    batch.Clear(session.counted_events);
    uint64_t batch_samples = 0;
    uint64_t batch_weight = 0;
    for (; position != head && !batch.full(); ++position) {
      const Sample& sample = thread->paths.ring.at(position);
      if (sample.kind == kInterval) {
        AddInterval(sample);
        continue;
      }
      const uint64_t scaled = scale.Scaled(sample.weight);
      SampleRow added{scaled,
                      sample.wait_id,
                      sample.node,
                      sample.state,
                      contexts.IdOf(sample.splice),
                      contexts.IdOf(sample.region),
                      sample.count};
      added.phase = PhaseOf(sample);
      AddExtra(sample, &added);
      const uint32_t row = batch.Add(added);
      if (batch.counted() != 0) batch.AddCounts(row, thread->paths.ring.counts_at(position));
      const uint64_t time_us = sample.time_ns != 0 && sample.count != 0 ? SinceStartUs(sample.time_ns) : 0;
      if (time_us != 0) batch.AddTimed({row, time_us, scaled});
      scale.Remember(*thread, added, time_us);
      batch_samples += sample.count;
      batch_weight += scaled;
    }
    EncodeSamples(batch, thread->paths.slot->tree.id(), thread->identity.id, MonotonicNs(), &out);
    samples += batch_samples;
    weight += batch_weight;
    thread->paths.ring.Release(position);
  }
  return true;
}

// The CPU time after a thread's last sample, and what was counted in it, goes to the place of this sample. If the
// sample's region is over by now, the time counts as idle.
void RoundWriter::WriteTail(ThreadState* thread) {
  const Sample& sample = thread->paths.last_sample;
  SampleRow row{
      thread->sampler.tail_weight, sample.wait_id, sample.node, sample.state, 0, 0, 0, 0, 0, 0, PhaseOf(sample)};
  if (sample.splice != 0 && contexts.IdOf(sample.splice) == 0) {
    row.state = OmptState::kIdle;
    row.wait_id = 0;
  } else {
    row.splice = contexts.IdOf(sample.splice);
    row.region = contexts.IdOf(sample.region);
  }
  batch.Clear(session.counted_events);
  const uint32_t index = batch.Add(row);
  if (session.config.timeline && row.weight != 0) batch.AddTimed({index, SinceStartUs(TailEndNs(*thread)), row.weight});
  if (batch.counted() != 0) batch.AddCounts(index, thread->sampler.counts.tail);
  thread->sampler.counts.tail = {};
  EncodeSamples(batch, thread->paths.slot->tree.id(), thread->identity.id, MonotonicNs(), &out);
  weight += thread->sampler.tail_weight;
  thread->sampler.tail_weight = 0;
}

// The CPU time of threads with few samples that no sample has carried.
bool RoundWriter::WriteRest() {
  for (SampleScale::Place place; scale.TakeRest(&place);) {
    if (!MakeRoom()) return false;
    batch.Clear();
    const uint32_t index = batch.Add(place.row);
    if (place.time_us != 0) batch.AddTimed({index, place.time_us, place.row.weight});
    EncodeSamples(batch, place.tree, place.thread, MonotonicNs(), &out);
    weight += place.row.weight;
  }
  return true;
}

// Writes the waits that were under way at the thread's end, or at the profile's end.
void RoundWriter::WriteCutIntervals(ThreadState* thread) {
  batch.Clear();
  for (Sample& cut : thread->waiting.cut_intervals) {
    if (cut.time_ns != 0) AddInterval(cut);
    cut.time_ns = 0;
  }
  EncodeSamples(batch, thread->paths.slot->tree.id(), thread->identity.id, MonotonicNs(), &out);
}

}  // namespace ompprof::collect
