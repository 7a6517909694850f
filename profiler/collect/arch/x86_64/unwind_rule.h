// arch/unwind_rule.h for x86-64 Linux. `call` pushes the return address, so the return address always lies in the word
// below the CFA.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_UNWIND_RULE_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_UNWIND_RULE_H_

#include <stdint.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/cfi_row.h"
#include "profiler/collect/unwind/safe_read.h"
#include "profiler/collect/unwind/stack_reader.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {

enum class UnwindRuleKind : uint8_t {
  kNone,         // no CFI: the caller can only be guessed (caller_guess.h)
  kFromSp,       // CFA = sp + cfa_offset; the return address lies below the CFA; fp according to fp_offset
  kFromFp,       // CFA = fp + cfa_offset; everything else as for kFromSp
  kRealigned,    // CFA = [fp + cfa_offset], caller's fp = [fp + fp_offset]: gcc's code for a realigned stack
  kSignalFrame,  // everything is in the ucontext at sp
  kRoot,         // the return address is undefined: the outermost frame. CFA = sp + cfa_offset
  kComplex,      // needs registers that the quick walk does not track, or a general expression
  kNotLookedUp,  // no rule: the fuel did not allow a look-up
};

// 8 bytes, so that a cache entry with its key is a quarter of a cache line.
struct UnwindRule {
  UnwindRuleKind kind;
  int16_t fp_offset;  // caller's fp = [CFA + fp_offset]; kFpUnchanged: fp is still in the register
  int32_t cfa_offset;
};
static_assert(sizeof(UnwindRule) == 8);

namespace arch {

constexpr int kReturnAddressOffset = -8;  // from the CFA

// No frame pointer can lie in the return address's slot. A walk may load this slot nevertheless, and so needs no
// branch.
constexpr int16_t kFpUnchanged = kReturnAddressOffset;

// Reduces a row of `fde`, valid at `pc`, to a rule.
UnwindRule CompileRule(const Fde& fde, const CfiRow& row, uintptr_t pc);

// Fills in `frame` and moves `at` to the caller: some 20 cycles. Returns false and changes nothing in three cases. The
// rule is not usual, the stack is not proved readable there, or the step would make no progress.
inline __attribute__((always_inline)) bool StepQuickly(UnwindRule rule, StackReader* stack, FrameRegisters* at,
                                                       Frame* frame) {
  if (__builtin_expect(rule.kind != UnwindRuleKind::kFromSp && rule.kind != UnwindRuleKind::kFromFp, 0)) return false;
  const uintptr_t cfa =
      (rule.kind == UnwindRuleKind::kFromSp ? at->sp : at->fp) + static_cast<uintptr_t>(int64_t{rule.cfa_offset});
  const uintptr_t fp_slot = cfa + static_cast<uintptr_t>(int64_t{rule.fp_offset});
  // A rule's fp_offset is the offset of the return address, or below it. fp_slot < cfa: the sum has not wrapped around.
  const bool plain = cfa <= stack->high() && fp_slot >= stack->low() && fp_slot < cfa;
  if (__builtin_expect(cfa <= at->sp || (!plain && !(fp_slot < cfa && stack->Prove(fp_slot, cfa))), 0)) return false;
  *frame = {at->pc, cfa, at->return_address};
  const uintptr_t saved_fp = LoadWord(fp_slot);
  at->pc = LoadWord(cfa + static_cast<uintptr_t>(kReturnAddressOffset));
  at->fp = rule.fp_offset == kFpUnchanged ? at->fp : saved_fp;
  at->sp = cfa;
  at->return_address = true;
  return true;
}

// A step by kFromSp, kFromFp or kRealigned, with every read checked. If the result is false, nothing has changed.
bool StepByRule(UnwindRule rule, StackReader* stack, FrameRegisters* at, uintptr_t* cfa);

// A step from the signal trampoline to the interrupted instruction. From there on, the stack may be another. If the
// result is false, nothing has changed.
bool StepFromSignalFrame(StackReader* stack, FrameRegisters* at, uintptr_t* cfa);

// Finds the place where a function without CFI has saved its caller's frame pointer. The function keeps a frame pointer
// itself. The place is [fp]. If the function has realigned its stack, [fp] holds the address of the place instead, as
// in hand-written vector code (libjpeg-turbo's: push rbp; mov rax, rsp; and rsp, -32; mov [rsp], rax; mov rbp, rsp).
// Calls `is_return_address` at most twice.
template <typename IsReturnAddress>
bool FindSavedFp(StackReader* stack, uintptr_t fp, uintptr_t* saved_at, uintptr_t* return_address,
                 IsReturnAddress is_return_address) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  constexpr uintptr_t kMostPadding = 128;  // of an alignment to 64 bytes, and a word
  uintptr_t at_fp;
  if (fp % kWord != 0 || fp + 2 * kWord < fp || !stack->Read(fp, &at_fp)) return false;
  *saved_at = fp;
  if (stack->Read(fp + kWord, return_address) && is_return_address(*return_address)) return true;
  if (at_fp % kWord != 0 || at_fp <= fp || at_fp - fp > kMostPadding) return false;
  *saved_at = at_fp;
  return stack->Read(at_fp + kWord, return_address) && is_return_address(*return_address);
}

