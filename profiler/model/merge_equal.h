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

// Sorts the rows from `first` on by `less`, and keeps one of each set of equal rows. `add` (of the kept row and another
// row) adds the others to it. With `keep_account`, returns for each of these rows its new place behind `first`, by its
// old place.
template <class Row, class Less, class Add>
std::vector<uint32_t> MergeEqual(std::vector<Row>* rows, size_t first, bool keep_account, Less less, Add add) {
  const auto begin = rows->begin() + static_cast<std::ptrdiff_t>(first);
  const auto count = static_cast<size_t>(rows->end() - begin);
  std::vector<uint32_t> from;
  if (keep_account) {
    from.resize(count);
    std::iota(from.begin(), from.end(), 0);
  }
  const auto out_of_order = [&](const Row& a, const Row& b) { return !less(a, b); };
  if (std::adjacent_find(begin, rows->end(), out_of_order) == rows->end()) return from;
  if (keep_account) {
    std::sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) { return less(begin[a], begin[b]); });
  }
  std::sort(begin, rows->end(), less);
  std::vector<uint32_t> moved(from.size());
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (kept > 0 && !less(begin[kept - 1], begin[i])) {
      add(&begin[kept - 1], begin[i]);
    } else {
      begin[kept++] = begin[i];
    }
    if (keep_account) moved[from[i]] = static_cast<uint32_t>(kept - 1);
  }
  rows->resize(first + kept);
  return moved;
}

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_MERGE_EQUAL_H_
