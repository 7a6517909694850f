#include "runtime_shim/device/threads.h"

#include <signal.h>

namespace reference_device {

bool StartThread(pthread_t* thread, void* (*function)(void*), void* argument, const char* name) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool is_started = pthread_create(thread, nullptr, function, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (is_started) pthread_setname_np(*thread, name);
  return is_started;
}

}  // namespace reference_device
