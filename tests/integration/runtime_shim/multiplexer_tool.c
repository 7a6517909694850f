// A tool that loads the next one by LLVM's ompt-multiplex.h. With -DOWN_STORAGE it keeps both tools' data itself. With
// -DCLIENT it is the next one. At the end it says how many events it heard: "NAME 2 2 1 1 3 3 1 2".
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OWN_STORAGE
typedef struct {
  ompt_data_t own, client;
} Both;
static ompt_data_t* ClientOf(ompt_data_t* data) {
  return data != NULL && data->ptr != NULL ? &((Both*)data->ptr)->client : NULL;
}
static void Delete(ompt_data_t* data) { free(data->ptr); }
static void Make(ompt_data_t* data) { data->ptr = calloc(1, sizeof(Both)); }
#define OMPT_MULTIPLEX_CUSTOM_GET_CLIENT_THREAD_DATA ClientOf
#define OMPT_MULTIPLEX_CUSTOM_GET_CLIENT_PARALLEL_DATA ClientOf
#define OMPT_MULTIPLEX_CUSTOM_GET_CLIENT_TASK_DATA ClientOf
#define OMPT_MULTIPLEX_CUSTOM_DELETE_THREAD_DATA Delete
#define OMPT_MULTIPLEX_CUSTOM_DELETE_PARALLEL_DATA Delete
#define OMPT_MULTIPLEX_CUSTOM_DELETE_TASK_DATA Delete
#else
static void Make(ompt_data_t* data) { (void)data; }
#endif

#ifdef CLIENT
static const char kName[] = "client";
#else
static const char kName[] = "multiplexer";
#define OMPT_MULTIPLEX_TOOL_NAME "MULTIPLEXER"
#include "ompt-multiplex.h"
#endif

enum { kThreadBegin, kThreadEnd, kRegionBegin, kRegionEnd, kTaskBegin, kTaskEnd, kCreate, kSchedule, kEvents };
static long heard[kEvents];
static void Hear(int event) { __atomic_fetch_add(&heard[event], 1, __ATOMIC_RELAXED); }

static void ThreadBegin(ompt_thread_t kind, ompt_data_t* thread) {
  (void)kind;
  Make(thread);
  Hear(kThreadBegin);
}
static void ThreadEnd(ompt_data_t* thread) {
  (void)thread;
  Hear(kThreadEnd);
}
static void ParallelBegin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* region, unsigned size, int flags,
                          const void* code) {
  (void)task, (void)frame, (void)size, (void)flags, (void)code;
  Make(region);
  Hear(kRegionBegin);
}
static void ParallelEnd(ompt_data_t* region, ompt_data_t* task, int flags, const void* code) {
  (void)region, (void)task, (void)flags, (void)code;
  Hear(kRegionEnd);
}
static void ImplicitTask(ompt_scope_endpoint_t end, ompt_data_t* region, ompt_data_t* task, unsigned size,
                         unsigned index, int flags) {
  (void)size, (void)index;
  Hear(end == ompt_scope_begin ? kTaskBegin : kTaskEnd);
  if (end != ompt_scope_begin) return;
  if ((flags & ompt_task_initial) != 0) Make(region);
  Make(task);
}
static void TaskCreate(ompt_data_t* parent, const ompt_frame_t* frame, ompt_data_t* task, int flags, int dependences,
                       const void* code) {
  (void)parent, (void)frame, (void)flags, (void)dependences, (void)code;
  Make(task);
  Hear(kCreate);
}
static void TaskSchedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  (void)prior, (void)status, (void)next;
  Hear(kSchedule);
}

static int Initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool) {
  (void)device, (void)tool;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_thread_begin, (ompt_callback_t)ThreadBegin);
  set(ompt_callback_thread_end, (ompt_callback_t)ThreadEnd);
  set(ompt_callback_parallel_begin, (ompt_callback_t)ParallelBegin);
  set(ompt_callback_parallel_end, (ompt_callback_t)ParallelEnd);
  set(ompt_callback_implicit_task, (ompt_callback_t)ImplicitTask);
  set(ompt_callback_task_create, (ompt_callback_t)TaskCreate);
  set(ompt_callback_task_schedule, (ompt_callback_t)TaskSchedule);
  return 1;
}
static void Finalize(ompt_data_t* tool) {
  (void)tool;
  printf("%s", kName);
  for (int event = 0; event < kEvents; ++event) printf(" %ld", heard[event]);
  printf("\n");
  fflush(stdout);
}
ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return &result;
}
