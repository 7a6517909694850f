// Tasks, taskloops, taskgroups, dependences, detachable and cancelled tasks with determined outcomes. The text is the
// same on every run.
//
// RUN: OMP_NUM_THREADS=1
// RUN: OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive
// RUN: OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive OMP_CANCELLATION=true
// RUN: OMP_NUM_THREADS=1 OMP_CANCELLATION=true
// RUN: OMP_NUM_THREADS=17 OMP_WAIT_POLICY=passive OMP_MAX_ACTIVE_LEVELS=3
// RUN: OMP_NUM_THREADS=2 OMP_STACKSIZE=256k OMP_MAX_TASK_PRIORITY=5
#include <omp.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::atomic<long> live_objects{0};

struct Object {
  explicit Object(int number) : value(number), text(std::to_string(number)) { live_objects++; }
  Object(const Object& other) : value(other.value), text(other.text + "+") { live_objects++; }
  ~Object() { live_objects--; }
  int value;
  std::string text;
};

struct alignas(128) Large {
  char bytes[512];
};

bool IsWhole(const Large& large) {
  for (char byte : large.bytes)
    if (byte != 5) return false;
  return reinterpret_cast<unsigned long>(&large) % alignof(Large) == 0;
}

void Copies() {
  std::atomic<long> sum{0};
  std::atomic<int> wrong{0};
  {
    Object object(7);
    Large large;
    memset(&large, 5, sizeof(large));
    char one = 1;
    short three[3] = {1, 2, 3};
    long nine[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 500; i++) {
#pragma omp task firstprivate(object)
      {
        if (object.text.substr(0, 2) != "7+") wrong++;
        sum += object.value;
      }
#pragma omp task firstprivate(large)
      if (!IsWhole(large)) wrong++;
#pragma omp task firstprivate(large, object) if (i % 2 == 0) final(i % 3 == 0)
      {
        if (!IsWhole(large)) wrong++;
        sum += object.value;
      }
#pragma omp task firstprivate(one, three) shared(sum)
      sum += one + three[2];
#pragma omp task firstprivate(nine) untied mergeable priority(i % 7)
      for (long number : nine) sum += number;
#pragma omp task
      {}
    }
  }
  printf("copies %ld wrong %d live %ld\n", sum.load(), wrong.load(), live_objects.load());
}

void Chain(int depth, std::atomic<long>& count) {
  count++;
  if (depth == 0) return;
#pragma omp task shared(count)
  Chain(depth - 1, count);
}

int Loops() {
  long sum = 0, last = 0, orphaned = 0;
  std::atomic<long> shared_sum{0};
  Object object(2);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(3) firstprivate(object) reduction(+ : sum)
    for (long i = 0; i < 1000; i++) sum += i + object.value;
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 20000; i++) shared_sum += i;
#pragma omp taskloop num_tasks(40) lastprivate(last)
    for (unsigned long long i = 10; i < 5000; i += 3) last = static_cast<long>(i);
#pragma omp taskloop num_tasks(5000) if (0) collapse(2)
    for (long i = 100; i > 0; i -= 2)
      for (int j = 0; j < 100; j++) shared_sum += i * j;
#pragma omp taskloop
    for (long i = 5; i < 5; i++) shared_sum += 1000000;
#pragma omp taskloop nogroup num_tasks(7)
    for (int i = 0; i < 70; i++) shared_sum += i;
  }
#pragma omp taskloop grainsize(10) firstprivate(object) shared(orphaned)
  for (int i = 0; i < 100; i++) orphaned += i + object.value;
  printf("loops %ld %ld %ld %ld\n", sum, last, orphaned, shared_sum.load());
  return 0;
}

// Outside of all regions: before any construct has made libgomp defer tasks there, and after. The sum depends on the
// order.
void OrphanedReduction() {
  float sum = 0;
#pragma omp taskloop num_tasks(4) reduction(+ : sum)
  for (int i = 0; i < 4; i++) {
    printf("%d ", i);
    sum += i == 0 ? 1e8f : i == 1 ? -1e8f : 1.5f;
  }
  printf("sum %g\n", sum);
}

void Dependences() {
  int chain = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 5000; i++) {
#pragma omp task depend(inout : chain)
      chain = static_cast<int>((chain * 3L + i) % 1000003);
    }
#pragma omp taskwait depend(in : chain)
    printf("chain %d\n", chain);
#pragma omp task depend(inout : chain)
    chain = 1;
#pragma omp task depend(in : chain) if (0)
    printf("undeferred %d\n", chain);
  }
}

void Reductions() {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : x)
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : x)
    x += i;
  }
#pragma omp parallel reduction(task, + : y)
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : y)
    y += i;
  }
#pragma omp parallel
#pragma omp for reduction(task, + : y)
  for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : y)
    y += i;
  }
  printf("reductions %d %d\n", x, y);
}

void Exceptions() {
  std::atomic<long> caught{0};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task if (i % 2 == 0)
    try {
      if (i % 3 == 0) throw std::runtime_error("thrown");
    } catch (const std::exception&) {
      caught++;
    }
  }
  printf("caught %ld\n", caught.load());
}

void NestedRegions() {
  std::atomic<long> count{0};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task
    {
#pragma omp parallel num_threads(2)
#pragma omp single
      {
#pragma omp task
        count++;
#pragma omp taskwait
        count++;
      }
    }
  }
  printf("nested %ld\n", count.load());
}

void Detached() {
  std::atomic<long> sum{0};
  int order = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : order)
    sum++;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp task depend(in : order)
    sum += 2;
#pragma omp taskwait
  }
  printf("detached %ld\n", sum.load());
}

// One thread: the tasks that have started when the group is cancelled are known. libgomp throws away the others, but
// runs tasks that constructors have copied. It does not wait for the events of the discarded tasks.
void Cancelled() {
  int plain = 0, copied = 0, depending = 0, detached = 0;
  Object object(1);
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
  {
    omp_event_handle_t event;
    for (int i = 0; i < 10; i++) {
#pragma omp task
      plain++;
#pragma omp task firstprivate(object)
      copied += object.value;
#pragma omp task depend(inout : depending)
      depending++;
    }
#pragma omp taskloop num_tasks(5) nogroup
    for (int i = 0; i < 5; i++) plain += 100;
    if (omp_get_cancellation()) {
#pragma omp task detach(event)
      detached++;
    }
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
#pragma omp task
    plain += 1000;
#pragma omp taskloop
    for (int i = 0; i < 5; i++) plain += 10000;
  }
  printf("cancelled %d %d %d %d\n", plain, copied, depending, detached);
}

}  // namespace

int main() {
  // On a thread of its own: libgomp may crash in a larger region of the same thread afterwards.
  std::thread([] {
    OrphanedReduction();
    OrphanedReduction();
  }).join();
  for (int round = 0; round < 2; round++) {
    Copies();
    std::atomic<long> count{0};
#pragma omp parallel
#pragma omp single
    Chain(20000, count);
    printf("deep %ld\n", count.load());
    Loops();
    Dependences();
    Reductions();
    Exceptions();
    NestedRegions();
    Detached();
    Cancelled();
  }
  return 0;
}
