#include "profiler/collect/unwind/caller_guess.h"

#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/permanent_objects.h"

namespace ompprof::collect {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

bool IsReturnAddress(uintptr_t address, StackReader* stack) {
  Object object;
  return FindObject(address - 1, &object) &&
         stack->TakeFuel(Cut::kTables, object.permanent ? Fuel::kLookUp : Fuel::kRead) &&
         FollowsCallInstruction(address);
}

}  // namespace

bool FollowsCallInstruction(uintptr_t address) {
  uint8_t before[8];
  return ReadCode(address - sizeof(before), before, sizeof(before)) && arch::FollowsCall(before);
}

bool IsLoaderEntry(const FrameRegisters& frame) {
  Object object;
  return frame.fp == 0 && FindObject(frame.pc - frame.return_address, &object) && IsLoader(object);
}

bool GuessCaller(StackReader* stack, FrameRegisters* frame, uintptr_t* cfa) {
  uintptr_t candidate;
  if (!frame->return_address && stack->Read(frame->sp, &candidate) && IsReturnAddress(candidate, stack)) {
    *cfa = frame->sp + kWord;
    *frame = {candidate, *cfa, frame->fp, true};
    return true;
  }
  uintptr_t caller_fp;
  if (frame->fp < frame->sp || frame->fp % kWord != 0 || frame->fp + 2 * kWord < frame->fp ||
      !stack->Read(frame->fp + kWord, &candidate) || !stack->Read(frame->fp, &caller_fp) ||
      !IsReturnAddress(candidate, stack)) {
    return false;
  }
  *cfa = frame->fp + 2 * kWord;
  *frame = {candidate, *cfa, caller_fp, true};
  return true;
}

}  // namespace ompprof::collect
