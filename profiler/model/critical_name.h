// The object by which compilers know a critical construct's name.
//
// LLVM's runtime keeps a critical's lock on the heap and gives its address as the wait id. This address says nothing of
// the name (__kmpc_critical_with_hint in libomp 14 to 19, unless KMP_LOCK_KIND makes the lock fit into the name's
// object). But the call passes the address of the name's object: see arch/call_arguments.h.
#ifndef OMPPROF_PROFILER_MODEL_CRITICAL_NAME_H_
#define OMPPROF_PROFILER_MODEL_CRITICAL_NAME_H_

#include <string>

namespace ompprof::model {

// The linked names of name objects begin with this.
inline constexpr char kCriticalPrefix[] = ".gomp_critical_user_";

// Finds the name of a critical construct in the program, from the linked name of its object: "hot" for
// .gomp_critical_user_hot.var (clang) and .gomp_critical_user_hot (gcc). The name of an unnamed construct is empty.
// False: `symbol` does not name such an object.
bool CriticalName(const std::string& symbol, std::string* name);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CRITICAL_NAME_H_
