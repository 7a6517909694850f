// System calls that sleep or work for long, each by libc's function (NAME) and by number (NUMBER). A line for each call
// tells its results. A signal with a handler that restarts calls must change none of them.
//   every_call name | number
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "truth.h"

TRUTH_WORK(work_between)

static bool by_number;
static constexpr long kWaitMs = 8;
static constexpr int kRepeats = 3;
static constexpr timespec kWait = {0, kWaitMs * 1000000};
static constexpr size_t kMuch = 3000000;
static char much[kMuch];
static const std::string folder = "/tmp/every_call." + std::to_string(getpid());

// A call's result, or its negative error.
#define OUTCOME(name, number)                          \
  [&]() -> long {                                      \
    errno = 0;                                         \
    const long result = by_number ? (number) : (name); \
    return result < 0 ? -errno : result;               \
  }()
#define BY_BOTH(function, ...) OUTCOME(function(__VA_ARGS__), syscall(SYS_##function, __VA_ARGS__))

// What another thread does some time after the call has begun.
class Later {
 public:
  explicit Later(const std::function<void()>& act)
      : thread_([act] {
          std::this_thread::sleep_for(std::chrono::milliseconds(kWaitMs));
          act();
        }) {}
  ~Later() { thread_.join(); }

 private:
  std::thread thread_;
};

struct Two {
  int in = -1, out = -1;
  ~Two() {
    close(in);
    close(out);
  }
};
struct Pipe : Two {
  Pipe() {
    int fds[2];
    if (pipe(fds) == 0) in = fds[0], out = fds[1];
  }
};
struct Sockets : Two {
  explicit Sockets(int type = SOCK_STREAM) {
    int fds[2];
    if (socketpair(AF_UNIX, type, 0, fds) == 0) in = fds[0], out = fds[1];
  }
  // `in` gives up after the time.
  void LimitReceiving() {
    const timeval limit = {0, kWaitMs * 1000};
    setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  }
};

struct File {
  int fd;
  explicit File(const char* path) : fd(open(path, O_RDWR | O_CREAT, 0600)) {}
  explicit File(size_t size) : fd(memfd_create("file", 0)) {
    if (ftruncate(fd, static_cast<off_t>(size)) != 0) abort();
  }
  ~File() { close(fd); }
};

static void PutByte(int fd) {
  if (write(fd, "a", 1) != 1) abort();
}

// Reads that many bytes. Gives up after a while: a write that was cut sends no more.
static void Drain(int fd, size_t size) {
  static char data[1 << 16];
  pollfd ready = {fd, POLLIN, 0};
  while (size > 0 && poll(&ready, 1, 2000) > 0) {
    const ssize_t got = read(fd, data, sizeof(data));
    if (got <= 0) return;
    size -= static_cast<size_t>(got);
  }
}

static timespec After(clockid_t clock) {
  timespec at;
  clock_gettime(clock, &at);
  at.tv_nsec += kWait.tv_nsec;
  if (at.tv_nsec >= 1000000000) ++at.tv_sec, at.tv_nsec -= 1000000000;
  return at;
}

static std::atomic<int> handled;

// 1: the call has waited for the program's own signal.
static long UntilSignal(const std::function<long()>& call) {
  handled = 0;
  std::atomic<bool> over{false};
  const pthread_t waiter = pthread_self();
  const Later later([&] {
    while (!over) {  // the first signal may come before the call
      pthread_kill(waiter, SIGUSR2);
      usleep(1000 * kWaitMs);
    }
  });
  call();
  const int right = handled > 0;
  over = true;
  return right;
}

static long Listen(sockaddr_in* address) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  *address = {};
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(*address);
  if (bind(listener, reinterpret_cast<sockaddr*>(address), size) != 0 || listen(listener, 5) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(address), &size) != 0)
    abort();
  return listener;
}

struct Case {
  const char* name;
  std::function<long()> call;
};

