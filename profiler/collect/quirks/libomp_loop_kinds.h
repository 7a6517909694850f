// What asking LLVM's runtime for ompt_callback_work would have it print.
//
// A compiler tells the runtime with each static loop what construct it belongs to: __kmpc_for_static_init gets an
// ident_t with KMP_IDENT_WORK_LOOP, _SECTIONS or _DISTRIBUTE. LLVM's Fortran compiler did not up to version 22, nor did
// clang up to 4, and a runtime with a tool for that callback then says so on standard error, once: "OMP: Warning #189:
// OMPT: Cannot determine workshare type" (https://github.com/llvm/llvm-project/issues/112545). The program is to print
// what it prints without us.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOOP_KINDS_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOOP_KINDS_H_

namespace ompprof::collect::libomp {

// Whether an object that is loaded now has loops whose kind the compiler does not tell. Reads the objects' symbols and
// constants: some microseconds for an object, more for the few that have OpenMP in them. A program that has loops of
// both sorts, by LLVM's Fortran compiler and by another compiler, counts as a program with such loops. Not in the
// handler.
// Seen: 14 to 22. Test: flang_test, UntoldLoops.
bool HasLoopsOfUnknownKind();

}  // namespace ompprof::collect::libomp

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_LOOP_KINDS_H_
