// The libc functions that a signal cuts short or makes fail. No instant of kOnCpuTimer comes during such a call
// (sampling/sleeping_call.h). Functions that wait with a signal mask are in interpose_masks.cc.
// This file defines the plain names, not the checked versions that would replace them.
#undef _FORTIFY_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "profiler/collect/arch/syscall_jump.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/base/sleeping_functions.h"
#include "profiler/collect/sampling/sleeping_call.h"

namespace ompprof::collect {
namespace {

// A socket with a timeout (SO_RCVTIMEO, SO_SNDTIMEO) fails at a signal, in read and write too. Few programs have such
// sockets, so these two functions ask only where one was made.
std::atomic<bool> sockets_have_timeouts{false};

// A poll that does not wait, but fails if a signal is pending, as our instants' signals may be. To a program, it looks
// like a poll a moment later.
template <typename Call>
int PollAtOnce(Call call) {
  const int saved = errno;
  int result;
  while ((result = call()) == -1 && errno == EINTR && SleepingCall::IsNeeded()) errno = saved;
  return result;
}

bool SocketsHaveTimeouts() { return sockets_have_timeouts.load(std::memory_order_relaxed); }

}  // namespace

// A system call by number that a signal would cut short (syscall_jump.h).
extern "C" __attribute__((used, visibility("hidden"))) long ompprof_sleeping_syscall(long number, long a, long b,
                                                                                     long c, long d, long e, long f) {
  const SleepingCall sleeping(real.syscall);
  return AsLibc(RawSyscall(number, a, b, c, d, e, f));
}

}  // namespace ompprof::collect

using namespace ompprof::collect;

#define OMPPROF_COLLECT_SLEEPING(result, name, parameters, arguments, sleeps) \
  OMPPROF_EXPORT result name parameters {                                     \
    if (real.name == nullptr) FindRealFunctions();                            \
    const SleepingCall sleeping(real.name, sleeps);                           \
    return real.name arguments;                                               \
  }
OMPPROF_SLEEPING_FUNCTIONS(OMPPROF_COLLECT_SLEEPING)

#define OMPPROF_COLLECT_POLLING(result, name, parameters, arguments, sleeps) \
  OMPPROF_EXPORT result name parameters {                                    \
    if (real.name == nullptr) FindRealFunctions();                           \
    if (!(sleeps)) return PollAtOnce([&] { return real.name arguments; });   \
    const SleepingCall sleeping(real.name);                                  \
    return real.name arguments;                                              \
  }
OMPPROF_POLLING_FUNCTIONS(OMPPROF_COLLECT_POLLING)

// libc's internal names, which some libraries call.
#define OMPPROF_COLLECT_INTERNAL_NAME(result, internal, name, parameters, arguments) \
  OMPPROF_EXPORT result internal parameters { return name arguments; }
OMPPROF_COLLECT_INTERNAL_NAME(int, __poll, poll, (pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
OMPPROF_COLLECT_INTERNAL_NAME(int, __select, select,
                              (int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout),
                              (count, in, out, except, timeout))
OMPPROF_COLLECT_INTERNAL_NAME(int, __nanosleep, nanosleep, (const timespec* time, timespec* rest), (time, rest))
OMPPROF_COLLECT_INTERNAL_NAME(int, __connect, connect, (int fd, const sockaddr* address, socklen_t size),
                              (fd, address, size))
OMPPROF_COLLECT_INTERNAL_NAME(ssize_t, __send, send, (int fd, const void* data, size_t size, int flags),
                              (fd, data, size, flags))
OMPPROF_COLLECT_INTERNAL_NAME(ssize_t, __read, read, (int fd, void* data, size_t size), (fd, data, size))
OMPPROF_COLLECT_INTERNAL_NAME(ssize_t, __write, write, (int fd, const void* data, size_t size), (fd, data, size))

OMPPROF_EXPORT int setsockopt(int fd, int level, int option, const void* value, socklen_t size) {
  if (real.setsockopt == nullptr) FindRealFunctions();
  if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
    sockets_have_timeouts.store(true, std::memory_order_relaxed);
  return real.setsockopt(fd, level, option, value, size);
}

// Drivers decide what a signal does.
OMPPROF_EXPORT int ioctl(int fd, unsigned long request, ...) {
  if (real.ioctl == nullptr) FindRealFunctions();
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  const SleepingCall sleeping(real.ioctl);
  return real.ioctl(fd, request, argument);
}
