// The ring that carries samples from a thread's signal handler to the writer. It has one producer, one consumer, no
// locks and a fixed size. The producer counts samples that do not fit, and never waits.
#ifndef OMPPROF_PROFILER_COLLECT_CCT_SAMPLE_RING_H_
#define OMPPROF_PROFILER_COLLECT_CCT_SAMPLE_RING_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/cct/sample_counts.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

struct Sample {
  uint64_t weight;   // nanoseconds, or events
  uint64_t wait_id;  // of ompt_get_state
  uint64_t splice;   // the RegionRef whose creation path continues the stack; 0: none
  uint64_t region;   // RegionRef of the innermost region; 0: none
  uint32_t node;     // leaf in the thread's tree; 0: no stack
  uint32_t count;    // signals
  OmptState state = OmptState::kNone;
  uint8_t kind : 6;        // SampleKind
  bool estimated : 1;      // `extra` is an estimate
  bool slept : 1;          // of `off_processor`: the thread may have been asleep, else it could run
  uint8_t off_processor;   // of kSampled: the part of `extra` from while the thread was off its processor, in 255ths
  uint16_t phase;          // a number of LabelTable (0: none), + 1; 0: the phase at the time of the push
  uint64_t extra = 0;      // nanoseconds; the kind gives the meaning
  uint64_t time_ns = 0;    // CLOCK_MONOTONIC at the end of the sample or wait; 0: not for the timeline
  uint32_t faults = 0;     // minor page faults since the thread's sample before
  uint32_t kernel_us = 0;  // CPU time in the kernel since then
};
static_assert(sizeof(Sample) == 72);

enum SampleKind : uint8_t {
  kSampled,     // a sample; extra: time of others that this code kept waiting while it worked (undirected blame)
  kWaited,      // a wait that has ended; weight and count are 0. extra: its length. In a state of work: a moment of
                // sleep in a futex, outside of OpenMP's waits. extra: the wall time that the moment stands for
  kLockBlamed,  // a lock was released; weight and count are 0. extra: other threads' waits for its holder
  kInterval,    // only for the timeline: a stretch of waiting that ended at time_ns; weight and count are 0. extra: its
                // length
};

class SampleRing {
 public:
  // Gives the ring `count` slots (a power of two) of zeroed memory. `counts`: as many, where events are counted
  // (--count); else NULL.
  void Init(Sample* slots, uint32_t count, SampleCounts* counts = nullptr) {
    slots_ = slots;
    counts_ = counts;
    mask_ = count - 1;
    head_.store(0, std::memory_order_relaxed);
    tail_.store(0, std::memory_order_relaxed);
  }

  // Producer. `counts`: what was counted since the sample before; NULL: nothing. False if the ring is full.
  // Async-signal-safe.
  bool Push(const Sample& sample, const SampleCounts* counts = nullptr) {
    const uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) > mask_) return false;
    slots_[head & mask_] = sample;
    if (__builtin_expect(counts_ != nullptr, 0)) counts_[head & mask_] = counts != nullptr ? *counts : SampleCounts();
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  // Consumer. The entries [tail(), head()) are complete. Release gives back the entries before `position`.
  uint64_t head() const { return head_.load(std::memory_order_acquire); }
  uint64_t tail() const { return tail_.load(std::memory_order_relaxed); }
  const Sample& at(uint64_t position) const { return slots_[position & mask_]; }
  // Only of a ring with counts.
  const SampleCounts& counts_at(uint64_t position) const { return counts_[position & mask_]; }
  void Release(uint64_t position) { tail_.store(position, std::memory_order_release); }

  uint32_t capacity() const { return mask_ + 1; }
  Sample* slots() const { return slots_; }

 private:
  Sample* slots_ = nullptr;
  SampleCounts* counts_ = nullptr;
  uint32_t mask_ = 0;
  alignas(64) std::atomic<uint64_t> head_{0};
  alignas(64) std::atomic<uint64_t> tail_{0};
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_CCT_SAMPLE_RING_H_
