#include "profiler/collect/write/rounds/sample_scale.h"

#include <algorithm>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// A thread with fewer samples shares.
constexpr uint32_t kFewSamples = 32;
// A round's largest scale. A thread that sleeps may have its CPU time in one round and its sample in the next. There is
// no least scale, so samples never stand for more than the CPU time.
constexpr double kMostScale = 2;

uint64_t ClockOf(const ThreadState& thread) {
  return thread.sampler.source->weight == WeightKind::kWallTime ? MonotonicNs()
                                                                : ClockNs(ThreadCpuClock(thread.identity.tid));
}

// The thread's time that counts, and is in no sample of the file.
int64_t Due(const ThreadState& thread) {
  const ThreadInstants& instants = thread.sampler.instants;
  const uint64_t from = instants.counts_from.load(std::memory_order_relaxed);
  if (from == 0) return 0;
  uint64_t until = instants.counts_until.load(std::memory_order_acquire);
  if (until == 0) until = ClockOf(thread);
  auto due = static_cast<int64_t>(until - from) - thread.written.weight - thread.written.lent;
  for (const auto& lost : thread.paths.lost) due -= static_cast<int64_t>(lost.weight.load(std::memory_order_relaxed));
  return due;
}

struct Ring {
  uint64_t weight = 0;
  uint32_t samples = 0;
};

Ring Unwritten(const ThreadState& thread, uint64_t head) {
  Ring ring;
  for (uint64_t position = thread.paths.ring.tail(); position != head; ++position) {
    const Sample& sample = thread.paths.ring.at(position);
    if (sample.kind == kInterval) continue;
    ring.weight += sample.weight;
    ring.samples += sample.count;
  }
  return ring;
}

bool Scales(const ThreadState& thread) { return thread.sampler.source != nullptr && thread.sampler.source->scales; }

bool HasFew(const ThreadState& thread, const Ring& ring) { return thread.written.samples + ring.samples < kFewSamples; }

double Ratio(int64_t due, uint64_t weight, double most) {
  if (weight == 0) return 1;
  return std::min(std::max(static_cast<double>(due) / static_cast<double>(weight), 0.0), most);
}

}  // namespace

void SampleScale::BeginRound(bool last) {
  pool_.weight = 0;
  ThreadState* sampled = nullptr;
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    const auto lifecycle = thread->lifecycle.load(std::memory_order_acquire);
    if (lifecycle == ThreadState::kDrained || !Scales(*thread)) continue;
    const Ring ring = Unwritten(*thread, thread->paths.ring.head());
    const bool was_pooled = thread->written.pooled;
    thread->written.pooled = HasFew(*thread, ring);
    if (was_pooled && !thread->written.pooled) Forget(thread->identity.id);
    const bool has_place = thread->paths.last_sample.count != 0;
    if (has_place && (sampled == nullptr || thread->written.pooled)) sampled = thread;
    if (!thread->written.pooled) {
      if (thread->written.lent < 0) PayBack(thread, -std::clamp(Due(*thread), int64_t{0}, -thread->written.lent));
      continue;
    }
    const int64_t due = Due(*thread);
    thread->written.lent += due;
    pool_.due_ns += due;
    pool_.weight += ring.weight;
  }
  for (ThreadState* thread = FirstThread(); thread != nullptr && pool_.due_ns > 0; thread = thread->next) {
    if (!thread->written.pooled && thread->written.lent > 0)
      PayBack(thread, std::min(thread->written.lent, pool_.due_ns));
  }
  pool_scale_ = Ratio(pool_.due_ns, pool_.weight, kMostScale);
  if (!last || pool_.weight != 0 || remembered_ != 0 || pool_.due_ns <= 0 || sampled == nullptr) return;
  sampled->sampler.tail_weight += static_cast<uint64_t>(pool_.due_ns);
  pool_.due_ns = 0;
}

void SampleScale::PayBack(ThreadState* thread, int64_t ns) {
  thread->written.lent -= ns;
  pool_.due_ns -= ns;
}

void SampleScale::BeginThread(ThreadState* thread, uint64_t head, bool ends) {
  scale_ = 1;
  given_ = 0;
  if (!Scales(*thread)) return;
  const Ring ring = Unwritten(*thread, head);
  scale_ = thread->written.pooled ? pool_scale_ : Ratio(Due(*thread), ring.weight, ends ? 1e9 : kMostScale);
  thread->written.samples += ring.samples;
}

uint64_t SampleScale::Scaled(uint64_t weight) {
  const double exact = static_cast<double>(weight) * scale_ + rest_;
  const auto whole = static_cast<uint64_t>(exact);
  rest_ = exact - static_cast<double>(whole);
  given_ += whole;
  return whole;
}

void SampleScale::Remember(const ThreadState& thread, const SampleRow& row, uint64_t time_us) {
  if (!Scales(thread) || !thread.written.pooled) return;
  SampleRow place{};
  place.weight = row.weight;
  place.wait_id = row.wait_id;
  place.node = row.node;
  place.state = row.state;
  place.splice = row.splice;
  place.region = row.region;
  place.phase = row.phase;
  const uint32_t at = remembered_ < kPlaces ? remembered_++ : oldest_++ % kPlaces;
  places_[at] = {place, thread.paths.slot->tree.id(), thread.identity.id, time_us};
}

void SampleScale::Forget(uint32_t thread) {
  for (uint32_t i = remembered_; i-- > 0;) {
    if (places_[i].thread == thread) places_[i] = places_[--remembered_];
  }
}

bool SampleScale::TakeRest(Place* place) {
  if (remembered_ == 0 || pool_.due_ns <= 0) return false;
  double weights = 0;
  for (uint32_t i = 0; i < remembered_; ++i) weights += static_cast<double>(places_[i].row.weight);
  const uint32_t left = remembered_--;
  *place = places_[remembered_];
  const double part = weights > 0 ? static_cast<double>(place->row.weight) / weights : 1. / left;
  const double due = static_cast<double>(pool_.due_ns);
  place->row.weight = static_cast<uint64_t>(left == 1 ? due : part * due);
  pool_.due_ns -= static_cast<int64_t>(place->row.weight);
  return true;
}

void SampleScale::EndThread(ThreadState* thread, bool ends) {
  if (!Scales(*thread)) return;
  thread->written.weight += static_cast<int64_t>(given_);
  if (thread->written.pooled) {
    thread->written.lent -= static_cast<int64_t>(given_);
    pool_.due_ns -= static_cast<int64_t>(given_);
    return;
  }
  const int64_t due = ends ? Due(*thread) : 0;
  if (due > 0 && thread->paths.last_sample.count != 0) {
    thread->sampler.tail_weight += static_cast<uint64_t>(due);
  } else {
    pool_.due_ns += due;
  }
}

}  // namespace ompprof::collect
