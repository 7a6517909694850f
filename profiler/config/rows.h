// The rows of a constant table, for range-for. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_ROWS_H_
#define OMPPROF_PROFILER_CONFIG_ROWS_H_

#include <stddef.h>

namespace ompprof::config {

template <typename Row>
class Rows {
 public:
  constexpr Rows() = default;
  template <size_t kCount>
  constexpr Rows(const Row (&rows)[kCount]) : rows_(rows), count_(kCount) {}  // NOLINT: a table is its rows

  constexpr const Row* begin() const { return rows_; }
  constexpr const Row* end() const { return rows_ + count_; }
  constexpr size_t size() const { return count_; }
  constexpr const Row& operator[](size_t index) const { return rows_[index]; }

 private:
  const Row* rows_ = nullptr;
  size_t count_ = 0;
};

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_ROWS_H_
