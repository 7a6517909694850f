// The collector hears of a thread's end once, after the program's own destructors, however the thread ends.
#include "profiler/collect/base/thread_end.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <string>
#include <thread>

namespace ompprof::collect {
namespace {

thread_local std::string* told;  // what happens at the thread's end, in its order

void Ended() { *told += "ended "; }

pthread_key_t Key(void (*destroy)(void*)) {
  pthread_key_t key = 0;
  EXPECT_EQ(pthread_key_create(&key, destroy), 0);
  return key;
}

// Runs `body` in a thread and returns what happens at the thread's end.
std::string Told(const std::function<void()>& body) {
  std::string text;
  std::thread([&] {
    told = &text;
    body();
  }).join();
  return text;
}

class ThreadEnd : public testing::Test {
 protected:
  // Registered once, as in a process, and before the keys of the program.
  static void SetUpTestSuite() { ASSERT_TRUE(CreateThreadEnd(Ended)); }
};

TEST_F(ThreadEnd, IsToldOnce) { EXPECT_EQ(Told(AwaitEndOfThisThread), "ended "); }

TEST_F(ThreadEnd, IsNotToldUnlessAsked) {
  EXPECT_EQ(Told([] {}), "");
}

TEST_F(ThreadEnd, IsToldWhenTheThreadCallsPthreadExit) {
  EXPECT_EQ(Told([] {
              AwaitEndOfThisThread();
              pthread_exit(nullptr);
            }),
            "ended ");
}

TEST_F(ThreadEnd, ComesAfterTheProgramsDestructors) {
  const pthread_key_t key = Key([](void*) { *told += "destroyed "; });
  EXPECT_EQ(Told([key] {
              AwaitEndOfThisThread();
              pthread_setspecific(key, told);
            }),
            "destroyed ended ");
  pthread_key_delete(key);
}

TEST_F(ThreadEnd, ComesAfterDestructorsThatAskForAnotherRound) {
  static pthread_key_t key;
  key = Key([](void*) {
    *told += "destroyed ";
    pthread_setspecific(key, told);
  });
  // Three rounds belong to the program; glibc has four.
  EXPECT_EQ(Told([] {
              AwaitEndOfThisThread();
              pthread_setspecific(key, told);
            }),
            "destroyed destroyed destroyed ended destroyed ");
  pthread_key_delete(key);
}

TEST_F(ThreadEnd, LeavesTheLowKeysToTheProgram) {
  pthread_key_t keys[20];
  for (pthread_key_t& key : keys) {
    key = Key(nullptr);
    EXPECT_EQ(key, keys[0] + static_cast<pthread_key_t>(&key - keys));
  }
  EXPECT_LT(keys[0], 10u);  // GoogleTest has some
  for (const pthread_key_t key : keys) pthread_key_delete(key);
}

}  // namespace
}  // namespace ompprof::collect