static const std::vector<Case> waits_for_time = {
    {"poll", [] { return BY_BOTH(poll, nullptr, 0, kWaitMs); }},
    {"ppoll",
     [] {
       timespec time = kWait;
       return OUTCOME(ppoll(nullptr, 0, &time, nullptr), syscall(SYS_ppoll, nullptr, 0, &time, nullptr, 8));
     }},
    {"select",
     [] {
       timeval time = {0, kWaitMs * 1000};
       return BY_BOTH(select, 0, nullptr, nullptr, nullptr, &time);
     }},
    {"pselect",
     [] {
       timespec time = kWait;
       return OUTCOME(pselect(0, nullptr, nullptr, nullptr, &time, nullptr),
                      syscall(SYS_pselect6, 0, nullptr, nullptr, nullptr, &time, nullptr));
     }},
    {"epoll_wait",
     [] {
       const int epoll = epoll_create1(0);
       epoll_event event;
       const long result = BY_BOTH(epoll_wait, epoll, &event, 1, kWaitMs);
       close(epoll);
       return result;
     }},
    {"epoll_pwait",
     [] {
       const int epoll = epoll_create1(0);
       epoll_event event;
       const long result = OUTCOME(epoll_pwait(epoll, &event, 1, kWaitMs, nullptr),
                                   syscall(SYS_epoll_pwait, epoll, &event, 1, kWaitMs, nullptr, 8));
       close(epoll);
       return result;
     }},
    {"nanosleep", [] { return BY_BOTH(nanosleep, &kWait, nullptr); }},
    {"clock_nanosleep", [] { return BY_BOTH(clock_nanosleep, CLOCK_MONOTONIC, 0, &kWait, nullptr); }},
    {"sigtimedwait",
     [] {
       sigset_t set;
       sigemptyset(&set);
       sigaddset(&set, SIGUSR1);
       return OUTCOME(sigtimedwait(&set, nullptr, &kWait), syscall(SYS_rt_sigtimedwait, &set, nullptr, &kWait, 8));
     }},
    {"futex",
     [] {
       int word = 0;
       return OUTCOME(-1, syscall(SYS_futex, &word, FUTEX_WAIT, 0, &kWait, nullptr, 0));
     }},
    {"futex until",
     [] {
       int word = 0;
       const timespec at = After(CLOCK_MONOTONIC);
       return OUTCOME(-1, syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, &at, nullptr, -1));
     }},
    {"semtimedop",
     [] {
       const int id = semget(IPC_PRIVATE, 1, 0600);
       sembuf down = {0, -1, 0};
       timespec time = kWait;
       const long result = BY_BOTH(semtimedop, id, &down, 1, &time);
       semctl(id, 0, IPC_RMID);
       return result;
     }},
    {"io_getevents",
     [] {
       aio_context_t context = 0;
       io_event event;
       timespec time = kWait;
       if (syscall(SYS_io_setup, 4, &context) != 0) return 0L;
       const long result = OUTCOME(0, syscall(SYS_io_getevents, context, 1, 1, &event, &time));
       syscall(SYS_io_destroy, context);
       return result;
     }},
    {"read of a timer",
     [] {
       const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
       const itimerspec time = {{}, kWait};
       timerfd_settime(timer, 0, &time, nullptr);
       uint64_t count;
       const long result = BY_BOTH(read, timer, &count, sizeof(count));
       close(timer);
       return result;
     }},
    {"mq_timedreceive",
     [] {
       const std::string name = "/every_call." + std::to_string(getpid());
       mq_attr facts = {};
       facts.mq_maxmsg = 1;
       facts.mq_msgsize = 16;
       const mqd_t queue = mq_open(name.c_str(), O_CREAT | O_RDWR, 0600, &facts);
       char message[16];
       const timespec at = After(CLOCK_REALTIME);
       const long result = BY_BOTH(mq_timedreceive, queue, message, sizeof(message), nullptr, &at);
       mq_close(queue);
       mq_unlink(name.c_str());
       return result;
     }},
    {"receivers with a timeout",
     [] {
       Sockets sockets;
       sockets.LimitReceiving();
       char byte;
       iovec part = {&byte, 1};
       msghdr message = {};
       message.msg_iov = &part;
       message.msg_iovlen = 1;
       return BY_BOTH(read, sockets.in, &byte, 1) +
              1000 * BY_BOTH(recvfrom, sockets.in, &byte, 1, 0, nullptr, nullptr) +
              1000000 * BY_BOTH(recvmsg, sockets.in, &message, 0) + 1000000000 * BY_BOTH(readv, sockets.in, &part, 1);
     }},
};

