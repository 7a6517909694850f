// The depend clauses of a construct, as libgomp gets them and as OMPT shows them.
#ifndef RUNTIME_SHIM_GOMP_DEPENDENCES_H_
#define RUNTIME_SHIM_GOMP_DEPENDENCES_H_

#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {

// The number of dependences in libgomp's array. An array whose first word is not 0 has: the number; how many of them
// are out or inout; their addresses, then those of in. One whose first word is 0 has: 0; the number; how many are out
// or inout, mutexinoutset, in; their addresses in this order, then those of depend objects.
inline uintptr_t DependenceCount(void* const* depend) {
  return reinterpret_cast<uintptr_t>(depend[0] != nullptr ? depend[0] : depend[1]);
}

// Reports all of them in one call.
void ReportDependences(Task* task, void* const* depend);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_DEPENDENCES_H_
