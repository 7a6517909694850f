// System calls that a signal would end or cut, between pieces of work. Each line tells how often a call was not what it
// is without any signal.
//   calls waits       The calls wait for 4 ms, by a function of each kind.
//   calls ended       A signal of the program's ends each kind of wait, and transfers that wait for room. A jump leads
//                     out of a wait. A handler makes threads and children.
//   calls transfers   Writes to a terminal and to sockets that are full, and reads of random numbers.
//   calls at_once     Calls that need not wait, and calls that fail. On stderr: the CPU time of the former.
#include <errno.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "truth.h"

TRUTH_WORK(work_between)

static constexpr long kWaitMs = 4;
static const timespec wait_time = {0, kWaitMs * 1000000};
static int no_events;  // an epoll without descriptors

// A wait, and what was left of its time, in nanoseconds; -1: the call does not tell. 0: the time is over.
struct Wait {
  const char* name;
  std::function<int(const timespec&, int64_t*)> call;
};

static int64_t Ns(const timespec& time) { return time.tv_sec * int64_t{1000000000} + time.tv_nsec; }
static int Ms(const timespec& time) { return static_cast<int>(Ns(time) / 1000000); }

static timespec At(clockid_t clock, const timespec& time) {
  timespec at;
  clock_gettime(clock, &at);
  const int64_t ns = Ns(at) + Ns(time);
  return {ns / 1000000000, ns % 1000000000};
}

static int ErrorOf(int error) {
  errno = error;
  return error != 0 ? -1 : 0;
}

static const std::vector<Wait> waits = {
    {"poll", [](const timespec& time, int64_t*) { return poll(nullptr, 0, Ms(time)); }},
    {"poll of many",
     [](const timespec& time, int64_t*) {
       std::vector<pollfd> fds(64, pollfd{-1, POLLIN, 0});
       return poll(fds.data(), fds.size(), Ms(time));
     }},
    {"ppoll", [](const timespec& time, int64_t*) { return ppoll(nullptr, 0, &time, nullptr); }},
    {"select",
     [](const timespec& time, int64_t* rest) {
       timeval left{time.tv_sec, time.tv_nsec / 1000};
       const int result = select(0, nullptr, nullptr, nullptr, &left);
       *rest = left.tv_sec * int64_t{1000000000} + left.tv_usec * int64_t{1000};
       return result;
     }},
    {"pselect", [](const timespec& time, int64_t*) { return pselect(0, nullptr, nullptr, nullptr, &time, nullptr); }},
    {"epoll_wait",
     [](const timespec& time, int64_t*) {
       epoll_event event;
       return epoll_wait(no_events, &event, 1, Ms(time));
     }},
    {"epoll_pwait",
     [](const timespec& time, int64_t*) {
       epoll_event event;
       return epoll_pwait(no_events, &event, 1, Ms(time), nullptr);
     }},
    {"nanosleep",
     [](const timespec& time, int64_t* rest) {
       timespec left{};
       const int result = nanosleep(&time, &left);
       *rest = Ns(left);
       return result;
     }},
    {"clock_nanosleep",
     [](const timespec& time, int64_t* rest) {
       timespec left{};
       const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &left);
       *rest = Ns(left);
       return ErrorOf(error);
     }},
    {"clock_nanosleep until",
     [](const timespec& time, int64_t*) {
       const timespec at = At(CLOCK_MONOTONIC, time);
       return ErrorOf(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr));
     }},
    {"clock_nanosleep until a date",
     [](const timespec& time, int64_t*) {
       const timespec at = At(CLOCK_REALTIME, time);
       return ErrorOf(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, nullptr));
     }},
    {"usleep", [](const timespec& time, int64_t*) { return usleep(static_cast<useconds_t>(Ns(time) / 1000)); }},
    {"thrd_sleep",
     [](const timespec& time, int64_t* rest) {
       timespec left{};
       const int result = thrd_sleep(&time, &left);
       *rest = Ns(left);
       if (result != 0) errno = EINTR;
       return result;
     }},
    {"futex by number",
     [](const timespec& time, int64_t*) {
       int word = 0;
       const long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, nullptr, 0);
       return result == -1 && errno == ETIMEDOUT ? 0 : static_cast<int>(result);
     }},
    {"rt_sigtimedwait by number",
     [](const timespec& time, int64_t*) {
       const uint64_t set = 1ull << (SIGUSR2 - 1);
       const long result = syscall(SYS_rt_sigtimedwait, &set, nullptr, &time, sizeof(set));
       return result == -1 && errno == EAGAIN ? 0 : static_cast<int>(result);
     }},
    {"poll by number",
     [](const timespec& time, int64_t*) { return static_cast<int>(syscall(SYS_poll, nullptr, 0, Ms(time))); }},
};

