#include "profiler/collect/arch/x86_64/unwind_rule.h"

#include <stddef.h>

#include "profiler/collect/unwind/byte_reader.h"

namespace ompprof::collect::arch {
namespace {

constexpr UnwindRule kComplexRule = {UnwindRuleKind::kComplex, 0, 0};

constexpr uint8_t kOpDeref = 0x06;
constexpr uint8_t kOpBreg0 = 0x70;

// Matches `breg<fp> offset`, followed by `deref` if `with_deref`.
bool IsFpOffset(ExpressionBytes expression, bool with_deref, int32_t* offset) {
  ByteReader reader(expression.begin, expression.end);
  if (reader.U8() != kOpBreg0 + kFramePointer) return false;
  const int64_t value = reader.Sleb();
  if (with_deref && reader.U8() != kOpDeref) return false;
  if (!reader.ok() || !reader.at_end() || value != static_cast<int32_t>(value)) return false;
  *offset = static_cast<int32_t>(value);
  return true;
}

// CFA = [fp + x] and the caller's fp at [fp + y]. The prologue leaves the CFA's value in a slot, because the distance
// from the CFA to the realigned frame is known only at run time.
UnwindRule CompileRealigned(const Fde& fde, const CfiRow& row, ExpressionBytes cfa_expression) {
  const RegisterRule& fp = row.registers[kFramePointer];
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

// Finds the place of the caller's frame pointer. False: the quick walk cannot find the place.
bool CompileFp(const RegisterRule& fp, int16_t* offset) {
  switch (fp.kind) {
    case RegisterRuleKind::kUnspecified:
    case RegisterRuleKind::kSame:
    case RegisterRuleKind::kUndefined:  // no caller relies on the frame pointer then
      *offset = kFpUnchanged;
      return true;
    case RegisterRuleKind::kOffset:
      *offset = static_cast<int16_t>(fp.value);
      return *offset == fp.value && fp.value < kFpUnchanged;
    default:
      return false;
  }
}

// Linkers describe a lazy PLT entry with one expression for the whole section. CFA = rsp + 8, and 8 more once the entry
// has pushed its index: `rsp + 8 + (((rip & 15) >= N) << 3)`. N is 11, or 10 with `bnd`/`endbr` entries. Sets the
// offset that holds at `pc`. False: the expression is another.
bool PltCfaOffset(const uint8_t* expression, size_t size, uintptr_t pc, int32_t* offset) {
  // breg7 8; breg16 0; lit15; and; litN; ge; lit3; shl; plus
  static constexpr uint8_t kPattern[] = {0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x30, 0x2a, 0x33, 0x24, 0x22};
  constexpr size_t kThreshold = 6;  // index of litN
  if (size != sizeof(kPattern)) return false;
  for (size_t i = 0; i < size; ++i) {
    if (i != kThreshold && expression[i] != kPattern[i]) return false;
  }
  const unsigned threshold = expression[kThreshold] - 0x30u;
  if (threshold > 15) return false;
  *offset = (pc & 15) >= threshold ? 16 : 8;
  return true;
}

}  // namespace

UnwindRule CompileRule(const Fde& fde, const CfiRow& row, uintptr_t pc) {
  const RegisterRule& return_address = row.registers[kReturnAddress];
  const bool from_sp = !row.cfa_is_expression && row.cfa_register == kStackPointer;
  const bool from_fp = !row.cfa_is_expression && row.cfa_register == kFramePointer;
  if (return_address.kind == RegisterRuleKind::kUndefined) {
    return {UnwindRuleKind::kRoot, kFpUnchanged, from_sp ? row.cfa_value : 0};
  }
  if (return_address.kind != RegisterRuleKind::kOffset || return_address.value != kReturnAddressOffset ||
      row.registers[kStackPointer].kind != RegisterRuleKind::kUnspecified) {
    return kComplexRule;
  }

  UnwindRule rule = {from_sp ? UnwindRuleKind::kFromSp : UnwindRuleKind::kFromFp, 0, row.cfa_value};
  if (row.cfa_is_expression) {
    ExpressionBytes expression;
    if (!ExpressionAt(fde, row.cfa_value, &expression)) return kComplexRule;
    const auto size = static_cast<size_t>(expression.end - expression.begin);
    if (!PltCfaOffset(expression.begin, size, pc, &rule.cfa_offset)) {
      return CompileRealigned(fde, row, expression);
    }
    rule.kind = UnwindRuleKind::kFromSp;
  } else if (!from_sp && !from_fp) {
    return kComplexRule;
  }
  return CompileFp(row.registers[kFramePointer], &rule.fp_offset) ? rule : kComplexRule;
}

bool StepByRule(UnwindRule rule, StackReader* stack, FrameRegisters* at, uintptr_t* cfa) {
  const auto cfa_offset = static_cast<uintptr_t>(int64_t{rule.cfa_offset});
  const auto fp_offset = static_cast<uintptr_t>(int64_t{rule.fp_offset});
  const bool realigned = rule.kind == UnwindRuleKind::kRealigned;
  uintptr_t new_cfa = (rule.kind == UnwindRuleKind::kFromSp ? at->sp : at->fp) + cfa_offset;
  if (realigned && !stack->Read(at->fp + cfa_offset, &new_cfa)) return false;
  const uintptr_t return_slot = new_cfa + static_cast<uintptr_t>(kReturnAddressOffset);
  uintptr_t return_address;
  uintptr_t fp = at->fp;
  if (new_cfa <= at->sp || !stack->Read(return_slot, &return_address)) return false;
  if (realigned || rule.fp_offset != kFpUnchanged) {
    if (!stack->Read((realigned ? at->fp : new_cfa) + fp_offset, &fp)) return false;
  }
  *cfa = new_cfa;
  *at = {return_address, new_cfa, fp, /*return_address=*/true};
  return true;
}

bool StepFromSignalFrame(StackReader* stack, FrameRegisters* at, uintptr_t* cfa) {
  FrameRegisters interrupted{};
  if (!stack->Read(SignalFrameRegister(at->sp, kReturnAddress), &interrupted.pc) ||
      !stack->Read(SignalFrameRegister(at->sp, kStackPointer), &interrupted.sp) ||
      !stack->Read(SignalFrameRegister(at->sp, kFramePointer), &interrupted.fp)) {
    return false;
  }
  *at = interrupted;
  *cfa = interrupted.sp;
  stack->Enter(interrupted.sp);
  return true;
}

}  // namespace ompprof::collect::arch