static const std::vector<Case> waits_for_others = {
    {"read",
     [] {
       const Pipe pipe;
       const Later later([&] { PutByte(pipe.out); });
       char byte;
       return BY_BOTH(read, pipe.in, &byte, 1);
     }},
    {"pause", [] { return UntilSignal([] { return OUTCOME(pause(), syscall(SYS_pause)); }); }},
    {"sigsuspend",
     [] {
       sigset_t none;
       sigemptyset(&none);
       return UntilSignal([&] { return OUTCOME(sigsuspend(&none), syscall(SYS_rt_sigsuspend, &none, 8)); });
     }},
    {"semop",
     [] {
       const int id = semget(IPC_PRIVATE, 1, 0600);
       sembuf down = {0, -1, 0};
       long result;
       {
         const Later later([&] {
           sembuf up = {0, 1, 0};
           semop(id, &up, 1);
         });
         result = BY_BOTH(semop, id, &down, 1);
       }
       semctl(id, 0, IPC_RMID);
       return result;
     }},
    {"msgrcv",
     [] {
       const int id = msgget(IPC_PRIVATE, 0600);
       long message[2];
       long result;
       {
         const Later later([&] {
           const long sent[2] = {1, 2};
           msgsnd(id, sent, 8, 0);
         });
         result = BY_BOTH(msgrcv, id, message, 8, 0, 0);
       }
       msgctl(id, IPC_RMID, nullptr);
       return result;
     }},
    {"accept",
     [] {
       sockaddr_in address;
       const int listener = static_cast<int>(Listen(&address));
       const int caller = socket(AF_INET, SOCK_STREAM, 0);
       long result;
       {
         const Later later([&] { connect(caller, reinterpret_cast<sockaddr*>(&address), sizeof(address)); });
         result = BY_BOTH(accept, listener, nullptr, nullptr);
       }
       if (result > 0) close(static_cast<int>(result));
       close(caller);
       close(listener);
       return result > 0 ? 1 : result;
     }},
    {"recv of all",
     [] {
       const Sockets sockets;
       PutByte(sockets.out);
       const Later later([&] { PutByte(sockets.out); });
       char bytes[2];
       return BY_BOTH(recvfrom, sockets.in, bytes, 2, MSG_WAITALL, nullptr, nullptr);
     }},
    {"recvmmsg",
     [] {
       const Sockets sockets(SOCK_DGRAM);
       char bytes[2];
       iovec parts[2] = {{&bytes[0], 1}, {&bytes[1], 1}};
       mmsghdr messages[2] = {};
       for (int i = 0; i < 2; ++i) {
         messages[i].msg_hdr.msg_iov = &parts[i];
         messages[i].msg_hdr.msg_iovlen = 1;
       }
       PutByte(sockets.out);
       const Later later([&] { PutByte(sockets.out); });
       return BY_BOTH(recvmmsg, sockets.in, messages, 2, 0, nullptr);
     }},
    {"flock",
     [] {
       const File holder((folder + "/lock").c_str()), waiter((folder + "/lock").c_str());
       flock(holder.fd, LOCK_EX);
       const Later later([&] { flock(holder.fd, LOCK_UN); });
       return BY_BOTH(flock, waiter.fd, LOCK_EX);
     }},
    {"open of a FIFO",
     [] {
       const std::string path = folder + "/fifo";
       mkfifo(path.c_str(), 0600);
       int writer = -1;
       long result;
       {
         const Later later([&] { writer = open(path.c_str(), O_WRONLY); });
         result = OUTCOME(open(path.c_str(), O_RDONLY), syscall(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY, 0));
       }
       close(writer);
       if (result > 0) close(static_cast<int>(result));
       return result > 0 ? 1 : result;
     }},
    {"wait4",
     [] {
       const pid_t child = fork();
       if (child == 0) {
         usleep(1000 * kWaitMs);
         _exit(3);
       }
       const long result = BY_BOTH(wait4, child, nullptr, 0, nullptr);
       return result == child ? 1 : result;
     }},
};

