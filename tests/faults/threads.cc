// Threads that come and go in every way: cancelled, detached, small, many, ending in destructors.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

std::atomic<int> started, cleaned, caught;

void CleanUp(void*) { cleaned++; }

void* WaitToBeCancelled(void*) {
  started++;
  pthread_cleanup_push(CleanUp, nullptr);
  for (;;) pause();
  pthread_cleanup_pop(1);
  return nullptr;
}

// Cancels a thread at once. Its start routine runs all the same, up to its first cancellation point.
int CancelSoon() {
  constexpr int kThreads = 1500;
  int cancelled = 0;
  for (int i = 0; i < kThreads; i++) {
    pthread_t thread;
    void* result = nullptr;
    if (pthread_create(&thread, nullptr, WaitToBeCancelled, nullptr) != 0) return 90;
    pthread_cancel(thread);
    pthread_join(thread, &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  printf("started %d, cleaned %d, cancelled %d\n", started.load(), cleaned.load(), cancelled);
  return 0;
}

void* WorkUntilCancelled(void* asynchronously) {
  pthread_cleanup_push(CleanUp, nullptr);
  if (asynchronously != nullptr) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  started++;
  // C++ unwinds from calls only: an asynchronous cancellation has to find the thread in this call.
  if (asynchronously != nullptr) fault_work(~uint64_t{0});
  for (;;) {
    fault_work(20000);
    pthread_testcancel();
  }
  pthread_cleanup_pop(1);
  return nullptr;
}

int CancelWorking(void* asynchronously) {
  const int rounds = static_cast<int>(total_ms / 5);
  for (int i = 0; i < rounds; i++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, WorkUntilCancelled, asynchronously);
    while (started.load() <= i) usleep(100);
    usleep(5000);
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
  }
  printf("all cleaned %d\n", cleaned.load() == rounds);
  return 0;
}

int CancelDeferred() { return CancelWorking(nullptr); }
int CancelAsynchronously() { return CancelWorking(&started); }

struct Destroyed {
  ~Destroyed() { cleaned++; }
};

// Cancellation unwinds C++ frames. Code that catches it must pass it on.
int CancelThroughCpp() {
  for (int i = 0; i < 200; i++) {
    std::thread thread([] {
      const Destroyed object;
      try {
        started++;
        Work(total_ms / 200);
        for (;;) usleep(1000);
      } catch (...) {
        caught++;
        throw;
      }
    });
    while (started.load() <= i) sched_yield();
    pthread_cancel(thread.native_handle());
    thread.join();
  }
  printf("caught %d, destroyed %d\n", caught.load(), cleaned.load());
  return 0;
}

int CancelInCalls() {
  static sem_t semaphore;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static int ends[2];
  sem_init(&semaphore, 0, 0);
  if (pipe(ends) != 0) return 90;
  void* (*const calls[])(void*) = {[](void*) -> void* {
                                     pthread_cleanup_push(CleanUp, nullptr);
                                     started++;
                                     sem_wait(&semaphore);
                                     pthread_cleanup_pop(0);
                                     return nullptr;
                                   },
                                   [](void*) -> void* {
                                     pthread_cleanup_push(CleanUp, nullptr);
                                     char byte;
                                     started++;
                                     if (read(ends[0], &byte, 1) < 0) return nullptr;
                                     pthread_cleanup_pop(0);
                                     return nullptr;
                                   },
                                   [](void*) -> void* {
                                     pthread_cleanup_push(CleanUp, nullptr);
                                     pthread_mutex_lock(&mutex);
                                     pthread_cleanup_push([](void*) { pthread_mutex_unlock(&mutex); }, nullptr);
                                     started++;
                                     for (;;) pthread_cond_wait(&condition, &mutex);
                                     pthread_cleanup_pop(1);
                                     pthread_cleanup_pop(0);
                                     return nullptr;
                                   },
                                   [](void*) -> void* {
                                     pthread_cleanup_push(CleanUp, nullptr);
                                     started++;
                                     const timespec hour = {3600, 0};
                                     nanosleep(&hour, nullptr);
                                     pthread_cleanup_pop(0);
                                     return nullptr;
                                   }};
  int made = 0;
  for (int i = 0; i < 50; i++) {
    for (const auto call : calls) {
      pthread_t thread;
      pthread_create(&thread, nullptr, call, nullptr);
      made++;
      Work(total_ms / 200);
      while (started.load() < made) sched_yield();
      pthread_cancel(thread);
      pthread_join(thread, nullptr);
    }
  }
  printf("cleaned %d\n", cleaned.load());
  return 0;
}

int SmallStacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384);
  for (int i = 0; i < 100; i++) {
    pthread_t thread;
    if (pthread_create(
            &thread, &attributes,
            [](void*) -> void* {
              Work(total_ms / 100);
              started++;
              return nullptr;
            },
            nullptr) == 0) {
      pthread_join(thread, nullptr);
    }
  }
  printf("threads %d\n", started.load());
  return 0;
}

// More threads at once than any table of a guessed size would hold.
int ThousandAtOnce() {
  std::vector<pthread_t> threads(1000);
  static pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 1001);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  for (pthread_t& thread : threads) {
    const int error = pthread_create(
        &thread, &attributes,
        [](void*) -> void* {
          pthread_barrier_wait(&barrier);
          Work(total_ms / 1000);
          return nullptr;
        },
        nullptr);
    if (error != 0) return 90;
  }
  pthread_barrier_wait(&barrier);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  printf("joined %zu\n", threads.size());
  return 0;
}

