#include "profiler/collect/unwind/caller_guess.h"

#include "profiler/collect/arch/code.h"
#include "profiler/collect/arch/unwind_rule.h"
#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/permanent_objects.h"

namespace ompprof::collect {
namespace {

uintptr_t own_begin, own_end;

bool IsReturnAddress(uintptr_t address, StackReader* stack) {
  Object object;
  return address - own_begin >= own_end - own_begin && FindObject(address - 1, &object) &&
         stack->TakeFuel(Cut::kTables, object.permanent ? Fuel::kLookUp : Fuel::kRead) &&
         FollowsCallInstruction(address);
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

bool GuessCaller(const ucontext_t* interrupted, StackReader* stack, arch::FrameRegisters* frame, uintptr_t* cfa) {
  const auto is_return_address = [&](uintptr_t address) { return IsReturnAddress(address, stack); };
  uint8_t code[arch::kEpilogueBytes];
  if (frame->return_address && stack->TakeFuel(Cut::kTables, Fuel::kRead) && ReadCode(frame->pc, code, sizeof(code)) &&
      arch::StepByEpilogue(code, stack, frame, cfa, is_return_address))
    return true;
  return arch::StepByGuess(interrupted, stack, frame, cfa, is_return_address);
}

}  // namespace ompprof::collect
