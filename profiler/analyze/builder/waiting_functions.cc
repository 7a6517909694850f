#include "profiler/analyze/builder/waiting_functions.h"

#include <fnmatch.h>

#include <algorithm>
#include <vector>

namespace ompprof::analyze {
namespace {

using Patterns = std::vector<const char*>;  // as for fnmatch

struct Library {
  const char* name;
  Patterns objects;  // of file names
  Patterns itself;   // functions that wait as Waiting::kItself
  Patterns whole;    // functions that wait as Waiting::kWhole
};

// Symbols of Debian 12's packages: libopenblas0-pthread 0.3.21, libgromacs7 2022.5, libtbb12 2021.8. Names that are not
// exported there are from the sources of these versions: they are seen with debug symbols only. MPI's libraries are in
// mpi_frames.h: all time in MPI is one class. If two libraries have an object in common, the first one counts.
const std::vector<Library>& Libraries() {
  static const std::vector<Library> libraries = {
      // driver/others/blas_server.c; inner_thread of driver/level3 waits for the other threads' parts. Functions of the
      // same names call the kernels, so these functions wait by themselves only.
      {"OpenBLAS",
       {"libopenblas*", "libscipy_openblas*"},
       {"blas_thread_server", "*exec_blas", "*exec_blas_async_wait", "inner_thread", "inner_advanced_thread",
        "blas_lock"},
       {}},
      // src/external/thread_mpi. Its functions transfer data while they wait.
      {"thread-MPI",
       {"libgromacs*"},
       {"tMPI_*wait*", "tMPI_Wait*", "tMPI_Barrier", "tMPI_Lock_lock", "tMPI_Spinlock_*lock"},
       {}},
      // src/tbb. A task is code of the program, outside of libtbb.
      {"TBB",
       {"libtbb.so*", "libtbb_debug.so*", "libtbb-*"},
       {"*local_wait_for_all*", "*receive_or_steal_task*", "*prolonged_pause*", "*machine_pause*",
        "*atomic_backoff::pause*", "*waiter*::pause*", "*::commit_wait*"},
       {"tbb::detail::r1::wait(*", "tbb::detail::r1::execute_and_wait(*", "tbb::detail::r1::wait_on_address*",
        "tbb::detail::r1::wait_bounded_queue_monitor*", "tbb::internal::*wait_for_all*"}},
  };
  return libraries;
}

// Without leading underscores.
const Patterns& WaitingCalls() {
  static const Patterns calls = {
      "sched_yield", "nanosleep",           "clock_nanosleep",     "usleep", "sleep", "poll", "epoll_wait", "select",
      "sem_*wait",   "pthread_cond_*wait*", "pthread_barrier_wait"};
  return calls;
}

struct SystemWait {
  const char* name;
  Patterns functions;
  bool whole;  // waits whenever it runs. Otherwise, it also takes what is free
};

// The C library's functions that wait for other threads, without leading underscores.
const std::vector<SystemWait>& SystemWaits() {
  static const std::vector<SystemWait> waits = {
      {"pthread mutex",
       {"pthread_mutex_lock*", "pthread_mutex_timedlock*", "pthread_mutex_clocklock*", "mtx_lock", "mtx_timedlock"},
       false},
      {"pthread rwlock",
       {"pthread_rwlock_rdlock*", "pthread_rwlock_wrlock*", "pthread_rwlock_timed*lock*", "pthread_rwlock_clock*lock*"},
       false},
      {"condition variable", {"pthread_cond_*wait*", "cnd_wait", "cnd_timedwait"}, true},
      {"semaphore", {"sem_*wait*", "new_sem_*wait*"}, false},
      {"pthread barrier", {"pthread_barrier_wait*"}, true},
      {"pthread_once", {"pthread_once*", "call_once"}, false},
      {"pthread_join", {"pthread_*join*", "thrd_join"}, true},
  };
  return waits;
}

bool Matches(const Patterns& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const char* pattern) { return fnmatch(pattern, name.c_str(), FNM_NOESCAPE) == 0; });
}

std::string WithoutUnderscores(const std::string& name) {
  const size_t begin = name.find_first_not_of('_');
  return begin == std::string::npos ? "" : name.substr(begin);
}

// The C library's debug symbols name its inner calls __GI_sched_yield, __GI___clock_nanosleep.
std::string LibcName(const std::string& function) {
  const std::string name = WithoutUnderscores(function);
  return name.rfind("GI_", 0) == 0 ? WithoutUnderscores(name.substr(3)) : name;
}

}  // namespace

int WaitingLibraries() { return static_cast<int>(Libraries().size()); }

const char* WaitingLibraryName(int library) { return Libraries()[library].name; }

bool IsOfWaitingLibrary(int library, const std::string& path) {
  return Matches(Libraries()[library].objects, path.substr(path.rfind('/') + 1));
}

Waiting WaitingIn(int library, const std::string& function) {
  if (Matches(Libraries()[library].whole, function)) return Waiting::kWhole;
  // The parameters may name other types that look like waiting.
  return Matches(Libraries()[library].itself, function.substr(0, function.find('('))) ? Waiting::kItself : Waiting::kNo;
}

bool IsWaitingCall(const std::string& function) { return Matches(WaitingCalls(), LibcName(function)); }

const char* SystemWaitName(const std::string& function) {
  const std::string name = LibcName(function);
  const auto found = std::find_if(SystemWaits().begin(), SystemWaits().end(),
                                  [&](const SystemWait& wait) { return Matches(wait.functions, name); });
  return found == SystemWaits().end() ? nullptr : found->name;
}

bool WaitsWhole(const std::string& function) {
  const std::string name = LibcName(function);
  return std::any_of(SystemWaits().begin(), SystemWaits().end(),
                     [&](const SystemWait& wait) { return wait.whole && Matches(wait.functions, name); });
}

bool IsFutexWait(const std::string& function) {
  static const Patterns waits = {"lll_*lock_wait*", "futex_*wait*", "lll_futex_*wait*"};
  return Matches(waits, LibcName(function));
}

std::string PublicName(const std::string& function) {
  constexpr char kPrefix[] = "libc_";
  const std::string name = LibcName(function);
  return name.rfind(kPrefix, 0) == 0 ? name.substr(sizeof kPrefix - 1) : name;
}

}  // namespace ompprof::analyze