int DetachedStorm() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int made = 0;
  for (int i = 0; i < 2000; i++) {
    pthread_t thread;
    made += pthread_create(
                &thread, &attributes,
                [](void*) -> void* {
                  fault_work(50000);
                  started++;
                  return nullptr;
                },
                nullptr) == 0;
    while (made - started.load() > 16) sched_yield();
  }
  while (started.load() < made) usleep(1000);
  printf("ended %d\n", started.load());
  return 0;
}

pthread_key_t key;

// Works in the last round of destructors of a thread's own values.
int WorkInDestructors() {
  pthread_key_create(&key, [](void* value) {
    Work(total_ms / 80);
    const long round = reinterpret_cast<long>(value);
    started++;
    if (round < 4) pthread_setspecific(key, reinterpret_cast<void*>(round + 1));
  });
  for (int i = 0; i < 20; i++) {
    std::thread([] { pthread_setspecific(key, reinterpret_cast<void*>(1)); }).join();
  }
  printf("destructors %d\n", started.load());
  return 0;
}

struct Local {
  int number = 5;
  ~Local() {
    Work(total_ms / 5);
    cleaned += number;
  }
};
thread_local Local local;

int ThreadLocals() {
  for (int i = 0; i < 5; i++) std::thread([] { local.number = 7; }).join();
  printf("destroyed %d\n", cleaned.load());
  return 0;
}

int ThreadNames() {
  char name[32] = "";
  prctl(PR_SET_NAME, "its own name");
  Work(total_ms / 2);
  prctl(PR_GET_NAME, name);
  printf("%s\n", name);
  std::thread([] {
    char other[32] = "";
    pthread_setname_np(pthread_self(), "another");
    Work(total_ms / 2);
    pthread_getname_np(pthread_self(), other, sizeof other);
    printf("%s\n", other);
  }).join();
  return 0;
}

// Counts threads as monitors do.
int CountedThreads() {
  Work(total_ms);
  FILE* const status = fopen("/proc/self/status", "r");
  char line[256];
  while (fgets(line, sizeof line, status) != nullptr) {
    if (strncmp(line, "Threads:", 8) == 0) printf("%s", line);
  }
  fclose(status);
  return 0;
}

// Makes a thread past libc, with a stack of its own.
int BareClone() {
  static char stack[65536];
  static std::atomic<int> done;
  clone(
      [](void*) -> int {
        fault_work(3000000);
        done = 1;
        return 0;
      },
      stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, nullptr);
  Work(total_ms);
  while (done.load() == 0) usleep(1000);
  printf("done\n");
  return 0;
}

int Asynchronous() {
  long sum = 0;
  for (int i = 0; i < 200; i++) {
    auto answer = std::async(std::launch::async, [i] {
      Work(total_ms / 200);
      return i;
    });
    sum += answer.get();
  }
  printf("sum %ld\n", sum);
  return 0;
}

// A thread dies with a robust mutex.
int RobustMutex() {
  static pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  int dead = 0;
  for (int i = 0; i < 100; i++) {
    std::thread([] {
      pthread_mutex_lock(&mutex);
      Work(total_ms / 100);
    }).join();
    dead += pthread_mutex_lock(&mutex) == EOWNERDEAD;
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  printf("dead owners %d\n", dead);
  return 0;
}

// Each thread's own affinity, policy and niceness are its own.
int Scheduling() {
  sched_param none = {};
  const int result = sched_setscheduler(0, SCHED_BATCH, &none);
  cpu_set_t one, now;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);
  int batch = 0;
  for (int i = 0; i < 10; i++) {
    std::thread([&batch] {
      Work(total_ms / 10);
      batch += sched_getscheduler(0) == SCHED_BATCH;
    }).join();
  }
  sched_getaffinity(0, sizeof now, &now);
  printf("set %d, batch %d, processors %d\n", result, batch, CPU_COUNT(&now));
  return 0;
}

int KillEachOther() {
  static std::atomic<int> signals;
  signal(SIGUSR2, [](int) { signals++; });
  std::atomic<bool> over{false};
  std::thread other([&over] {
    while (!over.load()) fault_work(1000);
  });
  for (int i = 0; i < 1000; i++) {
    const int before = signals.load();
    pthread_kill(other.native_handle(), SIGUSR2);
    while (signals.load() == before) sched_yield();
  }
  over = true;
  other.join();
  printf("signals %d\n", signals.load());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"cancel_soon", CancelSoon},
                                       {"cancel_deferred", CancelDeferred},
                                       {"cancel_asynchronously", CancelAsynchronously},
                                       {"cancel_through_cpp", CancelThroughCpp},
                                       {"cancel_in_calls", CancelInCalls},
                                       {"small_stacks", SmallStacks},
                                       {"thousand_at_once", ThousandAtOnce},
                                       {"detached_storm", DetachedStorm},
                                       {"work_in_destructors", WorkInDestructors},
                                       {"thread_locals", ThreadLocals},
                                       {"thread_names", ThreadNames},
                                       {"counted_threads", CountedThreads},
                                       {"bare_clone", BareClone},
                                       {"asynchronous", Asynchronous},
                                       {"robust_mutex", RobustMutex},
                                       {"scheduling", Scheduling},
                                       {"kill_each_other", KillEachOther}};
  return faults::Run(argc, argv, modes);
}
