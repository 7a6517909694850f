// A program that is its own tool and registers no callback. The shim then keeps less, and nothing may be missing.
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static ompt_set_callback_t set_callback;
static ompt_get_task_info_t get_task_info;
static int failures;

#define EXPECT(condition)                                      \
  do {                                                         \
    if (!(condition)) {                                        \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);      \
      printf("line %d: %s is not so\n", __LINE__, #condition); \
    }                                                          \
  } while (0)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  return 1;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}

// The places of the data words of this thread's tasks: a place for each record.
#define MOST 1000
static _Thread_local ompt_data_t* seen[MOST];
static _Thread_local int seen_count;

static void see_task(void) {
  ompt_data_t* data = NULL;
  EXPECT(get_task_info(0, NULL, &data, NULL, NULL, NULL) == 2);
  for (int i = 0; i < seen_count; i++)
    if (seen[i] == data) return;
  if (seen_count < MOST) seen[seen_count++] = data;
}

// Two tasks, with `depth` levels below them.
static void tree(int depth) {
  if (depth == 0) return;
  for (int i = 0; i < 2; i++) {
#pragma omp task
    {
      see_task();
      tree(depth - 1);
    }
  }
#pragma omp taskwait
}

// A thread has a record for each task that it is in at a time, and uses these records again.
static void check_records_of_nested_tasks(void) {
  enum { DEPTH = 8 };
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    tree(DEPTH);
    EXPECT(seen_count <= DEPTH);
  }
}

static unsigned dispatches;
static uint64_t dispatched;  // the sum of the iterations' numbers

static void on_dispatch(ompt_data_t* region, ompt_data_t* task, ompt_dispatch_t kind, ompt_data_t instance) {
  (void)region, (void)task;
  EXPECT(kind == ompt_dispatch_iteration);
  __atomic_add_fetch(&dispatches, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&dispatched, instance.value, __ATOMIC_RELAXED);
}

// The tool begins to listen in the middle of a loop, whose bounds are not kept. The loop's iterations are not numbered;
// the next loop's are.
static void check_listening_within_a_loop(void) {
  int arrived = 0, is_heard = 0;
#pragma omp parallel num_threads(2)
  {
    int is_first = 1;
#pragma omp for schedule(dynamic, 1)
    for (int i = 5; i < 605; i += 3) {
      if (is_first) __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
      is_first = 0;
      while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < 2) continue;
      if (i == 5) {
        EXPECT(set_callback(ompt_callback_dispatch, (ompt_callback_t)on_dispatch) == ompt_set_sometimes);
        __atomic_store_n(&is_heard, 1, __ATOMIC_SEQ_CST);
      }
      while (!__atomic_load_n(&is_heard, __ATOMIC_SEQ_CST)) continue;
    }
    EXPECT(dispatches == 0);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (int i = 5; i < 605; i += 3) EXPECT(dispatches > 0);
  }
  EXPECT(dispatches == 200 && dispatched == 199 * 200 / 2);
  set_callback(ompt_callback_dispatch, NULL);
}

int main(void) {
  check_listening_within_a_loop();
  check_records_of_nested_tasks();
  if (failures == 0) puts("done");
  return failures != 0;
}
