// The libc functions that take one of the process's places for pending signals (RLIMIT_SIGPENDING). Each wrapper calls
// the real function. If the limit refuses the call, our timers give their places one after the other.
#include <errno.h>
#include <mqueue.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/process/without_helper.h"
#include "profiler/collect/sampling/arming.h"

namespace ompprof::collect {
namespace {

// Whether a place is free now.
bool HasPlace() {
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_NONE;
  int id = 0;
  if (RawSyscall(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event), reinterpret_cast<long>(&id)) != 0)
    return false;
  RawSyscall(SYS_timer_delete, id);
  return true;
}

bool GivesTimer() {
  const OwnWork own_work;
  const uint64_t mask = SetSignalMask(kAllSignals);
  const bool taken = TakeHelper();
  const bool gave = taken && GiveTimer();
  if (taken) LeaveHelper();
  SetSignalMask(mask);
  return gave;
}

// Makes a call of the program. `call` returns 0, or -1 and errno. *had_place, if not NULL: the call was refused with a
// place free, again and again, so for another reason.
template <typename Call>
int WithTimersPlace(Call call, bool* had_place = nullptr) {
  // The helper may have a timer for a moment, and a signal is pending for a moment.
  constexpr int kMoments = 3;
  const int saved = errno;
  int result = call();
  for (int moments = 0; result != 0 && errno == EAGAIN && InSession();) {
    const bool has_place = HasPlace();
    if (has_place ? ++moments > kMoments : !GivesTimer()) {
      if (had_place != nullptr) *had_place = has_place;
      errno = EAGAIN;
      break;
    }
    errno = saved;
    result = call();
  }
  return result;
}

bool IsRefused(int result) { return result != 0 && errno == EAGAIN; }

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

// libc makes a thread for the first timer with SIGEV_THREAD.
OMPPROF_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) {
  if (real.timer_create == nullptr) FindRealFunctions();
  bool had_place = false;
  const auto create = [&] {
    had_place = false;
    return WithTimersPlace([&] { return real.timer_create(clock, event, timer); }, &had_place);
  };
  const bool needs_thread = event != nullptr && event->sigev_notify == SIGEV_THREAD;
  return WithHelpersPlace(create, [&](int result) { return needs_thread && IsRefused(result) && had_place; });
}

OMPPROF_EXPORT int mq_notify(mqd_t queue, const sigevent* event) {
  if (real.mq_notify == nullptr) FindRealFunctions();
  return WithHelpersPlace([&] { return real.mq_notify(queue, event); }, IsRefused);
}

OMPPROF_EXPORT int sigqueue(pid_t process, int number, sigval value) {
  if (real.sigqueue == nullptr) FindRealFunctions();
  return WithTimersPlace([&] { return real.sigqueue(process, number, value); });
}

OMPPROF_EXPORT int pthread_sigqueue(pthread_t thread, int number, sigval value) {
  if (real.pthread_sigqueue == nullptr) FindRealFunctions();
  const int saved = errno;
  int failure = 0;
  WithTimersPlace([&] {
    failure = real.pthread_sigqueue(thread, number, value);
    errno = failure;
    return failure == 0 ? 0 : -1;
  });
  errno = saved;
  return failure;
}
