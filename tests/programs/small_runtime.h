// A small OpenMP runtime with OMPT as a part of the program: one thread, regions, no library. It starts its tool and
// answers the tool's questions. Programs that include this header define GetState and GetTaskInfo.
#ifndef OMPPROF_TESTS_PROGRAMS_SMALL_RUNTIME_H_
#define OMPPROF_TESTS_PROGRAMS_SMALL_RUNTIME_H_

#include <dlfcn.h>
#include <omp-tools.h>
#include <string.h>

#include "truth.h"

namespace runtime {

static ompt_callback_parallel_begin_t parallel_begin;
static ompt_callback_parallel_end_t parallel_end;
static ompt_callback_implicit_task_t implicit_task;
static ompt_callback_device_initialize_t device_initialize;
static ompt_callback_target_emi_t target;
static ompt_callback_target_submit_emi_t target_submit;
static ompt_callback_target_data_op_emi_t target_data_op;
static ompt_data_t thread_data, region_data, task_data[2];
static ompt_frame_t frames[2];  // of the region's task and of the initial task
static int depth;               // 1 in the region
static int state = ompt_state_work_serial;

// The true answer to ompt_get_task_info about the region's task and the initial task.
static int TaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                    int* thread_num) {
  if (level > depth) return 0;
  const int which = level + (1 - depth);
  *flags = which == 0 ? ompt_task_implicit : ompt_task_initial;
  *task = &task_data[which];
  *frame = &frames[which];
  *parallel = which == 0 ? &region_data : nullptr;
  *thread_num = 0;
  return 2;
}

static ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t callback) {
  if (event == ompt_callback_thread_begin)
    reinterpret_cast<ompt_callback_thread_begin_t>(callback)(ompt_thread_initial, &thread_data);
  if (event == ompt_callback_parallel_begin)
    parallel_begin = reinterpret_cast<ompt_callback_parallel_begin_t>(callback);
  if (event == ompt_callback_parallel_end) parallel_end = reinterpret_cast<ompt_callback_parallel_end_t>(callback);
  if (event == ompt_callback_implicit_task) implicit_task = reinterpret_cast<ompt_callback_implicit_task_t>(callback);
  if (event == ompt_callback_device_initialize)
    device_initialize = reinterpret_cast<ompt_callback_device_initialize_t>(callback);
  if (event == ompt_callback_target_emi) target = reinterpret_cast<ompt_callback_target_emi_t>(callback);
  if (event == ompt_callback_target_submit_emi)
    target_submit = reinterpret_cast<ompt_callback_target_submit_emi_t>(callback);
  if (event == ompt_callback_target_data_op_emi)
    target_data_op = reinterpret_cast<ompt_callback_target_data_op_emi_t>(callback);
  return ompt_set_always;
}

// The program defines these answers.
static int GetState(ompt_wait_id_t* wait_id);
static int GetTaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                       int* thread_num);

static ompt_interface_fn_t Lookup(const char* name) {
  if (strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<ompt_interface_fn_t>(SetCallback);
  if (strcmp(name, "ompt_get_state") == 0) return reinterpret_cast<ompt_interface_fn_t>(GetState);
  if (strcmp(name, "ompt_get_task_info") == 0) return reinterpret_cast<ompt_interface_fn_t>(GetTaskInfo);
  return nullptr;
}

// `known`: the tool can tell the generation of OMPT from its initializer's arguments.
static void Start(const char* version, bool known = true) {
  using StartTool = ompt_start_tool_result_t* (*)(unsigned int, const char*);
  auto* start = reinterpret_cast<StartTool>(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
  ompt_start_tool_result_t* tool = start != nullptr ? start(202011, version) : nullptr;
  if (tool != nullptr) tool->initialize(Lookup, 0, known ? &tool->tool_data : nullptr);
}

#define FRAME() \
  { .ptr = __builtin_frame_address(0) }
constexpr int kRuntimesFrame = ompt_frame_runtime | ompt_frame_framepointer;

TRUTH_FUNCTION void fork_call(void (*body)(double), double ms) {
  frames[1].enter_frame = FRAME();
  frames[1].enter_frame_flags = kRuntimesFrame;
  if (parallel_begin != nullptr)
    parallel_begin(&task_data[1], &frames[1], &region_data, 1, ompt_parallel_invoker_runtime | ompt_parallel_team,
                   __builtin_return_address(0));
  frames[0].exit_frame = FRAME();
  frames[0].exit_frame_flags = kRuntimesFrame;
  depth = 1;
  state = ompt_state_work_parallel;
  if (implicit_task != nullptr) implicit_task(ompt_scope_begin, &region_data, &task_data[0], 1, 0, ompt_task_implicit);
  body(ms);
  if (implicit_task != nullptr) implicit_task(ompt_scope_end, nullptr, &task_data[0], 1, 0, ompt_task_implicit);
  depth = 0;
  frames[0].exit_frame = {};
  state = ompt_state_work_serial;
  if (parallel_end != nullptr)
    parallel_end(&region_data, &task_data[1], ompt_parallel_invoker_runtime | ompt_parallel_team,
                 __builtin_return_address(0));
  frames[1].enter_frame = {};
}

}  // namespace runtime

#endif  // OMPPROF_TESTS_PROGRAMS_SMALL_RUNTIME_H_
