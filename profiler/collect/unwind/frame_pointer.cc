// The walk along the chain of saved frame pointers. Each frame takes two loads: the caller's frame pointer, and behind
// it the return address. Where a function keeps no frame pointer, its caller is missing. If the sample fell into the
// prologue of the interrupted function, the caller of this function is missing too.
#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/stack_reader.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {
namespace {

void InitThread(void* state, StackBounds bounds) { *static_cast<StackBounds*>(state) = bounds; }

void Start(void*, const ucontext_t* context, Cursor* cursor) { *cursor = {arch::FrameOf(*context), context, 0}; }

OMPPROF_NO_SANITIZE WalkResult Walk(void* state, Cursor* cursor, Frame* frames, uint32_t max) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  Fuel* const fuel = cursor->fuel;
  StackReader stack(*static_cast<StackBounds*>(state), cursor->at.sp, fuel, cursor->readable);
  const uint32_t affordable = fuel != nullptr ? fuel->Affordable(Cut::kFrames) : max;
  const uint32_t limit = max < affordable ? max : affordable;
  arch::FrameRegisters at = cursor->at;
  uint32_t written = 0;
  WalkEnd end = WalkEnd::kLimit;
  for (;;) {
    if (at.pc == 0 && at.return_address) {
      end = WalkEnd::kRoot;
      break;
    }
    if (written == limit) break;
    uintptr_t caller_fp;
    uintptr_t caller_pc;
    if (at.fp < at.sp || at.fp % kWord != 0 || at.fp > UINTPTR_MAX - 2 * kWord || !stack.Read(at.fp, &caller_fp) ||
        !stack.Read(at.fp + kWord, &caller_pc)) {
      if (stack.starved()) {
        end = WalkEnd::kNoFuel;
        break;
      }
      frames[written++] = {at.pc, at.sp, at.return_address};
      // By convention the outermost frame's saved frame pointer is zero.
      end = at.fp == 0 ? WalkEnd::kRoot : WalkEnd::kBroken;
      at.pc = 0;
      at.return_address = true;
      break;
    }
    const uintptr_t cfa = at.fp + 2 * kWord;
    frames[written++] = {at.pc, cfa, at.return_address};
    at.pc = caller_pc;
    at.sp = cfa;
    at.fp = caller_fp;
    at.return_address = true;
  }
  if (fuel != nullptr) {
    if (end == WalkEnd::kLimit && written != max) {
      fuel->Mark(Cut::kFrames);
      end = WalkEnd::kNoFuel;
    }
    fuel->Spend(written);
  }
  cursor->at = at;
  cursor->frames_done += written;
  cursor->readable = stack.readable();
  return {written, end};
}

constexpr Unwinder kFramePointerUnwinder = {"fp", sizeof(StackBounds), InitThread, Start, Walk, /*reads_checked=*/true};

}  // namespace

const Unwinder* FramePointerUnwinder() { return &kFramePointerUnwinder; }

}  // namespace ompprof::collect
