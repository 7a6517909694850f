// The generation of OMPT is told from the initializer's arguments. A runtime of Technical Report 6, and LLVM 6 and 7
// between it and OpenMP 5.0, have other numbers and values.
#include "profiler/collect/ompt/generation.h"

#include <gtest/gtest.h>
#include <string.h>

#include "profiler/collect/ompt/tr2_values.h"
#include "profiler/collect/ompt/tr6_adapter.h"

namespace ompprof::collect {
namespace {

ompt_start_tool_result_t started;
const auto kStarted = reinterpret_cast<uintptr_t>(&started);
const auto kData = reinterpret_cast<uintptr_t>(&started.tool_data);

ompt_interface_fn_t FindNothing(const char*) { return nullptr; }
void FinalizeTool() {}
ompt_interface_fn_t FindFinalize(const char* name) {
  return strcmp(name, "ompt_finalize_tool") == 0 ? FinalizeTool : nullptr;
}

TEST(Generation, IsToldFromTheArguments) {
  EXPECT_EQ(GenerationOf(FindNothing, started, {kStarted, 0}), Generation::kTr6);
  EXPECT_EQ(GenerationOf(FindNothing, started, {kStarted, kData}), Generation::kTr6) << "a register's old value";
  EXPECT_EQ(GenerationOf(FindNothing, started, {kData, 0}), Generation::kTr6Late);
  EXPECT_EQ(GenerationOf(FindNothing, started, {0, kData}), Generation::kFive);
  EXPECT_EQ(GenerationOf(FindFinalize, started, {0, 0}), Generation::kFive) << "with data of another tool";
  EXPECT_EQ(GenerationOf(FindNothing, started, {0, 0}), Generation::kUnknown);
}

// What a scripted runtime was asked to register.
int asked_for;
ompt_callback_t registered;

ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t callback) {
  asked_for = event;
  registered = callback;
  return static_cast<ompt_set_result_t>(4);  // always, in these generations
}

int NextState(int current, int* next, const char** name) {
  const int states[] = {ompt_state_undefined, 0x13, 0x200, 0x201};
  const char* const names[] = {"", "omp_state_wait_barrier_implicit", "own", "own 2"};
  for (int i = 0; i < 3; i++) {
    if (states[i] != current) continue;
    *next = states[i + 1];
    *name = names[i + 1];
    return 1;
  }
  return 0;
}

ompt_interface_fn_t Find(const char* name) {
  if (strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<ompt_interface_fn_t>(SetCallback);
  if (strcmp(name, "ompt_enumerate_states") == 0) return reinterpret_cast<ompt_interface_fn_t>(NextState);
  return nullptr;
}

// The collector's callback, as OpenMP 5.x calls it.
ompt_mutex_t heard_kind;
ompt_wait_id_t heard_wait_id;
void OnReleased(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  heard_kind = kind;
  heard_wait_id = wait_id;
}
int heard_flags;
void OnImplicitTask(ompt_scope_endpoint_t, ompt_data_t*, ompt_data_t*, unsigned, unsigned, int flags) {
  heard_flags = flags;
}
template <typename Function>
ompt_callback_t Erase(Function* function) {
  return reinterpret_cast<ompt_callback_t>(function);
}

TEST(Tr6, EventsHaveTheirNumbersAndArguments) {
  EntryPoints entry_points;
  BindEntryPoints(Generation::kTr6, 1, Find, nullptr, &entry_points);
  EXPECT_EQ(entry_points.set_callback(ompt_callback_mutex_released, Erase(OnReleased)), ompt_set_always);
  EXPECT_EQ(asked_for, 15);
  constexpr int kOrdered = 0x20;
  reinterpret_cast<void (*)(int, ompt_wait_id_t, const void*)>(registered)(kOrdered, 5, nullptr);
  EXPECT_EQ(heard_kind, ompt_mutex_ordered);
  EXPECT_EQ(heard_wait_id, 5u);

  entry_points.set_callback(ompt_callback_implicit_task, Erase(OnImplicitTask));
  EXPECT_EQ(asked_for, 7);
  reinterpret_cast<void (*)(int, ompt_data_t*, ompt_data_t*, unsigned, unsigned)>(registered)(1, nullptr, nullptr, 2,
                                                                                              1);
  EXPECT_EQ(heard_flags, ompt_task_implicit);

  asked_for = 0;
  EXPECT_EQ(entry_points.set_callback(ompt_callback_dispatch, nullptr), ompt_set_never);
  EXPECT_EQ(entry_points.set_callback(ompt_callback_error, nullptr), ompt_set_never);
  EXPECT_EQ(asked_for, 0) << "the chapter has no such events";
}

TEST(Tr6, Llvm6HasTheNumbersOfFive) {
  EntryPoints entry_points;
  BindEntryPoints(Generation::kTr6Late, 0, Find, nullptr, &entry_points);
  EXPECT_EQ(entry_points.set_callback(ompt_callback_mutex_released, Erase(OnReleased)), ompt_set_always);
  EXPECT_EQ(asked_for, ompt_callback_mutex_released);
}

TEST(Tr6, Values) {
  EXPECT_EQ(tr6::ResultOf(0), ompt_set_error);
  EXPECT_EQ(tr6::ResultOf(2), ompt_set_sometimes);
  EXPECT_EQ(tr6::ResultOf(3), ompt_set_sometimes_paired);
  EXPECT_EQ(tr6::ResultOf(5), ompt_set_error);
  EXPECT_EQ(tr6::MutexOf(0x11), ompt_mutex_lock);
  EXPECT_EQ(tr6::MutexOf(0x12), ompt_mutex_nest_lock);
  EXPECT_EQ(tr6::MutexOf(0x13), ompt_mutex_critical);
  EXPECT_EQ(tr6::MutexOf(0x14), ompt_mutex_atomic);
  EXPECT_EQ(tr6::StatusOf(1), ompt_task_complete);
  EXPECT_EQ(tr6::StatusOf(4), ompt_task_switch);
}

TEST(Tr6, ValuesOfItsFirstRuntime) {
  EXPECT_EQ(tr2::StateOf(0x01), OmptState::kWorkParallel);
  EXPECT_EQ(tr2::StateOf(0x10), OmptState::kIdle);
  EXPECT_EQ(tr2::StateOf(0x20), OmptState::kOverhead);
  EXPECT_EQ(tr2::StateOf(0x40), OmptState::kWaitBarrier);
  EXPECT_EQ(tr2::StateOf(0x61), OmptState::kWaitLock) << "a nestable lock";
  EXPECT_EQ(tr2::StateOf(0x6f), OmptState::kWorkParallel) << "single, not standard";
  EXPECT_EQ(tr2::StateOf(0x70), OmptState::kUndefined);
  EXPECT_EQ(tr6::EarlyTypeOf(1), ompt_task_initial);
  EXPECT_EQ(tr6::EarlyTypeOf(3), ompt_task_explicit);
  EXPECT_EQ(tr6::EarlyTypeOf(4), ompt_task_target);
}

// The first runtime names its states from another beginning, counts the types of tasks, and tells no thread number.
int EarlyStates(int current, int* next, const char** name) {
  if (current != 0x71) return 0;
  *next = 0;
  *name = "ompt_state_work_serial";
  return 1;
}
int EarlyState(ompt_wait_id_t*) { return 0x42; }
int EarlyTask(int, int* type, ompt_data_t** data, ompt_frame_t** frame, ompt_data_t** parallel, int*) {
  static ompt_data_t word;
  static ompt_frame_t frames;
  *type = 3;
  *data = *parallel = &word;
  *frame = &frames;
  return 1;
}
ompt_interface_fn_t FindEarly(const char* name) {
  if (strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<ompt_interface_fn_t>(SetCallback);
  if (strcmp(name, "ompt_enumerate_states") == 0) return reinterpret_cast<ompt_interface_fn_t>(EarlyStates);
  if (strcmp(name, "ompt_get_state") == 0) return reinterpret_cast<ompt_interface_fn_t>(EarlyState);
  if (strcmp(name, "ompt_get_task_info") == 0) return reinterpret_cast<ompt_interface_fn_t>(EarlyTask);
  return nullptr;
}

TEST(Tr6, ItsFirstRuntime) {
  EntryPoints entry_points;
  BindEntryPoints(Generation::kTr6, 0, FindEarly, nullptr, &entry_points);
  ompt_wait_id_t wait_id;
  EXPECT_EQ(entry_points.get_state(&wait_id), ompt_state_wait_barrier_explicit);
  int flags = 0;
  int thread_num = 7;
  ompt_data_t *data = nullptr, *parallel = nullptr;
  ompt_frame_t* frame = nullptr;
  EXPECT_EQ(entry_points.get_task_info(0, &flags, &data, &frame, &parallel, &thread_num), 2);
  EXPECT_EQ(flags, ompt_task_explicit);
  EXPECT_EQ(thread_num, 0) << "no event has told";
}

// Reports know the standard states by their names in OpenMP 5.x.
TEST(Tr6, OnlyARuntimesOwnStatesAreNamed) {
  EntryPoints entry_points;
  BindEntryPoints(Generation::kTr6, 0, Find, nullptr, &entry_points);
  int next = 0;
  const char* name = nullptr;
  ASSERT_EQ(entry_points.enumerate_states(ompt_state_undefined, &next, &name), 1);
  EXPECT_STREQ(name, "own");
  ASSERT_EQ(entry_points.enumerate_states(next, &next, &name), 1);
  EXPECT_STREQ(name, "own 2");
  EXPECT_EQ(entry_points.enumerate_states(next, &next, &name), 0);
}

TEST(Tr6, FramesAreCanonicalAddresses) {
  EntryPoints entry_points;
  BindEntryPoints(Generation::kTr6, 0, Find, nullptr, &entry_points);
  struct {
    uintptr_t exit, enter, not_the_frames;
  } frame = {100, 200, ~0ul};
  const ompt_frame_t read = entry_points.read_frame(reinterpret_cast<const ompt_frame_t*>(&frame));
  EXPECT_EQ(read.exit_frame.value, 100u);
  EXPECT_EQ(read.exit_frame_flags, ompt_frame_runtime | ompt_frame_cfa);
  // This runtime is a part of the program.
  EXPECT_EQ(read.enter_frame.value, 200u);
  EXPECT_EQ(read.enter_frame_flags, ompt_frame_application | ompt_frame_cfa);
}

}  // namespace
}  // namespace ompprof::collect
