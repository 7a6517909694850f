/* Logs the events of one generation of OMPT, in the numbers of that generation: OpenMP 5.1, or with -DTR6 the chapter
   of Technical Report 6. Needs no header of either. tools_test.py compares the logs.

   A line is a word and numbers. Of a data word, the number is 1 if the tool has given it a value; of another pointer,
   whether there is one. */
#include "log.h"

typedef struct {
  void* exit_frame;
  void* enter_frame;
} Frame;

static atomic_uint_least64_t last_id;
static const int kLeague = 1 << 30;
/* A taskwait with nowait, of which older generations hear nothing, gets no value. */
static const int kTaskwait = 1 << 4, kUndeferred = 1 << 27;
static const uint64_t kHasRun = 1ull << 63; /* in a task's word: a thread has switched to it */

static int Known(const uint64_t* data) { return data != NULL && *data != 0; }
static void Name(uint64_t* data) {
  if (data != NULL) *data = atomic_fetch_add(&last_id, 1) + 1;
}

static void ThreadBegin(int type, uint64_t* data) {
  Name(data);
  LOG("thread_begin %d\n", type);
}
static void ThreadEnd(uint64_t* data) { LOG("thread_end %d\n", Known(data)); }
static void ParallelBegin(uint64_t* task, const Frame* frame, uint64_t* parallel, unsigned requested, int flags,
                          const void* code) {
  if ((flags & kLeague) == 0) Name(parallel); /* older generations have no leagues */
  LOG("parallel_begin %d %d %d %u %d %d\n", Known(task), Is(frame->exit_frame), Is(frame->enter_frame), requested,
      flags, Is(code));
}
static void ParallelEnd(uint64_t* parallel, uint64_t* task, int flags, const void* code) {
  LOG("parallel_end %d %d %d %d\n", Known(parallel), Known(task), flags, Is(code));
}
static void TaskCreate(uint64_t* task, const Frame* frame, uint64_t* created, int flags, int dependences,
                       const void* code) {
  if ((flags & kTaskwait) == 0 || (flags & kUndeferred) != 0) Name(created);
  LOG("task_create %d %d %d %d %d\n", Known(task), frame != NULL && frame->enter_frame != NULL, flags, dependences,
      Is(code));
}
/* The last number: the task is discarded before it has run. */
static void TaskSchedule(uint64_t* prior, int status, uint64_t* next) {
  const int is_cancelled = status == 3;
  LOG("task_schedule %d %d %d %d\n", Known(prior), status, Known(next), is_cancelled && (*prior & kHasRun) == 0);
  if (next != NULL) *next |= kHasRun;
}
#ifdef TR6
static void ImplicitTask(int endpoint, uint64_t* parallel, uint64_t* task, unsigned size, unsigned index) {
  if (endpoint == 1) Name(task);
  LOG("implicit_task %d %d %d %u %u\n", endpoint, Known(parallel), Known(task), size, index);
}
static void DataOp(uint64_t target, uint64_t operation, int type, void* host, void* device, size_t bytes) {
  LOG("target_data_op %d %d %d %d %d %zu\n", target != 0, operation != 0, type, Is(host), Is(device), bytes);
}
static void Submit(uint64_t target, uint64_t operation) { LOG("target_submit %d %d\n", target != 0, operation != 0); }
static void Idle(int endpoint) { LOG("idle %d\n", endpoint); }
#else
static void ImplicitTask(int endpoint, uint64_t* parallel, uint64_t* task, unsigned size, unsigned index, int flags) {
  if (endpoint == 1) Name(task);
  LOG("implicit_task %d %d %d %u %u %d\n", endpoint, Known(parallel), Known(task), size, index, flags);
}
static void DataOp(uint64_t target, uint64_t operation, int type, void* source, int source_device, void* destination,
                   int destination_device, size_t bytes, const void* code) {
  (void)source_device, (void)destination_device, (void)code;
  LOG("target_data_op %d %d %d %d %d %zu\n", target != 0, operation != 0, type, Is(source), Is(destination), bytes);
}
static void Submit(uint64_t target, uint64_t operation, unsigned teams) {
  (void)teams;
  LOG("target_submit %d %d\n", target != 0, operation != 0);
}
#endif
static void Target(int kind, int endpoint, int device, uint64_t* task, uint64_t id, const void* code) {
  LOG("target %d %d %d %d %d %d\n", kind, endpoint, device, Known(task), id != 0, Is(code));
}
static int Control(uint64_t command, uint64_t modifier, void* argument, const void* code) {
  LOG("control_tool %d %d %d %d\n", (int)command, (int)modifier, Is(argument), Is(code));
  return 0;
}
#define SYNC_REGION(name, word)                                                                    \
  static void name(int kind, int endpoint, uint64_t* parallel, uint64_t* task, const void* code) { \
    LOG(word " %d %d %d %d %d\n", kind, endpoint, Known(parallel), Known(task), Is(code));         \
  }
SYNC_REGION(SyncRegion, "sync_region")
SYNC_REGION(SyncRegionWait, "sync_region_wait")
#define MUTEX(name, word)                                          \
  static void name(int kind, uint64_t wait_id, const void* code) { \
    LOG(word " %d %d %d\n", kind, wait_id != 0, Is(code));         \
  }
