// How many waits took how long, and percentiles of that: what WaitStats.length_bucket says, added up over threads and
// processes. The locks have one each.
#ifndef OMPPROF_PROFILER_ANALYZE_WAIT_LENGTHS_H_
#define OMPPROF_PROFILER_ANALYZE_WAIT_LENGTHS_H_

#include <cstdint>
#include <map>

namespace ompprof {
class WaitStats;  // of the recorded form
}  // namespace ompprof

namespace ompprof::analyze {

class WaitLengths {
 public:
  WaitLengths() = default;
  explicit WaitLengths(const WaitStats& stats);

  void Add(const WaitLengths& more);

  // False if there are none, or the lengths of exactly measured waits are missing.
  bool known() const { return !missing_ && !counts_.empty(); }

  // The length that `share` of the waits do not exceed (nearest rank), within kError of it either way. 0: not known.
  uint64_t Quantile(double share) const;
  static constexpr double kError = 0.12;

 private:
  std::map<uint32_t, uint64_t> counts_;  // by bucket
  bool missing_ = false;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_WAIT_LENGTHS_H_
