// What unwinding knows about x86-64 Linux: DWARF register numbers, where a ucontext keeps them, what a signal frame
// and a call instruction look like. Another architecture is one more file like this and a line in arch.h.
//
// Async-signal-safe throughout.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_UNWIND_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_UNWIND_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

namespace ompprof::collect::arch {

// DWARF numbers (System V AMD64 psABI, figure 3.36): 0-15 are the general registers, 16 is the return address.
constexpr unsigned kFramePointer = 6;
constexpr unsigned kStackPointer = 7;
constexpr unsigned kReturnAddress = 16;
constexpr unsigned kRegisterCount = 17;

// `call` pushes the return address, so it always lies in the word below the CFA.
constexpr int kReturnAddressOffset = -8;

// A leaf may keep data this far below its stack pointer (psABI 3.2.2).
constexpr uintptr_t kRedZone = 128;

// In `struct ucontext`, the index into gregs[] of each DWARF register. The kernel's order is REG_R8 .. REG_RIP.
constexpr uint8_t kGregOfRegister[kRegisterCount] = {13, 12, 14, 11, 9, 8, 10, 15,  // rax rdx rcx rbx rsi rdi rbp rsp
                                                     0,  1,  2,  3,  4, 5, 6,  7,   // r8-r15
                                                     16};                           // rip

inline uintptr_t ContextRegister(const ucontext_t& context, unsigned dwarf_register) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[kGregOfRegister[dwarf_register]]);
}

// At the signal trampoline (the handler's return address) the stack pointer points at the ucontext, because the
// handler's `ret` popped the only word in front of it: `struct rt_sigframe` of arch/x86/include/asm/sigframe.h.
inline uintptr_t SignalFrameRegister(uintptr_t stack_pointer, unsigned dwarf_register) {
  return stack_pointer + offsetof(ucontext_t, uc_mcontext.gregs) + 8 * kGregOfRegister[dwarf_register];
}

// The last byte that the kernel wrote for a signal as it delivered it: the signal's frame grows down from the red zone
// below the interrupted stack pointer, or from an alternate stack's top, and begins with the state that XSAVE saves,
// which ends with a magic number (`struct _fpx_sw_bytes` of asm/sigcontext.h). `context`: the handler's third argument,
// in the handler.
inline uintptr_t LastByteOfSignalFrame(const ucontext_t& context) {
  constexpr uintptr_t kFxsaveBytes = 464;  // the software's own bytes of FXSAVE's 512 follow
  constexpr uint32_t kMagic = 0x46505853;  // FP_XSTATE_MAGIC1
  const auto state = reinterpret_cast<uintptr_t>(context.uc_mcontext.fpregs);
  if (state == 0) return reinterpret_cast<uintptr_t>(&context);
  uint32_t software[2];  // the magic number, and the size with the one at the end
  memcpy(software, reinterpret_cast<const void*>(state + kFxsaveBytes), sizeof(software));
  return state + (software[0] == kMagic ? software[1] : kFxsaveBytes) - 1;
}

// mov $SYS_rt_sigreturn, %rax; syscall: the bytes debuggers know a signal trampoline by.
constexpr uint8_t kSignalTrampoline[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};

// Whether the 8 bytes before an address end in a call instruction, so that it may be a return address. A word on the
// stack that merely points into code passes this by chance about once in twenty.
inline bool FollowsCall(const uint8_t before[8]) {
  if (before[3] == 0xe8) return true;  // call rel32
  // ff /2: length 2 (register, [reg]), 3 ([reg+disp8], [sib], REX + register), 4, 6 ([reg+disp32], [rip+disp32]), 7.
  constexpr uint8_t kLengths[] = {2, 3, 4, 6, 7};
  for (uint8_t length : kLengths) {
    const uint8_t* at = before + 8 - length;
    if (at[0] == 0xff && (at[1] & 0x38) == 0x10) return true;
  }
  return false;
}

// Linkers describe a lazy PLT entry with one expression for the whole section: CFA = rsp + 8, and 8 more once the
// entry has pushed its index, `rsp + 8 + (((rip & 15) >= N) << 3)`, where N is 11, or 10 with `bnd`/`endbr` entries.
// Sets the offset that holds at `pc`. False if the expression is another one.
inline bool PltCfaOffset(const uint8_t* expression, size_t size, uintptr_t pc, int32_t* offset) {
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

// A system call without libc: no errno, no cancellation point, no PLT. Returns the kernel's value, -errno on error.
inline long RawSyscall(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

// See capture_context.h. A block of `mov`s into gregs[] (offsets are those of kGregOfRegister).
inline __attribute__((always_inline)) void CaptureRegisters(ucontext_t* context) {
  auto* gregs = &context->uc_mcontext.gregs[0];
  __asm__ volatile(
      "mov %%r8, 0(%0)\n\t"
      "mov %%r9, 8(%0)\n\t"
      "mov %%r10, 16(%0)\n\t"
      "mov %%r11, 24(%0)\n\t"
      "mov %%r12, 32(%0)\n\t"
      "mov %%r13, 40(%0)\n\t"
      "mov %%r14, 48(%0)\n\t"
      "mov %%r15, 56(%0)\n\t"
      "mov %%rdi, 64(%0)\n\t"
      "mov %%rsi, 72(%0)\n\t"
      "mov %%rbp, 80(%0)\n\t"
      "mov %%rbx, 88(%0)\n\t"
      "mov %%rdx, 96(%0)\n\t"
      "mov %%rcx, 112(%0)\n\t"
      "mov %%rsp, 120(%0)\n\t"
      "lea 0f(%%rip), %%rax\n\t"
      "mov %%rax, 128(%0)\n\t"
      "0:"
      :
      : "r"(gregs)
      : "rax", "memory");
}

}  // namespace ompprof::collect::arch

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_UNWIND_H_
