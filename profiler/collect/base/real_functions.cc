#include "profiler/collect/base/real_functions.h"

#include <dlfcn.h>
#include <string.h>

namespace ompprof::collect {

RealFunctions real;

namespace {

struct Entry {
  const char* name;
  void* place;  // the pointer's place in `real`
};

#define OMPPROF_FUNCTION(name) \
  Entry { #name, &real.name }
#define OMPPROF_WAITING_FUNCTION(result, name, parameters) OMPPROF_FUNCTION(name),
#define OMPPROF_SLEEPING_FUNCTION(result, name, parameters, arguments, sleeps) OMPPROF_FUNCTION(name),
const Entry entries[] = {
    OMPPROF_WAITING_FUNCTIONS(OMPPROF_WAITING_FUNCTION) OMPPROF_SLEEPING_FUNCTIONS(OMPPROF_SLEEPING_FUNCTION)
        OMPPROF_FUNCTION(setsockopt),
    OMPPROF_FUNCTION(ioctl),
    OMPPROF_FUNCTION(pthread_create),
    OMPPROF_FUNCTION(thrd_create),
    OMPPROF_FUNCTION(pthread_getattr_default_np),
    OMPPROF_FUNCTION(pthread_join),
    OMPPROF_FUNCTION(pthread_detach),
    OMPPROF_FUNCTION(sigaction),
    OMPPROF_FUNCTION(signal),
    OMPPROF_FUNCTION(sysv_signal),
    OMPPROF_FUNCTION(__sysv_signal),
    OMPPROF_FUNCTION(bsd_signal),
    OMPPROF_FUNCTION(ssignal),
    OMPPROF_FUNCTION(sigset),
    OMPPROF_FUNCTION(sigignore),
    OMPPROF_FUNCTION(sigaltstack),
    OMPPROF_FUNCTION(signalfd),
    OMPPROF_FUNCTION(sigwait),
    OMPPROF_FUNCTION(sigwaitinfo),
    OMPPROF_FUNCTION(sigtimedwait),
    OMPPROF_FUNCTION(pthread_sigmask),
    OMPPROF_FUNCTION(sigprocmask),
    OMPPROF_FUNCTION(sigblock),
    OMPPROF_FUNCTION(sigsetmask),
    OMPPROF_FUNCTION(sighold),
    OMPPROF_FUNCTION(sigrelse),
    OMPPROF_FUNCTION(sigsuspend),
    OMPPROF_FUNCTION(ppoll),
    OMPPROF_FUNCTION(__ppoll_chk),
    OMPPROF_FUNCTION(pselect),
    OMPPROF_FUNCTION(epoll_pwait),
    OMPPROF_FUNCTION(epoll_pwait2),
    OMPPROF_FUNCTION(setcontext),
    OMPPROF_FUNCTION(swapcontext),
    OMPPROF_FUNCTION(longjmp),
    OMPPROF_FUNCTION(_longjmp),
    OMPPROF_FUNCTION(siglongjmp),
    OMPPROF_FUNCTION(__longjmp_chk),
    OMPPROF_FUNCTION(dlclose),
    OMPPROF_FUNCTION(unshare),
    OMPPROF_FUNCTION(setns),
    OMPPROF_FUNCTION(_exit),
    OMPPROF_FUNCTION(_Exit),
    OMPPROF_FUNCTION(abort),
    OMPPROF_FUNCTION(timer_create),
    OMPPROF_FUNCTION(mq_notify),
    OMPPROF_FUNCTION(sigqueue),
    OMPPROF_FUNCTION(pthread_sigqueue),
    OMPPROF_FUNCTION(fork),
    OMPPROF_FUNCTION(vfork),
    OMPPROF_FUNCTION(_Fork),
    OMPPROF_FUNCTION(forkpty),
    OMPPROF_FUNCTION(clone),
    OMPPROF_FUNCTION(execve),
    OMPPROF_FUNCTION(execvpe),
    OMPPROF_FUNCTION(fexecve),
    OMPPROF_FUNCTION(posix_spawn),
    OMPPROF_FUNCTION(posix_spawnp),
    OMPPROF_FUNCTION(system),
    OMPPROF_FUNCTION(popen),
    OMPPROF_FUNCTION(mmap),
    OMPPROF_FUNCTION(mremap),
    OMPPROF_FUNCTION(munmap),
    OMPPROF_FUNCTION(mprotect),
    OMPPROF_FUNCTION(pkey_mprotect),
    OMPPROF_FUNCTION(madvise),
    OMPPROF_FUNCTION(shmat),
    OMPPROF_FUNCTION(shmdt),
    OMPPROF_FUNCTION(syscall),
    OMPPROF_FUNCTION(prctl),
    OMPPROF_FUNCTION(setuid),
    OMPPROF_FUNCTION(seteuid),
    OMPPROF_FUNCTION(setreuid),
    OMPPROF_FUNCTION(setresuid),
    OMPPROF_FUNCTION(setgid),
    OMPPROF_FUNCTION(setegid),
    OMPPROF_FUNCTION(setregid),
    OMPPROF_FUNCTION(setresgid),
    OMPPROF_FUNCTION(setgroups),
    OMPPROF_FUNCTION(initgroups),
};
#undef OMPPROF_SLEEPING_FUNCTION
#undef OMPPROF_FUNCTION

// Stands for a function that this libc is too old to have: a program that looks for it finds our wrapper.
long Missing() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

void FindRealFunctions() {
  for (const Entry& entry : entries) {
    void* function;
    memcpy(&function, entry.place, sizeof(function));
    if (function == nullptr) function = dlsym(RTLD_NEXT, entry.name);
    if (function == nullptr) function = reinterpret_cast<void*>(&Missing);
    memcpy(entry.place, &function, sizeof(function));
  }
}

}  // namespace ompprof::collect
