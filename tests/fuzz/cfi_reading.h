// Reads everything that unwind tables say of one address, as a walk does. The fuzzers of unwind tables call it.
#ifndef OMPPROF_TESTS_FUZZ_CFI_READING_H_
#define OMPPROF_TESTS_FUZZ_CFI_READING_H_

#include <stdint.h>

#include <random>
#include <vector>

#include "profiler/collect/unwind/cfi_row.h"
#include "profiler/collect/unwind/dwarf_expression.h"
#include "profiler/collect/unwind/fde_finder.h"
#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/rule_finder.h"
#include "profiler/collect/unwind/stack_reader.h"

namespace ompprof::collect {

// Counts the rows found: 0 or 1.
inline unsigned ReadAll(const Object& object, uintptr_t pc, const Registers& registers, StackReader* stack) {
  EntryScratch scratch;
  RowScratch states;
  Fde fde;
  CfiRow row;
  if (!FindFde(object, pc, &scratch, &fde) || !ComputeRow(object, fde, pc, &states, &row)) return 0;
  arch::CompileRule(fde, row, pc);
  ExpressionBytes expression;
  uintptr_t result = 0;
  if (row.cfa_is_expression && ExpressionAt(fde, row.cfa_value, &expression)) {
    EvaluateExpression(expression, registers, nullptr, stack, &result);
  }
  for (const RegisterRule& rule : row.registers) {
    const bool has_expression =
        rule.kind == RegisterRuleKind::kExpression || rule.kind == RegisterRuleKind::kValueExpression;
    if (has_expression && ExpressionAt(fde, rule.value, &expression)) {
      EvaluateExpression(expression, registers, &result, stack, &result);
    }
  }
  return 1;
}

// Some of them point into the words, some nowhere.
inline Registers RandomRegisters(std::mt19937_64* random, const std::vector<uintptr_t>& words) {
  Registers registers;
  for (uintptr_t& value : registers.value) {
    const uint64_t r = (*random)();
    value = r % 4 == 0 ? r : reinterpret_cast<uintptr_t>(&words[r % words.size()]);
  }
  return registers;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_TESTS_FUZZ_CFI_READING_H_