// The words in which an interrupted function may have saved registers: six that it must restore, and room for locals.
// OpenBLAS's kernels take from 8 to 16 words.
constexpr unsigned kMostSaved = 16;
constexpr uintptr_t kMostFrame = 1 << 20;  // a larger frame does not count as the caller's

// The caller's frame pointer, if one of the words in [from, to) is it, else `fp`. `to` holds the return address. A
// frame pointer points to a place in the callers' frames with a return address behind it; the lowest is the caller's.
template <typename IsReturnAddress>
uintptr_t FindFpAmongSaved(StackReader* stack, uintptr_t from, uintptr_t to, uintptr_t fp,
                           IsReturnAddress is_return_address) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  uintptr_t lowest = UINTPTR_MAX;
  for (uintptr_t slot = from; slot < to; slot += kWord) {
    uintptr_t word;
    uintptr_t behind;
    if (stack->Read(slot, &word) && word % kWord == 0 && word > to && word - to < kMostFrame && word < lowest &&
        stack->Read(word + kWord, &behind) && is_return_address(behind))
      lowest = word;
  }
  return lowest != UINTPTR_MAX ? lowest : fp;
}

// Finds the caller of an interrupted function without CFI that has only saved registers, and uses the frame pointer
// for other things (libjpeg-turbo's Huffman coder). The caller is at the first return address on the stack from
// `saved_at` on that leads on. A word that the function has not written may be an older call's return address, which
// hardly ever leads on; it counts only if no other word does.
template <typename IsReturnAddress, typename LeadsOn>
bool StepOverSaved(StackReader* stack, uintptr_t saved_at, FrameRegisters* at, uintptr_t* cfa,
                   IsReturnAddress is_return_address, LeadsOn leads_on) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  constexpr unsigned kMostCandidates = 4;  // each may take look-ups
  FrameRegisters found{};
  unsigned candidates = 0;
  const uintptr_t last = saved_at + kMostSaved * kWord;
  for (uintptr_t slot = saved_at; slot <= last && candidates < kMostCandidates; slot += kWord) {
    uintptr_t word;
    if (!stack->Read(slot, &word)) break;
    if (!is_return_address(word)) continue;
    const uintptr_t fp = FindFpAmongSaved(stack, saved_at, slot, at->fp, is_return_address);
    const FrameRegisters candidate = {word, slot + kWord, fp, /*return_address=*/true};
    const bool good = leads_on(candidate);
    ++candidates;
    if (good || candidates == 1) found = candidate;
    if (good) break;
  }
  if (candidates == 0) return false;
  *cfa = found.sp;
  *at = found;
  return true;
}

// The same for a function that has realigned its stack for vectors, and keeps the old stack pointer in a register that
// it has saved: rbx or r15 in OpenBLAS's kernels. Other such registers may point into the frames of its callers, higher
// up. `interrupted`: the function's registers.
template <typename IsReturnAddress, typename LeadsOn>
bool StepOverRealigned(const ucontext_t& interrupted, StackReader* stack, FrameRegisters* at, uintptr_t* cfa,
                       IsReturnAddress is_return_address, LeadsOn leads_on) {
  constexpr uintptr_t kVector = 32;
  constexpr uint8_t kSavedByCallee[] = {3, 12, 13, 14, 15};  // rbx, r12 to r15 in DWARF's numbers
  if (at->sp % kVector != 0) return false;
  uintptr_t old_sp = UINTPTR_MAX;
  for (const uint8_t number : kSavedByCallee) {
    const uintptr_t value = ContextRegister(interrupted, number);
    if (value % sizeof(uintptr_t) == 0 && value > at->sp && value < old_sp) old_sp = value;
  }
  return old_sp - at->sp < kMostFrame && StepOverSaved(stack, old_sp, at, cfa, is_return_address, leads_on);
}

