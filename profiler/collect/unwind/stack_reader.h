// The words of a stack as a walk reads them: plain loads where the memory is known to be there, checked ones
// elsewhere. Used by every engine's walk, one per walk, on the handler's stack.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_STACK_READER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_STACK_READER_H_

#include <stdint.h>

#include "profiler/collect/unwind/arch.h"
#include "profiler/collect/unwind/safe_read.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

// Async-signal-safe.
class StackReader {
 public:
  StackReader(StackBounds bounds, uintptr_t stack_pointer) : bounds_(bounds) { Enter(stack_pointer); }

  // The walk goes on at this stack pointer: at its start, and where it crosses from one stack to another.
  // Only the part that is in use is taken for mapped: the rest of a main thread's stack may not be there yet.
  void Enter(uintptr_t stack_pointer) {
    if (stack_pointer < bounds_.low || stack_pointer >= bounds_.high) {
      low_ = high_ = 0;
      return;
    }
    high_ = bounds_.high;
    low_ = stack_pointer - bounds_.low > arch::kRedZone ? stack_pointer - arch::kRedZone : bounds_.low;
  }

  // [low, high): what can be loaded plainly; empty if the walk is not on the thread's own stack.
  uintptr_t low() const { return low_; }
  uintptr_t high() const { return high_; }

  bool Read(uintptr_t address, uintptr_t* word) {
    if (address >= low_ && address < high_ && high_ - address >= sizeof(uintptr_t)) {
      *word = LoadWord(address);
      return true;
    }
    return ReadChecked(address, word);
  }

 private:
  // A frame's words lie close together and the next frame's follow, so one system call fetches a run of them. A run
  // stays inside a page: what follows it may be unmapped.
  static constexpr uintptr_t kWindow = 256;
  static constexpr uintptr_t kPage = 4096;

  __attribute__((noinline)) bool ReadChecked(uintptr_t address, uintptr_t* word) {
    if (address % sizeof(uintptr_t) != 0) return SafeRead(address, word, sizeof(*word));
    if (address < window_start_ || address >= window_start_ + window_size_) {
      const uintptr_t to_page_end = kPage - address % kPage;
      const uintptr_t size = to_page_end < kWindow ? to_page_end : kWindow;
      window_size_ = 0;
      if (!SafeRead(address, window_, size)) return false;
      window_start_ = address;
      window_size_ = size;
    }
    *word = window_[(address - window_start_) / sizeof(uintptr_t)];
    return true;
  }

  StackBounds bounds_;
  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
  uintptr_t window_start_ = 0;
  uintptr_t window_size_ = 0;
  uintptr_t window_[kWindow / sizeof(uintptr_t)];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_STACK_READER_H_
