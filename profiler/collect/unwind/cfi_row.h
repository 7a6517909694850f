// A row of the table that a CFI program encodes: it tells how to find the caller's registers at one instruction.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_CFI_ROW_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_CFI_ROW_H_

#include <stddef.h>
#include <stdint.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/fde_finder.h"

namespace ompprof::collect {

// DWARF 5, section 6.4.1, "register rules".
enum class RegisterRuleKind : uint8_t {
  kUnspecified,  // as kSame for callee-saved registers; other registers must not be asked for
  kUndefined,    // not recoverable; for the return address: this is the outermost frame
  kSame,
  kOffset,       // saved at CFA + value
  kValueOffset,  // is CFA + value
  kRegister,     // is in register number `value`
  kExpression,   // saved at the result of an expression
  kValueExpression,
};

struct RegisterRule {
  RegisterRuleKind kind;
  int32_t value;  // of expressions: their place (length first), relative to their FDE, or to their CIE minus 2^30
};

struct CfiRow {
  bool cfa_is_expression;
  uint8_t cfa_register;  // CFA = this register + cfa_value, unless an expression gives the CFA
  int32_t cfa_value;     // as RegisterRule::value
  RegisterRule registers[arch::kRegisterCount];
};

// A DWARF expression's bytes.
struct ExpressionBytes {
  const uint8_t* begin;
  const uint8_t* end;
};

inline constexpr unsigned kMaxRememberedStates = 6;  // compilers nest one or two deep
inline constexpr unsigned kMaxInstructions = 4096;   // the most seen are LAPACK's 3,756

// ComputeRow's working memory, a kilobyte. The caller provides it, as all working memory in this folder, because the
// handler's stack may be a small alternate stack.
struct RowScratch {
  RegisterRule initial[arch::kRegisterCount];
  CfiRow remembered[kMaxRememberedStates];
  uint32_t instructions;  // number of instructions for the last row, which is its cost; 3 ns each
};

// Runs the entry's program up to `pc`. False if the program is malformed, or uses a feature that no compiler writes.
// Such features are numbers beyond 31 bits, more than 6 states remembered at once, and programs longer than
// kMaxInstructions. The time is proportional to the entry's length, 12 us at most. A copied entry costs a checked read
// more for each KB behind the first, 16 at most. Async-signal-safe.
bool ComputeRow(const Object& object, const Fde& fde, uintptr_t pc, RowScratch* scratch, CfiRow* row);

// The expression that a rule's value refers to. False if the expression leaves its entry. False also if the entry is
// read by windows, and the expression lies neither in the first KB nor in the last window. Async-signal-safe.
bool ExpressionAt(const Fde& fde, int32_t value, ExpressionBytes* bytes);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_CFI_ROW_H_
