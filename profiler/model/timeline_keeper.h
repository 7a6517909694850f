// Keeps a process's timeline as its reader wants it: entry by entry, put together once it is long, or by pieces of
// time.
#ifndef OMPPROF_PROFILER_MODEL_TIMELINE_KEEPER_H_
#define OMPPROF_PROFILER_MODEL_TIMELINE_KEEPER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/model/process_profile.h"
#include "profiler/model/read_options.h"
#include "profiler/model/time_bins.h"

namespace ompprof::model {

// The latest time in a profile, from its start: 100 years.
inline constexpr int64_t kLatestUs = int64_t{100} * 366 * 24 * 3600 * 1000000;

class TimelineKeeper {
 public:
  TimelineKeeper(ProcessProfile* profile, const ReadOptions& options);

  // Called once the header is known.
  void Begin();

  // An entry of a row of ProcessProfile::samples: its end since the profile's start, and its weight, see
  // SampleBatch.timed_weight_delta.
  void Add(uint32_t row, uint64_t end_us, uint64_t weight);

  // Fills the profile's timeline. The rows must not have moved since they were added.
  void Finish();

 private:
  uint64_t BeginUs() const;
  void AddToBins(uint32_t row, uint64_t end_us, uint64_t weight);
  void PutTogether();
  void TakeFromBins();
  void TakePiece(std::vector<TimeBin>::const_iterator begin, std::vector<TimeBin>::const_iterator end, uint64_t from_us,
                 uint64_t to_us);

  ProcessProfile& profile_;
  const Timeline timeline_;
  const size_t most_timed_;
  bool in_bins_;  // entries go to bins_
  TimeBinner bins_;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_TIMELINE_KEEPER_H_
