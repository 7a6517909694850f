// Programs with signals, timers and handlers of their own.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include <atomic>
#include <thread>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

std::atomic<int> count;
void Count(int) { count++; }

// Signals of a timer of 10 ms that ran for `least_ms` at least. Right to a factor: the machine may be busy.
void SayRate(const char* what, int signals, double least_ms, double most_ms) {
  printf("%s: as many as expected %d\n", what, signals > 0.02 * least_ms && signals < 0.12 * most_ms + 3);
}

double WallMs() { return static_cast<double>(truth::ClockNs(CLOCK_MONOTONIC)) / 1e6; }

int IntervalTimer(int which, int signal) {
  struct sigaction action = {};
  action.sa_handler = Count;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
  const itimerval interval = {{0, 10000}, {0, 10000}}, off = {};
  const double begin = WallMs();
  setitimer(which, &interval, nullptr);
  Work(total_ms);
  setitimer(which, &off, nullptr);
  SayRate("timer", count, total_ms, WallMs() - begin);
  return 0;
}

int ItimerProf() { return IntervalTimer(ITIMER_PROF, SIGPROF); }
int ItimerVirtual() { return IntervalTimer(ITIMER_VIRTUAL, SIGVTALRM); }
int ItimerReal() { return IntervalTimer(ITIMER_REAL, SIGALRM); }

// The signal has no handler: its default ends the process.
int RaiseProf() {
  Work(total_ms);
  printf("raising\n");
  fflush(stdout);
  raise(SIGPROF);
  return 0;
}

int ItimerProfByDefault() {
  const itimerval once = {{0, 0}, {0, static_cast<long>(total_ms * 500)}};
  setitimer(ITIMER_PROF, &once, nullptr);
  printf("working\n");
  fflush(stdout);
  Work(10 * total_ms);
  return 0;
}

// The program asks for its handlers: it has none yet.
int Defaults() {
  int others = 0;
  for (int number = 1; number < 65; number++) {
    struct sigaction now;
    if (sigaction(number, nullptr, &now) == 0) others += now.sa_handler != SIG_DFL;
  }
  Work(total_ms);
  printf("not by default %d\n", others);
  return 0;
}

int TakesAll() {
  int taken = 0;
  for (int number = 1; number < 65; number++) {
    struct sigaction action = {};
    action.sa_handler = Count;
    taken += sigaction(number, &action, nullptr) == 0;
  }
  Work(total_ms);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) raise(number);
  printf("taken %d, signals %d\n", taken, count.load());
  return 0;
}

int TimerOfThreads() {
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = [](sigval) { count++; };
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 90;
  const itimerspec interval = {{0, 10000000}, {0, 10000000}};
  const double begin = WallMs();
  timer_settime(timer, 0, &interval, nullptr);
  Work(total_ms);
  timer_delete(timer);
  usleep(50000);
  SayRate("threads", count, total_ms, WallMs() - begin);
  return 0;
}

// The program's own sampling by each thread's CPU clock, with a real-time signal.
int OwnCpuTimer() {
  struct sigaction action = {};
  action.sa_handler = Count;
  action.sa_flags = SA_RESTART;
  sigaction(SIGRTMIN + 3, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN + 3;
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return 90;
  const itimerspec interval = {{0, 10000000}, {0, 10000000}};
  const double begin = WallMs();
  timer_settime(timer, 0, &interval, nullptr);
  Work(total_ms);
  timer_delete(timer);
  SayRate("own timer", count, total_ms, WallMs() - begin);
  return 0;
}

sigjmp_buf here;
void* volatile nowhere = reinterpret_cast<void*>(64);

int FaultsJumpOut() {
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(here, 1); };
  sigaction(SIGSEGV, &action, nullptr);
  volatile int recovered = 0;
  for (volatile int i = 0; i < 10000; i = i + 1) {
    if (i % 100 == 0) Work(total_ms / 100);
    if (sigsetjmp(here, 1) == 0) {
      *static_cast<volatile int*>(nowhere) = 1;
    } else {
      recovered = recovered + 1;
    }
  }
  printf("recovered %d\n", static_cast<int>(recovered));
  return 0;
}

