// Guesses the caller of code without CFI: JIT output, assembly without directives, a call through a bad pointer.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_CALLER_GUESS_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_CALLER_GUESS_H_

#include <stdint.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/stack_reader.h"

namespace ompprof::collect {

// Steps `frame` to its caller, by what such code usually does (arch::StepByGuess). Believed only if the address found
// lies in a loaded object, behind a call instruction. Sets `cfa` to the stepped-over frame's. Changes nothing if it
// returns false. Async-signal-safe.
bool GuessCaller(StackReader* stack, arch::FrameRegisters* frame, uintptr_t* cfa);

// Whether readable memory with a call instruction ends at `address`. A frame that has no CFI and no caller is reported
// only if this holds, so that a word from a damaged stack is not taken for JIT code. Async-signal-safe.
bool FollowsCallInstruction(uintptr_t address);

// Whether this is the outermost frame of a thread that runs constructors: the loader's entry, which has no CFI, and
// which sets the frame pointer to 0 as the ABI has it. Async-signal-safe.
bool IsLoaderEntry(const arch::FrameRegisters& frame);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_CALLER_GUESS_H_