// The bytes of code that StepByEpilogue looks at.
constexpr size_t kEpilogueBytes = 24;

// A step by the code that follows a call: where a function takes its frame down right after the call, these
// instructions tell the frame's size. So do the trampolines of Python (-X perf), which call the interpreter once.
// `code`: the bytes at the return address at->pc. If the result is false, nothing has changed.
template <typename IsReturnAddress>
bool StepByEpilogue(const uint8_t (&code)[kEpilogueBytes], StackReader* stack, FrameRegisters* at, uintptr_t* cfa,
                    IsReturnAddress is_return_address) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  uintptr_t sp = at->sp;
  uintptr_t fp = at->fp;
  for (size_t i = 0; i + 4 <= kEpilogueBytes;) {
    const uint8_t* const next = code + i;
    if (next[0] == 0xc3) {  // ret
      uintptr_t word;
      if (!stack->Read(sp, &word) || !is_return_address(word)) return false;
      *cfa = sp + kWord;
      *at = {word, *cfa, fp, /*return_address=*/true};
      return true;
    }
    if (next[0] == 0x48 && next[1] == 0x83 && next[2] == 0xc4 && next[3] < 0x80) {  // add $imm8, %rsp
      sp += next[3];
      i += 4;
    } else if (next[0] == 0x5d) {  // pop %rbp
      if (!stack->Read(sp, &fp)) return false;
      sp += kWord;
      i += 1;
    } else if ((next[0] & 0xf8) == 0x58) {  // pop of another register
      sp += kWord;
      i += 1;
    } else if (next[0] == 0x41 && (next[1] & 0xf8) == 0x58) {  // pop of %r8 to %r15
      sp += kWord;
      i += 2;
    } else {
      return false;
    }
  }
  return false;
}

// A step by the habits of code without CFI. A leaf that has not touched the stack has its return address at [sp]. Any
// other function keeps a frame pointer, or has only saved registers, or keeps the old stack pointer in one of them.
// `interrupted`: the registers, if the frame is the one that the signal interrupted, else NULL. `is_return_address`
// judges an address; `leads_on`, whether the given frame may be the caller: its call may have gone to this function,
// and the rules find a caller of its own. If the result is false, nothing has changed.
template <typename IsReturnAddress, typename LeadsOn>
bool StepByGuess(const ucontext_t* interrupted, StackReader* stack, FrameRegisters* at, uintptr_t* cfa,
                 IsReturnAddress is_return_address, LeadsOn leads_on) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  uintptr_t candidate;
  if (!at->return_address && stack->Read(at->sp, &candidate) && is_return_address(candidate)) {
    *cfa = at->sp + kWord;
    *at = {candidate, *cfa, at->fp, /*return_address=*/true};
    return true;
  }
  uintptr_t saved_at;
  uintptr_t caller_fp;
  if (at->fp >= at->sp && FindSavedFp(stack, at->fp, &saved_at, &candidate, is_return_address) &&
      stack->Read(saved_at, &caller_fp)) {
    *cfa = saved_at + 2 * kWord;
    *at = {candidate, *cfa, caller_fp, /*return_address=*/true};
    return true;
  }
  if (at->return_address) return false;
  return StepOverSaved(stack, at->sp, at, cfa, is_return_address, leads_on) ||
         (interrupted != nullptr && StepOverRealigned(*interrupted, stack, at, cfa, is_return_address, leads_on));
}

// Whether the frame that ends at `cfa` returns to `pc`. The frame may lie on a coroutine's stack that is gone.
inline bool ReturnsTo(uintptr_t cfa, uintptr_t pc, ReadablePages* readable, Fuel* fuel) {
  const uintptr_t slot = cfa + static_cast<uintptr_t>(kReturnAddressOffset);
  return slot % sizeof(uintptr_t) == 0 && readable->Prove(slot, cfa, {slot, cfa}, fuel) && LoadWord(slot) == pc;
}

}  // namespace arch
}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_UNWIND_RULE_H_
