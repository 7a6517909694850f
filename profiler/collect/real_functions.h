// The libc functions that this library stands in front of, found once before the program starts. Calling them goes
// past the wrappers in interpose.cc.
#ifndef OMPPROF_PROFILER_COLLECT_REAL_FUNCTIONS_H_
#define OMPPROF_PROFILER_COLLECT_REAL_FUNCTIONS_H_

#include <pthread.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

namespace ompprof::collect {

struct RealFunctions {
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*thrd_create)(thrd_t*, thrd_start_t, void*);
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
  int (*signalfd)(int, const sigset_t*, int);
  int (*sigwait)(const sigset_t*, int*);
  int (*sigwaitinfo)(const sigset_t*, siginfo_t*);
  int (*sigtimedwait)(const sigset_t*, siginfo_t*, const timespec*);
  int (*dlclose)(void*);
  int (*unshare)(int);
  int (*setns)(int, int);
  void (*_exit)(int);
  void (*_Exit)(int);
  void (*abort)();
  int (*execve)(const char*, char* const*, char* const*);
  int (*execv)(const char*, char* const*);
  int (*execvp)(const char*, char* const*);
  int (*execvpe)(const char*, char* const*, char* const*);
  int (*fexecve)(int, char* const*, char* const*);
};

extern RealFunctions real;

// Looks all of them up. Idempotent; a wrapper may be called before the constructor has run.
void FindRealFunctions();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_REAL_FUNCTIONS_H_
