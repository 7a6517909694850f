// Threads that are not OpenMP's, the ways in which they end, and stacks that are not left by returning.
#include <alloca.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "soak_steps.h"

namespace soak {
namespace {

struct Task {
  uint64_t seed;
  int size;
  bool region;
  uint64_t result;
};

uint64_t RunTask(const Task& task) {
  if (!task.region) return Work(task.seed, task.size * 50);
  uint64_t sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 20; i++) sum += Work(task.seed + static_cast<uint64_t>(i), task.size);
  return sum;
}

void* Start(void* argument) {
  auto* const task = static_cast<Task*>(argument);
  task->result = RunTask(*task);
  if (task->seed % 3 == 0) pthread_exit(nullptr);
  return nullptr;
}

std::atomic<uint64_t> detached_sum{0};
std::atomic<int> detached_left{0};

void* StartDetached(void* argument) {
  auto* const task = static_cast<Task*>(argument);
  detached_sum += RunTask(*task);
  delete task;
  --detached_left;
  return nullptr;
}

struct Victim {
  sem_t ready;
  std::atomic<int> cleaned{0};
  bool asynchronous;
};

// Asynchronous cancellation comes here, between any two instructions. The function has no cleanups of its own: the
// tables of a function with cleanups know calls only.
__attribute__((noinline)) void WaitForDeath(Victim* victim) {
  if (victim->asynchronous) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  sem_post(&victim->ready);
  for (;;) {
    Work(42, 5000);
    if (!victim->asynchronous) usleep(50);
  }
}

void* StartVictim(void* argument) {
  auto* const victim = static_cast<Victim*>(argument);
  pthread_cleanup_push([](void* at) { ++*static_cast<std::atomic<int>*>(at); }, &victim->cleaned);
  WaitForDeath(victim);
  pthread_cleanup_pop(0);
  return nullptr;
}

__attribute__((noinline)) uint64_t Thrower(uint64_t seed, int depth) {
  if (depth == 0) throw std::runtime_error(std::to_string(Work(seed, 100)));
  return Thrower(seed + 1, depth - 1) + Work(seed, 10);
}

jmp_buf jump_to;

__attribute__((noinline)) uint64_t Jumper(uint64_t seed, int depth) {
  if (depth < 0) return seed;  // never true: the compiler would see no end otherwise
  if (depth == 0) longjmp(jump_to, 1 + static_cast<int>(Work(seed, 200) % 1000));
  return Jumper(seed + 1, depth - 1) + Work(seed, 10);
}

__attribute__((noinline)) uint64_t Recurse(uint64_t seed, int depth) {
  // A frame whose size the compiler does not know.
  const size_t size = 16 + seed % 200;
  auto* const room = static_cast<volatile char*>(alloca(size));
  room[seed % size] = static_cast<char>(depth);
  if (depth == 0) return Work(seed, 20000);
  const uint64_t below = Recurse(Mix(seed), depth - 1);
  return below + static_cast<uint64_t>(room[seed % size]);
}

}  // namespace

uint64_t Threads(uint64_t seed) {
  Random random(seed);
  std::vector<Task> tasks(static_cast<size_t>(random.From(1, 24)));
  std::vector<pthread_t> threads(tasks.size());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, static_cast<size_t>(random.From(2, 64)) * 65536);
  for (size_t i = 0; i < tasks.size(); i++) {
    tasks[i] = {random.Next(), random.From(1, 2000), random.Below(4) == 0, 0};
    if (pthread_create(&threads[i], &attributes, Start, &tasks[i]) != 0) abort();
  }
  pthread_attr_destroy(&attributes);
  uint64_t sum = 0;
  for (size_t i = 0; i < tasks.size(); i++) {
    pthread_join(threads[i], nullptr);
    sum += tasks[i].result;
  }
  std::vector<std::thread> more;
  std::atomic<uint64_t> total{0};
  for (int i = random.From(1, 3); i > 0; i--) {
    more.emplace_back([&total, i, seed] { total += Work(seed + static_cast<uint64_t>(i), 30000); });
  }
  for (std::thread& thread : more) thread.join();
  return sum + total;
}

uint64_t Detach(uint64_t seed) {
  Random random(seed);
  const int count = random.From(1, 12);
  detached_sum = 0;
  detached_left = count;
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, StartDetached, new Task{random.Next(), random.From(1, 1500), false, 0}) != 0)
      abort();
    pthread_detach(thread);
  }
  while (detached_left > 0) usleep(100);
  return detached_sum;
}

// Threads are cancelled once they are in code of the program.
uint64_t Killed(uint64_t seed) {
  Random random(seed);
  const int count = random.From(1, 6);
  uint64_t cleaned = 0;
  for (int i = 0; i < count; i++) {
    Victim victim;
    victim.asynchronous = random.Below(2) == 0;
    sem_init(&victim.ready, 0, 0);
    pthread_t thread;
    if (pthread_create(&thread, nullptr, StartVictim, &victim) != 0) abort();
    sem_wait(&victim.ready);
    if (random.Below(2) == 0) usleep(static_cast<useconds_t>(random.Below(3000)));
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    cleaned += static_cast<uint64_t>(victim.cleaned) + (result == PTHREAD_CANCELED ? 100 : 0);
    sem_destroy(&victim.ready);
  }
  return cleaned;
}

uint64_t Throw(uint64_t seed) {
  Random random(seed);
  const int rounds = random.From(10, 300), deepest = random.From(1, 40);
  uint64_t sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < rounds; i++) {
    try {
      Thrower(seed + static_cast<uint64_t>(i), i % deepest);
    } catch (const std::runtime_error& error) {
      sum += strlen(error.what());
    }
  }
  return sum;
}

uint64_t Jump(uint64_t seed) {
  Random random(seed);
  volatile uint64_t sum = 0;
  volatile int left = random.From(10, 500);
  const int deepest = random.From(1, 60);
  while (left > 0) {
    left = left - 1;
    const int value = setjmp(jump_to);
    if (value == 0) Jumper(seed + static_cast<uint64_t>(left), left % deepest);
    sum = sum + static_cast<uint64_t>(value);
  }
  return sum;
}

uint64_t Deep(uint64_t seed) {
  Random random(seed);
  const int depth = random.From(10, 3000);
  uint64_t sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 5; i++) sum += Recurse(seed + static_cast<uint64_t>(i), depth);
  return omp_get_max_threads() > 0 ? sum / 2 : 0;
}

}  // namespace soak
