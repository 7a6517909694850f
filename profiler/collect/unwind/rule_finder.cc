#include "profiler/collect/unwind/rule_finder.h"

#include "profiler/collect/arch/code.h"
#include "profiler/collect/unwind/permanent_objects.h"
#include "profiler/collect/unwind/registered_frames.h"

namespace ompprof::collect {
namespace {

constexpr UnwindRule kNoRule = {UnwindRuleKind::kNone, 0, 0};
constexpr UnwindRule kSignalRule = {UnwindRuleKind::kSignalFrame, 0, 0};
constexpr UnwindRule kComplexRule = {UnwindRuleKind::kComplex, 0, 0};

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

bool FindRow(uintptr_t lookup, RuleScratch* scratch, bool* in_object) {
  Object object;
  *in_object = FindObject(lookup, &object);
  if (!*in_object) object = kNoObject;
  const bool found = *in_object ? FindFde(object, lookup, &scratch->entry, &scratch->fde)
                                : FindRegisteredFde(lookup, &scratch->entry, &scratch->fde);
  if (!object.permanent) scratch->entry.reads += *in_object ? 1 : 2;  // those of the callers
  return found && ComputeRow(object, scratch->fde, lookup, &scratch->states, &scratch->row);
}

UnwindRule FindRule(uintptr_t pc, bool return_address, RuleScratch* scratch, bool* cacheable) {
  scratch->Begin();
  const uintptr_t lookup = LookUpAddress(pc, return_address);
  bool in_object;
  const bool found = FindRow(lookup, scratch, &in_object);
  *cacheable = in_object || found;  // a deregistration empties the caches
  if (!found) return return_address && IsSignalTrampoline(pc) ? kSignalRule : kNoRule;
  if (scratch->fde.signal_frame) return IsSignalTrampoline(pc) ? kSignalRule : kComplexRule;
  return arch::CompileRule(scratch->fde, scratch->row, lookup);
}

}  // namespace ompprof::collect
