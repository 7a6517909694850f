// Guards the collector's own work in a thread of the program, outside the signal handler. Every way from the program
// into the collector has an object of this class for as long as the collector works.
//   - pthread_cancel does not end the thread within our code, which calls cancellation points (POSIX.1-2017, section
//     2.9.5), such as close(). The program's own functions there, such as pthread_create and fork, are no such points.
//   - Our arithmetic raises no floating-point flag of the program's and no SIGFPE (floating_point.h).
#ifndef OMPPROF_PROFILER_COLLECT_BASE_OWN_WORK_H_
#define OMPPROF_PROFILER_COLLECT_BASE_OWN_WORK_H_

#include <pthread.h>

#include "profiler/collect/arch/floating_point.h"

namespace ompprof::collect {

class OwnWork {
 public:
  OwnWork() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  // A request that came meanwhile takes effect at the program's next cancellation point.
  ~OwnWork() {
    int ignored;
    pthread_setcancelstate(before_, &ignored);
  }
  OwnWork(const OwnWork&) = delete;
  OwnWork& operator=(const OwnWork&) = delete;

 private:
  const OwnFloatingPoint floating_point_;
  int before_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_OWN_WORK_H_