// The handler mends the fault's cause, as garbage collectors and copy-on-write do.
int FaultsMended() {
  static char* area;
  constexpr size_t kSize = 4096 * 1000;
  area = static_cast<char*>(mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action = {};
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    count++;
    mprotect(reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(info->si_addr) & ~uintptr_t{4095}), 4096,
             PROT_READ | PROT_WRITE);
  };
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  for (size_t i = 0; i < kSize; i += 4096) {
    area[i] = 1;
    if (i % (100 * 4096) == 0) Work(total_ms / 10);
  }
  printf("mended %d\n", count.load());
  return 0;
}

// The handler continues behind the instruction.
int IllegalInstructions() {
  struct sigaction action = {};
  action.sa_sigaction = [](int, siginfo_t*, void* context) {
    count++;
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] += 2;
  };
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, nullptr);
  for (int i = 0; i < 10000; i++) {
    __asm__ volatile("ud2");
    if (i % 100 == 0) Work(total_ms / 100);
  }
  printf("skipped %d\n", count.load());
  return 0;
}

int BusErrors() {
  const int file = open("short", O_RDWR | O_CREAT, 0600);
  if (ftruncate(file, 1) != 0) return 90;
  const volatile char* const area = static_cast<char*>(mmap(nullptr, 8192, PROT_READ, MAP_SHARED, file, 0));
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(here, 1); };
  sigaction(SIGBUS, &action, nullptr);
  volatile int recovered = 0;
  for (volatile int i = 0; i < 1000; i = i + 1) {
    if (i % 100 == 0) Work(total_ms / 10);
    if (sigsetjmp(here, 1) != 0) {
      recovered = recovered + 1;
    } else if (area[4096] == 1) {
      break;
    }
  }
  printf("recovered %d\n", static_cast<int>(recovered));
  return 0;
}

// A handler throws a thread out of its work, wherever the thread was.
int AlarmsJumpOut() {
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(here, 1); };
  sigaction(SIGALRM, &action, nullptr);
  volatile int jumps = 0;
  while (jumps < 200) {
    const itimerval once = {{0, 0}, {0, 1000}};
    if (sigsetjmp(here, 1) == 0) {
      setitimer(ITIMER_REAL, &once, nullptr);
      for (;;) fault_work(1000);
    }
    jumps = jumps + 1;
  }
  printf("jumps %d\n", static_cast<int>(jumps));
  return 0;
}

int OneShotAndNested() {
  struct sigaction action = {};
  action.sa_handler = Count;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  struct sigaction now;
  sigaction(SIGUSR1, nullptr, &now);
  action.sa_handler = [](int) {
    if (count++ < 50) raise(SIGUSR2);
    Work(total_ms / 50);
  };
  action.sa_flags = SA_NODEFER;
  sigaction(SIGUSR2, &action, nullptr);
  raise(SIGUSR2);
  printf("default again %d, signals %d\n", now.sa_handler == SIG_DFL, count.load());
  return 0;
}

int Children() {
  static std::atomic<int> ended;
  struct sigaction action = {};
  action.sa_handler = [](int) {
    const int error = errno;
    while (waitpid(-1, nullptr, WNOHANG) > 0) ended++;
    errno = error;
  };
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, nullptr);
  for (int i = 0; i < 50; i++) {
    if (fork() == 0) _exit(0);
    Work(total_ms / 50);
  }
  while (ended < 50) usleep(1000);
  printf("ended %d\n", ended.load());
  return 0;
}

int BrokenPipe() {
  int ends[2];
  if (pipe(ends) != 0) return 90;
  close(ends[0]);
  Work(total_ms);
  printf("writing\n");
  fflush(stdout);
  return write(ends[1], "x", 1) == 1 ? 0 : 1;
}

// Signals arrive in the order in which they were sent, none lost, none added.
int QueuedInOrder() {
  static int values[500];
  struct sigaction action = {};
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    const int i = count++;
    if (i < 500) values[i] = info->si_value.sival_int;
  };
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGRTMIN + 7, &action, nullptr);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 7);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  for (int i = 0; i < 500; i++) {
    sigval value;
    value.sival_int = i;
    sigqueue(getpid(), SIGRTMIN + 7, value);
    if (i % 50 == 0) Work(total_ms / 10);
  }
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  int right = 0;
  for (int i = 0; i < 500; i++) right += values[i] == i;
  printf("signals %d, in order %d\n", count.load(), right);
  return 0;
}

