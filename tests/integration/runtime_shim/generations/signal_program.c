/* Waits in every way that libgomp has, and begins and ends many regions and tasks. For signal_test.py. */
#include <omp.h>
#include <time.h>

/* The tool's, if there is one. */
void check_enter_frame(char* cfa) __attribute__((weak));

enum { kRounds = 3, kMany = 1500 };
static const long kHoldNs = 3000000;

/* The others wait meanwhile. */
static void Hold(void) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < kHoldNs);
}

static void Mutexes(omp_lock_t* lock, omp_nest_lock_t* nest_lock) {
#pragma omp barrier
  omp_set_lock(lock);
  Hold();
  omp_unset_lock(lock);
#pragma omp barrier
  omp_set_nest_lock(nest_lock);
  omp_set_nest_lock(nest_lock);
  Hold();
  omp_unset_nest_lock(nest_lock);
  omp_unset_nest_lock(nest_lock);
#pragma omp barrier
#pragma omp critical
  Hold();
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 4; i++)
#pragma omp ordered
    Hold();
}

/* A task that the other thread runs, at the barrier: the calling thread waits for it. */
static void CreateForOther(void) {
  int begun = 0;
#pragma omp task shared(begun)
  {
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    Hold();
    Hold();
  }
  while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) == 0)
    ;
}

static void Tasks(void) {
  int value;
#pragma omp single copyprivate(value)
  {
    Hold();
    value = 1;
  }
  if (omp_get_thread_num() == 0) {
    CreateForOther();
#pragma omp taskwait
#pragma omp taskgroup
    {
      CreateForOther();
#pragma omp task if (0)
      Hold();
    }
  }
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < 3; i++) Hold();
  for (int i = 0; i < 100; i++)
#pragma omp task
    __asm__ volatile("" ::"r"(value));
}

static void Nested(void) {
#pragma omp parallel num_threads(2)
  Hold();
#pragma omp parallel num_threads(1)
  Hold();
}

/* The tool compares the frame that called the runtime with its canonical frame address, on both threads. */
static __attribute__((noinline)) void SmallFrame(void) {
  char* cfa = __builtin_dwarf_cfa();
#pragma omp parallel num_threads(2)
  if (check_enter_frame) check_enter_frame(cfa);
}
static __attribute__((noinline)) void LargeFrame(int size) {
  char* cfa = __builtin_dwarf_cfa();
  char array[size + 1];
#pragma omp parallel num_threads(2)
  if (check_enter_frame) check_enter_frame(cfa);
  __asm__ volatile("" ::"r"(array) : "memory");
}

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest_lock;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  omp_set_max_active_levels(2);
  for (int round = 0; round < kRounds; round++) {
    SmallFrame();
    LargeFrame(round * 1000);
#pragma omp parallel num_threads(2)
    {
      Mutexes(&lock, &nest_lock);
      Tasks();
      Nested();
    }
    Hold(); /* the workers are idle */
  }
  /* Regions that end while the workers are asked. */
  for (int i = 0; i < kMany; i++)
#pragma omp parallel num_threads(3)
    __asm__ volatile("");
  for (int i = 0; i < kMany / 10; i++)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
  return 0;
}
