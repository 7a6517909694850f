// Transfers of bytes, which a signal may cut in the middle. A program that does not ask how much went through would
// lose the rest. The sampling signal may come in such a call, so that a call costs no system call of ours. If it has
// come, and the call was cut, the wrapper goes on with the rest, with the timer off. (A signal of the program's that
// comes within the same microseconds has no effect on the call then: its handler has run, as if it had come before.)
// This file defines the plain names, not the checked versions that would replace them.
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

// A transfer that was cut, or that had no room for all: it goes on to its end, or until a signal of the program's
// comes. Alone, the call would return then with what has been transferred, also if the signal's handler has SA_RESTART.
// So it waits until something can be transferred, which no handler restarts.
struct Transfer {
  uintptr_t function;  // of libc
  int fd;
  short event;  // POLLIN or POLLOUT
  size_t size;  // of all

  // `done`: the result of the first call; `rest(from, &asked)` transfers `asked` bytes, or fewer, behind the first
  // `from`.
  template <typename Rest>
  ssize_t GoOn(ssize_t done, Rest rest) const {
    const SleepingCall sleeping(reinterpret_cast<void (*)()>(function));
    const int saved = errno;
    if (done < 0) done = 0;
    while (static_cast<size_t>(done) < size) {
      pollfd ready{fd, event, 0};
      if (done != 0 && real.poll(&ready, 1, -1) < 0) break;
      size_t asked = 0;
      const ssize_t more = rest(static_cast<size_t>(done), &asked);
      if (more <= 0 && done == 0) return more;
      if (more > 0) done += more;
      if (more < static_cast<ssize_t>(asked)) break;
    }
    errno = saved;
    return done;
  }
};

template <typename Function>
Transfer To(Function* function, int fd, size_t size) {
  return {reinterpret_cast<uintptr_t>(function), fd, POLLOUT, size};
}

template <typename Function>
Transfer From(Function* function, int fd, size_t size) {
  return {reinterpret_cast<uintptr_t>(function), fd, POLLIN, size};
}

// Whether a call that transferred `done` of `size` bytes was cut by our signal; `before`: SignalsSoFar then.
bool IsCut(ssize_t done, size_t size, uint32_t before) {
  if (__builtin_expect(SignalsSoFar() == before, 1)) return false;
  return done < 0 ? errno == EINTR : static_cast<size_t>(done) < size;
}

// Of reads, only those of /dev/zero, full, random and urandom return less than there is.
bool HasNoEnd(int fd) {
  struct stat facts;
  if (FileStatus(fd, "", AT_EMPTY_PATH, &facts) != 0 || !S_ISCHR(facts.st_mode) || major(facts.st_rdev) != 1)
    return false;
  const unsigned device = minor(facts.st_rdev);
  return device == 5 || device == 7 || device == 8 || device == 9;
}

template <typename Call>
ssize_t Read(int fd, void* data, size_t size, Call call) {
  const uint32_t before = SignalsSoFar();
  const ssize_t done = call();
  if (__builtin_expect(!IsCut(done, size, before), 1)) return done;
  const int failure = errno;
  const bool goes_on = done < 0 || HasNoEnd(fd);
  errno = failure;
  if (!goes_on) return done;
  return From(real.read, fd, done < 0 ? 1 : size).GoOn(done, [=](size_t from, size_t* asked) {
    *asked = size - from;
    return real.read(fd, static_cast<char*>(data) + from, *asked);
  });
}

// Of several parts, in order.
struct Parts {
  const iovec* parts;
  size_t count;

  size_t Size() const {
    size_t size = 0;
    for (size_t i = 0; i < count; ++i) size += parts[i].iov_len;
    return size;
  }

  // Transfers what is behind the first `from` bytes, of one part, by `call(data, *asked)`.
  template <typename Call>
  ssize_t Rest(size_t from, size_t* asked, Call call) const {
    size_t i = 0;
    while (i < count && from >= parts[i].iov_len) from -= parts[i++].iov_len;
    if (i == count) return 0;
    *asked = parts[i].iov_len - from;
    return call(static_cast<char*>(parts[i].iov_base) + from, *asked);
  }
};

// Flags with which a call that would wait can be tried at once.
bool MayTry(int flags) { return (flags & ~(MSG_NOSIGNAL | MSG_MORE | MSG_DONTROUTE)) == 0; }

