// How a walk gets from a frame to its caller without all registers. A rule of 8 bytes, compiled from a row of CFI, says
// how, and functions make the step. Async-signal-safe.
//
//   UnwindRule, UnwindRuleKind   the rule; the kinds below kFirstGeneral are the processor's own
//   CompileRule()                a row of CFI as a rule
//   StepQuickly()                a step by the usual rules from memory that is proved readable; inlined into the walk
//   StepByRule()                 a step by a kind of the processor's own, with every read checked
//   StepFromSignalFrame()        from the signal trampoline to the interrupted frame
//   CandidateCallers             possible places of a caller if there is no rule, most likely first
//   ReturnsTo()                  whether a frame still returns to an address
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_UNWIND_RULE_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_UNWIND_RULE_H_

#if defined(__x86_64__)
#include "profiler/collect/arch/x86_64/unwind_rule.h"
#else
#error "the collector does not know this processor: see profiler/collect/arch/README.md"
#endif

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_UNWIND_RULE_H_
