// Finds the unwind rule (arch/unwind_rule.h) that applies at an address.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_RULE_FINDER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_RULE_FINDER_H_

#include <stdint.h>

#include "profiler/collect/arch/unwind_rule.h"
#include "profiler/collect/base/fuel.h"
#include "profiler/collect/unwind/cfi_row.h"

namespace ompprof::collect {

// The address whose row applies to a frame at `pc`. For a return address, this is the call before it, which may be the
// last instruction of its function. A word in the place of a return address may not lie behind a call. Then the word is
// the target of a jump: libgcc puts a landing pad there. The row before such a word may belong to a `ret`.
// Async-signal-safe.
uintptr_t LookUpAddress(uintptr_t pc, bool return_address);

// FindRule's working memory, 3.5 KB. No call needs the contents from an earlier call.
struct RuleScratch {
  EntryScratch entry;
  RowScratch states;
  Fde fde;
  CfiRow row;

  // The cost of the last look-up beyond Fuel::kLookUp.
  void Begin() { entry.reads = states.instructions = 0; }
  uint32_t Spent() const { return entry.reads * Fuel::kRead + states.instructions / 2; }
};

// Computes scratch->row for the code at `lookup`, by the CFI of its object or of registered generated code. False:
// there is none. Async-signal-safe.
bool FindRow(uintptr_t lookup, RuleScratch* scratch, bool* in_object);

// Finds the rule for a frame at `pc` in the CFI of loaded objects and of registered generated code. The rule cache
// saves most of these slow look-ups. A look-up takes 0.3 us in a permanent object. In an object that may be unloaded,
// it takes six or seven system calls of 1 us each. `cacheable` is false if neither is there, so that the answer may
// change without notice. Async-signal-safe.
UnwindRule FindRule(uintptr_t pc, bool return_address, RuleScratch* scratch, bool* cacheable);

// Whether the code at `pc` is the kernel's return from a signal handler. Async-signal-safe.
bool IsSignalTrampoline(uintptr_t pc);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_RULE_FINDER_H_