// Calls that SA_RESTART never restarts, in a thread that works between them.
int BlockingCalls() {
  long interrupted = 0;
  const auto note = [&interrupted](long result) { interrupted += result < 0 && errno == EINTR; };
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 90;
  const timeval moment = {0, 2000};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
  const int queue = msgget(IPC_PRIVATE, 0600), semaphores = semget(IPC_PRIVATE, 1, 0600);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 40; i++) {
    char byte;
    Work(total_ms / 200);
    errno = 0;
    note(recv(ends[0], &byte, 1, 0));
    Work(total_ms / 200);
    timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 2000000;
    if (end.tv_nsec >= 1000000000) end.tv_nsec -= 1000000000, end.tv_sec++;
    errno = 0;
    note(sem_timedwait(&semaphore, &end));
    Work(total_ms / 200);
    sembuf operation = {0, -1, 0};
    const timespec two_ms = {0, 2000000};
    errno = 0;
    note(semtimedop(semaphores, &operation, 1, &two_ms));
    Work(total_ms / 200);
    errno = 0;
    note(nanosleep(&two_ms, nullptr));
    Work(total_ms / 200);
    errno = 0;
    note(usleep(1000));
    char message[64];
    note(msgrcv(queue, message, sizeof message - sizeof(long), 0, IPC_NOWAIT));
  }
  msgctl(queue, IPC_RMID, nullptr);
  semctl(semaphores, 0, IPC_RMID);
  printf("interrupted %ld\n", interrupted);
  return 0;
}

// A handler receives the state of the interrupted program.
int RegistersInAHandler() {
  static std::atomic<int> wrong, seen;
  struct sigaction action = {};
  action.sa_sigaction = [](int, siginfo_t*, void* context) {
    const greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    seen++;
    if (registers[REG_R12] != 0x1212121212121212 || registers[REG_R13] != 0x1313131313131313) wrong++;
  };
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  const pthread_t target = pthread_self();
  std::thread sender([target] {
    while (seen < 500) {  // two signals in a row may become one
      pthread_kill(target, SIGUSR1);
      usleep(300);
    }
  });
  while (seen < 500) {
    __asm__ volatile(
        "mov $0x1212121212121212, %%r12\n"
        "mov $0x1313131313131313, %%r13\n"
        "1: mov %0, %%eax\n"
        "cmp $500, %%eax\n"
        "jl 1b\n" ::"m"(seen)
        : "rax", "r12", "r13", "memory");
  }
  sender.join();
  printf("seen enough, wrong %s\n", wrong > 5 ? "many" : "none");
  return 0;
}

int EndInAHandler() {
  signal(SIGVTALRM, [](int) { exit(55); });
  atexit([] { printf("at exit\n"); });
  const itimerval once = {{0, 0}, {0, 300000}};
  setitimer(ITIMER_VIRTUAL, &once, nullptr);
  for (;;) fault_work(10000);
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"itimer_prof", ItimerProf},
                                       {"itimer_virtual", ItimerVirtual},
                                       {"itimer_real", ItimerReal},
                                       {"raise_prof", RaiseProf},
                                       {"itimer_prof_by_default", ItimerProfByDefault},
                                       {"defaults", Defaults},
                                       {"takes_all", TakesAll},
                                       {"timer_of_threads", TimerOfThreads},
                                       {"own_cpu_timer", OwnCpuTimer},
                                       {"faults_jump_out", FaultsJumpOut},
                                       {"faults_mended", FaultsMended},
                                       {"illegal_instructions", IllegalInstructions},
                                       {"bus_errors", BusErrors},
                                       {"alarms_jump_out", AlarmsJumpOut},
                                       {"one_shot_and_nested", OneShotAndNested},
                                       {"children", Children},
                                       {"broken_pipe", BrokenPipe},
                                       {"queued_in_order", QueuedInOrder},
                                       {"blocking_calls", BlockingCalls},
                                       {"registers_in_a_handler", RegistersInAHandler},
                                       {"end_in_a_handler", EndInAHandler}};
  return faults::Run(argc, argv, modes);
}
