#include "profiler/collect/real_functions.h"

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
  Find("signalfd", &real.signalfd);
  Find("sigwait", &real.sigwait);
  Find("sigwaitinfo", &real.sigwaitinfo);
  Find("sigtimedwait", &real.sigtimedwait);
  Find("dlclose", &real.dlclose);
  Find("unshare", &real.unshare);
  Find("setns", &real.setns);
  Find("_exit", &real._exit);
  Find("_Exit", &real._Exit);
  Find("abort", &real.abort);
  Find("execve", &real.execve);
  Find("execv", &real.execv);
  Find("execvp", &real.execvp);
  Find("execvpe", &real.execvpe);
  Find("fexecve", &real.fexecve);
}

}  // namespace ompprof::collect
