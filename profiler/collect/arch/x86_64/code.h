// arch/code.h for x86-64 Linux.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_CODE_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_CODE_H_

#include <stdint.h>
#include <string.h>

namespace ompprof::collect::arch {

// mov $SYS_rt_sigreturn, %rax; syscall: debuggers know a signal trampoline by these bytes.
constexpr uint8_t kSignalTrampoline[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};

// Whether a call instruction ends at the end of these 8 bytes. The address after them may then be a return address. A
// word on the stack that merely points into code passes this test by chance about once in twenty.
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

inline bool IsSignalTrampoline(const uint8_t code[sizeof(kSignalTrampoline)]) {
  return memcmp(code, kSignalTrampoline, sizeof(kSignalTrampoline)) == 0;
}

constexpr uint32_t kSystemCallBytes = 2;

// mov $SYS_sched_yield, %eax; syscall
constexpr uint8_t kYieldCall[] = {0xb8, 0x18, 0x00, 0x00, 0x00, 0x0f, 0x05};

inline bool IsSystemCall(const uint8_t code[kSystemCallBytes]) { return code[0] == 0x0f && code[1] == 0x05; }

}  // namespace ompprof::collect::arch

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_CODE_H_
