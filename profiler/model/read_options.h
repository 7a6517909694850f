// What a reader of profiles keeps of them.
#ifndef OMPPROF_PROFILER_MODEL_READ_OPTIONS_H_
#define OMPPROF_PROFILER_MODEL_READ_OPTIONS_H_

#include <cstddef>
#include <cstdint>

namespace ompprof::model {

// Whether a reader keeps ProcessProfile::timed and device_operations. They grow with the run's duration, and everything
// else in a profile with its distinct call paths and threads. kBin: adds the timeline up to ProcessProfile::time_bins.
enum class Timeline { kKeep, kBin, kDrop };

inline constexpr uint64_t kBinPieces = 256;     // of ProcessProfile::time_bins
inline constexpr uint64_t kTimedPieces = 4096;  // of a timeline above ReadOptions::most_timed

struct ReadOptions {
  // Implicit, because most readers choose only this.
  ReadOptions(Timeline kept = Timeline::kKeep) : timeline(kept) {}  // NOLINT(google-explicit-constructor)

  Timeline timeline;
  // With Timeline::kKeep: a process with more entries has its times put together in pieces, at most kTimedPieces of
  // them (ProcessProfile::timed_piece_ns). The entries are then at most as many as this, or one for each row. 0: no
  // limit. Weights in events have none.
  size_t most_timed = 0;
  bool sorted = true;  // ProcessProfile::samples; otherwise they are in the order of the file
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_READ_OPTIONS_H_
