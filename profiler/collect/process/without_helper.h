// Stops the helper thread around a call that the kernel allows only to single-threaded processes, or only if all
// threads have the same rights.
//
// Ends the helper thread for good where the program needs its place: a limit on threads and processes (RLIMIT_NPROC,
// pids.max) is reached.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_

#include <errno.h>
#include <stdint.h>

namespace ompprof::collect {

// Whether the helper's rights differ from the calling thread's rights. libc changes the ids of all threads
// (credentials(7), "Modifying process user and group IDs"). libc aborts the process if the kernel refuses a thread a
// change that it grants another thread.
bool HelperHasOtherRights();

// Stops the helper before a call that the kernel allows only to single-threaded processes; StartHelperAfter starts it
// again. False: the helper is not the obstacle, and StartHelperAfter must not follow. `call`: the call's name.
bool StopHelperBefore(const char* call);
void StartHelperAfter(const char* call);

// Of several threads that give places of ours to the program, one waits for the other, at most for some seconds
// (false). The caller blocks all signals.
bool TakeHelper();
void LeaveHelper();

// The number of times that a place was given, so far.
uint32_t PlacesGiven();

// A call for a thread or a process was refused; before it, PlacesGiven was `before`. True: a place has come free since
// then. Async-signal-safe, because fork is.
bool GivePlace(uint32_t before);

// Before a call for a process that cannot be made again: gives the place if a limit is low.
void GivePlaceBefore();

// The kernel may count a thread that is gone for a moment longer.
void AwaitPlace();

// Makes a call of the program for a thread or a process. If the call is refused and our helper has a place, the helper
// gives it, and the call is made again. `refused`(result) reads errno too.
template <typename Call, typename Refused>
auto WithHelpersPlace(Call call, Refused refused) {
  constexpr int kTries = 3;
  const uint32_t before = PlacesGiven();
  const int saved = errno;
  errno = 0;
  auto result = call();
  if (refused(result)) {
    const int failure = errno;
    const bool again = GivePlace(before);
    errno = failure;
    for (int i = 0; again && i < kTries && refused(result); ++i) {
      if (i != 0) AwaitPlace();
      errno = 0;
      result = call();
    }
  }
  if (errno == 0) errno = saved;
  return result;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_WITHOUT_HELPER_H_
