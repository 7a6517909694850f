// The walk by CFI. A frame with a cached rule and with its memory on the thread's own stack takes a pass through a
// short loop, about 20 cycles. All other frames leave the loop for a function.
#include <stddef.h>

#include <atomic>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/arch/unwind_rule.h"
#include "profiler/collect/unwind/caller_guess.h"
#include "profiler/collect/unwind/full_walk.h"
#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/rule_cache.h"
#include "profiler/collect/unwind/rule_finder.h"
#include "profiler/collect/unwind/stack_reader.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {
namespace {

// InvalidateUnwindCaches increments it; each walk reads it once.
std::atomic<uint32_t> cache_generation{0};

struct CfiThread {
  StackBounds bounds;
  // One for the walk, and one for a walk that interrupts the first.
  static constexpr uint32_t kScratches = 2;
  volatile uint32_t scratches_taken;
  RuleCache cache;
  FullWalkScratch scratches[kScratches];
};

// Takes a scratch of the thread for as long as this object lives; NULL if the walk interrupts too many others.
class ScratchScope {
 public:
  explicit ScratchScope(CfiThread* thread) : thread_(thread), number_(thread->scratches_taken) {
    thread->scratches_taken = number_ + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~ScratchScope() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread_->scratches_taken = number_;
  }
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;
  FullWalkScratch* scratch() const { return number_ < CfiThread::kScratches ? &thread_->scratches[number_] : nullptr; }

