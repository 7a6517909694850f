// arch/registers.h for x86-64 Linux.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_REGISTERS_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_REGISTERS_H_

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

// A leaf may keep data this far below its stack pointer (psABI 3.2.2).
constexpr uintptr_t kRedZone = 128;

// The index into gregs[] of `struct ucontext` for each DWARF register. The kernel's order is REG_R8 .. REG_RIP.
constexpr uint8_t kGregOfRegister[kRegisterCount] = {13, 12, 14, 11, 9, 8, 10, 15,  // rax rdx rcx rbx rsi rdi rbp rsp
                                                     0,  1,  2,  3,  4, 5, 6,  7,   // r8-r15
                                                     16};                           // rip

inline uintptr_t ContextRegister(const ucontext_t& context, unsigned dwarf_register) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[kGregOfRegister[dwarf_register]]);
}

// At the signal trampoline (the handler's return address), the stack pointer points at the ucontext. The handler's
// `ret` popped the only word in front of it: `struct rt_sigframe` of arch/x86/include/asm/sigframe.h.
inline uintptr_t SignalFrameRegister(uintptr_t stack_pointer, unsigned dwarf_register) {
  return stack_pointer + offsetof(ucontext_t, uc_mcontext.gregs) + 8 * kGregOfRegister[dwarf_register];
}

// The last byte that the kernel wrote when it delivered a signal. The signal's frame grows down from the red zone below
// the interrupted stack pointer, or from the top of an alternate stack. It begins with the state that XSAVE saves,
// which ends with a magic number (`struct _fpx_sw_bytes` of asm/sigcontext.h). `context` is the handler's third
// argument. Only for the handler.
inline uintptr_t LastByteOfSignalFrame(const ucontext_t& context) {
  constexpr uintptr_t kFxsaveBytes = 464;  // the last of FXSAVE's 512 bytes belong to software
  constexpr uint32_t kMagic = 0x46505853;  // FP_XSTATE_MAGIC1
  const auto state = reinterpret_cast<uintptr_t>(context.uc_mcontext.fpregs);
  if (state == 0) return reinterpret_cast<uintptr_t>(&context);
  uint32_t software[2];  // the magic number, and the size including the magic number at the end
  memcpy(software, reinterpret_cast<const void*>(state + kFxsaveBytes), sizeof(software));
  return state + (software[0] == kMagic ? software[1] : kFxsaveBytes) - 1;
}

// The kernel's result, -errno on error; and the second argument (psABI A.2.1), which the kernel leaves in its register.
inline long SystemCallResult(const ucontext_t& context) { return static_cast<long>(ContextRegister(context, 0)); }
inline uintptr_t SystemCallSecondArgument(const ucontext_t& context) { return ContextRegister(context, 4); }

// The prefix of libunwind's functions for the own process.
#define OMPPROF_LIBUNWIND_PREFIX "_ULx86_64_"

// The registers that the quick walk tracks of a frame.
struct FrameRegisters {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;
  bool return_address;  // pc is the place to which a call will return, not an interrupted instruction
};

inline FrameRegisters FrameOf(const ucontext_t& context) {
  return {ContextRegister(context, kReturnAddress), ContextRegister(context, kStackPointer),
          ContextRegister(context, kFramePointer), /*return_address=*/false};
}

// A block of `mov`s into gregs[] (the offsets follow kGregOfRegister).
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

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_REGISTERS_H_
