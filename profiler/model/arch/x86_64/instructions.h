// The lengths of x86-64's instructions, and which of them are atomic.
#ifndef OMPPROF_PROFILER_MODEL_ARCH_X86_64_INSTRUCTIONS_H_
#define OMPPROF_PROFILER_MODEL_ARCH_X86_64_INSTRUCTIONS_H_

#include <cstddef>
#include <cstdint>

namespace ompprof::model::x86_64 {

struct Instruction {
  size_t length = 0;    // bytes; 0: these bytes are no instruction, or one that is not known here
  bool atomic = false;  // it has the lock prefix, or exchanges a register with memory
};

// The instruction at the beginning of `size` bytes of 64-bit code. The source is the opcode map of Intel's manual,
// volume 2, appendix A.
Instruction Decode(const uint8_t* code, size_t size);

}  // namespace ompprof::model::x86_64

#endif  // OMPPROF_PROFILER_MODEL_ARCH_X86_64_INSTRUCTIONS_H_
