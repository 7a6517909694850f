// A program that is its own tool. It compares the entry points' answers with known answers, most of them libgomp's own.
// Argument: the number that omp_get_num_places must give.
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES(with)                                                                                            \
  with(enumerate_states) with(enumerate_mutex_impls) with(set_callback) with(get_callback) with(get_thread_data) \
      with(get_num_places) with(get_place_proc_ids) with(get_place_num) with(get_partition_place_nums)           \
          with(get_proc_id) with(get_state) with(get_parallel_info) with(get_task_info) with(get_task_memory)    \
              with(get_num_devices) with(get_num_procs) with(get_target_info) with(get_unique_id) with(finalize_tool)

#define DEFINE(name) static ompt_##name##_t name;
ENTRIES(DEFINE)

static int failures;

#define EXPECT(condition)                                      \
  do {                                                         \
    if (!(condition)) {                                        \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);      \
      printf("line %d: %s is not so\n", __LINE__, #condition); \
    }                                                          \
  } while (0)

static int criticals;

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void* codeptr) {
  (void)hint, (void)codeptr;
  criticals++;
  const char* name = NULL;
  int known = 0, next = 0;
  for (int at = 0; enumerate_mutex_impls(at, &next, &name); at = next) known |= (unsigned)next == impl;
  EXPECT(kind == ompt_mutex_critical && known && id != 0);
}

static void nothing(void) {}

static void check_lookup(ompt_function_lookup_t lookup) {
#define FIND(name)                               \
  name = (ompt_##name##_t)lookup("ompt_" #name); \
  EXPECT(name != NULL);
  ENTRIES(FIND)
  EXPECT(lookup("ompt_get_nothing") == NULL && lookup("") == NULL && lookup("ompt_set_callback_") == NULL);
}

static void check_enumerations(void) {
  const char* name = NULL;
  int count = 0, next = 0, has_idle = 0, has_undefined = 0;
  for (int at = ompt_state_undefined; enumerate_states(at, &next, &name); at = next) {
    count++;
    has_idle |= next == ompt_state_idle && strcmp(name, "ompt_state_idle") == 0;
    has_undefined |= next == ompt_state_undefined;
    if (count > 100) break;
  }
  EXPECT(count > 10 && count < 40 && has_idle && !has_undefined);
  EXPECT(enumerate_states(0x77, &next, &name) == 0);
  EXPECT(enumerate_mutex_impls(0, &next, &name) == 1 && strlen(name) > 0);
  EXPECT(enumerate_mutex_impls(1000, &next, &name) == 0);
}

static void check_callbacks(void) {
  int codes[6] = {0};
  for (int event = 1; event <= 37; event++) {
    const ompt_set_result_t code = set_callback(event, nothing);
    if (code >= 0 && code <= 5) codes[code]++;
    EXPECT(code > ompt_set_error && code <= ompt_set_always);
    ompt_callback_t callback = NULL;
    EXPECT(get_callback(event, &callback) == 1 && callback == nothing);
    EXPECT(set_callback(event, NULL) == code);
    EXPECT(get_callback(event, &callback) == 0);
  }
  // A flush is compiled to no call. A device's work is between libgomp and its plugin. A static loop is compiled to no
  // call, and has no dispatch. parallel is always seen.
  EXPECT(codes[ompt_set_never] == 0 && codes[ompt_set_impossible] > 0 && codes[ompt_set_sometimes] > 0);
  EXPECT(codes[ompt_set_sometimes_paired] > 0 && codes[ompt_set_always] > 10);
  EXPECT(set_callback(ompt_callback_parallel_begin, NULL) == ompt_set_always);
  ompt_callback_t callback = NULL;
  const int illegal[] = {0, -1, 38, 39, 1000, -2147483647};
  for (unsigned i = 0; i < sizeof illegal / sizeof illegal[0]; i++) {
    EXPECT(set_callback((ompt_callbacks_t)illegal[i], nothing) == ompt_set_error);
    EXPECT(get_callback((ompt_callbacks_t)illegal[i], &callback) == 0);
  }
  EXPECT(set_callback(ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire) == ompt_set_always);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)data;
  EXPECT(device == 0);
  check_lookup(lookup);
  check_enumerations();
  check_callbacks();
  // Before the first event this thread is not yet known.
  ompt_wait_id_t wait_id = 1;
  EXPECT(get_state(&wait_id) == ompt_state_undefined && wait_id == 0 && get_thread_data() == NULL);
  EXPECT(get_num_procs() > 0);
  return 1;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}

