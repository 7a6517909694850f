// A processor's registers, as walks use them. Async-signal-safe.
//
//   kFramePointer, kStackPointer   DWARF numbers of these registers
//   kReturnAddress                 the DWARF column of the return address, and of a context's instruction address
//   kRegisterCount                 DWARF numbers below this are general registers or the return address
//   kRedZone                       bytes below the stack pointer that a function may use
//   ContextRegister()              a register's value in a ucontext_t
//   SignalFrameRegister()          where a register is saved, by the stack pointer at the signal trampoline
//   LastByteOfSignalFrame()        the end of the data that the kernel wrote to deliver a signal
//   FrameRegisters, FrameOf()      the registers that the quick walk tracks of a frame; of an interrupted context
//   CaptureRegisters()             the calling function's own registers, into a ucontext_t
//   SystemCallResult(), SystemCallSecondArgument()   of a system call that ended just before a ucontext_t
//   OMPPROF_LIBUNWIND_PREFIX       the prefix of libunwind's functions for the own process
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_REGISTERS_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_REGISTERS_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/registers.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_REGISTERS_H_
