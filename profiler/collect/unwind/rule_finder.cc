#include "profiler/collect/unwind/rule_finder.h"

#include "profiler/collect/arch/code.h"
#include "profiler/collect/unwind/permanent_objects.h"

namespace ompprof::collect {
namespace {

constexpr UnwindRule kNoRule = {UnwindRuleKind::kNone, 0, 0};
constexpr UnwindRule kSignalRule = {UnwindRuleKind::kSignalFrame, 0, 0};
constexpr UnwindRule kComplexRule = {UnwindRuleKind::kComplex, 0, 0};

UnwindRule RuleIn(const Object& object, uintptr_t pc, uintptr_t lookup, bool return_address, RuleScratch* scratch) {
  if (!FindFde(object, lookup, &scratch->entry, &scratch->fde) ||
      !ComputeRow(object, scratch->fde, lookup, &scratch->states, &scratch->row)) {
    return return_address && IsSignalTrampoline(pc) ? kSignalRule : kNoRule;
  }
  if (scratch->fde.signal_frame) return IsSignalTrampoline(pc) ? kSignalRule : kComplexRule;
  return arch::CompileRule(scratch->fde, scratch->row, lookup);
}

}  // namespace

bool IsSignalTrampoline(uintptr_t pc) {
  uint8_t bytes[sizeof(arch::kSignalTrampoline)];
  return ReadCode(pc, bytes, sizeof(bytes)) && arch::IsSignalTrampoline(bytes);
}

uintptr_t LookUpAddress(uintptr_t pc, bool return_address) {
  if (!return_address) return pc;
  uint8_t before[8];
  const bool jumped_to = ReadCode(pc - sizeof(before), before, sizeof(before)) && !arch::FollowsCall(before);
  return jumped_to ? pc : pc - 1;
}

UnwindRule FindRule(uintptr_t pc, bool return_address, RuleScratch* scratch, bool* cacheable) {
  Object object;
  scratch->Begin();
  const uintptr_t lookup = LookUpAddress(pc, return_address);
  *cacheable = FindObject(lookup, &object);
  if (!*cacheable) {
    scratch->entry.reads = 2;
    return return_address && IsSignalTrampoline(pc) ? kSignalRule : kNoRule;
  }
  const UnwindRule rule = RuleIn(object, pc, lookup, return_address, scratch);
  if (!object.permanent) ++scratch->entry.reads;  // the read in LookUpAddress
  return rule;
}

}  // namespace ompprof::collect
