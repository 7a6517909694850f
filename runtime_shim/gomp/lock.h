// The entry points of omp_lock_t and omp_nest_lock_t. libgomp has each of them four times: for C and for Fortran (an
// underscore at the end), and for programs linked before and since OpenMP 3.0 (symbol versions OMP_1.0 and OMP_3.0).
// Before 3.0, a nest lock belonged to a thread and had another layout; since then it belongs to a task. A definition
// without versions would answer for both. So each version has a definition here, which calls libgomp's function of that
// version.
//
//   #define LOCK_ENTRY_POINTS(id, suffix, node, at) LOCK_INTERFACE(lock, id, suffix, node)
//                                                   LOCK_ENTRY_POINT(void, omp_init_lock, id, suffix, at, Init)
//   FOR_EACH_LOCK_INTERFACE(LOCK_ENTRY_POINTS)
//
// defines all four by Set<Interface>(void* lock, Caller). Interface::Set is the real function, and Set asks Tracing().
// The lock's address identifies a lock; in Fortran, that is the address of the variable.
#ifndef RUNTIME_SHIM_GOMP_LOCK_H_
#define RUNTIME_SHIM_GOMP_LOCK_H_

#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/gomp/mutex.h"

namespace gomp_ompt {

// libgomp has no omp_init_lock_with_hint.
inline constexpr unsigned kNoHint = 0;

inline ompt_wait_id_t WaitId(const void* lock) { return reinterpret_cast<ompt_wait_id_t>(lock); }

inline void ReportInit(ompt_mutex_t kind, const void* lock, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK_AS(lock_init, ompt_callback_mutex_acquire_t))
    callback(kind, kNoHint, kMutexFutex, WaitId(lock), caller.codeptr_ra);
}

inline void ReportDestroy(ompt_mutex_t kind, const void* lock, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK_AS(lock_destroy, ompt_callback_mutex_t))
    callback(kind, WaitId(lock), caller.codeptr_ra);
}

}  // namespace gomp_ompt

// clang-format off
#define FOR_EACH_LOCK_INTERFACE(define)              \
  define(c_3_0, , "OMP_3.0", "@@@OMP_3.0")           \
  define(fortran_3_0, _, "OMP_3.0", "@@@OMP_3.0")    \
  define(c_1_0, , "OMP_1.0", "@OMP_1.0, remove")     \
  define(fortran_1_0, _, "OMP_1.0", "@OMP_1.0, remove")
// clang-format on

// The real functions of one interface, found with its version: Interface_ID::Set and so on.
#define LOCK_REAL_(result, name, id, suffix, node) DECLARE_REAL_VERSION(name##suffix, name##_##id, node, result(void*));

#define LOCK_REAL_OF_STUB_(name, id, suffix, node) \
  DECLARE_REAL_OF_STUB_VERSION(name##suffix, name##_##id, node, void(void*));

#define LOCK_INTERFACE(type, id, suffix, node)                                 \
  LOCK_REAL_OF_STUB_(omp_set_##type, id, suffix, node)                         \
  LOCK_REAL_OF_STUB_(omp_unset_##type, id, suffix, node)                       \
  namespace {                                                                  \
  LOCK_REAL_(void, omp_init_##type, id, suffix, node)                          \
  LOCK_REAL_(void, omp_destroy_##type, id, suffix, node)                       \
  LOCK_REAL_(int, omp_test_##type, id, suffix, node)                           \
  struct Interface_##id {                                                      \
    static void Init(void* lock) { REAL(omp_init_##type##_##id)(lock); }       \
    static void Destroy(void* lock) { REAL(omp_destroy_##type##_##id)(lock); } \
    static void Set(void* lock) { REAL(omp_set_##type##_##id)(lock); }         \
    static void Unset(void* lock) { REAL(omp_unset_##type##_##id)(lock); }     \
    static int Test(void* lock) { return REAL(omp_test_##type##_##id)(lock); } \
  };                                                                           \
  }

#define LOCK_ENTRY_POINT(result, name, id, suffix, at, traced) \
  EXPORTED result name##_##id(void* lock);                     \
  asm(".symver " #name "_" #id ", " #name #suffix at);         \
  EXPORTED result name##_##id(void* lock) {                    \
    if (ToolIsOff()) return REAL(name##_##id)(lock);           \
    return traced<Interface_##id>(lock, CALLER());             \
  }

// The same with a stub (jump_stub.h), for functions that are called very often. `traced` is one function, or the first
// of two.
#define LOCK_STUB_(name, id, suffix, at) \
  EXPORTED void name##_##id(void* lock); \
  asm(".symver " #name "_" #id ", " #name #suffix at);

#define LOCK_FROM_STUB_(function, id, traced) \
  FROM_STUB void function(void* lock) { traced<Interface_##id>(lock, CALLER()); }

#define LOCK_JUMP_STUB(name, id, suffix, at, traced) \
  LOCK_STUB_(name, id, suffix, at)                   \
  LOCK_FROM_STUB_(name##_##id##_slowly, id, traced)  \
  JUMP_STUB(name##_##id)

#define LOCK_ACQUIRE_STUB(name, id, suffix, at, traced)     \
  LOCK_STUB_(name, id, suffix, at)                          \
  LOCK_FROM_STUB_(name##_##id##_heard, id, traced)          \
  FROM_STUB void name##_##id##_unheard(void* lock) {        \
    if (!IsKnownForAll()) return name##_##id##_heard(lock); \
    traced##Unheard<Interface_##id>(lock, CALLER());        \
  }                                                         \
  LISTENING_STUB(name##_##id, STUB_ACQUIRE_EVENTS)

#define LOCK_RELEASE_STUB(name, id, suffix, at, traced) \
  LOCK_STUB_(name, id, suffix, at)                      \
  LOCK_FROM_STUB_(name##_##id##_heard, id, traced)      \
  RELEASE_STUB(name##_##id)

#endif  // RUNTIME_SHIM_GOMP_LOCK_H_
