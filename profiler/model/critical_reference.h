// Finds the critical construct of a call, from the code before the call.
//
// LLVM's runtime keeps a critical's lock on the heap and gives the lock's address as the wait id, which does not tell
// the name (__kmpc_critical_with_hint; all versions from 14 to 19 do so, unless KMP_LOCK_KIND makes the lock fit the
// name object). But the call passes the name's object, .gomp_critical_user_NAME.var, and the code contains this
// object's address.
#ifndef OMPPROF_PROFILER_MODEL_CRITICAL_REFERENCE_H_
#define OMPPROF_PROFILER_MODEL_CRITICAL_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ompprof::model {

// Addresses that stand for a name object: its own, and that of a slot through which position-independent code finds it.
using CriticalNames = std::map<uint64_t, std::string>;

// The linked name of the object that the call before `call_end` gets as an argument; empty if the code does not tell.
// `code` are the function's instructions (x86-64), the first of them at `begin`.
std::string FindCriticalReference(const uint8_t* code, size_t size, uint64_t begin, uint64_t call_end,
                                  const CriticalNames& names);

// What linked names of name objects begin with.
inline constexpr char kCriticalPrefix[] = ".gomp_critical_user_";

// What the program calls the critical whose name object is linked under `symbol`: "hot" for .gomp_critical_user_hot.var
// (clang) and .gomp_critical_user_hot (gcc), empty for an unnamed one. False: that is no name object.
bool CriticalName(const std::string& symbol, std::string* name);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CRITICAL_REFERENCE_H_