 private:
  CfiThread* thread_;
  uint32_t number_;
};

// The caller's memory may have a smaller alignment than a cache line.
constexpr size_t kLine = 64;
constexpr size_t kStateBytes = sizeof(CfiThread) + kLine - 1;

CfiThread* ThreadOf(void* state) {
  return reinterpret_cast<CfiThread*>((reinterpret_cast<uintptr_t>(state) + kLine - 1) & ~(kLine - 1));
}

void InitThread(void* state, StackBounds bounds) {
  CfiThread* thread = ThreadOf(state);
  thread->bounds = bounds;
  thread->scratches_taken = 0;  // an earlier thread may have ended within a walk
}

void Start(void*, const ucontext_t* context, Cursor* cursor) { *cursor = {arch::FrameOf(*context), context, 0}; }

// Takes the fuel of `stack`.
__attribute__((noinline)) UnwindRule LookUp(CfiThread* thread, const arch::FrameRegisters& at, uint32_t generation,
                                            StackReader* stack) {
  if (!stack->TakeFuel(Cut::kTables, Fuel::kLookUp)) return {UnwindRuleKind::kNotLookedUp, 0, 0};
  const ScratchScope scope(thread);
  FullWalkScratch* const scratch = scope.scratch();
  if (scratch == nullptr) return {UnwindRuleKind::kNone, 0, 0};
  bool cacheable;
  const UnwindRule rule = FindRule(at.pc, at.return_address, &scratch->rule, &cacheable);
  stack->SpendFuel(scratch->rule.Spent());
  if (cacheable) thread->cache.Insert(at.pc - at.return_address, rule, generation);
  return rule;
}

enum class Step : uint8_t {
  kDone,
  kRoot,     // the frame is the last
  kBroken,   // the frame is the last that the walk can find
  kNoFrame,  // as kBroken, and this is not a frame: the address came from a damaged stack
  kNeedAllRegisters,
  kNoFuel,  // there is no fuel to find the rule
};

// A step of any kind. Fills in `frame` (with the pc) and moves `at` to the caller. `interrupted`: all registers, at a
// walk's first frame, else NULL.
__attribute__((noinline)) Step StepSlowly(CfiThread* thread, UnwindRule rule, const ucontext_t* interrupted,
                                          StackReader* stack, arch::FrameRegisters* at, Frame* frame) {
  *frame = {at->pc, at->sp, at->return_address};
  switch (rule.kind) {
    case UnwindRuleKind::kFromSp:
    case UnwindRuleKind::kFromFp:
    case UnwindRuleKind::kRealigned:
      return arch::StepByRule(rule, stack, at, &frame->cfa) ? Step::kDone : Step::kBroken;
    case UnwindRuleKind::kSignalFrame:
      frame->return_address = false;
      return arch::StepFromSignalFrame(stack, at, &frame->cfa) ? Step::kDone : Step::kBroken;
    case UnwindRuleKind::kRoot:
      frame->cfa += static_cast<uintptr_t>(int64_t{rule.cfa_offset});
      return Step::kRoot;
    case UnwindRuleKind::kNotLookedUp:
      return Step::kNoFuel;
    case UnwindRuleKind::kNone: {
      const ScratchScope scope(thread);
      FullWalkScratch* const scratch = scope.scratch();
      RuleScratch* const rules = scratch != nullptr ? &scratch->rule : nullptr;
      if (GuessCaller(interrupted, stack, rules, at, &frame->cfa)) return Step::kDone;
      if (IsLoaderEntry(*at)) return Step::kRoot;
      return at->return_address && !FollowsCallInstruction(at->pc) ? Step::kNoFrame : Step::kBroken;
    }
    case UnwindRuleKind::kComplex:
      return Step::kNeedAllRegisters;
  }
  return Step::kBroken;
}

OMPPROF_NO_SANITIZE WalkResult Walk(void* state, Cursor* cursor, Frame* frames, uint32_t max) {
  CfiThread* const thread = ThreadOf(state);
  const uint32_t generation = cache_generation.load(std::memory_order_acquire);
  thread->cache.Sync(generation);
  Fuel* const fuel = cursor->fuel;
  StackReader stack(thread->bounds, cursor->at.sp, fuel, cursor->readable);
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
    UnwindRule rule;
    const uintptr_t key = at.pc - at.return_address;
    if (__builtin_expect(!thread->cache.Find(key, &rule), 0)) rule = LookUp(thread, at, generation, &stack);

    if (__builtin_expect(arch::StepQuickly(rule, &stack, &at, &frames[written]), 1)) {
      ++written;
      continue;
    }
    const ucontext_t* const interrupted = cursor->frames_done + written == 0 ? cursor->start : nullptr;
    const Step step = StepSlowly(thread, rule, interrupted, &stack, &at, &frames[written]);
    if (step == Step::kNeedAllRegisters) {
      cursor->frames_done += written;
      stack.SpendFuel(written);
      const ScratchScope scope(thread);
      if (scope.scratch() == nullptr || cursor->start == nullptr) return {written, WalkEnd::kBroken};
      const WalkResult rest = WalkAllRegisters(&stack, scope.scratch(), cursor, frames + written, max - written);
      return {written + rest.frames, rest.end};
    }
    if (step == Step::kNoFuel || (step == Step::kBroken && stack.starved())) {
      end = WalkEnd::kNoFuel;
      break;
    }
    if (step != Step::kNoFrame) ++written;
    if (step != Step::kDone) {
      end = step == Step::kRoot ? WalkEnd::kRoot : WalkEnd::kBroken;
      at.pc = 0;  // another call then writes nothing
      at.return_address = true;
      break;
    }
  }
  if (fuel != nullptr) {
    if (end == WalkEnd::kLimit && written != max) {
      fuel->Mark(Cut::kFrames);
      end = WalkEnd::kNoFuel;
    }
    fuel->Spend(written);
  }
  *cursor = {at, cursor->start, cursor->frames_done + written, fuel, stack.readable()};
  return {written, end};
}

constexpr Unwinder kCfiUnwinder = {"cfi", kStateBytes, InitThread, Start, Walk, /*reads_checked=*/true};

}  // namespace

const Unwinder* CfiUnwinder() { return &kCfiUnwinder; }

void InvalidateUnwindCaches() { cache_generation.fetch_add(1, std::memory_order_release); }

}  // namespace ompprof::collect
