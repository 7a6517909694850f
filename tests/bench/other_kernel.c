// Runs a command as on another kernel.
//   other_kernel no_perf|linux_3.10 COMMAND [ARGUMENT...]
// no_perf: the kernel refuses perf_event_open with EACCES, as Debian's does for users (perf_event_paranoid=3).
// linux_3.10: it knows no system call that is newer, as that of RHEL 7.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux 3.14 added the next one, sched_setattr.
#define FIRST_AFTER_3_10 314

int main(int argc, char** argv) {
  const int is_old = argc > 1 && strcmp(argv[1], "linux_3.10") == 0;
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      is_old ? (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_AFTER_3_10, 0, 1)
             : (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (is_old ? ENOSYS : EACCES)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
  if (argc < 3 || (!is_old && strcmp(argv[1], "no_perf") != 0)) {
    fprintf(stderr, "usage: other_kernel no_perf|linux_3.10 COMMAND [ARGUMENT...]\n");
    return 2;
  }
  // Without this the kernel accepts filters of root only.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("other_kernel: the filter of system calls was refused");
    return 2;
  }
  execvp(argv[2], argv + 2);
  perror("other_kernel: the command does not start");
  return 2;
}
