// Waits of the program for events and for time to pass, which a signal would end. The kernel blocks the sampling signal
// for just the wait (MaskedWait). Where events may be there already, the first call does not wait and needs no mask: so
// a call that returns at once costs no system call of ours.
// This file defines the plain names, not the checked versions that would replace them.
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/sampling/sleeping_call.h"

namespace ompprof::collect {
namespace {

constexpr int64_t kSecond = 1000000000;
// To ask more descriptors twice costs more than a system call.
constexpr nfds_t kFewDescriptors = 16;

timespec TimeOf(int64_t ns) { return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)}; }

// A call that does not wait. It fails if a signal is pending, as our instants' signals may be. To a program, it looks
// like a call a moment later.
template <typename Call>
int AtOnce(Call call) {
  LeaveCallsWithFrame();
  const int saved = errno;
  volatile bool& retries = this_thread->sampler.instants.retries;
  const bool before = retries;
  retries = true;
  int result;
  while ((result = call()) == -1 && errno == EINTR) errno = saved;
  retries = before;
  return result;
}

// `call(timeout)` is the wrapped function.
template <typename Call>
int Poll(pollfd* fds, nfds_t count, int timeout, Call call) {
  if (ThreadWithInstants() == nullptr) return call(timeout);
  if (timeout == 0 || (count != 0 && count <= kFewDescriptors)) {
    const int result = AtOnce([&] { return call(0); });
    if (result != 0 || timeout == 0) return result;
  }
  const timespec time = TimeOf(timeout * (kSecond / 1000));
  const MaskedWait wait(real.poll);
  return real.ppoll(fds, count, timeout < 0 ? nullptr : &time, wait.mask());
}

// The sets of a select that does not wait: one that finds nothing empties them.
class SetsOfSelect {
 public:
  static constexpr int kMost = FD_SETSIZE;

  SetsOfSelect(int count, fd_set* in, fd_set* out, fd_set* except)
      : sets_{in, out, except}, bytes_((count + 63) / 64 * 8) {
    for (int i = 0; i < 3; ++i) {
      if (sets_[i] != nullptr) memcpy(&saved_[i], sets_[i], bytes_);
    }
  }
  void Restore() const {
    for (int i = 0; i < 3; ++i) {
      if (sets_[i] != nullptr) memcpy(sets_[i], &saved_[i], bytes_);
    }
  }

 private:
  fd_set* const sets_[3];
  const size_t bytes_;
  fd_set saved_[3];
};

int Select(int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout) {
  const bool waits = timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_usec != 0;
  if (!waits) return AtOnce([&] { return real.select(count, in, out, except, timeout); });
  if (timeout != nullptr &&
      (timeout->tv_sec < 0 || timeout->tv_sec > kSecond || timeout->tv_usec < 0 || timeout->tv_usec >= 1000000)) {
    const SleepingCall sleeping(real.select);
    return real.select(count, in, out, except, timeout);
  }
  if (count > 0 && count <= SetsOfSelect::kMost) {
    const SetsOfSelect sets(count, in, out, except);
    timeval none{0, 0};
    const int result = AtOnce([&] { return real.select(count, in, out, except, &none); });
    if (result != 0) return result;
    sets.Restore();
  }
  const MaskedWait wait(real.select);
  if (timeout == nullptr) return real.pselect(count, in, out, except, nullptr, wait.mask());
  const timespec time{timeout->tv_sec, timeout->tv_usec * 1000};
  const auto end = static_cast<int64_t>(MonotonicNs()) + time.tv_sec * kSecond + time.tv_nsec;
  const int result = real.pselect(count, in, out, except, &time, wait.mask());
  // Linux tells how much of the time was left.
  const timespec rest = TimeOf(std::max<int64_t>(end - static_cast<int64_t>(MonotonicNs()), 0));
  *timeout = {rest.tv_sec, rest.tv_nsec / 1000};
  return result;
}

bool IsTime(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_sec <= kSecond && time->tv_nsec >= 0 &&
         time->tv_nsec < kSecond && (time->tv_sec != 0 || time->tv_nsec != 0);
}

// Sleeps for this time. 0, or an error number. `rest`: what was left at a signal; may be null.
// poll may sleep longer than nanosleep, by a thousandth of the time. So a long sleep has two parts.
int Sleep(uintptr_t function, int64_t ns, timespec* rest) {
  constexpr int64_t kLong = kSecond / 20;
  const int64_t end = static_cast<int64_t>(MonotonicNs()) + ns;
  const int saved = errno;
  const MaskedWait wait(reinterpret_cast<void (*)()>(function));
  timespec time = TimeOf(ns < kLong ? ns : ns - ns / 512);
  int result = real.ppoll(nullptr, 0, &time, wait.mask());
  int64_t left = end - static_cast<int64_t>(MonotonicNs());
  if (result == 0 && left > 0) {
    time = TimeOf(left);
    result = real.ppoll(nullptr, 0, &time, wait.mask());
    left = end - static_cast<int64_t>(MonotonicNs());
  }
  if (result == 0) return 0;
  const int error = errno;
  errno = saved;
  if (rest != nullptr) *rest = TimeOf(std::max<int64_t>(left, 0));
  return error;
}

