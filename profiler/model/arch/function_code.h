#ifndef OMPPROF_PROFILER_MODEL_ARCH_FUNCTION_CODE_H_
#define OMPPROF_PROFILER_MODEL_ARCH_FUNCTION_CODE_H_

#include <cstddef>
#include <cstdint>

namespace ompprof::model {

// A function's instructions, `size` bytes.
struct FunctionCode {
  const uint8_t* bytes;
  size_t size;
  uint64_t begin;  // address of the first instruction
};

// An instruction that loads the address of a function, or that calls or jumps to the function.
struct FunctionUse {
  uint64_t function;
  uint64_t place;  // of the instruction
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ARCH_FUNCTION_CODE_H_
