// Programs that wait more than they work, for waiting.py. Each checks what its calls return, and ends with status 1 if
// one was not as expected.
//   waiting at_once N        N times: a byte into a pipe, poll, and out of it.
//   waiting poll|epoll|select|recv N     N round trips of a byte between two threads over a socket pair.
//   waiting nap N            N sleeps of 100 us.
//   waiting sleepers N       N threads wait on a condition variable. Two OpenMP threads work for a second each.
//   waiting workers N        N threads wait at a barrier, and work for 2 ms each.
//   waiting short N          N threads, 8 at a time, of 100 us of work each.
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <vector>

namespace {

bool failed;

void Expect(bool holds) {
  if (!holds) failed = true;
}

// Works until the thread has used so much CPU time.
void Work(double ms) {
  const auto now_ms = [] {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  };
  for (const double end = now_ms() + ms; now_ms() < end;) {
    for (volatile int i = 0; i < 10000; i = i + 1) {
    }
  }
}

std::vector<pthread_t> Start(int count, void* (*body)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  std::vector<pthread_t> threads(static_cast<size_t>(count));
  for (pthread_t& thread : threads) Expect(pthread_create(&thread, &attributes, body, argument) == 0);
  return threads;
}

void Join(const std::vector<pthread_t>& threads) {
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

void AtOnce(int count) {
  int ends[2];
  Expect(pipe(ends) == 0);
  for (int i = 0; i < count; ++i) {
    char byte = 'x';
    pollfd fd = {ends[0], POLLIN, 0};
    Expect(write(ends[1], &byte, 1) == 1 && poll(&fd, 1, -1) == 1 && read(ends[0], &byte, 1) == 1);
  }
}

enum class Way { kReceive, kPoll, kEpoll, kSelect };

class End {
 public:
  End(int fd, Way way) : fd_(fd), way_(way), epoll_(epoll_create1(0)) {
    epoll_event event = {EPOLLIN, {}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }
  void Give() const { Expect(send(fd_, "x", 1, 0) == 1); }
  void Take() const {
    char byte;
    if (way_ == Way::kPoll) {
      pollfd fd = {fd_, POLLIN, 0};
      Expect(poll(&fd, 1, -1) == 1);
    } else if (way_ == Way::kEpoll) {
      epoll_event event;
      Expect(epoll_wait(epoll_, &event, 1, 5000) == 1);
    } else if (way_ == Way::kSelect) {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(fd_, &set);
      timeval time = {5, 0};
      Expect(select(fd_ + 1, &set, nullptr, nullptr, &time) == 1);
    }
    Expect(recv(fd_, &byte, 1, 0) == 1);
  }

 private:
  int fd_;
  Way way_;
  int epoll_;
};

void RoundTrips(Way way, int count) {
  static int fds[2], trips;
  static Way other_way;
  trips = count;
  other_way = way;
  Expect(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  const auto other = Start(
      1,
      [](void*) -> void* {
        const End end(fds[1], other_way);
        for (int i = 0; i < trips; ++i) {
          end.Take();
          end.Give();
        }
        return nullptr;
      },
      nullptr);
  const End end(fds[0], way);
  for (int i = 0; i < count; ++i) {
    end.Give();
    end.Take();
  }
  Join(other);
}

void Nap(int count) {
  for (int i = 0; i < count; ++i) Expect(usleep(100) == 0);
}

void Sleepers(int count) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
  static bool go;
  const auto threads = Start(
      count,
      [](void*) -> void* {
        pthread_mutex_lock(&mutex);
        while (!go) pthread_cond_wait(&wanted, &mutex);
        pthread_mutex_unlock(&mutex);
        return nullptr;
      },
      nullptr);
#pragma omp parallel num_threads(2)
  Work(1000);
  pthread_mutex_lock(&mutex);
  go = true;
  pthread_cond_broadcast(&wanted);
  pthread_mutex_unlock(&mutex);
  Join(threads);
}

void Workers(int count) {
  static pthread_barrier_t all;
  pthread_barrier_init(&all, nullptr, static_cast<unsigned>(count));
  Join(Start(
      count,
      [](void*) -> void* {
        pthread_barrier_wait(&all);
        Work(2);
        return nullptr;
      },
      nullptr));
}

void Short(int count) {
  for (int i = 0; i < count; i += 8) {
    Join(Start(
        8,
        [](void*) -> void* {
          Work(0.1);
          return nullptr;
        },
        nullptr));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* const mode = argc > 2 ? argv[1] : "";
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  const struct {
    const char* name;
    void (*run)(int);
  } modes[] = {{"at_once", AtOnce},
               {"recv", [](int n) { RoundTrips(Way::kReceive, n); }},
               {"poll", [](int n) { RoundTrips(Way::kPoll, n); }},
               {"epoll", [](int n) { RoundTrips(Way::kEpoll, n); }},
               {"select", [](int n) { RoundTrips(Way::kSelect, n); }},
               {"nap", Nap},
               {"sleepers", Sleepers},
               {"workers", Workers},
               {"short", Short}};
  for (const auto& [name, run] : modes) {
    if (strcmp(mode, name) != 0) continue;
    run(count);
    return failed ? 1 : 0;
  }
  fprintf(stderr, "usage: waiting at_once|recv|poll|epoll|select|nap|sleepers|workers|short N\n");
  return 2;
}
