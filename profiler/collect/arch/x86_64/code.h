// arch/code.h for x86-64 Linux.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_CODE_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_CODE_H_

#include <stdint.h>
#include <string.h>

namespace ompprof::collect::arch {

// mov $SYS_rt_sigreturn, %rax; syscall: debuggers know a signal trampoline by these bytes.
constexpr uint8_t kSignalTrampoline[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};

// Whether these 8 bytes may end with a call of an address in a register or a word of memory: ff /2.
inline bool FollowsIndirectCall(const uint8_t before[8]) {
  // Length 2 (register, [reg]), 3 ([reg+disp8], [sib], REX + register), 4, 6 ([reg+disp32], [rip+disp32]), 7.
  constexpr uint8_t kLengths[] = {2, 3, 4, 6, 7};
  for (uint8_t length : kLengths) {
    const uint8_t* at = before + 8 - length;
    if (at[0] == 0xff && (at[1] & 0x38) == 0x10) return true;
  }
  return false;
}

// Whether a call instruction ends at the end of these 8 bytes. The address after them may then be a return address. A
// word on the stack that merely points into code passes this test by chance about once in twenty.
inline bool FollowsCall(const uint8_t before[8]) {
  return before[3] == 0xe8 || FollowsIndirectCall(before);  // call rel32
}

// Whether these 8 bytes end with a direct call, and with no other. Sets `target` to where it goes. `after`: the address
// behind them.
inline bool DirectCallTarget(const uint8_t before[8], uintptr_t after, uintptr_t* target) {
  if (before[3] != 0xe8 || FollowsIndirectCall(before)) return false;
  int32_t offset;
  memcpy(&offset, before + 4, sizeof(offset));
  *target = after + static_cast<uintptr_t>(intptr_t{offset});
  return true;
}

// Whether `code`, which lies at `address`, is a linker's stub: [endbr64] [bnd] jmp *word(%rip). Sets `word` to where
// the target's address lies.
constexpr uint32_t kStubBytes = 11;
inline bool IsLinkersStub(const uint8_t code[kStubBytes], uintptr_t address, uintptr_t* word) {
  constexpr uint8_t kEndbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
  uint32_t at = memcmp(code, kEndbr, sizeof(kEndbr)) == 0 ? sizeof(kEndbr) : 0;
  if (code[at] == 0xf2) ++at;
  if (code[at] != 0xff || code[at + 1] != 0x25) return false;
  int32_t offset;
  memcpy(&offset, code + at + 2, sizeof(offset));
  *word = address + at + 6 + static_cast<uintptr_t>(intptr_t{offset});
  return true;
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
