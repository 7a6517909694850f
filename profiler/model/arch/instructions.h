// Questions about single instructions. A folder for each processor has the decoding.
#ifndef OMPPROF_PROFILER_MODEL_ARCH_INSTRUCTIONS_H_
#define OMPPROF_PROFILER_MODEL_ARCH_INSTRUCTIONS_H_

#include <cstdint>

#include "profiler/model/arch/function_code.h"

namespace ompprof::model {

// Whether an instruction that reads and writes memory in one step begins at `address`, or ends there. A sample of a
// thread in such an instruction has the one or the other address: a signal waits until an instruction is done. False
// also if `machine`'s code, or this code, cannot be decoded, and more than 1 MiB behind the function's beginning.
bool IsAtAtomic(uint16_t machine, const FunctionCode& code, uint64_t address);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ARCH_INSTRUCTIONS_H_
