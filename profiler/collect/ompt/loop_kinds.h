// What asking LLVM's runtime for ompt_callback_work would have it print.
//
// A compiler tells the runtime with each static loop what construct it belongs to: __kmpc_for_static_init gets an
// ident_t with KMP_IDENT_WORK_LOOP, _SECTIONS or _DISTRIBUTE. LLVM's Fortran compiler did not up to version 22, nor did
// clang up to 4, and a runtime with a tool for that callback then says so on standard error, once: "OMP: Warning #189:
// OMPT: Cannot determine workshare type" (https://github.com/llvm/llvm-project/issues/112545). The program is to print
// what it prints without us.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_LOOP_KINDS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_LOOP_KINDS_H_

namespace ompprof::collect {

// Whether an object that is loaded now has loops of which the compiler does not tell the kind. Reads their symbols and
// constants: some microseconds an object, more for the file or two with OpenMP in them. A program with loops of
// both kinds, by LLVM's Fortran compiler and by another or by a version to come, counts as one that has them. Not in
// the handler.
bool HasLoopsOfUnknownKind();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_LOOP_KINDS_H_
