// Sorts rows and adds equal rows together, and says where each row went. It serves rows of samples, in the profile and
// in the view, because the timeline refers to them.
#ifndef OMPPROF_PROFILER_MODEL_MERGE_EQUAL_H_
#define OMPPROF_PROFILER_MODEL_MERGE_EQUAL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ompprof::model {

// Sorts `rows` by `less` and keeps one of each set of equal rows. `add` (of the kept row and another row) adds the
// others to it. With `keep_account`, returns the new index of each row by its old index.
template <class Row, class Less, class Add>
std::vector<uint32_t> MergeEqual(std::vector<Row>* rows, bool keep_account, Less less, Add add) {
  std::vector<uint32_t> from;
  if (keep_account) {
    from.resize(rows->size());
    std::iota(from.begin(), from.end(), 0);
    std::sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) { return less((*rows)[a], (*rows)[b]); });
  }
  std::sort(rows->begin(), rows->end(), less);
  std::vector<uint32_t> moved(from.size());
  size_t kept = 0;
  for (size_t i = 0; i < rows->size(); ++i) {
    if (kept > 0 && !less((*rows)[kept - 1], (*rows)[i])) {
      add(&(*rows)[kept - 1], (*rows)[i]);
    } else {
      (*rows)[kept++] = (*rows)[i];
    }
    if (keep_account) moved[from[i]] = static_cast<uint32_t>(kept - 1);
  }
  rows->resize(kept);
  return moved;
}

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_MERGE_EQUAL_H_
