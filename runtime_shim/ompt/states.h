// The thread states and kinds of mutual exclusion that a tool may see, for the entry points that enumerate them.
#ifndef RUNTIME_SHIM_OMPT_STATES_H_
#define RUNTIME_SHIM_OMPT_STATES_H_

namespace gomp_ompt {

// libgomp's methods of exclusion: the `impl` argument of mutex_acquire and lock_init.
enum MutexImplementation : unsigned {
  kMutexNone = 0,
  kMutexFutex = 1,      // critical, atomic, locks, nest locks: a word; threads spin on it, then sleep
  kMutexSemaphore = 2,  // ordered: a semaphore for each thread, posted by the thread whose turn is before
};

struct NamedValue {
  int number;
  const char* name;
};

// The step of an enumeration: from `current` to the value behind it. False if there is none.
template <unsigned count>
bool NextValue(const NamedValue (&values)[count], int current, int* next, const char** next_name) {
  for (unsigned i = 0; i + 1 < count; i++) {
    if (values[i].number != current) continue;
    *next = values[i + 1].number;
    *next_name = values[i + 1].name;
    return true;
  }
  return false;
}

// ompt_enumerate_states and ompt_enumerate_mutex_impls.
int EnumerateStates(int current, int* next, const char** next_name);
int EnumerateMutexImplementations(int current, int* next, const char** next_name);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_STATES_H_
