// Runs a command for which the kernel refuses perf_event_open with EACCES, as Debian does for users
// (perf_event_paranoid=3).
//   without_perf COMMAND [ARGUMENT...]
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
  if (argc < 2) {
    fprintf(stderr, "usage: without_perf COMMAND [ARGUMENT...]\n");
    return 2;
  }
  // Without this the kernel accepts filters of root only.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("without_perf: the filter of system calls was refused");
    return 2;
  }
  execvp(argv[1], argv + 1);
  perror("without_perf: the command does not start");
  return 2;
}
