// A timer's handler jumps out of waits for a lock that another thread holds, and then the thread works. libgomp's locks
// bear that; libomp's do not.
//   left_locks [CPU_MS]
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "truth.h"

TRUTH_WORK(after_jumps)
TRUTH_WORK(after_lock)

static sigjmp_buf out;
static pthread_t waiter;
static std::atomic<bool> may_jump{false};
static std::atomic<bool> done{false};

static void JumpOnce(int) {
  if (pthread_equal(pthread_self(), waiter) != 0 && may_jump.exchange(false)) siglongjmp(out, 1);
}

// Each wait ends with a jump: the lock stays the other thread's.
TRUTH_FUNCTION void wait_and_jump(omp_lock_t* lock) {
  const itimerval often = {{0, 5000}, {0, 5000}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (volatile int jumps = 0; jumps < 20; jumps = jumps + 1) {
    if (sigsetjmp(out, 1) != 0) continue;
    may_jump = true;
    omp_set_lock(lock);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
}

int main(int argc, char** argv) {
  const uint64_t iterations = truth::Iterations(static_cast<double>(truth::Argument(argc, argv, 1, 300)));
  omp_lock_t held, free;
  omp_init_lock(&held);
  omp_init_lock(&free);
  waiter = pthread_self();
  struct sigaction action = {};
  action.sa_handler = JumpOnce;
  sigaction(SIGALRM, &action, nullptr);
  truth::Account jumps{"function", "after_jumps"}, lock{"function", "after_lock"};
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) omp_set_lock(&held);
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      while (!done) truth_calibration(1000);
      omp_unset_lock(&held);
    } else {
      wait_and_jump(&held);
      {
        const truth::Timed timed(jumps);
        after_jumps(iterations);
      }
      omp_set_lock(&free);
      omp_unset_lock(&free);
      {
        const truth::Timed timed(lock);
        after_lock(iterations);
      }
      done = true;
    }
  }
  jumps.Print();
  lock.Print();
  truth::PrintProcess();
  return 0;
}