static int Waits() {
  constexpr int kRounds = 25;
  const uint64_t iterations = truth::Iterations(1);
  for (const Wait& wait : waits) {
    int failed = 0, short_ones = 0, with_rest = 0, spoilt = 0;
    for (int i = 0; i < kRounds; ++i) {
      work_between(iterations);
      int64_t rest = 0;
      errno = 4242;
      const uint64_t begin = truth::ClockNs(CLOCK_MONOTONIC);
      failed += wait.call(wait_time, &rest) != 0;
      short_ones += truth::ClockNs(CLOCK_MONOTONIC) - begin < kWaitMs * 1000000;
      with_rest += rest != 0;
    }
    printf("%s: failed %d, short %d, with a rest %d, errno spoilt %d\n", wait.name, failed, short_ones, with_rest,
           spoilt);
  }
  return 0;
}

static sigjmp_buf out_of_the_wait;
static volatile bool jumps;
static pthread_t waiter;
static volatile sig_atomic_t signals;

static bool Blocked(int number) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, number) == 1;
}

// What the handler's threads and children begin with.
static void ShowMasks(int) {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        printf("thread: SIGUSR1 blocked %d, SIGPROF blocked %d\n", Blocked(SIGUSR1), Blocked(SIGPROF));
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/grep", "grep", "SigBlk", "/proc/self/status", nullptr);
    _exit(1);
  }
  waitpid(child, nullptr, 0);
  if (system("grep SigBlk /proc/self/status") != 0) puts("no shell");
}

static void OnSignal(int) {
  signals = signals + 1;
  if (jumps) longjmp(out_of_the_wait, 1);
}

static void* Send(void*) {
  usleep(30000);
  pthread_kill(waiter, SIGUSR1);
  return nullptr;
}

static void SignalSoon(const std::function<void()>& wait) {
  waiter = pthread_self();
  pthread_t sender;
  pthread_create(&sender, nullptr, Send, nullptr);
  wait();
  pthread_join(sender, nullptr);
}

// Nobody reads. What has found room until the signal comes is sent, although the handler has SA_RESTART.
static void SendParts() {
  std::vector<char> much(8 << 20);
  const iovec halves[] = {{much.data(), much.size() / 2}, {&much[much.size() / 2], much.size() / 2}};
  msghdr message = {};
  message.msg_iov = const_cast<iovec*>(halves);
  message.msg_iovlen = 2;
  const std::pair<const char*, std::function<ssize_t(int)>> transfers[] = {
      {"write", [&](int fd) { return write(fd, much.data(), much.size()); }},
      {"writev", [&](int fd) { return writev(fd, halves, 2); }},
      {"send", [&](int fd) { return send(fd, much.data(), much.size(), 0); }},
      {"sendto", [&](int fd) { return sendto(fd, much.data(), much.size(), 0, nullptr, 0); }},
      {"sendmsg", [&](int fd) { return sendmsg(fd, &message, 0); }},
  };
  for (const auto& transfer : transfers) {
    int pair[2];
    ssize_t sent = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
    SignalSoon([&] { sent = transfer.second(pair[0]); });
    printf("%s: a part was sent %d\n", transfer.first, sent > 0 && sent < static_cast<ssize_t>(much.size()));
    close(pair[0]);
    close(pair[1]);
  }
}

