// Adds rows of samples to their like while a profile is read. A long run repeats its rows at every flush, so memory
// follows the distinct rows and not the file. The profile reader has an index for each process.
#ifndef OMPPROF_PROFILER_MODEL_SAMPLE_INDEX_H_
#define OMPPROF_PROFILER_MODEL_SAMPLE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

// What makes two rows differ, besides their counts.
inline auto KeyOf(const SampleRow& row) {
  return std::tie(row.tree, row.node, row.thread, row.state, row.splice, row.region, row.wait_id, row.phase,
                  row.interval);
}

class SampleIndex {
 public:
  // Adds the counts of `row` to the row of `rows` with the same key, or appends `row`. Returns the index in `rows`.
  // Between two calls, nobody else changes `rows`, unless Forget is called.
  uint32_t Add(const SampleRow& row, std::vector<SampleRow>* rows);

  // The next Add looks at all rows again. Called after the rows were sorted.
  void Forget() { slots_.clear(); }

 private:
  size_t Slot(const SampleRow& row, const std::vector<SampleRow>& rows) const;
  void Fill(const std::vector<SampleRow>& rows);

  std::vector<uint32_t> slots_;  // open addressing: index into the rows, plus 1; 0: free
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SAMPLE_INDEX_H_
