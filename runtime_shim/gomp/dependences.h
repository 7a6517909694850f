// The depend clauses of a construct: libgomp's form, and OMPT's form.
#ifndef RUNTIME_SHIM_GOMP_DEPENDENCES_H_
#define RUNTIME_SHIM_GOMP_DEPENDENCES_H_

#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {

// The number of dependences in libgomp's array. There are two forms:
// - The first word is not 0. Then the array has: the number; the number of out and inout; the addresses of these, then
//   the addresses of in.
// - The first word is 0. Then the array has: 0; the number; the numbers of out or inout, of mutexinoutset, and of in;
//   the addresses in this order, then the addresses of depend objects.
inline uintptr_t DependenceCount(void* const* depend) {
  return reinterpret_cast<uintptr_t>(depend[0] != nullptr ? depend[0] : depend[1]);
}

// Reports all dependences of a task that the current task creates, in one call. Then reports each earlier task that the
// task depends on (task_dependence.h).
void ReportDependences(Task* task, void* const* depend);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_DEPENDENCES_H_
