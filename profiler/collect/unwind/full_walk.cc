#include "profiler/collect/unwind/full_walk.h"

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/caller_guess.h"
#include "profiler/collect/unwind/cfi_row.h"
#include "profiler/collect/unwind/fde_finder.h"
#include "profiler/collect/unwind/object_finder.h"

namespace ompprof::collect {
namespace {

enum class Step : uint8_t { kDone, kRoot, kBroken, kNoFrame };  // as in cfi_walk.cc

// A walk's position with all registers.
class FullWalk {
 public:
  FullWalk(StackReader* stack, FullWalkScratch* scratch, const ucontext_t& context)
      : stack_(*stack), scratch_(*scratch), registers_(scratch->registers), interrupted_(&context) {
    stack_.Enter(arch::ContextRegister(context, arch::kStackPointer));
    for (unsigned i = 0; i < arch::kRegisterCount; ++i) registers_.value[i] = arch::ContextRegister(context, i);
  }

  uintptr_t pc() const { return registers_.value[arch::kReturnAddress]; }
  uintptr_t sp() const { return registers_.value[arch::kStackPointer]; }
  uintptr_t fp() const { return registers_.value[arch::kFramePointer]; }
  bool return_address() const { return return_address_; }
  void LeaveInterrupted() { interrupted_ = nullptr; }
  bool at_end() const { return return_address_ && pc() == 0; }

  // Fills in `frame` for the present position and moves to its caller.
  Step Next(Frame* frame) {
    *frame = {pc(), sp(), return_address_};
    bool in_object;
    RuleScratch& scratch = scratch_.rule;
    const Fde& fde = scratch.fde;
    const CfiRow& row = scratch.row;
    scratch.Begin();
    const uintptr_t lookup = LookUpAddress(pc(), return_address_);
    if (!FindRow(lookup, &scratch, &in_object)) {
      return return_address_ && IsSignalTrampoline(pc()) ? LeaveSignalFrame(frame) : Guess(frame);
    }
    if (fde.signal_frame && IsSignalTrampoline(pc())) return LeaveSignalFrame(frame);

    uintptr_t cfa;
    const bool root = row.registers[arch::kReturnAddress].kind == RegisterRuleKind::kUndefined;
    if (!FindCfa(fde, row, &cfa) || !IsProgress(cfa, fde.signal_frame)) return root ? Step::kRoot : Step::kBroken;
    frame->cfa = cfa;
    if (root) return Step::kRoot;
    return Apply(fde, row, cfa) ? Step::kDone : Step::kBroken;
  }

 private:
  // A frame has at least its return address. The exception is an interrupted function that holds its return address in
  // a register. libgcc does so on its way into a landing pad (`pop %rcx; jmp *%rcx`), when the CFA is the stack pointer
  // itself.
  bool IsProgress(uintptr_t cfa, bool signal_frame) const {
    return signal_frame || cfa > sp() || (cfa == sp() && !return_address_);
  }

  bool FindCfa(const Fde& fde, const CfiRow& row, uintptr_t* cfa) {
    if (!row.cfa_is_expression) {
      *cfa = registers_.value[row.cfa_register] + static_cast<uintptr_t>(int64_t{row.cfa_value});
      return true;
    }
    ExpressionBytes expression;
    return ExpressionAt(fde, row.cfa_value, &expression) &&
           EvaluateExpression(expression, registers_, nullptr, &stack_, cfa);
  }

  bool Apply(const Fde& fde, const CfiRow& row, uintptr_t cfa) {
    const bool signal_frame = fde.signal_frame;
    Registers& caller = scratch_.caller;
    caller = registers_;
    caller.value[arch::kStackPointer] = cfa;
    for (unsigned i = 0; i < arch::kRegisterCount; ++i) {
      if (!Recover(fde, row.registers[i], cfa, &caller.value[i])) return false;
    }
    if (row.registers[arch::kReturnAddress].kind == RegisterRuleKind::kUnspecified) return false;
    const bool same_position = caller.value[arch::kStackPointer] == sp() && caller.value[arch::kReturnAddress] == pc();
    if (same_position) return false;
    registers_ = caller;
    return_address_ = !signal_frame;
    if (signal_frame) stack_.Enter(sp());
    return true;
  }

  // A function saves registers in its own frame. After the `pop %rbp` that ends a realigned function, gcc's CFI still
  // places the registers around rbp, which belongs to the caller by then. A place outside the frame means that the
  // register is restored.
  bool IsInFrame(uintptr_t address, uintptr_t cfa) const { return address >= sp() - arch::kRedZone && address < cfa; }

