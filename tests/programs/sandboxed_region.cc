// Parallel regions, tasks and locks before and after a filter for all threads. The filter kills at any system call that
// an OpenMP runtime does not make between its regions. The program ends with 36.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static omp_lock_t lock;
static volatile long shared;

__attribute__((noinline)) static void Work() {
  for (int round = 0; round < 50; round++) {
#pragma omp parallel num_threads(2)
    {
      for (volatile int i = 0; i < 200000; i = i + 1) {
      }
#pragma omp critical
      shared = shared + 1;
      omp_set_lock(&lock);
      shared = shared + 1;
      omp_unset_lock(&lock);
#pragma omp single
      for (int task = 0; task < 4; task++) {
#pragma omp task
        for (volatile int i = 0; i < 1000; i = i + 1) {
        }
      }
#pragma omp barrier
    }
  }
}

extern "C" {
// Long enough for samples at the default rate.
__attribute__((noinline)) void region_before() {
  for (int time = 0; time < 8; time++) Work();
}
__attribute__((noinline)) void region_after() { Work(); }
}

int main() {
  omp_init_lock(&lock);
  region_before();
  constexpr int kAllowed[] = {SYS_write,    SYS_exit, SYS_exit_group, SYS_futex,   SYS_sched_yield,    SYS_brk,
                              SYS_munmap,   SYS_mmap, SYS_mprotect,   SYS_madvise, SYS_rt_sigprocmask, SYS_newfstatat,
                              SYS_getrandom};
  sock_filter program[64];
  unsigned short size = 0;
  program[size++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  for (const int number : kAllowed) {
    program[size++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1);
    program[size++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  program[size++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  const sock_fprog filter = {size, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
    return 3;
  region_after();
  const char text[] = "after\n";
  if (write(1, text, sizeof text - 1) < 0) return 1;
  _exit(36);
}
