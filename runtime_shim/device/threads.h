// Threads and locks of the device. The device needs libc only, so these are pthreads' own.
#ifndef RUNTIME_SHIM_DEVICE_THREADS_H_
#define RUNTIME_SHIM_DEVICE_THREADS_H_

#include <pthread.h>

namespace reference_device {

class Locked {
 public:
  explicit Locked(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~Locked() { pthread_mutex_unlock(&mutex_); }
  Locked(const Locked&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

// Starts a thread that takes none of the program's signals. False if the system has none.
bool StartThread(pthread_t* thread, void* (*function)(void*), void* argument, const char* name);

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_THREADS_H_
