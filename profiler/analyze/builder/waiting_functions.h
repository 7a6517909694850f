// The functions in which libraries and the C library wait. A thread that spins there uses a processor without doing
// work. library_waits.h finds the samples in such functions.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_WAITING_FUNCTIONS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_WAITING_FUNCTIONS_H_

#include <cstdint>
#include <string>

namespace ompprof::analyze {

// How a function waits. A larger value says more.
enum class Waiting : uint8_t {
  kNo,
  kItself,  // while it executes its own code, or calls the C library; it also calls functions that work
  kWhole,   // until it returns to a function outside its library
};

// The number of libraries in the table.
int WaitingLibraries();

// "OpenBLAS": the name that reports show. `library` is an index, from 0.
const char* WaitingLibraryName(int library);

// Whether the object file at `path` belongs to a library, by its name: /usr/lib/libopenblas.so.0 to OpenBLAS.
bool IsOfWaitingLibrary(int library, const std::string& path);

// How `function` of the library waits. `function`: the name as reports show it, "blas_thread_server" or
// "tMPI_Event_wait(tMPI_Event_t*)".
Waiting WaitingIn(int library, const std::string& function);

// Whether a function of the C library only waits: sched_yield, nanosleep, pthread_cond_wait, ... Whichever function of
// a library calls these functions waits. So waits in stripped libraries, whose own functions have no names, are found
// as well.
bool IsWaitingCall(const std::string& function);

// What a function of the C library waits for, if the program calls it for that: "pthread mutex" for
// ___pthread_mutex_lock. Null: the function is called for something else.
const char* SystemWaitName(const std::string& function);

// Whether such a function waits whenever it runs: a condition variable's, but not a mutex's, which may be free.
bool WaitsWhole(const std::string& function);

// Whether the C library calls the function when a lock is not free: __lll_lock_wait_private.
bool IsFutexWait(const std::string& function);

// The name by which a program calls a function of the C library: "malloc" for __GI___libc_malloc.
std::string PublicName(const std::string& function);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_WAITING_FUNCTIONS_H_
