// libc's functions that a signal cuts short or makes fail, even if its handler has SA_RESTART (signal(7)): they sleep
// with a timeout, wait for events, or transfer many bytes. The tables declare their places in RealFunctions.
//
// OMPPROF_SLEEPING_FUNCTIONS(X) is X(result, name, parameters, arguments, sleeps) for each function whose wrapper keeps
// the timer off (process/interpose_sleeps.cc). `sleeps` is false for calls that return at once, or that the kernel goes
// on with after the signal.
// OMPPROF_WAITING_FUNCTIONS(X) is X(result, name, parameters) for the functions with wrappers of their own
// (process/interpose_waits.cc, process/interpose_transfers.cc).
#ifndef OMPPROF_PROFILER_COLLECT_BASE_SLEEPING_FUNCTIONS_H_
#define OMPPROF_PROFILER_COLLECT_BASE_SLEEPING_FUNCTIONS_H_

#include <aio.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>

// clang-format off
#define OMPPROF_WAITING_FUNCTIONS(X) \
  X(int, poll, (pollfd* fds, nfds_t count, int timeout)) \
  X(int, __poll_chk, (pollfd* fds, nfds_t count, int timeout, size_t size)) \
  X(int, select, (int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout)) \
  X(int, epoll_wait, (int epoll, epoll_event* events, int most, int timeout)) \
  X(int, nanosleep, (const timespec* time, timespec* rest)) \
  X(int, clock_nanosleep, (clockid_t clock, int flags, const timespec* time, timespec* rest)) \
  X(int, usleep, (useconds_t us)) \
  X(unsigned, sleep, (unsigned seconds)) \
  X(int, thrd_sleep, (const timespec* time, timespec* rest)) \
  X(int, pause, ()) \
  X(ssize_t, send, (int fd, const void* data, size_t size, int flags)) \
  X(ssize_t, sendto, (int fd, const void* data, size_t size, int flags, const sockaddr* to, socklen_t to_size)) \
  X(ssize_t, sendmsg, (int fd, const msghdr* message, int flags)) \
  X(ssize_t, read, (int fd, void* data, size_t size)) \
  X(ssize_t, __read_chk, (int fd, void* data, size_t size, size_t room)) \
  X(ssize_t, readv, (int fd, const iovec* parts, int count)) \
  X(ssize_t, write, (int fd, const void* data, size_t size)) \
  X(ssize_t, writev, (int fd, const iovec* parts, int count))

#define OMPPROF_SLEEPING_FUNCTIONS(X) \
  X(int, sem_timedwait, (sem_t* semaphore, const timespec* until), (semaphore, until), true) \
  X(int, sem_clockwait, (sem_t* semaphore, clockid_t clock, const timespec* until), (semaphore, clock, until), true) \
  X(int, aio_suspend, (const aiocb* const list[], int count, const timespec* timeout), (list, count, timeout), true) \
  X(ssize_t, msgrcv, (int id, void* message, size_t size, long type, int flags), (id, message, size, type, flags), (flags & IPC_NOWAIT) == 0) \
  X(int, msgsnd, (int id, const void* message, size_t size, int flags), (id, message, size, flags), (flags & IPC_NOWAIT) == 0) \
  X(int, semop, (int id, sembuf* operations, size_t count), (id, operations, count), true) \
  X(int, semtimedop, (int id, sembuf* operations, size_t count, const timespec* timeout), (id, operations, count, timeout), true) \
  X(int, accept, (int fd, sockaddr* address, socklen_t* size), (fd, address, size), SocketsHaveTimeouts()) \
  X(int, accept4, (int fd, sockaddr* address, socklen_t* size, int flags), (fd, address, size, flags), SocketsHaveTimeouts()) \
  X(int, connect, (int fd, const sockaddr* address, socklen_t size), (fd, address, size), true) \
  X(ssize_t, recv, (int fd, void* data, size_t size, int flags), (fd, data, size, flags), ReceiveIsCut(flags)) \
  X(ssize_t, __recv_chk, (int fd, void* data, size_t size, size_t room, int flags), (fd, data, size, room, flags), ReceiveIsCut(flags)) \
  X(ssize_t, recvfrom, (int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* from_size), (fd, data, size, flags, from, from_size), ReceiveIsCut(flags)) \
  X(ssize_t, __recvfrom_chk, (int fd, void* data, size_t size, size_t room, int flags, sockaddr* from, socklen_t* from_size), (fd, data, size, room, flags, from, from_size), ReceiveIsCut(flags)) \
  X(ssize_t, recvmsg, (int fd, msghdr* message, int flags), (fd, message, flags), ReceiveIsCut(flags)) \
  X(int, recvmmsg, (int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout), (fd, messages, count, flags, timeout), MessagesAreCut(count, flags, timeout)) \
  X(int, sendmmsg, (int fd, mmsghdr* messages, unsigned count, int flags), (fd, messages, count, flags), (flags & MSG_DONTWAIT) == 0) \
  X(ssize_t, sendfile, (int to, int from, off_t* offset, size_t size), (to, from, offset, size), true) \
  X(ssize_t, sendfile64, (int to, int from, off64_t* offset, size_t size), (to, from, offset, size), true) \
  X(ssize_t, copy_file_range, (int from, off64_t* from_offset, int to, off64_t* to_offset, size_t size, unsigned flags), (from, from_offset, to, to_offset, size, flags), true) \
  X(ssize_t, splice, (int from, off64_t* from_offset, int to, off64_t* to_offset, size_t size, unsigned flags), (from, from_offset, to, to_offset, size, flags), true) \
  X(ssize_t, vmsplice, (int fd, const iovec* parts, size_t count, unsigned flags), (fd, parts, count, flags), true) \
  X(ssize_t, tee, (int from, int to, size_t size, unsigned flags), (from, to, size, flags), true) \
  X(ssize_t, getrandom, (void* data, size_t size, unsigned flags), (data, size, flags), size > 256) \
  X(int, fallocate, (int fd, int mode, off_t from, off_t size), (fd, mode, from, size), true) \
  X(int, fallocate64, (int fd, int mode, off64_t from, off64_t size), (fd, mode, from, size), true) \
  X(int, posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size), true) \
  X(int, posix_fallocate64, (int fd, off64_t from, off64_t size), (fd, from, size), true) \
  X(int, mlock, (const void* address, size_t size), (address, size), true) \
  X(int, mlock2, (const void* address, size_t size, unsigned flags), (address, size, flags), true) \
  X(int, mlockall, (int flags), (flags), true)
// clang-format on

#endif  // OMPPROF_PROFILER_COLLECT_BASE_SLEEPING_FUNCTIONS_H_
