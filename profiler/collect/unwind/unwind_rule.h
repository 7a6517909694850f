// The compact form of a CFI row: enough to step over a frame while a walk tracks only three registers. 8 bytes, so that
// a cache entry with its key is a quarter of a cache line.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_UNWIND_RULE_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_UNWIND_RULE_H_

#include <stdint.h>

#include "profiler/collect/base/fuel.h"
#include "profiler/collect/unwind/cfi_row.h"

namespace ompprof::collect {

enum class UnwindRuleKind : uint8_t {
  kNone,         // no CFI: the caller can only be guessed (caller_guess.h)
  kFromSp,       // CFA = sp + cfa_offset; the return address below it; fp as fp_offset says
  kFromFp,       // CFA = fp + cfa_offset; the same
  kRealigned,    // CFA = [fp + cfa_offset], caller's fp = [fp + fp_offset]: what gcc writes for a realigned stack
  kSignalFrame,  // everything is in the ucontext at sp
  kRoot,         // the return address is undefined: the outermost frame. CFA = sp + cfa_offset
  kComplex,      // needs registers that the fast walk does not track, or a general expression
  kNotLookedUp,  // no rule: there was no fuel to look for one
};

struct UnwindRule {
  UnwindRuleKind kind;
  int16_t fp_offset;  // caller's fp = [CFA + fp_offset]; kFpUnchanged: it is still in the register
  int32_t cfa_offset;
};
static_assert(sizeof(UnwindRule) == 8);

// The return address's own slot can hold no frame pointer; a walk may load it all the same and so needs no branch.
constexpr int16_t kFpUnchanged = arch::kReturnAddressOffset;

// Reduces a row of `fde`, valid at `pc`, to a rule. Async-signal-safe.
UnwindRule CompileRule(const Fde& fde, const CfiRow& row, uintptr_t pc);

// The address whose row applies to a frame at `pc`: for a return address the call before it, which may be the last
// instruction of its function. A word found where a return address should be, but behind no call, is a place to be
// jumped to: libgcc puts a landing pad there, and the row before it may be that of a `ret`. Async-signal-safe.
uintptr_t LookUpAddress(uintptr_t pc, bool return_address);

// FindRule's working memory, 2.5 KB: nothing of it is kept from one call to the next.
struct RuleRoom {
  EntryRoom entry;
  RowRoom states;
  Fde fde;
  CfiRow row;

  // What the last look-up has cost beyond Fuel::kLookUp.
  void Begin() { entry.reads = states.instructions = 0; }
  uint32_t Spent() const { return entry.reads * Fuel::kRead + states.instructions / 2; }
};

// What applies to a frame at `pc`, from the loaded objects' CFI: the slow road that the rule cache is there to save,
// 0.3 us in a permanent object, six or seven times a system call of 1 us in one that may be unloaded. `cacheable` is
// false if no object is loaded there, so that the answer may change without notice. Async-signal-safe.
UnwindRule FindRule(uintptr_t pc, bool return_address, RuleRoom* room, bool* cacheable);

// Whether the code at `pc` is the kernel's return from a signal handler. Async-signal-safe.
bool IsSignalTrampoline(uintptr_t pc);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_UNWIND_RULE_H_
