// How much time a process's rows of samples have in each piece of time: the timeline, without its details. Memory
// follows the distinct rows, where ProcessProfile::timed follows the duration.
#ifndef OMPPROF_PROFILER_MODEL_TIME_BINS_H_
#define OMPPROF_PROFILER_MODEL_TIME_BINS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/model/numbering.h"

namespace ompprof::model {

// Time of one row in one piece of time. Piece number n begins n * 2^k microseconds after 1970, so that two pieces make
// one piece of the next k.
struct TimeBin {
  uint64_t number;
  uint32_t row;  // index into ProcessProfile::samples
  uint64_t ns;
};

struct TimeBins {
  uint32_t log2_us = 0;       // k
  std::vector<TimeBin> bins;  // by number and row
};

// Fills bins with times that come in any order.
class TimeBinner {
 public:
  static constexpr uint32_t kLeastLog2 = 10;  // a millisecond

  // No time is before `begin_us`, in microseconds since 1970. All times go into at most `most_numbers` pieces, and into
  // fewer if there would be more than `most_bins` bins: one for each row and piece.
  explicit TimeBinner(uint64_t begin_us = 0, uint64_t most_numbers = 1, size_t most_bins = 0)
      : begin_us_(begin_us), most_numbers_(most_numbers), most_bins_(most_bins), last_(First()) {}

  // Adds the time from `from_us` up to `to_us`, since 1970, to a row. O(most_numbers).
  void Add(uint32_t row, uint64_t from_us, uint64_t to_us);

  TimeBins Bins() const;

 private:
  uint64_t First() const { return begin_us_ >> log2_; }
  uint64_t& Entry(uint32_t row, uint64_t number);
  void Widen();

  uint64_t begin_us_;
  uint64_t most_numbers_;
  size_t most_bins_;
  uint32_t log2_ = kLeastLog2;
  uint64_t last_;             // the largest number
  Numbering<1> entries_;      // row * most_numbers + number of the piece - First()
  std::vector<uint64_t> us_;  // by entry
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_TIME_BINS_H_
