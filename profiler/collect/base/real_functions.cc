#include "profiler/collect/base/real_functions.h"

#include <dlfcn.h>

namespace ompprof::collect {

RealFunctions real;

namespace {

template <typename Function>
void Find(const char* name, Function* out) {
  if (*out == nullptr) *out = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void FindRealFunctions() {
  Find("pthread_create", &real.pthread_create);
  Find("thrd_create", &real.thrd_create);
  Find("pthread_join", &real.pthread_join);
  Find("pthread_detach", &real.pthread_detach);
  Find("sigaction", &real.sigaction);
  Find("signal", &real.signal);
  Find("sysv_signal", &real.sysv_signal);
  Find("__sysv_signal", &real.__sysv_signal);
  Find("bsd_signal", &real.bsd_signal);
  Find("ssignal", &real.ssignal);
  Find("sigset", &real.sigset);
  Find("sigignore", &real.sigignore);
  Find("sigaltstack", &real.sigaltstack);
  Find("signalfd", &real.signalfd);
  Find("sigwait", &real.sigwait);
  Find("sigwaitinfo", &real.sigwaitinfo);
  Find("sigtimedwait", &real.sigtimedwait);
  Find("pthread_sigmask", &real.pthread_sigmask);
  Find("sigprocmask", &real.sigprocmask);
  Find("sigblock", &real.sigblock);
  Find("sigsetmask", &real.sigsetmask);
  Find("sighold", &real.sighold);
  Find("sigrelse", &real.sigrelse);
  Find("sigsuspend", &real.sigsuspend);
  Find("ppoll", &real.ppoll);
  Find("__ppoll_chk", &real.__ppoll_chk);
  Find("pselect", &real.pselect);
  Find("epoll_pwait", &real.epoll_pwait);
  Find("epoll_pwait2", &real.epoll_pwait2);
  Find("setcontext", &real.setcontext);
  Find("swapcontext", &real.swapcontext);
  Find("longjmp", &real.longjmp);
  Find("_longjmp", &real._longjmp);
  Find("siglongjmp", &real.siglongjmp);
  Find("__longjmp_chk", &real.__longjmp_chk);
  Find("dlclose", &real.dlclose);
  Find("unshare", &real.unshare);
  Find("setns", &real.setns);
  Find("_exit", &real._exit);
  Find("_Exit", &real._Exit);
  Find("abort", &real.abort);
  Find("execve", &real.execve);
  Find("execvpe", &real.execvpe);
  Find("fexecve", &real.fexecve);
  Find("mmap", &real.mmap);
  Find("mremap", &real.mremap);
  Find("munmap", &real.munmap);
  Find("mprotect", &real.mprotect);
  Find("pkey_mprotect", &real.pkey_mprotect);
  Find("madvise", &real.madvise);
  Find("shmat", &real.shmat);
  Find("shmdt", &real.shmdt);
  Find("syscall", &real.syscall);
  Find("prctl", &real.prctl);
  Find("setuid", &real.setuid);
  Find("seteuid", &real.seteuid);
  Find("setreuid", &real.setreuid);
  Find("setresuid", &real.setresuid);
  Find("setgid", &real.setgid);
  Find("setegid", &real.setegid);
  Find("setregid", &real.setregid);
  Find("setresgid", &real.setresgid);
  Find("setgroups", &real.setgroups);
  Find("initgroups", &real.initgroups);
}

}  // namespace ompprof::collect
