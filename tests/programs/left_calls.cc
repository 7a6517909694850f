// Calls that sleep, and that a thread leaves without a return: it is cancelled there, or a signal's handler ends the
// thread, throws an exception, or jumps. Then the thread works, in a function for each kind of call.
//   left_calls WAY     cancel, exit, throw, jump
//   left_calls often   a timer's handler jumps out of short calls, wherever it finds them, 3,000 times
// The program prints in how many threads the work found SIGPROF blocked.
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "truth.h"

static int sockets[2];  // a pair; nothing comes, unless SO_RCVTIMEO ends a read
static int epoll;
static int queue;
static const timespec long_time = {20, 0};

static sigset_t NoMask() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return mask;
}

static timespec InTwentySeconds() {
  timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_sec += 20;
  return at;
}

// X(name, call)
#define CALLS(X)                                                                  \
  X(poll, poll(nullptr, 0, 20000))                                                \
  X(ppoll, ppoll(nullptr, 0, &long_time, nullptr))                                \
  X(ppoll_mask, ppoll(nullptr, 0, &long_time, &mask))                             \
  X(select, select(0, nullptr, nullptr, nullptr, nullptr))                        \
  X(pselect, pselect(0, nullptr, nullptr, nullptr, &long_time, &mask))            \
  X(epoll_wait, epoll_wait(epoll, &event, 1, -1))                                 \
  X(nanosleep, nanosleep(&long_time, nullptr))                                    \
  X(until_a_date, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &date, nullptr)) \
  X(usleep, usleep(20000000))                                                     \
  X(pause, pause())                                                               \
  X(sigsuspend, sigsuspend(&mask))                                                \
  X(sem_timedwait, sem_timedwait(&semaphore, &date))                              \
  X(msgrcv, msgrcv(queue, &message, sizeof(message.text), 1, 0))                  \
  X(recv, recv(sockets[0], message.text, 1, MSG_WAITALL))                         \
  X(read, read(sockets[0], message.text, 1))                                      \
  X(sigwaitinfo, sigwaitinfo(&winch, nullptr))

struct Thread {
  void (*call)();
  void (*work)();
};

#define DEFINE(name, expression)                                                \
  static void Call_##name() {                                                   \
    sigset_t mask = NoMask(), winch;                                            \
    timespec date = InTwentySeconds();                                          \
    epoll_event event;                                                          \
    sem_t semaphore;                                                            \
    struct {                                                                    \
      long type;                                                                \
      char text[8];                                                             \
    } message;                                                                  \
    sem_init(&semaphore, 0, 0);                                                 \
    sigemptyset(&winch);                                                        \
    sigaddset(&winch, SIGWINCH);                                                \
    (void)mask, (void)date, (void)event, (void)message;                         \
    for (;;) {                                                                  \
      if (static_cast<long>(expression) < 0 && errno == ENOSYS) return;         \
    }                                                                           \
  }                                                                             \
  TRUTH_WORK(after_##name)                                                      \
  static truth::Account account_##name{"function", "after_" #name};             \
  static void Work_##name() {                                                   \
    const truth::Timed timed(account_##name);                                   \
    const uint64_t end = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) + 60000000;    \
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < end) after_##name(100000); \
  }
CALLS(DEFINE)

static std::atomic<int> in_call{0}, blocked{0};
static __thread sigjmp_buf out;
enum class Way { kCancel, kExit, kThrow, kJump };
static Way way;

static void Leave(int) {
  if (way == Way::kExit) pthread_exit(nullptr);
  if (way == Way::kThrow) throw 1;
  siglongjmp(out, 1);
}

static void Work(void* thread) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  blocked += sigismember(&mask, SIGPROF) == 1;
  static_cast<const Thread*>(thread)->work();
}

static void* Run(void* argument) {
  const auto* const thread = static_cast<const Thread*>(argument);
  if (way == Way::kThrow) {
    try {
      in_call++;
      thread->call();
    } catch (int) {
      Work(argument);
    }
  } else if (way == Way::kJump) {
    if (sigsetjmp(out, 0) == 0) {
      in_call++;
      thread->call();
    }
    Work(argument);
  } else {
    pthread_cleanup_push(Work, argument);
    in_call++;
    thread->call();
    pthread_cleanup_pop(0);
  }
  return nullptr;
}

TRUTH_WORK(after_jumps)

static std::atomic<bool> may_jump{false};

static void JumpOnce(int) {
  if (may_jump.exchange(false)) siglongjmp(out, 1);
}

static int JumpOften() {
  struct sigaction action = {};
  action.sa_handler = JumpOnce;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {{0, 700}, {0, 700}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (volatile int jumps = 0; jumps < 3000; jumps = jumps + 1) {
    if (sigsetjmp(out, 1) != 0) continue;
    may_jump = true;
    for (;;) {
      const timespec moment = {0, 20000};
      nanosleep(&moment, nullptr);
    }
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  truth::Account account{"function", "after_jumps"};
  {
    const truth::Timed timed(account);
    after_jumps(truth::Iterations(300));
  }
  account.Print();
  return 0;
}

int main(int argc, char** argv) {
  const char* const word = argc > 1 ? argv[1] : "cancel";
  if (strcmp(word, "often") == 0) return JumpOften();
  way = strcmp(word, "exit") == 0    ? Way::kExit
        : strcmp(word, "throw") == 0 ? Way::kThrow
        : strcmp(word, "jump") == 0  ? Way::kJump
                                     : Way::kCancel;
  epoll = epoll_create1(0);
  queue = msgget(IPC_PRIVATE, 0600);
  const timeval patience = {20, 0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 ||
      setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0)
    return 1;
  struct sigaction action = {};
  action.sa_handler = Leave;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  Thread threads[] = {
#define ENTRY(name, expression) {Call_##name, Work_##name},
      CALLS(ENTRY)};
  int count = 0;
  for (Thread& thread : threads) {
    pthread_t id;
    if (pthread_create(&id, nullptr, Run, &thread) != 0) return 1;
    while (in_call.load() == count) usleep(1000);
    ++count;
    usleep(20000);
    if (way == Way::kCancel) {
      pthread_cancel(id);
    } else {
      pthread_kill(id, SIGUSR1);
    }
    pthread_join(id, nullptr);
  }
  msgctl(queue, IPC_RMID, nullptr);
#define PRINT(name, expression) account_##name.Print();
  CALLS(PRINT)
  printf("threads %d, SIGPROF blocked in %d\n", count, blocked.load());
  return 0;
}
