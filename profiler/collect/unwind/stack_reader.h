// Reads a stack's words for a walk: plain loads from pages of the thread's own stack that are proved readable
// (readable_pages.h), checked copies elsewhere. Every engine's walk uses it, one object per walk, on the handler's
// stack.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_STACK_READER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_STACK_READER_H_

#include <stdint.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/base/fuel.h"
#include "profiler/collect/unwind/readable_pages.h"
#include "profiler/collect/unwind/safe_read.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

// Async-signal-safe.
class StackReader {
 public:
  // Proofs and checked reads take from `fuel` (NULL: unlimited), and fail when the fuel is spent.
  StackReader(StackBounds bounds, uintptr_t stack_pointer, Fuel* fuel = nullptr, ReadablePages readable = {})
      : bounds_(bounds), fuel_(fuel), readable_(readable) {
    Enter(stack_pointer);
  }

  // The walk continues at this stack pointer. Called at the walk's start, and where the walk crosses to another stack.
  // Reads stay in the used part of a stack. The rest of a main thread's stack may not exist yet, and reads must not
  // create it.
  void Enter(uintptr_t stack_pointer) {
    if (stack_pointer < bounds_.low || stack_pointer >= bounds_.high) {
      used_ = {0, 0};
    } else {
      used_.high = bounds_.high;
      used_.low = stack_pointer - bounds_.low > arch::kRedZone ? stack_pointer - arch::kRedZone : bounds_.low;
    }
    SetPlain();
  }

  // [low, high): plain loads are possible in this part. Empty if the walk is not on the thread's own stack.
  uintptr_t low() const { return low_; }
  uintptr_t high() const { return high_; }

  // Tries to make plain loads possible in [from, to): a few words, in two pages at most. False: plain loads are not
  // possible.
  bool Prove(uintptr_t from, uintptr_t to) {
    if (from < used_.low || to > used_.high || from >= to) return false;
    if (!readable_.Prove(from, to, used_, fuel_)) {
      starved_ = fuel_ != nullptr && fuel_->Affordable(Cut::kFrames) < Fuel::kProof;
      return false;
    }
    SetPlain();
    return true;
  }

  // Whether a read has failed only because the fuel for a proof was spent. With more fuel, the walk can continue.
  bool starved() const { return starved_; }

  // For the cursor at the walk's end.
  const ReadablePages& readable() const { return readable_; }

  bool Read(uintptr_t address, uintptr_t* word) {
    if (address >= low_ && address < high_ && high_ - address >= sizeof(uintptr_t)) {
      *word = LoadWord(address);
      return true;
    }
    return ReadElsewhere(address, word);
  }

  // Takes fuel for callers that read by themselves, and for work whose length depends on the tables.
  bool TakeFuel(Cut use, uint32_t units) { return fuel_ == nullptr || fuel_->Take(use, units); }
  void SpendFuel(uint32_t units) {
    if (fuel_ != nullptr) fuel_->Spend(units);
  }

 private:
  // A frame's words lie close together, and the next frame's words follow. So one system call fetches a run of them. A
  // run stays inside a page: the next page may be unmapped.
  static constexpr uintptr_t kWindow = 256;
  static constexpr uintptr_t kPage = 4096;

  void SetPlain() {
    low_ = readable_.low() > used_.low ? readable_.low() : used_.low;
    high_ = readable_.high() < used_.high ? readable_.high() : used_.high;
    if (low_ >= high_) low_ = high_ = 0;
  }

  __attribute__((noinline)) bool ReadElsewhere(uintptr_t address, uintptr_t* word) {
    if (address < used_.low || address >= used_.high || used_.high - address < sizeof(uintptr_t))
      return ReadChecked(address, word);
    if (!Prove(address, address + sizeof(uintptr_t))) return false;
    *word = LoadWord(address);
    return true;
  }

  bool ReadChecked(uintptr_t address, uintptr_t* word) {
    if (address % sizeof(uintptr_t) != 0)
      return TakeFuel(Cut::kFrames, Fuel::kRead) && SafeRead(address, word, sizeof(*word));
    if (address < window_start_ || address >= window_start_ + window_size_) {
      const uintptr_t to_page_end = kPage - address % kPage;
      const uintptr_t size = to_page_end < kWindow ? to_page_end : kWindow;
      window_size_ = 0;
      if (!TakeFuel(Cut::kFrames, Fuel::kRead) || !SafeRead(address, window_, size)) return false;
      window_start_ = address;
      window_size_ = size;
    }
    *word = window_[(address - window_start_) / sizeof(uintptr_t)];
    return true;
  }

  StackBounds bounds_;
  Fuel* fuel_;
  ReadablePages readable_;
  StackPart used_ = {0, 0};
  bool starved_ = false;
  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
  uintptr_t window_start_ = 0;
  uintptr_t window_size_ = 0;
  uintptr_t window_[kWindow / sizeof(uintptr_t)];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_STACK_READER_H_
