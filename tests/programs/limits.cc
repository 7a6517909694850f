// Programs that use up a limit exactly. Each is told the limit, sets it for a user of its own, and prints how far it
// came. It works before and after that.
//   limits KIND N [MS]
#include <errno.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/programs/truth.h"

TRUTH_WORK(limits_before)
TRUTH_WORK(limits_after)

extern "C" char** environ;

namespace {

double ms = 300;

truth::Account before("function", "limits_before");
truth::Account after("function", "limits_after");

void Before() {
  const truth::Timed timed(before);
  limits_before(truth::Iterations(ms));
}

void After(double part = 1) {
  const truth::Timed timed(after);
  limits_after(truth::Iterations(ms * part));
}

// The user is nobody else's: a process of another run would take a place. RLIM_NLIMITS: no limit.
bool LimitTo(decltype(RLIMIT_NPROC) what, long count) {
  if (what == RLIM_NLIMITS) return true;
  const rlimit limit = {static_cast<rlim_t>(count), static_cast<rlim_t>(count)};
  const uid_t user = 200000 + static_cast<uid_t>(getpid());
  return setrlimit(what, &limit) == 0 && setresuid(user, user, user) == 0;
}

int Wait(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// A region of `count` threads.
void Team(long count) {
  int threads = 0;
#pragma omp parallel num_threads(static_cast <int>(count))
  {
#pragma omp single
    threads = omp_get_num_threads();
    After();
  }
  printf("threads %d\n", threads);
}

std::atomic<bool> go;

// As many threads as there are. They work when all have begun.
void Threads(long count) {
  std::vector<std::thread> threads;
  int error = 0;
  for (long i = 0; i < 2 * count && error == 0; ++i) {
    try {
      threads.emplace_back([] {
        while (!go) usleep(1000);
        After();
      });
    } catch (const std::system_error& failure) {
      error = failure.code().value();
    }
  }
  go = true;
  for (std::thread& thread : threads) thread.join();
  printf("threads %zu error %d\n", threads.size(), error);
}

// Threads that make threads at the same time: one of them takes the last place.
void Rivals(long count) {
  std::atomic<int> made{0}, refused{0};
  std::atomic<bool> both{false};
  std::vector<std::thread> rivals;
  for (int i = 0; i < 2; ++i) {
    rivals.emplace_back([&made, &refused, &both] {
      while (!both) usleep(1000);
      std::vector<pthread_t> threads;
      for (;;) {
        pthread_t thread;
        const auto wait = [](void*) -> void* {
          while (!go) usleep(1000);
          After(0.25);
          return nullptr;
        };
        if (pthread_create(&thread, nullptr, wait, nullptr) != 0) break;
        ++made;
        threads.push_back(thread);
      }
      if (++refused == 2) go = true;
      while (!go) usleep(1000);  // a rival that ends would leave its place
      for (const pthread_t thread : threads) pthread_join(thread, nullptr);
    });
  }
  both = true;
  for (std::thread& rival : rivals) rival.join();
  printf("made %d of %ld\n", made.load(), count);
}

// Children that wait until all places are taken.
void Forks(long count) {
  int pipes[2];
  if (pipe(pipes) != 0) return;
  std::vector<pid_t> children;
  pid_t child = 0;
  while (children.size() < 2 * static_cast<size_t>(count) && (child = fork()) > 0) children.push_back(child);
  if (child == 0) {
    char byte;
    close(pipes[1]);
    _exit(read(pipes[0], &byte, 1) == 0 ? 7 : 8);
  }
  const int error = errno;
  close(pipes[1]);
  int right = 0;
  for (const pid_t each : children) right += WEXITSTATUS(Wait(each)) == 7;
  printf("children %zu right %d error %d\n", children.size(), right, error);
  After();
}

// The one place that is left, by each way to start a program.
void Starts(long) {
  printf("system %d\n", system("exit 3") >> 8);
  FILE* const stream = popen("exit 4", "r");
  printf("popen %d\n", stream == nullptr ? -1 : pclose(stream) >> 8);
  char text[] = "true";
  char* const arguments[] = {text, nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "true", nullptr, nullptr, arguments, environ);
  printf("spawn %d %d\n", error, error == 0 ? Wait(child) : -1);
  After();
}

// As Python and make start programs.
void Vforks(long) {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 6", nullptr);
    _exit(127);
  }
  printf("vfork %d\n", child < 0 ? -errno : Wait(child) >> 8);
  After();
}

volatile sig_atomic_t forked;

// Tries a thread, works, and is killed.
void Killed(long) {
  pthread_t thread;
  printf("error %d\n", pthread_create(
                           &thread, nullptr, [](void* nothing) { return nothing; }, nullptr));
  After();
  kill(getpid(), SIGKILL);
}

// A folder for control groups with a limit of processes and threads; empty: there is none.
std::string GroupsFolder() {
  for (const char* folder : {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"}) {
    if (access((std::string(folder) + "/cgroup.procs").c_str(), W_OK) == 0) return folder;
  }
  return "";
}

bool Put(const std::string& path, long number) {
  FILE* const file = fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  const bool put = fprintf(file, "%ld", number) > 0;
  return fclose(file) == 0 && put;
}

// A team in a control group of its own.
void Group(long count) {
  const std::string folder = GroupsFolder();
  const std::string own = folder + "/ompprof-limits-" + std::to_string(getpid());
  const bool in = !folder.empty() && mkdir(own.c_str(), 0755) == 0 && Put(own + "/pids.max", count) &&
                  Put(own + "/cgroup.procs", getpid());
  if (in) Team(count);
  // Threads that are gone may be counted for a moment.
  if (!folder.empty()) Put(folder + "/cgroup.procs", getpid());
  rmdir(own.c_str());
  if (in) return;
  printf("this user may make no control group\n");
  exit(77);
}

// A signal handler that forks.
void ForkInHandler(long) {
  signal(SIGUSR1, [](int) {
    const pid_t child = fork();
    if (child == 0) _exit(5);
    forked = child < 0 ? -errno : Wait(child) >> 8;
  });
  raise(SIGUSR1);
  printf("forked %d\n", static_cast<int>(forked));
  After();
}

// All timers that there are, with threads at work that have timers of the profiler's.
void Timers(long) {
  std::atomic<int> working{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i) {
    workers.emplace_back([&working] {
      ++working;
      while (!go) usleep(1000);
      After();
    });
  }
  while (working < 2) usleep(1000);
  int made = 0;
  timer_t timer;
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  while (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) ++made;
  const int error = errno;
  go = true;
  After();
  for (std::thread& worker : workers) worker.join();
  // Calls that a signal ends.
  int ended = 0;
  for (int i = 0; i < 30; ++i) {
    After(1 / 30.);
    ended += poll(nullptr, 0, 5) != 0;
  }
  printf("timers %d error %d ended %d\n", made, error, ended);
}

// All signals that may be pending.
void Queue(long) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::atomic<bool> working{false};
  std::thread worker([&working] {  // has a timer of the profiler's
    working = true;
    while (!go) usleep(1000);
  });
  while (!working) usleep(1000);
  int sent = 0;
  while (sigqueue(getpid(), SIGRTMIN, {}) == 0) ++sent;
  const int error = errno;
  After();
  int taken = 0;
  const timespec now = {};
  while (sigtimedwait(&set, nullptr, &now) > 0) ++taken;
  go = true;
  worker.join();
  printf("sent %d error %d taken %d\n", sent, error, taken);
}

struct Kind {
  const char* name;
  decltype(RLIMIT_NPROC) limit;
  void (*run)(long count);
};
constexpr Kind kKinds[] = {{"team", RLIMIT_NPROC, Team},
                           {"threads", RLIMIT_NPROC, Threads},
                           {"rivals", RLIMIT_NPROC, Rivals},
                           {"forks", RLIMIT_NPROC, Forks},
                           {"starts", RLIMIT_NPROC, Starts},
                           {"vfork", RLIMIT_NPROC, Vforks},
                           {"fork_in_handler", RLIMIT_NPROC, ForkInHandler},
                           {"killed", RLIMIT_NPROC, Killed},
                           {"group", RLIM_NLIMITS, Group},
                           {"timers", RLIMIT_SIGPENDING, Timers},
                           {"queue", RLIMIT_SIGPENDING, Queue}};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const long count = atol(argv[2]);
  ms = static_cast<double>(truth::Argument(argc, argv, 3, 300));
  truth::Iterations(1);
  Before();
  for (const Kind& kind : kKinds) {
    if (strcmp(argv[1], kind.name) != 0) continue;
    if (!LimitTo(kind.limit, count)) return 3;
    kind.run(count);
    before.Print();
    after.Print();
    return 0;
  }
  return 2;
}
