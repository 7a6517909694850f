// A runtime that offers less than Table 4.1: the tool takes the parts that exist.
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/ompt/runtime_facts.h"
#include "profiler/collect/thread/thread_state.h"

#include <gtest/gtest.h>
#include <omp-tools.h>
#include <string.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "profiler/collect/ompt/callbacks.h"
#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/tasks/read_task_view.h"
#include "profiler/collect/thread/session.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t) {
  return event <= ompt_callback_implicit_task ? ompt_set_always : ompt_set_never;
}

ompt_interface_fn_t Lookup(const char* name) {
  return strcmp(name, "ompt_set_callback") == 0 ? reinterpret_cast<ompt_interface_fn_t>(SetCallback) : nullptr;
}

// A scripted runtime's answers about the calling thread.
struct Script {
  int state = ompt_state_work_serial;
  struct Level {
    int flags;
    ompt_frame_t frame;
    ompt_data_t* parallel_data;
    int thread_num;
  };
  Level levels[3];
  int count = 0;
  ompt_callback_t callbacks[kOmptEvents] = {};
};
Script scripts[2];

template <int kNumber>
struct ScriptedRuntime {
  static ompt_set_result_t Set(ompt_callbacks_t event, ompt_callback_t callback) {
    scripts[kNumber].callbacks[event] = callback;
    return ompt_set_always;
  }
  static int GetState(ompt_wait_id_t*) { return scripts[kNumber].state; }
  static int GetTaskInfo(int depth, int* flags, ompt_data_t**, ompt_frame_t** frame, ompt_data_t** parallel_data,
                         int* thread_num) {
    if (depth >= scripts[kNumber].count) return 0;
    Script::Level& level = scripts[kNumber].levels[depth];
    *flags = level.flags;
    *frame = &level.frame;
    *parallel_data = level.parallel_data;
    *thread_num = level.thread_num;
    return 2;
  }
  static ompt_interface_fn_t Find(const char* name) {
    if (strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<ompt_interface_fn_t>(Set);
    if (strcmp(name, "ompt_get_state") == 0) return reinterpret_cast<ompt_interface_fn_t>(GetState);
    if (strcmp(name, "ompt_get_task_info") == 0) return reinterpret_cast<ompt_interface_fn_t>(GetTaskInfo);
    return nullptr;
  }
};

ompt_frame_t FrameAt(uintptr_t exit, uintptr_t enter) {
  ompt_frame_t frame;
  frame.exit_frame.value = exit;
  frame.enter_frame.value = enter;
  frame.exit_frame_flags = frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  return frame;
}

// In a process of its own: runtimes keep their places for a process's life.
void TwoRuntimes() {
  session.active.store(true);
  ompt_start_tool_result_t* first = StartTool(202011, "first");
  ompt_start_tool_result_t* second = StartTool(201811, "second");
  if (first == nullptr || second == nullptr || first == second) _exit(1);
  if (first->initialize(ScriptedRuntime<0>::Find, 0, &first->tool_data) != 1) _exit(2);
  if (second->initialize(ScriptedRuntime<1>::Find, 0, &second->tool_data) != 1) _exit(3);
  if (StartTool(201811, "third") != nullptr) _exit(4);
  if (strcmp(Facts(0)->version, "first") != 0 || strcmp(Facts(1)->version, "second") != 0) _exit(5);
  if (scripts[0].callbacks[ompt_callback_thread_begin] == scripts[1].callbacks[ompt_callback_thread_begin]) _exit(6);

  // Serial code of the first runtime entered a region of the second (frames 500 and 400 of the stack). That region
  // entered a region of the first (300 and 200), and there the thread is in the runtime (100).
  scripts[0].count = 2;
  scripts[0].levels[0] = {ompt_task_implicit, FrameAt(200, 100), nullptr, 0};
  scripts[0].levels[1] = {ompt_task_initial, FrameAt(0, 300), nullptr, 0};
  scripts[0].state = ompt_state_wait_critical;
  scripts[1].count = 2;
  scripts[1].levels[0] = {ompt_task_implicit, FrameAt(400, 0), nullptr, 0};
  scripts[1].levels[1] = {ompt_task_initial, FrameAt(0, 500), nullptr, 0};
  scripts[1].state = ompt_state_work_parallel;
  auto thread = std::make_unique<ThreadState>();
  thread->tasks.announced_by = 3;
  TaskView view;
  thread->sampler.limits.fuel.Fill();
  ReadTaskView(thread.get(), &view);
  if (view.count != 4) _exit(7);
  const uintptr_t exits[] = {200, 0, 400, 0}, enters[] = {100, 300, 0, 500};
  for (int i = 0; i < 4; ++i) {
    if (view.levels[i].exit_frame != exits[i] || view.levels[i].enter_frame != enters[i]) _exit(8);
  }
  if (view.state != OmptState::kWaitCritical) _exit(9);
  // A worker of the second runtime between its regions, once seen by the first. It is idle, because its stack is the
  // second's.
  scripts[0].count = 1;
  scripts[0].levels[0] = {ompt_task_initial, FrameAt(0, 0), nullptr, 0};
  scripts[0].state = ompt_state_work_serial;
  scripts[1].count = 0;
  scripts[1].state = ompt_state_idle;
  thread->tasks.worker_of = 2;
  thread->sampler.limits.fuel.Fill();
  ReadTaskView(thread.get(), &view);
  if (view.state != OmptState::kIdle || !view.runtime_base) _exit(10);

  // The first runtime gives the tool back and asks again. In a forked child the runtimes ask again without giving it
  // back.
  first->finalize(&first->tool_data);
  if (ActiveEntryPoints(0) != nullptr || ActiveEntryPoints(1) == nullptr) _exit(11);
  if (StartTool(202011, "first") != first || StartTool(201811, "second") != nullptr) _exit(12);
  region_session.fetch_add(1);
  if (StartTool(201811, "second") != second) _exit(13);
  _exit(0);
}

TEST(Tool, TwoRuntimesInOneProcess) { EXPECT_EXIT(TwoRuntimes(), ::testing::ExitedWithCode(0), ""); }

// In a process of its own: the session's settings belong to a process.
void WithoutWaits() {
  session.active.store(true);
  session.config.waits = false;
  ompt_start_tool_result_t* result = StartTool(202011, "any");
  if (result == nullptr || result->initialize(ScriptedRuntime<0>::Find, 0, &result->tool_data) != 1) _exit(1);
  const ompt_callbacks_t wanted[] = {
      ompt_callback_thread_begin,     ompt_callback_thread_end,    ompt_callback_parallel_begin,
      ompt_callback_parallel_end,     ompt_callback_implicit_task, ompt_callback_task_create,
      ompt_callback_control_tool,     ompt_callback_error,         ompt_callback_device_initialize,
      ompt_callback_device_finalize,  ompt_callback_target_emi,    ompt_callback_target_data_op_emi,
      ompt_callback_target_submit_emi};
  const CallbackRegistration* registrations = Registrations(0);
  for (uint32_t i = 0; i < kRegistrations; ++i) {
    bool is_wanted = false;
    for (const ompt_callbacks_t event : wanted) is_wanted = is_wanted || event == registrations[i].event;
    if ((scripts[0].callbacks[registrations[i].event] != nullptr) != is_wanted) _exit(2);
    if (Facts(0)->callback_results[i] != (is_wanted ? ompt_set_always : 0)) _exit(3);
  }
  _exit(0);
}

TEST(Tool, WithoutWaitsTheirEventsAreNotAskedFor) { EXPECT_EXIT(WithoutWaits(), ::testing::ExitedWithCode(0), ""); }

TEST(Tool, ARuntimeWithNothingButSetCallback) {
  EXPECT_EQ(StartTool(201811, "before the session"), nullptr) << "no session, no tool";
  session.active.store(true);
  ompt_start_tool_result_t* result = StartTool(201811, "a small runtime");
  ASSERT_NE(result, nullptr);
  ASSERT_EQ(result->initialize(Lookup, 0, &result->tool_data), 1);
  ASSERT_NE(Facts(0), nullptr);
  EXPECT_STREQ(Facts(0)->version, "a small runtime");
  EXPECT_EQ(Facts(0)->missing_count, 18u) << "of the 19 entry points";
  EXPECT_EQ(Facts(0)->state_count, 0u);
  const CallbackRegistration* registrations = Registrations(0);
  for (uint32_t i = 0; i < kRegistrations; ++i) {
    const bool required = registrations[i].event <= ompt_callback_implicit_task;
    EXPECT_EQ(Facts(0)->callback_results[i], required ? ompt_set_always : ompt_set_never) << registrations[i].name;
  }
  // The tool cannot ask about a thread that the runtime announced. Such a thread has the undefined state
  // and no levels. Nothing is called through NULL.
  auto thread = std::make_unique<ThreadState>();
  thread->tasks.announced_by = 1;
  TaskView view;
  thread->sampler.limits.fuel.Fill();
  ReadTaskView(thread.get(), &view);
  EXPECT_EQ(view.state, OmptState::kUndefined);
  EXPECT_EQ(view.count, 0u);
  EXPECT_EQ(view.region, 0u);
  result->finalize(&result->tool_data);
  EXPECT_EQ(ActiveEntryPoints(0), nullptr);
}

}  // namespace
}  // namespace ompprof::collect
