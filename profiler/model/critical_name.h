// The object by which compilers know a critical construct's name.
//
// LLVM's runtime keeps a critical's lock on the heap and gives its address as the wait id, which says nothing of the
// name (__kmpc_critical_with_hint; 14 to 19 do, unless KMP_LOCK_KIND makes the lock fit the name's object). But the
// call passes the address of the name's object: see arch/call_arguments.h.
#ifndef OMPPROF_PROFILER_MODEL_CRITICAL_NAME_H_
#define OMPPROF_PROFILER_MODEL_CRITICAL_NAME_H_

#include <string>

namespace ompprof::model {

// The linked names of name objects begin with this.
inline constexpr char kCriticalPrefix[] = ".gomp_critical_user_";

// The name in the program of the critical construct whose object is linked under `symbol`: "hot" for
// .gomp_critical_user_hot.var (clang) and .gomp_critical_user_hot (gcc), empty for an unnamed construct. False:
// `symbol` is no name object's.
bool CriticalName(const std::string& symbol, std::string* name);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CRITICAL_NAME_H_
