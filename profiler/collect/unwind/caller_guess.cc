#include "profiler/collect/unwind/caller_guess.h"

#include "profiler/collect/arch/code.h"
#include "profiler/collect/arch/unwind_rule.h"
#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/permanent_objects.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

uintptr_t own_begin, own_end;

bool IsReturnAddress(uintptr_t address, StackReader* stack) {
  Object object;
  return address - own_begin >= own_end - own_begin && FindObject(address - 1, &object) &&
         stack->TakeFuel(Cut::kTables, object.permanent ? Fuel::kLookUp : Fuel::kRead) &&
         FollowsCallInstruction(address);
}

// Whether the call that returns to `address` may have gone to the function around `pc`. False for a function that was
// jumped to, from the one that was called.
bool MayHaveCalled(uintptr_t address, uintptr_t pc, StackReader* stack) {
  constexpr uintptr_t kLargestFunction = 1 << 20;
  uint8_t call[8];
  uint8_t stub[arch::kStubBytes];
  uintptr_t target;
  uintptr_t word;
  if (!stack->TakeFuel(Cut::kTables, 3 * Fuel::kRead) || !ReadCode(address - sizeof(call), call, sizeof(call)) ||
      !arch::DirectCallTarget(call, address, &target))
    return true;
  if (ReadCode(target, stub, sizeof(stub)) && arch::IsLinkersStub(stub, target, &word) &&
      !SafeRead(word, &target, sizeof(target)))
    return true;
  return pc - target < kLargestFunction;
}

// Whether a rule is found at `frame`, and leads to a caller. True if this cannot be known.
bool LeadsOn(arch::FrameRegisters frame, StackReader* stack, RuleScratch* scratch) {
  if (scratch == nullptr || !stack->TakeFuel(Cut::kTables, Fuel::kLookUp)) return true;
  bool cacheable;
  const UnwindRule rule = FindRule(frame.pc, frame.return_address, scratch, &cacheable);
  stack->SpendFuel(scratch->Spent());
  switch (rule.kind) {
    case UnwindRuleKind::kFromSp:
    case UnwindRuleKind::kFromFp:
    case UnwindRuleKind::kRealigned: {
      uintptr_t cfa;
      return arch::StepByRule(rule, stack, &frame, &cfa) && IsReturnAddress(frame.pc, stack);
    }
    case UnwindRuleKind::kNone:
      return false;
    default:
      return true;
  }
}

}  // namespace

void SetOwnCode(uintptr_t begin, uintptr_t end) {
  own_begin = begin;
  own_end = end;
}

bool FollowsCallInstruction(uintptr_t address) {
  uint8_t before[8];
  return ReadCode(address - sizeof(before), before, sizeof(before)) && arch::FollowsCall(before);
}

bool IsLoaderEntry(const arch::FrameRegisters& frame) {
  Object object;
  return frame.fp == 0 && FindObject(frame.pc - frame.return_address, &object) && IsLoader(object);
}

bool GuessCaller(const ucontext_t* interrupted, StackReader* stack, RuleScratch* scratch, arch::FrameRegisters* frame,
                 uintptr_t* cfa) {
  const auto is_return_address = [&](uintptr_t address) { return IsReturnAddress(address, stack); };
  const uintptr_t pc = frame->pc;
  const auto leads_on = [&](const arch::FrameRegisters& candidate) {
    return MayHaveCalled(candidate.pc, pc, stack) && LeadsOn(candidate, stack, scratch);
  };
  uint8_t code[arch::kEpilogueBytes];
  if (frame->return_address && stack->TakeFuel(Cut::kTables, Fuel::kRead) && ReadCode(frame->pc, code, sizeof(code)) &&
      arch::StepByEpilogue(code, stack, frame, cfa, is_return_address))
    return true;
  return arch::StepByGuess(interrupted, stack, frame, cfa, is_return_address, leads_on);
}

}  // namespace ompprof::collect