MUTEX(Released, "mutex_released")
MUTEX(Acquired, "mutex_acquired")
MUTEX(LockDestroy, "lock_destroy")
#define MUTEX_ACQUIRE(name, word)                                                                \
  static void name(int kind, unsigned hint, unsigned impl, uint64_t wait_id, const void* code) { \
    LOG(word " %d %u %u %d %d\n", kind, hint, impl, wait_id != 0, Is(code));                     \
  }
MUTEX_ACQUIRE(Acquire, "mutex_acquire")
MUTEX_ACQUIRE(LockInit, "lock_init")
typedef struct {
  void* address;
  int type;
} Dependence;
static void Dependences(uint64_t* task, const Dependence* dependences, int count) {
  char types[64] = "";
  for (int i = 0; i < count && i < 20; i++)
    snprintf(types + strlen(types), sizeof types - strlen(types), " %d", dependences[i].type);
  LOG("dependences %d%s\n", Known(task), types);
}
static void TaskDependence(uint64_t* source, uint64_t* sink) {
  LOG("task_dependence %d %d\n", Known(source), Known(sink));
}
static void Work(int kind, int endpoint, uint64_t* parallel, uint64_t* task, uint64_t count, const void* code) {
  LOG("work %d %d %d %d %d %d\n", kind, endpoint, Known(parallel), Known(task), (int)count, Is(code));
}
static void NestLock(int endpoint, uint64_t wait_id, const void* code) {
  LOG("nest_lock %d %d %d\n", endpoint, wait_id != 0, Is(code));
}
static void Cancel(uint64_t* task, int flags, const void* code) {
  LOG("cancel %d %d %d\n", Known(task), flags, Is(code));
}

static const struct {
  const char* word;
  int five;
  int tr6;
  void (*function)(void);
} kEvents[] = {
#define EVENT(word, five, tr6, function) \
  { word, five, tr6, (void (*)(void))function }
    EVENT("thread_begin", 1, 1, ThreadBegin),
    EVENT("thread_end", 2, 2, ThreadEnd),
    EVENT("parallel_begin", 3, 3, ParallelBegin),
    EVENT("parallel_end", 4, 4, ParallelEnd),
    EVENT("task_create", 5, 5, TaskCreate),
    EVENT("task_schedule", 6, 6, TaskSchedule),
    EVENT("implicit_task", 7, 7, ImplicitTask),
    EVENT("target", 8, 8, Target),
    EVENT("target_data_op", 9, 9, DataOp),
    EVENT("target_submit", 10, 10, Submit),
    EVENT("control_tool", 11, 11, Control),
    EVENT("sync_region_wait", 16, 14, SyncRegionWait),
    EVENT("mutex_released", 17, 15, Released),
    EVENT("dependences", 18, 16, Dependences),
    EVENT("task_dependence", 19, 17, TaskDependence),
    EVENT("work", 20, 18, Work),
    EVENT("sync_region", 23, 21, SyncRegion),
    EVENT("lock_init", 24, 22, LockInit),
    EVENT("lock_destroy", 25, 23, LockDestroy),
    EVENT("mutex_acquire", 26, 24, Acquire),
    EVENT("mutex_acquired", 27, 25, Acquired),
    EVENT("nest_lock", 28, 26, NestLock),
    EVENT("cancel", 30, 28, Cancel),
#ifdef TR6
    EVENT("idle", 0, 29, Idle),
#endif
};

typedef void (*(*Lookup)(const char*))(void);
typedef int (*SetCallback)(int event, void (*callback)(void));

static int Initialize(Lookup lookup) {
  const SetCallback set_callback = (SetCallback)lookup("ompt_set_callback");
  for (size_t i = 0; i < sizeof kEvents / sizeof kEvents[0]; i++) {
#ifdef TR6
    const int number = kEvents[i].tr6;
#else
    const int number = kEvents[i].five;
#endif
    LOG("set %s %d\n", kEvents[i].word, set_callback(number, kEvents[i].function));
  }
  return 1;
}

#ifdef TR6
typedef struct Functions {
  int (*initialize)(Lookup lookup, struct Functions* functions);
  void (*finalize)(struct Functions* functions);
} Functions;
static Functions functions;
static int Begin(Lookup lookup, struct Functions* given) {
  LOG("initialize %d\n", given == &functions);
  return Initialize(lookup);
}
static void End(struct Functions* given) {
  LOG("finalize %d\n", given == &functions);
  Write();
}
#else
typedef struct {
  int (*initialize)(Lookup lookup, int device, uint64_t* data);
  void (*finalize)(uint64_t* data);
  uint64_t data;
} Functions;
static Functions functions;
static int Begin(Lookup lookup, int device, uint64_t* data) {
  (void)device;
  LOG("initialize %d\n", data == &functions.data);
  return Initialize(lookup);
}
static void End(uint64_t* data) {
  LOG("finalize %d\n", data == &functions.data);
  Write();
}
#endif
static Functions functions = {.initialize = Begin, .finalize = End};

Functions* ompt_start_tool(unsigned omp_version, const char* runtime_version) {
  (void)omp_version, (void)runtime_version;
  return &functions;
}