// A send with room for all of it does not wait: it is tried at once. `call(flags)` sends all; `rest(from, &asked,
// flags)` what is behind the first `from` bytes, without an address or control data, which went with the first.
template <typename Function, typename Size, typename Call, typename Rest>
ssize_t Send(Function* function, int fd, int flags, Size size_of_all, Call call, Rest rest) {
  if (ThreadWithInstants() == nullptr || (flags & MSG_DONTWAIT) != 0) return call(flags);
  const int saved = errno;
  if (MayTry(flags)) {
    const ssize_t done = call(flags | MSG_DONTWAIT);
    if (done < 0 && errno != EAGAIN) return done;
    const size_t size = size_of_all();
    if (done >= 0 && static_cast<size_t>(done) >= size) return done;
    errno = saved;
    if (done > 0) {
      return To(function, fd, size).GoOn(done, [=](size_t from, size_t* asked) {
        return rest(from, asked, flags | MSG_NOSIGNAL);
      });
    }
  }
  const SleepingCall sleeping(function);
  return call(flags);
}

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
  return To(real.write, fd, size).GoOn(done, [=](size_t from, size_t* asked) {
    *asked = size - from;
    return real.write(fd, static_cast<const char*>(data) + from, *asked);
  });
}

OMPPROF_EXPORT ssize_t readv(int fd, const iovec* parts, int count) {
  if (real.readv == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.readv, SocketsHaveTimeouts());
  const uint32_t before = SignalsSoFar();
  const ssize_t done = real.readv(fd, parts, count);
  if (__builtin_expect(SignalsSoFar() == before || (done < 0 && errno != EINTR), 1)) return done;
  if (done < 0) {
    const SleepingCall again(real.readv);
    return real.readv(fd, parts, count);
  }
  const Parts all{parts, static_cast<size_t>(count)};
  const int saved = errno;
  const bool goes_on = IsCut(done, all.Size(), before) && HasNoEnd(fd);
  errno = saved;
  if (!goes_on) return done;
  return From(real.readv, fd, all.Size()).GoOn(done, [=](size_t from, size_t* asked) {
    return all.Rest(from, asked, [=](void* data, size_t size) { return real.read(fd, data, size); });
  });
}

OMPPROF_EXPORT ssize_t writev(int fd, const iovec* parts, int count) {
  if (real.writev == nullptr) FindRealFunctions();
  const SleepingCall sleeping(real.writev, SocketsHaveTimeouts());
  const uint32_t before = SignalsSoFar();
  const ssize_t done = real.writev(fd, parts, count);
  if (__builtin_expect(SignalsSoFar() == before || (done < 0 && errno != EINTR), 1)) return done;
  if (done < 0) {
    const SleepingCall again(real.writev);
    return real.writev(fd, parts, count);
  }
  const Parts all{parts, static_cast<size_t>(count)};
  const size_t size = all.Size();
  if (!IsCut(done, size, before)) return done;
  return To(real.writev, fd, size).GoOn(done, [=](size_t from, size_t* asked) {
    return all.Rest(from, asked, [=](void* data, size_t bytes) { return real.write(fd, data, bytes); });
  });
}

OMPPROF_EXPORT ssize_t send(int fd, const void* data, size_t size, int flags) {
  if (real.send == nullptr) FindRealFunctions();
  return Send(
      real.send, fd, flags, [=] { return size; }, [=](int how) { return real.send(fd, data, size, how); },
      [=](size_t from, size_t* asked, int how) {
        *asked = size - from;
        return real.send(fd, static_cast<const char*>(data) + from, *asked, how);
      });
}

OMPPROF_EXPORT ssize_t sendto(int fd, const void* data, size_t size, int flags, const sockaddr* to, socklen_t to_size) {
  if (real.sendto == nullptr) FindRealFunctions();
  return Send(
      real.sendto, fd, flags, [=] { return size; },
      [=](int how) { return real.sendto(fd, data, size, how, to, to_size); },
      [=](size_t from, size_t* asked, int how) {
        *asked = size - from;
        return real.send(fd, static_cast<const char*>(data) + from, *asked, how);
      });
}

OMPPROF_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (real.sendmsg == nullptr) FindRealFunctions();
  const auto parts = [=] { return Parts{message->msg_iov, message->msg_iovlen}; };
  return Send(
      real.sendmsg, fd, flags, [=] { return parts().Size(); }, [=](int how) { return real.sendmsg(fd, message, how); },
      [=](size_t from, size_t* asked, int how) {
        return parts().Rest(from, asked, [=](void* data, size_t size) { return real.send(fd, data, size, how); });
      });
}

OMPPROF_EXPORT ssize_t __send(int fd, const void* data, size_t size, int flags) { return send(fd, data, size, flags); }
OMPPROF_EXPORT ssize_t __read(int fd, void* data, size_t size) { return read(fd, data, size); }
OMPPROF_EXPORT ssize_t __write(int fd, const void* data, size_t size) { return write(fd, data, size); }