static const std::vector<Case> transfers = {
    {"write to a pipe",
     [] {
       const Pipe pipe;
       const Later later([&] { Drain(pipe.in, 300000); });
       return BY_BOTH(write, pipe.out, much, 300000);
     }},
    {"write to a socket",
     [] {
       const Sockets sockets;
       const Later later([&] { Drain(sockets.in, kMuch); });
       return BY_BOTH(write, sockets.out, much, kMuch);
     }},
    {"writev to a socket",
     [] {
       const Sockets sockets;
       const iovec parts[2] = {{much, kMuch / 2}, {much, kMuch / 2}};
       const Later later([&] { Drain(sockets.in, kMuch); });
       return BY_BOTH(writev, sockets.out, parts, 2);
     }},
    {"sendto",
     [] {
       const Sockets sockets;
       const Later later([&] { Drain(sockets.in, kMuch); });
       return BY_BOTH(sendto, sockets.out, much, kMuch, 0, nullptr, 0);
     }},
    {"sendfile",
     [] {
       const Sockets sockets;
       const File file(kMuch);
       const Later later([&] { Drain(sockets.in, kMuch); });
       return BY_BOTH(sendfile, sockets.out, file.fd, nullptr, kMuch);
     }},
    {"splice",
     [] {
       const Pipe from, to;
       const Later later([&] { PutByte(from.out); });
       return BY_BOTH(splice, from.in, nullptr, to.out, nullptr, 1, 0);
     }},
    {"tee",
     [] {
       const Pipe from, to;
       const Later later([&] { PutByte(from.out); });
       return BY_BOTH(tee, from.in, to.out, 1, 0);
     }},
    {"vmsplice",
     [] {
       const Pipe pipe;
       constexpr size_t kRoom = 65536;
       if (write(pipe.out, much, kRoom) != kRoom) abort();
       const iovec part = {much, kRoom};
       const Later later([&] { Drain(pipe.in, kRoom); });
       const long result = BY_BOTH(vmsplice, pipe.out, &part, 1, 0);
       return result > 0 ? 1 : result;  // it waits for room, not for room for all
     }},
    {"copy_file_range",
     [] {
       constexpr size_t kSize = 100 << 20;
       const File from(kSize), to(size_t{0});
       return BY_BOTH(copy_file_range, from.fd, nullptr, to.fd, nullptr, kSize, 0);
     }},
    {"fallocate",
     [] {
       const File file(size_t{0});
       return BY_BOTH(fallocate, file.fd, 0, 0L, 100L << 20);
     }},
    {"getrandom", [] { return BY_BOTH(getrandom, much, kMuch, 0); }},
    {"read of random numbers",
     [] {
       const File random("/dev/urandom");
       return BY_BOTH(read, random.fd, much, kMuch);
     }},
    {"readv of random numbers",
     [] {
       const File random("/dev/urandom");
       const iovec parts[2] = {{much, kMuch / 2}, {much, kMuch / 2}};
       return BY_BOTH(readv, random.fd, parts, 2);
     }},
    {"write to the random numbers",
     [] {
       const File random("/dev/urandom");
       return BY_BOTH(write, random.fd, much, kMuch);
     }},
    {"read of zeros",
     [] {
       constexpr size_t kSize = 64 << 20;
       static char zeros[kSize];
       const File zero("/dev/zero");
       return BY_BOTH(read, zero.fd, zeros, kSize);
     }},
    {"mlock",
     [] {
       constexpr size_t kSize = 64 << 20;
       void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       const long result = BY_BOTH(mlock, memory, kSize);
       munmap(memory, kSize);
       return result;
     }},
};

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  by_number = strcmp(argv[1], "number") == 0;
  struct sigaction action = {};
  action.sa_handler = [](int) { ++handled; };
  sigaction(SIGUSR2, &action, nullptr);
  if (mkdir(folder.c_str(), 0700) != 0) return 1;
  for (const std::vector<Case>* const cases : {&waits_for_time, &waits_for_others, &transfers}) {
    for (const Case& each : *cases) {
      std::map<long, int> results;
      for (int i = 0; i < kRepeats; ++i) {
        work_between(truth::Iterations(2));  // the thread has instants again
        ++results[each.call()];
      }
      printf("%s:", each.name);
      for (const auto& [result, count] : results) printf(" %ld x%d", result, count);
      printf("\n");
    }
  }
  for (const char* const name : {"/lock", "/fifo", ""}) remove((folder + name).c_str());
  return 0;
}
