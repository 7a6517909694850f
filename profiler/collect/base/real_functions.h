// The libc functions that this library stands in front of, found once before the program starts. Calls of them bypass
// the wrappers in interpose.cc.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_REAL_FUNCTIONS_H_
#define OMPPROF_PROFILER_COLLECT_BASE_REAL_FUNCTIONS_H_

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/types.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>

#include "profiler/collect/base/sleeping_functions.h"

struct termios;
struct winsize;

namespace ompprof::collect {

struct RealFunctions {
#define OMPPROF_WAITING_FUNCTION(result, name, parameters) result(*name) parameters;
#define OMPPROF_SLEEPING_FUNCTION(result, name, parameters, arguments, sleeps) result(*name) parameters;
  OMPPROF_WAITING_FUNCTIONS(OMPPROF_WAITING_FUNCTION)
  OMPPROF_SLEEPING_FUNCTIONS(OMPPROF_SLEEPING_FUNCTION)
#undef OMPPROF_WAITING_FUNCTION
#undef OMPPROF_SLEEPING_FUNCTION
  int (*setsockopt)(int, int, int, const void*, socklen_t);
  int (*ioctl)(int, unsigned long, ...);
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*thrd_create)(thrd_t*, thrd_start_t, void*);
  int (*pthread_getattr_default_np)(pthread_attr_t*);  // since glibc 2.18
  int (*pthread_join)(pthread_t, void**);
  int (*pthread_detach)(pthread_t);
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  sighandler_t (*signal)(int, sighandler_t);
  sighandler_t (*sysv_signal)(int, sighandler_t);
  sighandler_t (*__sysv_signal)(int, sighandler_t);
  sighandler_t (*bsd_signal)(int, sighandler_t);
  sighandler_t (*ssignal)(int, sighandler_t);
  sighandler_t (*sigset)(int, sighandler_t);
  int (*sigignore)(int);
  int (*sigaltstack)(const stack_t*, stack_t*);
  int (*signalfd)(int, const sigset_t*, int);
  int (*sigwait)(const sigset_t*, int*);
  int (*sigwaitinfo)(const sigset_t*, siginfo_t*);
  int (*sigtimedwait)(const sigset_t*, siginfo_t*, const timespec*);
  int (*pthread_sigmask)(int, const sigset_t*, sigset_t*);
  int (*sigprocmask)(int, const sigset_t*, sigset_t*);
  int (*sigblock)(int);
  int (*sigsetmask)(int);
  int (*sighold)(int);
  int (*sigrelse)(int);
  int (*sigsuspend)(const sigset_t*);
  int (*ppoll)(pollfd*, nfds_t, const timespec*, const sigset_t*);
  int (*__ppoll_chk)(pollfd*, nfds_t, const timespec*, const sigset_t*, size_t);
  int (*pselect)(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*);
  int (*epoll_pwait)(int, epoll_event*, int, int, const sigset_t*);
  int (*epoll_pwait2)(int, epoll_event*, int, const timespec*, const sigset_t*);
  int (*setcontext)(const ucontext_t*);
  int (*swapcontext)(ucontext_t*, const ucontext_t*);
  void (*longjmp)(__jmp_buf_tag*, int);
  void (*_longjmp)(__jmp_buf_tag*, int);
  void (*siglongjmp)(__jmp_buf_tag*, int);
  void (*__longjmp_chk)(__jmp_buf_tag*, int);
  int (*dlclose)(void*);
  int (*unshare)(int);
  int (*setns)(int, int);
  void (*_exit)(int);
  void (*_Exit)(int);
  void (*abort)();
  int (*timer_create)(clockid_t, sigevent*, timer_t*);
  int (*mq_notify)(int, const sigevent*);
  int (*sigqueue)(pid_t, int, sigval);
  int (*pthread_sigqueue)(pthread_t, int, sigval);
  pid_t (*fork)();
  pid_t (*vfork)();
  pid_t (*_Fork)();  // since glibc 2.34
  pid_t (*forkpty)(int*, char*, const termios*, const winsize*);
  int (*clone)(int (*)(void*), void*, int, void*, ...);
  int (*execve)(const char*, char* const*, char* const*);
  int (*execvpe)(const char*, char* const*, char* const*);
  int (*fexecve)(int, char* const*, char* const*);
  int (*posix_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                     char* const*);
  int (*posix_spawnp)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                      char* const*);
  int (*system)(const char*);
  FILE* (*popen)(const char*, const char*);
  void* (*mmap)(void*, size_t, int, int, int, off_t);
  void* (*mremap)(void*, size_t, size_t, int, ...);
  int (*munmap)(void*, size_t);
  int (*mprotect)(void*, size_t, int);
  int (*pkey_mprotect)(void*, size_t, int, int);
  int (*madvise)(void*, size_t, int);
  void* (*shmat)(int, const void*, int);
  int (*shmdt)(const void*);
  long (*syscall)(long, long, long, long, long, long, long);
  int (*prctl)(int, unsigned long, unsigned long, unsigned long, unsigned long);
  int (*setuid)(uid_t);
  int (*seteuid)(uid_t);
  int (*setreuid)(uid_t, uid_t);
  int (*setresuid)(uid_t, uid_t, uid_t);
  int (*setgid)(gid_t);
  int (*setegid)(gid_t);
  int (*setregid)(gid_t, gid_t);
  int (*setresgid)(gid_t, gid_t, gid_t);
  int (*setgroups)(size_t, const gid_t*);
  int (*initgroups)(const char*, gid_t);
};

extern RealFunctions real;

// Turns a system call's result into libc's form.
inline long AsLibc(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

// Looks all of them up. A second call changes nothing: a wrapper may run before the constructor.
void FindRealFunctions();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_REAL_FUNCTIONS_H_