static int Ended() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  const timespec long_time = {20, 0};
  for (const Wait& wait : waits) {
    int result = 0, error = 0;
    int64_t rest = -1;
    SignalSoon([&] {
      result = wait.call(long_time, &rest);
      error = errno;
    });
    printf("%s: ended %d, with a rest %d\n", wait.name, result == -1 && error == EINTR,
           rest == -1 || (rest > 10000000000 && rest < 20000000000));
  }
  unsigned left = 0;
  SignalSoon([&] { left = sleep(20); });
  printf("sleep: rest %d\n", left > 10 && left < 20);
  int paused = 0;
  SignalSoon([&] { paused = pause(); });
  printf("pause: %d, %s\n", paused, strerror(errno));
  SendParts();
  jumps = true;
  SignalSoon([] {
    if (setjmp(out_of_the_wait) == 0) poll(nullptr, 0, 20000);
  });
  printf("jumped: SIGUSR1 blocked %d, SIGPROF blocked %d\n", Blocked(SIGUSR1), Blocked(SIGPROF));
  printf("signals %d\n", static_cast<int>(signals));
  action.sa_handler = ShowMasks;
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigprocmask(SIG_SETMASK, &unblocked, nullptr);
  SignalSoon([] { poll(nullptr, 0, 20000); });
  return 0;
}

static int sockets[2];  // a connection by TCP, or a terminal: writer and reader

// With small buffers.
static bool Connect() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int room = 2304;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
  if (bind(listener, name, size) != 0 || listen(listener, 1) != 0 || getsockname(listener, name, &size) != 0)
    return false;
  sockets[0] = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
  if (connect(sockets[0], name, size) != 0) return false;
  sockets[1] = accept(listener, nullptr, nullptr);
  return close(listener) == 0;
}

static bool OpenTerminal() {
  termios raw;
  if (openpty(&sockets[1], &sockets[0], nullptr, nullptr, nullptr) != 0 || tcgetattr(sockets[0], &raw) != 0)
    return false;
  cfmakeraw(&raw);
  return tcsetattr(sockets[0], TCSANOW, &raw) == 0;
}

// Reads slowly, and checks that the bytes come in order.
static void* ReadSlowly(void* result) {
  auto* const wrong = static_cast<long*>(result);
  unsigned char bytes[1500];
  unsigned char next = 0;
  ssize_t got;
  while ((got = read(sockets[1], bytes, sizeof(bytes))) > 0) {
    for (ssize_t i = 0; i < got; ++i) *wrong += bytes[i] != next++;
    usleep(200);
  }
  return nullptr;
}

static int Transfers() {
  constexpr int kTimes = 250;
  constexpr size_t kBytes = 4096;
  const struct {
    const char* name;
    std::function<ssize_t(const char*)> call;
    bool (*open)() = Connect;
  } ways[] = {
      {"write to a terminal", [](const char* data) { return write(sockets[0], data, kBytes); }, OpenTerminal},
      {"write", [](const char* data) { return write(sockets[0], data, kBytes); }},
      {"writev",
       [](const char* data) {
         char* const bytes = const_cast<char*>(data);
         const iovec parts[] = {{bytes, 1}, {bytes + 1, 0}, {bytes + 1, 2999}, {bytes + 3000, kBytes - 3000}};
         return writev(sockets[0], parts, 4);
       }},
      {"send", [](const char* data) { return send(sockets[0], data, kBytes, 0); }},
      {"send that wants no signal", [](const char* data) { return send(sockets[0], data, kBytes, MSG_NOSIGNAL); }},
      {"sendto", [](const char* data) { return sendto(sockets[0], data, kBytes, 0, nullptr, 0); }},
      {"sendmsg",
       [](const char* data) {
         char* const bytes = const_cast<char*>(data);
         iovec parts[] = {{bytes, 1}, {bytes + 1, 0}, {bytes + 1, 2999}, {bytes + 3000, kBytes - 3000}};
         msghdr message = {};
         message.msg_iov = parts;
         message.msg_iovlen = 4;
         return sendmsg(sockets[0], &message, 0);
       }},
  };
  char data[kBytes];
  for (size_t i = 0; i < kBytes; ++i) data[i] = static_cast<char>(i);
  for (const auto& way : ways) {
    if (!way.open()) return 1;
    long wrong = 0;
    pthread_t reader;
    pthread_create(&reader, nullptr, ReadSlowly, &wrong);
    int cut = 0;
    for (int i = 0; i < kTimes; ++i) cut += way.call(data) != static_cast<ssize_t>(kBytes);
    close(sockets[0]);
    pthread_join(reader, nullptr);
    close(sockets[1]);
    printf("%s: cut %d, bytes out of order %ld\n", way.name, cut, wrong);
  }
  std::vector<char> random(4 << 20);
  FILE* const urandom = fopen("/dev/urandom", "r");
  int cut = 0;
  for (int i = 0; i < 10; ++i) {
    cut += read(fileno(urandom), random.data(), random.size()) != static_cast<ssize_t>(random.size());
    const iovec parts[] = {{random.data(), random.size() / 2}, {&random[random.size() / 2], random.size() / 2}};
    cut += readv(fileno(urandom), parts, 2) != static_cast<ssize_t>(random.size());
    cut += getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size());
  }
  printf("random numbers: cut %d\n", cut);
  return 0;
}

