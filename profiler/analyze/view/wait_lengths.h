// The distribution of waits by length, with percentiles: WaitStats.length_bucket added up over threads and processes.
// Each lock has a WaitLengths.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_WAIT_LENGTHS_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_WAIT_LENGTHS_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace ompprof {
class WaitStats;  // of the recorded form
}  // namespace ompprof

namespace ompprof::analyze {

class WaitLengths {
 public:
  WaitLengths() = default;
  explicit WaitLengths(const WaitStats& stats);

  void Add(const WaitLengths& more);

  // False if there are no lengths, or if the lengths of exactly measured waits are missing.
  bool known() const { return !missing_ && !counts_.empty(); }

  // The length that `share` of the waits do not exceed (nearest rank). The relative error is at most kError. 0: not
  // known.
  uint64_t Quantile(double share) const;
  static constexpr double kError = 0.12;

 private:
  void Add(uint32_t bucket, uint64_t count);

  std::vector<std::pair<uint32_t, uint64_t>> counts_;  // by bucket, ascending; a view has one for each thread's lock
  bool missing_ = false;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_WAIT_LENGTHS_H_