static void check_thread(int level, int number, int size) {
  ompt_data_t *task = NULL, *region = NULL;
  int flags = 0, thread_num = -1, team_size = -1;
  ompt_frame_t* frame = NULL;
  EXPECT(get_task_info(0, &flags, &task, &frame, &region, &thread_num) == 2);
  EXPECT(thread_num == number && task != NULL && frame != NULL);
  EXPECT(get_task_info(level, &flags, NULL, NULL, NULL, NULL) == 2 && (flags & ompt_task_initial) != 0);
  EXPECT(get_task_info(level + 1, NULL, NULL, NULL, NULL, NULL) == 0);
  EXPECT(get_task_info(-1, NULL, NULL, NULL, NULL, NULL) == 0);
  ompt_data_t* of_region = NULL;
  EXPECT(get_parallel_info(0, &of_region, &team_size) == 2 && of_region == region && team_size == size);
  EXPECT(get_parallel_info(0, NULL, NULL) == 2);
  EXPECT(get_parallel_info(level, NULL, &team_size) == 2 && team_size == 1);
  EXPECT(get_parallel_info(level + 1, NULL, NULL) == 0 && get_parallel_info(-1, NULL, NULL) == 0);
  EXPECT(get_thread_data() != NULL);
}

static void check_place(void) {
  int ids[CPU_SETSIZE], of_program[CPU_SETSIZE];
  const int place = omp_get_place_num();  // binds the thread if it has no place yet
  EXPECT(get_num_places() == omp_get_num_places());
  for (int i = 0; i < omp_get_num_places(); i++) {
    const int count = omp_get_place_num_procs(i);
    EXPECT(get_place_proc_ids(i, 0, NULL) == count);
    ids[0] = -7;
    EXPECT(get_place_proc_ids(i, count - 1, ids) == count && ids[0] == -7);  // too small: untouched
    EXPECT(get_place_proc_ids(i, CPU_SETSIZE, ids) == count);
    omp_get_place_proc_ids(i, of_program);
    EXPECT(memcmp(ids, of_program, count * sizeof(int)) == 0);
  }
  EXPECT(get_place_num() == place);
  const int count = omp_get_partition_num_places();
  EXPECT(get_partition_place_nums(CPU_SETSIZE, ids) == count);
  omp_get_partition_place_nums(of_program);
  EXPECT(memcmp(ids, of_program, count * sizeof(int)) == 0);
  EXPECT(get_proc_id() >= 0 && get_num_procs() == omp_get_num_procs() && get_num_devices() == omp_get_num_devices());
  if (place >= 0) {
    get_place_proc_ids(place, CPU_SETSIZE, ids);
    int is_there = 0;
    for (int i = 0; i < get_place_proc_ids(place, CPU_SETSIZE, ids); i++) is_there |= ids[i] == get_proc_id();
    EXPECT(is_there);
  }
}

// A question about its place does not bind a thread that libgomp has not bound.
static void* ask_unbound(void* is_known) {
  cpu_set_t all, after;
  CPU_ZERO(&all);
  for (int i = 0; i < CPU_SETSIZE; i++) CPU_SET(i, &all);
  sched_setaffinity(0, sizeof all, &all);
  sched_getaffinity(0, sizeof all, &all);
  if (is_known != NULL) {
#pragma omp critical(known)
    EXPECT(get_thread_data() != NULL);
  }
  EXPECT(CPU_COUNT(&all) == 1 || get_place_num() == -1);
  EXPECT(CPU_COUNT(&all) == 1 || get_partition_place_nums(0, NULL) == 0);
  sched_getaffinity(0, sizeof after, &after);
  EXPECT(CPU_EQUAL(&all, &after));
  return NULL;
}

struct block {
  long words[4];
};

static void check_task_memory(void) {
  struct block block = {{11, 22, 33, 44}};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    void* address = &address;
    size_t size = 1;
    EXPECT(get_task_memory(&address, &size, 0) == 0 && address == NULL && size == 0);
#pragma omp task firstprivate(block)
    {
      EXPECT(get_task_memory(&address, &size, 0) == 0 && size >= sizeof block);
      EXPECT((char*)&block >= (char*)address && (char*)(&block + 1) <= (char*)address + size);
      EXPECT(block.words[3] == 44);
      EXPECT(get_task_memory(&address, &size, 1) == 0 && address == NULL && size == 0);
      EXPECT(get_task_memory(NULL, NULL, 0) == 0);
    }
  }
}

static int operations;  // bit 0: a data operation, bit 1: the launch of the region