  bool Recover(const Fde& fde, RegisterRule rule, uintptr_t cfa, uintptr_t* value) {
    const uintptr_t cfa_relative = cfa + static_cast<uintptr_t>(int64_t{rule.value});
    ExpressionBytes expression;
    uintptr_t address;
    switch (rule.kind) {
      case RegisterRuleKind::kUnspecified:
      case RegisterRuleKind::kUndefined:
      case RegisterRuleKind::kSame:
        return true;
      case RegisterRuleKind::kOffset:
        return stack_.Read(cfa_relative, value);
      case RegisterRuleKind::kValueOffset:
        *value = cfa_relative;
        return true;
      case RegisterRuleKind::kRegister:
        if (rule.value < 0 || rule.value >= static_cast<int32_t>(arch::kRegisterCount)) return false;
        *value = registers_.value[rule.value];
        return true;
      case RegisterRuleKind::kExpression:
        if (!ExpressionAt(fde, rule.value, &expression) ||
            !EvaluateExpression(expression, registers_, &cfa, &stack_, &address)) {
          return false;
        }
        return (!fde.signal_frame && !IsInFrame(address, cfa)) || stack_.Read(address, value);
      case RegisterRuleKind::kValueExpression:
        return ExpressionAt(fde, rule.value, &expression) &&
               EvaluateExpression(expression, registers_, &cfa, &stack_, value);
    }
    return false;
  }

  Step LeaveSignalFrame(Frame* frame) {
    Registers& interrupted = scratch_.caller;
    for (unsigned i = 0; i < arch::kRegisterCount; ++i) {
      if (!stack_.Read(arch::SignalFrameRegister(sp(), i), &interrupted.value[i])) return Step::kBroken;
    }
    registers_ = interrupted;
    return_address_ = false;
    stack_.Enter(sp());
    frame->cfa = sp();
    frame->return_address = false;
    return Step::kDone;
  }

  Step Guess(Frame* frame) {
    arch::FrameRegisters position = {pc(), sp(), fp(), return_address_};
    uintptr_t cfa;
    if (!GuessCaller(interrupted_, &stack_, &scratch_.rule, &position, &cfa)) {
      if (IsLoaderEntry(position)) return Step::kRoot;
      return return_address_ && !FollowsCallInstruction(pc()) ? Step::kNoFrame : Step::kBroken;
    }
    frame->cfa = cfa;
    registers_.value[arch::kReturnAddress] = position.pc;
    registers_.value[arch::kStackPointer] = position.sp;
    registers_.value[arch::kFramePointer] = position.fp;
    return_address_ = true;
    return Step::kDone;
  }

  StackReader& stack_;
  FullWalkScratch& scratch_;
  Registers& registers_;
  const ucontext_t* interrupted_;  // NULL from the second frame on
  bool return_address_ = false;
};

}  // namespace

WalkResult WalkAllRegisters(StackReader* stack, FullWalkScratch* scratch, Cursor* cursor, Frame* frames, uint32_t max) {
  FullWalk walk(stack, scratch, *cursor->start);
  uint32_t passed = 0;
  uint32_t written = 0;
  WalkEnd end = WalkEnd::kLimit;
  for (;;) {
    if (walk.at_end()) {
      end = WalkEnd::kRoot;
      break;
    }
    if (written == max) break;
    if (!stack->TakeFuel(Cut::kTables, Fuel::kFullStep)) {
      end = WalkEnd::kNoFuel;
      break;
    }
    Frame frame;
    const Step step = walk.Next(&frame);
    walk.LeaveInterrupted();
    stack->SpendFuel(scratch->rule.Spent());
    if (step == Step::kBroken && stack->starved()) {
      end = WalkEnd::kNoFuel;
      break;
    }
    if (passed < cursor->frames_done) {
      ++passed;
    } else if (step != Step::kNoFrame) {
      frames[written++] = frame;
    }
    if (step != Step::kDone) {
      end = step == Step::kRoot ? WalkEnd::kRoot : WalkEnd::kBroken;
      break;
    }
  }
  const bool more = end == WalkEnd::kLimit || end == WalkEnd::kNoFuel;
  cursor->at = {more ? walk.pc() : 0, walk.sp(), walk.fp(), more ? walk.return_address() : true};
  cursor->frames_done += written;
  cursor->readable = stack->readable();
  return {written, end};
}

}  // namespace ompprof::collect
