// The linker's names, and the names that compilers give to the bodies of OpenMP constructs. The symbolizer demangles
// with it. The user view renames with it.
#ifndef OMPPROF_PROFILER_MODEL_SYMBOL_NAME_H_
#define OMPPROF_PROFILER_MODEL_SYMBOL_NAME_H_

#include <string>

namespace ompprof::model {

// The C++, Rust or Fortran name (heat::relax for gfortran's __heat_MOD_relax and flang's _QMheatPrelax), and glibc's
// munmap for __GI_munmap. Other names are returned as they are.
std::string Demangle(const std::string& linked);

// The name shown for a Fortran main program of which only the linked name is known.
extern const char kFortranMain[];

// The kind of construct from whose body the compiler made a function.
enum class Outlined {
  kNo,
  kParallel,
  kTask,
  kTarget,     // the body of a target construct, as the host executes it
  kReduction,  // combines the threads' values, when the runtime calls it
  kUnknown,    // some construct: gcc and flang name all bodies alike
};

struct OutlinedName {
  Outlined construct = Outlined::kNo;

  // The function that holds the construct. Empty where the name does not tell (clang before 16).
  std::string parent;

  // clang's body of a construct; a second outlined function around it calls or inlines it.
  bool debug_body = false;

  // The function through which the runtime starts a task. The body is a second function, inlined into this one.
  bool task_entry = false;

  // clang copies a task's private variables in it. It is inlined into the task's body, and no construct of its own.
  bool task_copies = false;

  // LLVM's Fortran compiler made the function. The line in its debug information is not the construct's line.
  bool flang_body = false;
};

// True if `outer` only calls `inner`: the two are one construct.
bool IsWrapper(const OutlinedName& outer, const OutlinedName& inner);

// Takes a demangled name apart. Known names are:
//   clang to 15   .omp_outlined.  .omp_outlined..5  .omp_outlined._debug__.3  .omp_task_entry..7
//   clang from 16 main.omp_outlined  foo(int) [clone .omp_outlined_debug__]  main.omp_task_entry.
//   clang, flang  .omp.reduction.reduction_func  main.omp_outlined.omp.reduction.reduction_func  .omp.reduction.func
//   clang         .omp_task_privates_map.  .omp_task_privates_map..3
//   clang device  __omp_outlined__
//   clang target  __omp_offloading_fe00_a7204e_main_l72  __omp_offloading_fe00_a7204e__Z3fooi_l9_debug__
//   gcc           main._omp_fn.0  foo(int) [clone ._omp_fn.1]  foo.constprop.0._omp_fn.0
//   gfortran      heat::relax [clone ._omp_fn.0]  main program [clone ._omp_fn.0]  inner.0._omp_fn.1
//   flang         foo_..omp_par  heat::relax [clone ..omp_par.1]
OutlinedName ParseOutlined(const std::string& name);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_SYMBOL_NAME_H_
