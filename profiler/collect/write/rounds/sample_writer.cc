#include "profiler/collect/write/rounds/sample_writer.h"

#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/encoding/records.h"
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

// A row without sums, at the place of `sample` in its tree. The numbers of its regions are not known yet.
SampleRow PlaceOf(const Sample& sample) {
  SampleRow row{};
  row.wait_id = sample.wait_id;
  row.node = sample.node;
  row.state = sample.state;
  row.phase = sample.phase != 0 ? sample.phase - 1u : 0;
  return row;
}

}  // namespace

void SampleWriter::AddInterval(const Sample& interval) {
  SampleRow row = PlaceOf(interval);
  row.splice = contexts_->IdOfEnded(interval.splice);
  row.region = contexts_->IdOfEnded(interval.region);
  row.interval = true;
  batch_.AddTimed({batch_.Add(row), SinceStartUs(interval.time_ns), interval.extra});
}

void SampleWriter::EncodeBatch(const ThreadState& thread) {
  EncodeSamples(batch_, thread.paths.slot->tree.id(), thread.identity.id, MonotonicNs(), &file_->out);
}

void SampleWriter::BeginRound(bool last) {
  last_ = last;
  scale_.BeginRound(last);
}

bool SampleWriter::Write(ThreadState* thread, uint64_t head, bool ended) {
  const bool ends = ended || last_;
  scale_.BeginThread(thread, head, ends);
  const bool written = WriteSamples(thread, head);
  scale_.EndThread(thread, written && ends);
  if (!written) return false;
  if (!ended && last_ && !thread->HasCarriedNowhere()) {
    thread->sampler.tail_weight += thread->sampler.carried_weight;
    thread->sampler.carried_weight = thread->sampler.carried_count = 0;
  }
  return !ends || WriteEnd(thread);
}

bool SampleWriter::WriteSamples(ThreadState* thread, uint64_t head) {
  uint64_t position = thread->paths.ring.tail();
  while (position != head) {
    if (!file_->MakeRoom()) return false;
    batch_.Clear(session.counted_events);
    uint64_t batch_samples = 0;
    uint64_t batch_weight = 0;
    for (; position != head && !batch_.full(); ++position) {
      const Sample& sample = thread->paths.ring.at(position);
      if (sample.kind == kInterval) {
        AddInterval(sample);
        continue;
      }
      const uint64_t scaled = scale_.Scaled(sample.weight);
      SampleRow added = PlaceOf(sample);
      added.weight = scaled;
      added.splice = contexts_->IdOf(sample.splice);
      added.region = contexts_->IdOf(sample.region);
      added.samples = sample.count;
      AddExtra(sample, &added);
      const uint32_t row = batch_.Add(added);
      if (batch_.counted() != 0) batch_.AddCounts(row, thread->paths.ring.counts_at(position));
      const uint64_t time_us = sample.time_ns != 0 && sample.count != 0 ? SinceStartUs(sample.time_ns) : 0;
      if (time_us != 0) batch_.AddTimed({row, time_us, scaled});
      scale_.Remember(*thread, added, time_us);
      batch_samples += sample.count;
      batch_weight += scaled;
    }
    EncodeBatch(*thread);
    samples_ += batch_samples;
    weight_ += batch_weight;
    thread->paths.ring.Release(position);
  }
  return true;
}

// Writes the rest of a thread's data, which no sample has carried.
bool SampleWriter::WriteEnd(ThreadState* thread) {
  const bool counted = thread->sampler.counts.tail.any() && thread->paths.last_sample.node != 0;
  if (thread->sampler.tail_weight != 0 || counted) {
    if (!file_->MakeRoom()) return false;
    WriteTail(thread);
  }
  if ((thread->waiting.cut_intervals[0].time_ns | thread->waiting.cut_intervals[1].time_ns) != 0) {
    if (!file_->MakeRoom()) return false;
    WriteCutIntervals(thread);
  }
  return true;
}

// The CPU time after a thread's last sample, and what was counted in it, goes to the place of this sample. If the
// sample's region is over by now, the time counts as idle.
void SampleWriter::WriteTail(ThreadState* thread) {
  const Sample& sample = thread->paths.last_sample;
  SampleRow row = PlaceOf(sample);
  row.weight = thread->sampler.tail_weight;
  if (sample.splice != 0 && contexts_->IdOf(sample.splice) == 0) {
    row.state = OmptState::kIdle;
    row.wait_id = 0;
  } else {
    row.splice = contexts_->IdOf(sample.splice);
    row.region = contexts_->IdOf(sample.region);
  }
  batch_.Clear(session.counted_events);
  const uint32_t index = batch_.Add(row);
  if (session.config.timeline && row.weight != 0)
    batch_.AddTimed({index, SinceStartUs(TailEndNs(*thread)), row.weight});
  if (batch_.counted() != 0) batch_.AddCounts(index, thread->sampler.counts.tail);
  thread->sampler.counts.tail = {};
  EncodeBatch(*thread);
  weight_ += thread->sampler.tail_weight;
  thread->sampler.tail_weight = 0;
}

// The CPU time of threads with few samples that no sample has carried.
bool SampleWriter::WriteRest() {
  for (SampleScale::Place place; scale_.TakeRest(&place);) {
    if (!file_->MakeRoom()) return false;
    batch_.Clear();
    const uint32_t index = batch_.Add(place.row);
    if (place.time_us != 0) batch_.AddTimed({index, place.time_us, place.row.weight});
    EncodeSamples(batch_, place.tree, place.thread, MonotonicNs(), &file_->out);
    weight_ += place.row.weight;
  }
  return true;
}

// Writes the waits that were under way at the thread's end, or at the profile's end.
void SampleWriter::WriteCutIntervals(ThreadState* thread) {
  batch_.Clear();
  for (Sample& cut : thread->waiting.cut_intervals) {
    if (cut.time_ns != 0) AddInterval(cut);
    cut.time_ns = 0;
  }
  EncodeBatch(*thread);
}

}  // namespace ompprof::collect