// The tool chooses the ids. During an operation, and only then, the entry point has the operation's id.
static void check_operation(int kind, ompt_scope_endpoint_t endpoint, ompt_id_t* id, ompt_id_t chosen) {
  ompt_id_t target = 0, operation = 0;
  if (endpoint == ompt_scope_begin) {
    EXPECT(get_target_info(NULL, &target, &operation) == 1 && operation == ompt_id_none);
    *id = chosen;
  }
  EXPECT(get_target_info(NULL, &target, &operation) == 1 && operation == chosen && target != 0 && *id == chosen);
  __atomic_fetch_or(&operations, kind, __ATOMIC_RELAXED);
}

static void on_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t* task, ompt_data_t* target, ompt_id_t* id,
                       ompt_target_data_op_t type, void* source, int source_device, void* destination,
                       int destination_device, size_t bytes, const void* codeptr) {
  (void)type, (void)source, (void)source_device, (void)destination, (void)destination_device, (void)bytes,
      (void)codeptr;
  EXPECT(task != NULL && target != NULL);
  check_operation(1, endpoint, id, 100 + omp_get_thread_num());
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t* target, ompt_id_t* id, unsigned teams) {
  (void)target, (void)teams;
  check_operation(2, endpoint, id, 50);
}

static void use_memory(void) {
  ompt_id_t operation = 1;
  void* memory = omp_target_alloc(8, omp_get_initial_device());
  EXPECT(get_target_info(NULL, NULL, &operation) == 1 && operation == ompt_id_none);
  omp_target_free(memory, omp_get_initial_device());
}

static void check_operations(void) {
  EXPECT(set_callback(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op) == ompt_set_always);
  EXPECT(set_callback(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit) == ompt_set_always);
#pragma omp target
  {
    use_memory();
#pragma omp parallel num_threads(2)
    use_memory();
  }
  EXPECT(operations == 3);
  set_callback(ompt_callback_target_data_op_emi, NULL);
  set_callback(ompt_callback_target_submit_emi, NULL);
}

static void check_target(void) {
  uint64_t device = 7;
  ompt_id_t target = 0, operation = 0;
  EXPECT(get_target_info(&device, &target, &operation) == 0);
#pragma omp target
  {
    EXPECT(get_target_info(&device, &target, &operation) == 1 && device == (uint64_t)omp_get_initial_device());
    EXPECT(target != 0 && operation == ompt_id_none);
    EXPECT(get_target_info(NULL, NULL, NULL) == 1);
  }
  EXPECT(get_target_info(&device, &target, &operation) == 0);
}

int main(int count, char** arguments) {
  pthread_t thread;
#pragma omp critical(first)
  criticals += 0;
  EXPECT(criticals == 1);
  EXPECT(omp_get_num_places() == (count > 1 ? atoi(arguments[1]) : 0));
  EXPECT(get_state(NULL) == ompt_state_work_serial);
  check_thread(0, 0, 1);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    EXPECT(get_state(NULL) == ompt_state_work_parallel);
    check_thread(1, omp_get_thread_num(), 2);
    check_place();
#pragma omp parallel num_threads(3)
    {
      check_thread(2, omp_get_thread_num(), 3);
      check_place();
    }
    check_thread(1, omp_get_thread_num(), 2);
  }
  check_place();
  check_task_memory();
  check_target();
  check_operations();
  for (int is_known = 0; is_known < 2; is_known++) {
    pthread_create(&thread, NULL, ask_unbound, is_known ? &is_known : NULL);
    pthread_join(thread, NULL);
  }
  const uint64_t id = get_unique_id();
  EXPECT(id != 0 && get_unique_id() > id);

  // Registered after the initializer.
  EXPECT(set_callback(ompt_callback_mutex_acquire, NULL) == ompt_set_always);
  const int before = criticals;
#pragma omp critical(second)
  criticals += 0;
  EXPECT(criticals == before);

  // When the tool is no longer active, every entry point answers that there is nothing.
  finalize_tool();
  finalize_tool();
  ompt_wait_id_t wait_id = 1;
  EXPECT(get_state(&wait_id) == ompt_state_undefined && wait_id == 0 && get_thread_data() == NULL);
  EXPECT(get_task_info(0, NULL, NULL, NULL, NULL, NULL) == 0 && get_parallel_info(0, NULL, NULL) == 0);
  EXPECT(set_callback(ompt_callback_thread_begin, nothing) == ompt_set_error);
  if (failures == 0) puts("done");
  return failures != 0;
}
