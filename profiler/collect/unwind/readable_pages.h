// The pages from which a walk may load plainly, with the proof for each. The readers of stacks use this class
// (stack_reader.h, paths/stack_walk.cc). Every plain load from a stack goes through it.
//
// The class takes nothing about a stack for granted, not even the stack's bounds. A program may make any page of a
// stack unreadable: guards of stacks inside a larger stack, segments, barriers of garbage collectors. Two facts prove a
// page:
// - The kernel or this thread has just written to the page. A signal's frame lies right below the interrupted stack
//   pointer, so the first page of a walk usually costs nothing.
// - The kernel has just read from the page for us (IsReadable), 0.13 us. A read that spans the end of a page proves two
//   pages.
//
// A proof holds until the program next changes a mapping (paths/mapping_changes.h says how the collector knows). Until
// then, the stack walk keeps a thread's pages from sample to sample. During a walk, the walking thread runs our code,
// but another thread may still take a page away within that microsecond. The only remedy would be a copy of each word
// by the kernel, at eight times the price of a proof.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_READABLE_PAGES_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_READABLE_PAGES_H_

#include <stdint.h>

#include "profiler/collect/base/fuel.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {

// A part of the address space that a walk may ask for: [low, high).
struct StackPart {
  uintptr_t low;
  uintptr_t high;
};

// One run of proved pages. Walks go up a stack, so one growing run is enough. Plain data. Async-signal-safe.
class ReadablePages {
 public:
  static constexpr uintptr_t kSize = 4096;

  // [low, high): the proved pages.
  uintptr_t low() const { return low_; }
  uintptr_t high() const { return high_; }

  // The byte at `address` has just been read or written. Earlier proofs stay if they lie next to this page.
  void Know(uintptr_t address) {
    const uintptr_t page = address & ~(kSize - 1);
    if (page >= low_ && page < high_) return;
    if (page + kSize == low_) {
      low_ = page;
    } else if (page == high_ && low_ != high_) {
      high_ = page + kSize;
    } else if (!IsNear(page, page + kSize, {0, UINTPTR_MAX})) {
      low_ = page;
      high_ = page + kSize;
    }
  }

  // Proves the pages of [from, to), two at most, and a short stretch between these and the proved pages. If another
  // page in `within` costs nothing, it is proved too. False: a page cannot be read, or `fuel` (NULL: unlimited) is
  // spent. Earlier proofs remain.
  __attribute__((noinline)) bool Prove(uintptr_t from, uintptr_t to, StackPart within, Fuel* fuel) {
    const uintptr_t first = from & ~(kSize - 1);
    const uintptr_t last = ((to - 1) & ~(kSize - 1)) + kSize;
    if (last - first > 2 * kSize) return false;
    if (IsNear(first, last, within) && Grow(first, last, within, fuel)) return true;
    ReadablePages other;
    other.low_ = other.high_ = first;
    if (!other.Grow(first, last, within, fuel)) return false;
    *this = other;
    return true;
  }

 private:
  // The largest gap within a large frame whose pages are proved although nothing is read there. The run then stays one
  // run, and serves the next sample. Beyond a larger gap, earlier proofs are dropped.
  static constexpr uintptr_t kGap = 16 * kSize;

  // If there is a gap, it must lie in `within`.
  bool IsNear(uintptr_t first, uintptr_t last, StackPart within) const {
    if (low_ == high_) return false;
    if (first > high_) return first - high_ <= kGap && high_ >= within.low;
    return low_ <= last || (low_ - last <= kGap && low_ <= within.high);
  }

  // Grows until [first, last) is part of the run. False: a page on the way there cannot be read.
  bool Grow(uintptr_t first, uintptr_t last, StackPart within, Fuel* fuel) {
    while (low_ > first) {
      if (!GrowDown(within.low, fuel)) return false;
    }
    while (high_ < last) {
      if (!GrowUp(within.high, fuel)) return false;
    }
    return true;
  }

  // Grows by one page or two.
  bool GrowUp(uintptr_t limit, Fuel* fuel) {
    const uintptr_t next = high_ + kSize;
    uintptr_t pages = 0;
    if (next < limit && next > high_ && Reads(next - kHalf, fuel)) {
      pages = 2;
    } else if (Reads(high_, fuel)) {
      pages = 1;
    }
    high_ += pages * kSize;
    return pages != 0;
  }
  bool GrowDown(uintptr_t limit, Fuel* fuel) {
    const uintptr_t page = low_ - kSize;
    uintptr_t pages = 0;
    if (page > limit && Reads(page - kHalf, fuel)) {
      pages = 2;
    } else if (Reads(page, fuel)) {
      pages = 1;
    }
    low_ -= pages * kSize;
    return pages != 0;
  }

  // A word that begins at this distance before a page lies in two pages.
  static constexpr uintptr_t kHalf = sizeof(uintptr_t) / 2;
  static bool Reads(uintptr_t address, Fuel* fuel) {
    return (fuel == nullptr || fuel->Take(Cut::kFrames, Fuel::kProof)) && IsReadable(address);
  }

  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_READABLE_PAGES_H_
