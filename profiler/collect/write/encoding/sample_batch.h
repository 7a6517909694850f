// Adds up a thread's samples at the same place, before they are written. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_SAMPLE_BATCH_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_SAMPLE_BATCH_H_

#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "profiler/collect/cct/sample_counts.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// Without initializers: the writer has some thousand of them, and constructing them would touch their pages.
struct SampleRow {
  uint64_t weight;
  uint64_t wait_id;
  uint32_t node;
  OmptState state;
  uint32_t splice;
  uint32_t region;
  uint32_t samples;
  uint64_t wait;
  uint64_t blame;
  uint64_t lock_blame;
  uint32_t phase;
  // The variance of the estimated parts of the three sums above, in square microseconds.
  uint64_t wait_variance;
  uint64_t blame_variance;
  uint64_t lock_blame_variance;
  uint64_t ready_blame;
  uint64_t off_processor_blame;
  uint64_t faults;
  uint64_t kernel_us;
  bool interval;  // only for the timeline: kept apart from samples at the same place
};

// The end of a sample or of a stretch of waiting; `row` contains the sample.
struct TimedEntry {
  uint32_t row;
  uint64_t end_us;  // since the profile's start
  uint64_t weight;  // of a stretch: nanoseconds
};

class SampleBatch {
 public:
  static constexpr uint32_t kMaxRows = 1024;
  static constexpr uint32_t kMaxTimed = 1024;

  // `counted`: the number of events that rows may have counts of; then half as many rows fit.
  void Clear(uint32_t counted = 0) {
    size_ = 0;
    timed_size_ = 0;
    counted_ = counted;
    memset(slots_, 0, sizeof(slots_));
    if (counted != 0) memset(counts_, 0, sizeof(counts_));
  }
  bool full() const { return size_ == (counted_ != 0 ? kMaxRows / 2 : kMaxRows) || timed_size_ == kMaxTimed; }
  uint32_t size() const { return size_; }
  const SampleRow& row(uint32_t index) const { return rows_[index]; }
  uint32_t timed_size() const { return timed_size_; }
  uint32_t counted() const { return counted_; }
  const SampleCounts& counts(uint32_t index) const { return counts_[index]; }
  const TimedEntry& timed(uint32_t index) const { return timed_[index]; }

  // Adds a row and returns its index. The caller has made sure of room for the row and for an AddTimed after it.
  uint32_t Add(const SampleRow& added) {
    const uint64_t mixed = (added.node * 0x9e3779b97f4a7c15ull) ^ (added.wait_id * 0xbf58476d1ce4e5b9ull) ^
                           (static_cast<uint32_t>(added.state) * 0x94d049bb133111ebull) ^
                           (static_cast<uint64_t>(added.region) << 20) ^ (static_cast<uint64_t>(added.phase) << 44) ^
                           added.splice;
    uint32_t slot = static_cast<uint32_t>(mixed >> 33 ^ mixed) & (kSlots - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
      SampleRow& row = rows_[slots_[slot] - 1];
      if (row.node == added.node && row.state == added.state && row.wait_id == added.wait_id &&
          row.splice == added.splice && row.region == added.region && row.phase == added.phase &&
          row.interval == added.interval) {
        row.weight += added.weight;
        row.samples += added.samples;
        row.wait += added.wait;
        row.blame += added.blame;
        row.lock_blame += added.lock_blame;
        row.wait_variance += added.wait_variance;
        row.blame_variance += added.blame_variance;
        row.lock_blame_variance += added.lock_blame_variance;
        row.ready_blame += added.ready_blame;
        row.off_processor_blame += added.off_processor_blame;
        row.faults += added.faults;
        row.kernel_us += added.kernel_us;
        return slots_[slot] - 1u;
      }
    }
    slots_[slot] = static_cast<uint16_t>(size_ + 1);
    rows_[size_++] = added;
    return size_ - 1;
  }

  void AddTimed(const TimedEntry& added) { timed_[timed_size_++] = added; }

  // Only after Clear with a number of events. `row`: an index from Add.
  void AddCounts(uint32_t row, const SampleCounts& added) { counts_[row].Add(added); }

 private:
  static constexpr uint32_t kSlots = 4096;
  SampleRow rows_[kMaxRows];
  uint16_t slots_[kSlots];
  uint32_t size_;
  TimedEntry timed_[kMaxTimed];
  uint32_t timed_size_;
  uint32_t counted_;
  SampleCounts counts_[kMaxRows / 2];  // by row. Untouched where nothing is counted
};
static_assert(std::is_trivially_default_constructible<SampleBatch>::value,
              "every process has one, and pages cost time");

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_SAMPLE_BATCH_H_
