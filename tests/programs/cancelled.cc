// Threads that are asked to end (pthread_cancel) where the program has no cancellation point. They go on to the
// program's next cancellation point. The program prints how many did.
//   cancelled MODE [ROUNDS]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>

static std::atomic<int> started{0}, cleaned{0};
static volatile long work;
static char answer;

static void Cleanup(void*) { cleaned++; }
static pthread_key_t key;

static void* Routine(void*) {
  pthread_cleanup_push(Cleanup, nullptr);
  started++;
  for (int i = 0; i < 20000; i++) work = work + 1;
  for (;;) pthread_testcancel();
  pthread_cleanup_pop(0);
  return nullptr;
}

static int C11Routine(void*) {
  Routine(nullptr);
  return 0;
}

// Works until it is cancelled at any moment, even in the profiler's handler.
static void* AnyMoment(void*) {
  pthread_setspecific(key, &answer);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  started++;
  for (;;) work = work + 1;
  return nullptr;
}

static int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Asks the calling thread to end, then makes a call that is no cancellation point.
static void* ForkWithRequest(void*) {
  pthread_cancel(pthread_self());
  const pid_t child = fork();
  if (child == 0) _exit(17);
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  if (Wait(child) == 17) cleaned++;
  return nullptr;
}

static void* Nothing(void*) { return &answer; }

static void* CreateWithRequest(void*) {
  pthread_cancel(pthread_self());
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Nothing, nullptr) == 0) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    pthread_join(thread, nullptr);
    cleaned++;
  }
  return nullptr;
}

// Returns its result although it is asked to end.
static void* ReturnWithRequest(void*) {
  pthread_cancel(pthread_self());
  return &answer;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  const int rounds = argc > 2 ? atoi(argv[2]) : 1;
  const auto is = [mode](const char* name) { return strcmp(mode, name) == 0; };
  if (is("after_exec")) return 36;
  pthread_key_create(&key, Cleanup);
  if (is("exec")) {
    char name[] = "cancelled", next[] = "after_exec";
    char* arguments[] = {name, next, nullptr};
    for (int i = 0; i < 20000000; i++) work = work + 1;
    printf("exec\n");
    fflush(stdout);
    pthread_cancel(pthread_self());
    execv("/proc/self/exe", arguments);
    return 1;
  }
  for (int i = 0; i < rounds; i++) {
    if (is("c11")) {
      thrd_t thread;
      if (thrd_create(&thread, C11Routine, nullptr) != thrd_success) return 1;
      pthread_cancel(thread);
      thrd_join(thread, nullptr);
      continue;
    }
    void* (*const routine)(void*) = is("any_moment") ? AnyMoment
                                    : is("fork")     ? ForkWithRequest
                                    : is("create")   ? CreateWithRequest
                                    : is("return")   ? ReturnWithRequest
                                                     : Routine;
    pthread_t thread;
    void* result = nullptr;
    if (pthread_create(&thread, nullptr, routine, nullptr) != 0) return 1;
    if (is("any_moment")) {
      while (started.load() == i) {
      }
      usleep(static_cast<useconds_t>(100 + i * 37 % 500));
    }
    if (is("at_once") || is("any_moment")) pthread_cancel(thread);
    pthread_join(thread, &result);
    if (is("return")) cleaned += result == &answer;
  }
  printf("started %d, cleaned %d\n", started.load(), cleaned.load());
  return 36;
}
