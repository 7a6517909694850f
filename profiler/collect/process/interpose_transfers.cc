// Transfers of bytes, which a signal may cut in the middle. A program that does not ask how much went through would
// lose the rest. The sampling signal may come in such a call, so that a call costs no system call of ours. If it has
// come, and the call was cut, the wrapper goes on with the rest, with the timer off. (A signal of the program's that
// comes within the same microseconds has no effect on the call then: its handler has run, as if it had come before.)
// This file defines the plain names, not the checked versions that would replace them.
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/process/socket_timeouts.h"
#include "profiler/collect/sampling/sleeping_call.h"

namespace ompprof::collect {
namespace {

uint32_t SignalsSoFar() {
  const ThreadState* const thread = ThreadWithInstants();
  return thread != nullptr ? thread->sampler.signals : 0;
}

// `rest(from)` transfers what is behind the first `from` bytes. `size`: of all; `done`: the result of the first call.
template <typename Call>
ssize_t GoOn(uintptr_t function, size_t size, ssize_t done, Call rest) {
  const SleepingCall sleeping(reinterpret_cast<void (*)()>(function));
  const int saved = errno;
  if (done < 0) done = 0;
  while (static_cast<size_t>(done) < size) {
    const ssize_t more = rest(static_cast<size_t>(done));
    if (more <= 0) {
      if (done == 0) return more;
      break;
    }
    done += more;
  }
  errno = saved;
  return done;
}

// Whether a call that transferred `done` of `size` bytes was cut by our signal; `before`: SignalsSoFar then.
bool IsCut(ssize_t done, size_t size, uint32_t before) {
  if (__builtin_expect(SignalsSoFar() == before, 1)) return false;
  return done < 0 ? errno == EINTR : static_cast<size_t>(done) < size;
}

// Of reads, only those of random numbers return less than there is.
bool GivesRandomNumbers(int fd) {
  struct stat facts;
  return FileStatus(fd, "", AT_EMPTY_PATH, &facts) == 0 && S_ISCHR(facts.st_mode) && major(facts.st_rdev) == 1 &&
         (minor(facts.st_rdev) == 8 || minor(facts.st_rdev) == 9);
}

template <typename Call>
ssize_t Read(int fd, void* data, size_t size, Call call) {
  const uint32_t before = SignalsSoFar();
  const ssize_t done = call();
  if (__builtin_expect(!IsCut(done, size, before), 1)) return done;
  const int failure = errno;
  const bool goes_on = done < 0 || GivesRandomNumbers(fd);
  errno = failure;
  if (!goes_on) return done;
  return GoOn(reinterpret_cast<uintptr_t>(real.read), done < 0 ? 1 : size, done,
              [=](size_t from) { return real.read(fd, static_cast<char*>(data) + from, size - from); });
}

// Writes what is behind the first `from` bytes of the parts.
ssize_t WriteParts(int fd, const iovec* parts, int count, size_t from) {
  while (count > 0 && from >= parts->iov_len) {
    from -= parts->iov_len;
    ++parts;
    --count;
  }
  if (count == 0) return 0;
  return real.write(fd, static_cast<const char*>(parts->iov_base) + from, parts->iov_len - from);
}

// Flags with which a call that would wait can be tried at once.
bool MayTry(int flags) { return (flags & ~(MSG_NOSIGNAL | MSG_MORE | MSG_DONTROUTE)) == 0; }

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT ssize_t read(int fd, void* data, size_t size) {
  if (real.read == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.read, SocketsHaveTimeouts());
  return Read(fd, data, size, [=] { return real.read(fd, data, size); });
}

OMPPROF_EXPORT ssize_t __read_chk(int fd, void* data, size_t size, size_t room) {
  if (real.__read_chk == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.read, SocketsHaveTimeouts());
  return Read(fd, data, size, [=] { return real.__read_chk(fd, data, size, room); });
}

OMPPROF_EXPORT ssize_t write(int fd, const void* data, size_t size) {
  if (real.write == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.write, SocketsHaveTimeouts());
  const uint32_t before = SignalsSoFar();
  const ssize_t done = real.write(fd, data, size);
  if (__builtin_expect(!IsCut(done, size, before), 1)) return done;
  return GoOn(reinterpret_cast<uintptr_t>(real.write), size, done,
              [=](size_t from) { return real.write(fd, static_cast<const char*>(data) + from, size - from); });
}

OMPPROF_EXPORT ssize_t writev(int fd, const iovec* parts, int count) {
  if (real.writev == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.writev, SocketsHaveTimeouts());
  const uint32_t before = SignalsSoFar();
  const ssize_t done = real.writev(fd, parts, count);
  if (__builtin_expect(SignalsSoFar() == before || (done < 0 && errno != EINTR), 1)) return done;
  size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  if (!IsCut(done, size, before)) return done;
  if (done < 0) {
    const SleepingCall again(real.writev);
    return real.writev(fd, parts, count);
  }
  return GoOn(reinterpret_cast<uintptr_t>(real.writev), size, done,
              [=](size_t from) { return WriteParts(fd, parts, count, from); });
}

// A send with room for all of it does not wait.
OMPPROF_EXPORT ssize_t send(int fd, const void* data, size_t size, int flags) {
  if (real.send == nullptr) FindRealFunctions();
  if (ThreadWithInstants() == nullptr || (flags & MSG_DONTWAIT) != 0) return real.send(fd, data, size, flags);
  ssize_t done = 0;
  if (MayTry(flags)) {
    const int saved = errno;
    done = real.send(fd, data, size, flags | MSG_DONTWAIT);
    if (done >= 0 && static_cast<size_t>(done) >= size) return done;
    if (done < 0) {
      if (errno != EAGAIN) return done;
      errno = saved;
    }
  }
  const SleepingCall sleeping(real.send);
  if (done <= 0) return real.send(fd, data, size, flags);
  const int saved = errno;
  const ssize_t more = real.send(fd, static_cast<const char*>(data) + done, size - done, flags | MSG_NOSIGNAL);
  errno = saved;
  return more > 0 ? done + more : done;
}

OMPPROF_EXPORT ssize_t __send(int fd, const void* data, size_t size, int flags) { return send(fd, data, size, flags); }
OMPPROF_EXPORT ssize_t __read(int fd, void* data, size_t size) { return read(fd, data, size); }
OMPPROF_EXPORT ssize_t __write(int fd, const void* data, size_t size) { return write(fd, data, size); }
