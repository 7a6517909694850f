// The library of unseen_threads: two threads compute and wait in poll by turns.
#include <errno.h>
#include <poll.h>
#include <pthread.h>

#include <cstdio>

#include "truth.h"

TRUTH_WORK(deep_work)

static truth::Account deep("function", "deep_work");

static void* Work(void*) {
  long interrupted = 0;
  for (int i = 0; i < 60; ++i) {
    {
      truth::Timed timed(deep);
      deep_work(truth::Iterations(15));
    }
    interrupted += poll(nullptr, 0, 3) < 0 && errno == EINTR;
  }
  std::printf("%ld interrupted\n", interrupted);
  return nullptr;
}

extern "C" void RunThreads() {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, Work, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  deep.Print();
}
