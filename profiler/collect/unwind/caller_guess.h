// Guesses the caller of code without CFI: JIT output, assembly without directives, a call through a bad pointer.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_CALLER_GUESS_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_CALLER_GUESS_H_

#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/rule_finder.h"
#include "profiler/collect/unwind/stack_reader.h"

namespace ompprof::collect {

// Steps `frame` to its caller, by the habits of such code (arch::StepByGuess). The guess counts only if the address
// found lies in a loaded object, behind a call instruction. `interrupted`: all registers of the frame, if it is the one
// that the signal interrupted, else NULL. `scratch`: for look-ups of rules; NULL if there is none. Sets `cfa` for the
// frame that was stepped over. If the result is false, nothing has changed. Async-signal-safe.
bool GuessCaller(const ucontext_t* interrupted, StackReader* stack, RuleScratch* scratch, arch::FrameRegisters* frame,
                 uintptr_t* cfa);

// Sets the collector's own code, [begin, end). It calls hardly any code of the program, but its callbacks leave return
// addresses below the program's frames, where later frames find them. So a guess never finds it as a caller. Before the
// first walk.
void SetOwnCode(uintptr_t begin, uintptr_t end);

// Whether readable memory with a call instruction ends at `address`. A frame with no CFI and no caller is reported only
// if this is true. Otherwise, a word from a damaged stack could be taken for JIT code. Async-signal-safe.
bool FollowsCallInstruction(uintptr_t address);

// Whether this is the outermost frame of a thread that runs constructors: the loader's entry. The entry has no CFI, and
// sets the frame pointer to 0 as the ABI requires. Async-signal-safe.
bool IsLoaderEntry(const arch::FrameRegisters& frame);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_CALLER_GUESS_H_
