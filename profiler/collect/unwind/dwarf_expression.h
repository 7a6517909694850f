// Evaluates the DWARF expressions of CFI.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_DWARF_EXPRESSION_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_DWARF_EXPRESSION_H_

#include <stdint.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/cfi_row.h"
#include "profiler/collect/unwind/stack_reader.h"

namespace ompprof::collect {

// The general registers at a frame, by DWARF number; the last is the instruction address.
struct Registers {
  uintptr_t value[arch::kRegisterCount];
};

// Evaluates an expression (DWARF 5, section 2.5) of the operations that may occur in CFI (section 6.4.2). If `cfa` is
// not NULL, it is pushed first, as register rules require. Sets `result` to the top of the stack. False if the
// expression is malformed, reads unreadable memory, or runs past 512 operations (it can branch backwards).
// Async-signal-safe.
bool EvaluateExpression(ExpressionBytes expression, const Registers& registers, const uintptr_t* cfa,
                        StackReader* stack, uintptr_t* result);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_DWARF_EXPRESSION_H_