static int AtOnce() {
  constexpr int kTimes = 20000;
  int wrong[6] = {};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || write(sockets[1], "x", 1) != 1) return 1;
  epoll_event event = {EPOLLIN, {}};
  const int epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, sockets[0], &event);
  const uint64_t begin_ns = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < kTimes; ++i) {
    pollfd fd = {sockets[0], POLLIN, 0};
    wrong[0] += poll(&fd, 1, 1000) != 1 || fd.revents != POLLIN || poll(nullptr, 0, 0) != 0;
    wrong[1] += epoll_wait(epoll, &event, 1, -1) != 1;
    fd_set set, writable;
    FD_ZERO(&set);
    FD_SET(sockets[0], &set);
    FD_SET(epoll, &set);
    FD_ZERO(&writable);
    FD_SET(sockets[1], &writable);
    timeval time{1, 0};
    wrong[2] += select(sockets[1] + 2, &set, &writable, nullptr, &time) != 3 || FD_ISSET(sockets[0], &set) == 0;
    char byte = 'y';
    wrong[3] += send(sockets[1], &byte, 1, 0) != 1 || recv(sockets[0], &byte, 1, 0) != 1;
    int count = 0;
    wrong[4] += ioctl(sockets[0], FIONREAD, &count) != 0 || count != 1;
    wrong[5] += write(sockets[1], &byte, 1) != 1 || read(sockets[0], &byte, 1) != 1;
  }
  fprintf(stderr, "truth count calls_ns %llu\n",
          static_cast<unsigned long long>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - begin_ns));
  printf("wrong: poll %d, epoll_wait %d, select %d, send and recv %d, ioctl %d, write and read %d\n", wrong[0],
         wrong[1], wrong[2], wrong[3], wrong[4], wrong[5]);
  // Calls that fail.
  const auto say = [](const char* name, ssize_t result) { printf("%s: %zd %s\n", name, result, strerror(errno)); };
  constexpr int kClosed = 60;
  fd_set closed;
  FD_ZERO(&closed);
  FD_SET(kClosed, &closed);
  timeval time{1, 0}, bad{0, -1};
  const timespec bad_time{0, 1000000000};
  say("select", select(kClosed + 1, &closed, nullptr, nullptr, &time));
  say("select for a negative time", select(0, nullptr, nullptr, nullptr, &bad));
  say("epoll_wait", epoll_wait(kClosed, &event, 1, 1000));
  say("nanosleep", nanosleep(&bad_time, nullptr));
  say("nanosleep without a time", nanosleep(nullptr, nullptr));
  say("clock_nanosleep", ErrorOf(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad_time, nullptr)));
  close(sockets[0]);
  say("send", send(sockets[1], "x", 1, MSG_NOSIGNAL));
  say("send", send(kClosed, "x", 1, 0));
  return 0;
}

int main(int argc, char** argv) {
  no_events = epoll_create1(0);
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "waits") return Waits();
  if (mode == "ended") return Ended();
  if (mode == "transfers") return Transfers();
  if (mode == "at_once") return AtOnce();
  fprintf(stderr, "usage: calls waits|ended|transfers|at_once\n");
  return 2;
}
