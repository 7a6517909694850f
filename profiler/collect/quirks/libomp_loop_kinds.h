// Finds programs for which LLVM's runtime would print a warning if the collector asked for ompt_callback_work.
//
// With each static loop, a compiler tells the runtime the construct of the loop: __kmpc_for_static_init gets an ident_t
// with KMP_IDENT_WORK_LOOP, _SECTIONS or _DISTRIBUTE. LLVM's Fortran compiler did not do so up to version 22, nor did
// clang up to 4. A runtime with a tool for that callback then prints on standard error, once: "OMP: Warning #189: OMPT:
// Cannot determine workshare type" (https://github.com/llvm/llvm-project/issues/112545). But the program must print
// exactly the same text as without the profiler.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOOP_KINDS_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOOP_KINDS_H_

namespace ompprof::collect::libomp {

// Whether an object that is loaded now has loops whose kind the compiler does not tell. Reads the objects' symbols and
// constants: some microseconds for an object, more for the few objects with OpenMP. A program may have loops of both
// sorts, made by LLVM's Fortran compiler and by another compiler. It counts as a program with such loops. Not in the
// handler.
// Seen: 14 to 22. Test: flang_test, UntoldLoops.
bool HasLoopsOfUnknownKind();

}  // namespace ompprof::collect::libomp

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOOP_KINDS_H_