template <typename Function>
int SleepAs(Function* function, const timespec& time, timespec* rest) {
  return Sleep(reinterpret_cast<uintptr_t>(function), time.tv_sec * kSecond + time.tv_nsec, rest);
}

int Nanosleep(const timespec* time, timespec* rest) {
  if (ThreadWithInstants() == nullptr || !IsTime(time)) {
    const SleepingCall sleeping(real.nanosleep);
    return real.nanosleep(time, rest);
  }
  const int error = SleepAs(real.nanosleep, *time, rest);
  if (error != 0) errno = error;
  return error != 0 ? -1 : 0;
}

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT int poll(pollfd* fds, nfds_t count, int timeout) {
  if (real.poll == nullptr) FindRealFunctions();
  return Poll(fds, count, timeout, [&](int time) { return real.poll(fds, count, time); });
}

OMPPROF_EXPORT int __poll_chk(pollfd* fds, nfds_t count, int timeout, size_t size) {
  if (real.__poll_chk == nullptr) FindRealFunctions();
  if (size / sizeof(*fds) < count) return real.__poll_chk(fds, count, timeout, size);  // ends the program
  return Poll(fds, count, timeout, [&](int time) { return real.poll(fds, count, time); });
}

OMPPROF_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout) {
  if (real.select == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr) return real.select(count, in, out, except, timeout);
  return Select(count, in, out, except, timeout);
}

OMPPROF_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  if (real.epoll_wait == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr) return real.epoll_wait(epoll, events, most, timeout);
  const int result = AtOnce([=] { return real.epoll_wait(epoll, events, most, 0); });
  if (result != 0 || timeout == 0) return result;
  const MaskedWait wait(real.epoll_wait);
  return real.epoll_pwait(epoll, events, most, timeout, wait.mask());
}

OMPPROF_EXPORT int nanosleep(const timespec* time, timespec* rest) {
  if (real.nanosleep == nullptr) FindRealFunctions();
  return Nanosleep(time, rest);
}

OMPPROF_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  if (real.clock_nanosleep == nullptr) FindRealFunctions();
  if (ThreadWithInstants() != nullptr && IsTime(time)) {
    if (flags == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC))
      return SleepAs(real.clock_nanosleep, *time, rest);
    const int64_t ns = time->tv_sec * kSecond + time->tv_nsec - static_cast<int64_t>(MonotonicNs());
    if (flags == TIMER_ABSTIME && clock == CLOCK_MONOTONIC && ns > 0)
      return Sleep(reinterpret_cast<uintptr_t>(real.clock_nanosleep), ns, nullptr);
  }
  // A change of the clock moves the end of such a sleep.
  const SleepingCall sleeping(real.clock_nanosleep);
  return real.clock_nanosleep(clock, flags, time, rest);
}

OMPPROF_EXPORT int usleep(useconds_t us) {
  if (real.usleep == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr || us == 0) {
    const SleepingCall sleeping(real.usleep);
    return real.usleep(us);
  }
  const int error = SleepAs(real.usleep, TimeOf(us * int64_t{1000}), nullptr);
  if (error != 0) errno = error;
  return error != 0 ? -1 : 0;
}

OMPPROF_EXPORT unsigned sleep(unsigned seconds) {
  if (real.sleep == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr || seconds == 0 || seconds > kSecond) {
    const SleepingCall sleeping(real.sleep);
    return real.sleep(seconds);
  }
  timespec rest;
  if (SleepAs(real.sleep, {static_cast<time_t>(seconds), 0}, &rest) == 0) return 0;
  errno = EINTR;
  return static_cast<unsigned>(rest.tv_sec);
}

OMPPROF_EXPORT int thrd_sleep(const timespec* time, timespec* rest) {
  if (real.thrd_sleep == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr || !IsTime(time)) {
    const SleepingCall sleeping(real.thrd_sleep);
    return real.thrd_sleep(time, rest);
  }
  return SleepAs(real.thrd_sleep, *time, rest) == 0 ? 0 : -1;
}

OMPPROF_EXPORT int pause() {
  if (real.pause == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr) return real.pause();
  const MaskedWait wait(real.pause);
  return real.ppoll(nullptr, 0, nullptr, wait.mask());
}

// libc's internal names, which some libraries call.
OMPPROF_EXPORT int __poll(pollfd* fds, nfds_t count, int timeout) { return poll(fds, count, timeout); }
OMPPROF_EXPORT int __select(int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout) {
  return select(count, in, out, except, timeout);
}
OMPPROF_EXPORT int __nanosleep(const timespec* time, timespec* rest) { return nanosleep(time, rest); }
