#include "profiler/collect/unwind/unwind_rule.h"

#include "profiler/collect/unwind/byte_reader.h"
#include "profiler/collect/unwind/permanent_objects.h"

namespace ompprof::collect {
namespace {

constexpr UnwindRule kNoRule = {UnwindRuleKind::kNone, 0, 0};
constexpr UnwindRule kSignalRule = {UnwindRuleKind::kSignalFrame, 0, 0};
constexpr UnwindRule kComplexRule = {UnwindRuleKind::kComplex, 0, 0};

constexpr uint8_t kOpDeref = 0x06;
constexpr uint8_t kOpBreg0 = 0x70;

// Matches `breg<fp> offset`, followed by `deref` if asked for.
bool IsFpOffset(ExpressionBytes expression, bool with_deref, int32_t* offset) {
  ByteReader reader(expression.begin, expression.end);
  if (reader.U8() != kOpBreg0 + arch::kFramePointer) return false;
  const int64_t value = reader.Sleb();
  if (with_deref && reader.U8() != kOpDeref) return false;
  if (!reader.ok() || !reader.at_end() || value != static_cast<int32_t>(value)) return false;
  *offset = static_cast<int32_t>(value);
  return true;
}

// CFA = [fp + x] and the caller's fp at [fp + y]. The prologue leaves the CFA's value in a slot because the distance
// from it to the realigned frame is known only at run time.
UnwindRule CompileRealigned(const Fde& fde, const CfiRow& row, ExpressionBytes cfa_expression) {
  const RegisterRule& fp = row.registers[arch::kFramePointer];
  int32_t cfa_offset;
  int32_t fp_offset;
  ExpressionBytes fp_expression;
  if (!IsFpOffset(cfa_expression, true, &cfa_offset) || fp.kind != RegisterRuleKind::kExpression ||
      !ExpressionAt(fde, fp.value, &fp_expression) || !IsFpOffset(fp_expression, false, &fp_offset) ||
      fp_offset != static_cast<int16_t>(fp_offset)) {
    return kComplexRule;
  }
  return {UnwindRuleKind::kRealigned, static_cast<int16_t>(fp_offset), cfa_offset};
}

// Where the caller's frame pointer is, if the fast walk can find it.
bool CompileFp(const RegisterRule& fp, int16_t* offset) {
  switch (fp.kind) {
    case RegisterRuleKind::kUnspecified:
    case RegisterRuleKind::kSame:
    case RegisterRuleKind::kUndefined:  // then no caller relies on it
      *offset = kFpUnchanged;
      return true;
    case RegisterRuleKind::kOffset:
      *offset = static_cast<int16_t>(fp.value);
      return *offset == fp.value && fp.value < kFpUnchanged;
    default:
      return false;
  }
}

UnwindRule RuleIn(const Object& object, uintptr_t pc, uintptr_t lookup, bool return_address, RuleRoom* room) {
  if (!FindFde(object, lookup, &room->entry, &room->fde) ||
      !ComputeRow(object, room->fde, lookup, &room->states, &room->row)) {
    return return_address && IsSignalTrampoline(pc) ? kSignalRule : kNoRule;
  }
  if (room->fde.signal_frame) return IsSignalTrampoline(pc) ? kSignalRule : kComplexRule;
  return CompileRule(room->fde, room->row, lookup);
}

}  // namespace

UnwindRule CompileRule(const Fde& fde, const CfiRow& row, uintptr_t pc) {
  const RegisterRule& return_address = row.registers[arch::kReturnAddress];
  const bool from_sp = !row.cfa_is_expression && row.cfa_register == arch::kStackPointer;
  const bool from_fp = !row.cfa_is_expression && row.cfa_register == arch::kFramePointer;
  if (return_address.kind == RegisterRuleKind::kUndefined) {
    return {UnwindRuleKind::kRoot, kFpUnchanged, from_sp ? row.cfa_value : 0};
  }
  if (return_address.kind != RegisterRuleKind::kOffset || return_address.value != arch::kReturnAddressOffset ||
      row.registers[arch::kStackPointer].kind != RegisterRuleKind::kUnspecified) {
    return kComplexRule;
  }

  UnwindRule rule = {from_sp ? UnwindRuleKind::kFromSp : UnwindRuleKind::kFromFp, 0, row.cfa_value};
  if (row.cfa_is_expression) {
    ExpressionBytes expression;
    if (!ExpressionAt(fde, row.cfa_value, &expression)) return kComplexRule;
    const auto size = static_cast<size_t>(expression.end - expression.begin);
    if (!arch::PltCfaOffset(expression.begin, size, pc, &rule.cfa_offset)) {
      return CompileRealigned(fde, row, expression);
    }
    rule.kind = UnwindRuleKind::kFromSp;
  } else if (!from_sp && !from_fp) {
    return kComplexRule;
  }
  return CompileFp(row.registers[arch::kFramePointer], &rule.fp_offset) ? rule : kComplexRule;
}

bool IsSignalTrampoline(uintptr_t pc) {
  uint8_t bytes[sizeof(arch::kSignalTrampoline)];
  return ReadCode(pc, bytes, sizeof(bytes)) && memcmp(bytes, arch::kSignalTrampoline, sizeof(bytes)) == 0;
}

uintptr_t LookUpAddress(uintptr_t pc, bool return_address) {
  if (!return_address) return pc;
  uint8_t before[8];
  const bool jumped_to = ReadCode(pc - sizeof(before), before, sizeof(before)) && !arch::FollowsCall(before);
  return jumped_to ? pc : pc - 1;
}

UnwindRule FindRule(uintptr_t pc, bool return_address, RuleRoom* room, bool* cacheable) {
  Object object;
  room->Begin();
  const uintptr_t lookup = LookUpAddress(pc, return_address);
  *cacheable = FindObject(lookup, &object);
  if (!*cacheable) {
    room->entry.reads = 2;
    return return_address && IsSignalTrampoline(pc) ? kSignalRule : kNoRule;
  }
  const UnwindRule rule = RuleIn(object, pc, lookup, return_address, room);
  if (!object.permanent) ++room->entry.reads;  // LookUpAddress's
  return rule;
}

}  // namespace ompprof::collect
