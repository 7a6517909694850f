// Another program, which keeps a processor busy.
#ifndef OMPPROF_TESTS_INTEGRATION_BUSY_LOOP_H_
#define OMPPROF_TESTS_INTEGRATION_BUSY_LOOP_H_

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace ompprof::testing {

class BusyLoop {
 public:
  BusyLoop() : pid_(fork()) {
    if (pid_ != 0) return;
    alarm(120);  // should the test be killed
    for (volatile long i = 0;; i = i + 1) {
    }
  }
  ~BusyLoop() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  // The CPU time it has used, in nanoseconds.
  double CpuNs() const {
    clockid_t clock;
    timespec used = {};
    if (clock_getcpuclockid(pid_, &clock) == 0) clock_gettime(clock, &used);
    return static_cast<double>(used.tv_sec) * 1e9 + static_cast<double>(used.tv_nsec);
  }
  BusyLoop(const BusyLoop&) = delete;
  BusyLoop& operator=(const BusyLoop&) = delete;

 private:
  pid_t pid_;
};

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_BUSY_LOOP_H_
