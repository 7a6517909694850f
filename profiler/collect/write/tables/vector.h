// A growing array of plain data on mapped pages. The writer thread uses it because it must not call the program's
// malloc.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_TABLES_VECTOR_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_TABLES_VECTOR_H_

#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

template <typename T>
class Vector {
  static_assert(std::is_trivially_copyable<T>::value, "moved by memcpy");

 public:
  // False if memory is exhausted; nothing is added then.
  bool Add(const T& value) {
    if (size_ == capacity_) {
      const uint32_t capacity = capacity_ == 0 ? 256 : capacity_ * 2;
      T* entries = static_cast<T*>(MapFixed(sizeof(T) * capacity));
      if (entries == nullptr) return false;
      if (entries_ != nullptr) memcpy(static_cast<void*>(entries), entries_, sizeof(T) * size_);
      UnmapFixed(entries_, sizeof(T) * capacity_);
      entries_ = entries;
      capacity_ = capacity;
    }
    entries_[size_++] = value;
    return true;
  }
  void RemoveBySwap(uint32_t index) { entries_[index] = entries_[--size_]; }
  void Clear() { size_ = 0; }
  uint32_t size() const { return size_; }
  T& operator[](uint32_t index) { return entries_[index]; }

 private:
  T* entries_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_TABLES_VECTOR_H_
