// Which unwind rule (arch/unwind_rule.h) applies at an address.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_RULE_FINDER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_RULE_FINDER_H_

#include <stdint.h>

#include "profiler/collect/arch/unwind_rule.h"
#include "profiler/collect/base/fuel.h"
#include "profiler/collect/unwind/cfi_row.h"

namespace ompprof::collect {

// The address whose row applies to a frame at `pc`: for a return address the call before it, which may be the last
// instruction of its function. A word found where a return address should be, but behind no call, is a place to be
// jumped to: libgcc puts a landing pad there, and the row before it may be that of a `ret`. Async-signal-safe.
uintptr_t LookUpAddress(uintptr_t pc, bool return_address);

// FindRule's working memory, 3.5 KB: nothing of it is kept from one call to the next.
struct RuleScratch {
  EntryScratch entry;
  RowScratch states;
  Fde fde;
  CfiRow row;

  // What the last look-up has cost beyond Fuel::kLookUp.
  void Begin() { entry.reads = states.instructions = 0; }
  uint32_t Spent() const { return entry.reads * Fuel::kRead + states.instructions / 2; }
};

// What applies to a frame at `pc`, from the loaded objects' CFI: the slow road that the rule cache is there to save,
// 0.3 us in a permanent object, six or seven times a system call of 1 us in one that may be unloaded. `cacheable` is
// false if no object is loaded there, so that the answer may change without notice. Async-signal-safe.
UnwindRule FindRule(uintptr_t pc, bool return_address, RuleScratch* scratch, bool* cacheable);

// Whether the code at `pc` is the kernel's return from a signal handler. Async-signal-safe.
bool IsSignalTrampoline(uintptr_t pc);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_RULE_FINDER_H_
