// Programs that give up system calls, as sandboxes do (seccomp). Each ends by itself. Only a system call that the
// program does not make would end it early.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <vector>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

constexpr uint32_t kKillProcess = SECCOMP_RET_KILL_PROCESS;
constexpr long kListed[] = {SYS_read,  SYS_write,  SYS_exit,          SYS_exit_group, SYS_rt_sigreturn,
                            SYS_futex, SYS_munmap, SYS_madvise,       SYS_mprotect,   SYS_rseq,
                            SYS_brk,   SYS_fstat,  SYS_newfstatat,    SYS_mmap,       SYS_set_robust_list,
                            SYS_wait4, SYS_gettid, SYS_rt_sigprocmask};

// Lets the `listed` calls pass and answers all others with `otherwise`. `inverted`: the other way round.
std::vector<sock_filter> Program(const long* listed, size_t count, uint32_t otherwise, bool inverted) {
  std::vector<sock_filter> program = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (size_t i = 0; i < count; i++) {
    program.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(listed[i]), static_cast<uint8_t>(count - i), 0));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, inverted ? uint32_t{SECCOMP_RET_ALLOW} : otherwise));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, inverted ? otherwise : uint32_t{SECCOMP_RET_ALLOW}));
  return program;
}

enum class Way { kPrctl, kSyscall, kAllThreads };

void Install(std::vector<sock_filter> program, Way way) {
  const sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const long result = way == Way::kPrctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)
                                         : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                                   way == Way::kAllThreads ? SECCOMP_FILTER_FLAG_TSYNC : 0, &filter);
  if (result != 0) _exit(90);
}

void InstallKill(Way way) { Install(Program(kListed, sizeof kListed / sizeof *kListed, kKillProcess, false), way); }

void Say(const char* text) {
  if (write(1, text, strlen(text)) < 0) _exit(91);
}

// The calls of strict mode: read, write, sigreturn, and the exit of a thread.
[[noreturn]] void EndStrictly(int status) {
  syscall(SYS_exit, status);
  __builtin_unreachable();
}

int Strict() {
  Work(total_ms / 2);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) return 90;
  Work(total_ms / 2);
  Say("worked in strict mode\n");
  EndStrictly(31);
}

int StrictChild() {
  Work(total_ms / 3);
  const pid_t child = fork();
  if (child == 0) {
    Work(total_ms / 3);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) EndStrictly(90);
    Work(total_ms / 3);
    EndStrictly(32);
  }
  printf("child %d\n", faults::WaitFor(child));
  return 0;
}

int Kills(Way way) {
  Work(total_ms / 2);
  InstallKill(way);
  Work(total_ms / 2);
  Say("worked under the filter\n");
  return 33;
}

int KillsByPrctl() { return Kills(Way::kPrctl); }
int KillsBySyscall() { return Kills(Way::kSyscall); }

int KillsInOneThread() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        Work(total_ms / 3);
        InstallKill(Way::kSyscall);
        Work(total_ms / 3);
        Say("the thread worked\n");
        EndStrictly(0);
      },
      nullptr);
  Work(total_ms / 3);
  pthread_join(thread, nullptr);
  Say("all worked\n");
  return 34;
}

int KillsInAllThreads() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        Work(total_ms / 2);
        return nullptr;
      },
      nullptr);
  usleep(50000);
  InstallKill(Way::kAllThreads);
  Work(total_ms / 2);
  pthread_join(thread, nullptr);
  Say("all worked\n");
  return 35;
}

pthread_barrier_t barrier;

// Threads that sleep when the filter comes, work under it, and end.
int KillsInIdleThreads() {
  pthread_barrier_init(&barrier, nullptr, 4);
  pthread_t threads[3];
  for (pthread_t& thread : threads) {
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          pthread_barrier_wait(&barrier);
          Work(total_ms / 4);
          return nullptr;
        },
        nullptr);
  }
  usleep(50000);
  InstallKill(Way::kAllThreads);
  pthread_barrier_wait(&barrier);
  Work(total_ms / 4);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  Say("all worked\n");
  return 36;
}

// The filter outlives exec: the next program may only make its own calls.
constexpr long kNeverByItself[] = {SYS_timer_create, SYS_timer_settime, SYS_perf_event_open, SYS_clone,
                                   SYS_clone3,       SYS_uname,         SYS_process_vm_readv};

int AroundExec(uint32_t otherwise) {
  Work(total_ms / 2);
  Install(Program(kNeverByItself, sizeof kNeverByItself / sizeof *kNeverByItself, otherwise, true), Way::kSyscall);
  execl("/proc/self/exe", "confined", "work", "150", nullptr);
  return 92;
}

int KillsAroundExec() { return AroundExec(kKillProcess); }
int RefusesAroundExec() { return AroundExec(SECCOMP_RET_ERRNO | 1); }

int JustWork() {
  Work(total_ms);
  Say("worked\n");
  return 37;
}

int Refuses() {
  Work(total_ms / 2);
  Install(Program(kListed, sizeof kListed / sizeof *kListed, SECCOMP_RET_ERRNO | 1, false), Way::kSyscall);
  Work(total_ms / 2);
  Say("worked under the filter\n");
  return 38;
}

volatile sig_atomic_t refused;

int Traps() {
  struct sigaction action = {};
  action.sa_handler = [](int) { refused = refused + 1; };
  sigaction(SIGSYS, &action, nullptr);
  Work(total_ms / 2);
  Install(Program(kListed, sizeof kListed / sizeof *kListed, SECCOMP_RET_TRAP, false), Way::kSyscall);
  Work(total_ms / 2);
  char text[] = "refused 0 system calls\n";
  text[8] = static_cast<char>('0' + (refused < 9 ? refused : 9));
  Say(text);
  _exit(39);
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"strict", Strict},
                                       {"strict_child", StrictChild},
                                       {"kills_by_prctl", KillsByPrctl},
                                       {"kills_by_syscall", KillsBySyscall},
                                       {"kills_in_one_thread", KillsInOneThread},
                                       {"kills_in_all_threads", KillsInAllThreads},
                                       {"kills_in_idle_threads", KillsInIdleThreads},
                                       {"kills_around_exec", KillsAroundExec},
                                       {"refuses_around_exec", RefusesAroundExec},
                                       {"work", JustWork},
                                       {"refuses", Refuses},
                                       {"traps", Traps}};
  return faults::Run(argc, argv, modes);
}
