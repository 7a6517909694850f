// A scripted runtime of Technical Report 2: what its events and answers become for the rest of the collector. The
// events come in the order of the document, and in the order of LLVM 3.7 to 5.
#include "profiler/collect/ompt/tr2_adapter.h"
#include "profiler/collect/thread/thread_state.h"

#include <gtest/gtest.h>
#include <omp-tools.h>
#include <string.h>

#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "profiler/collect/ompt/id_map.h"
#include "profiler/collect/ompt/numbered_tasks.h"
#include "profiler/collect/ompt/tr2_values.h"
#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {
namespace {

using tr2::Event;

// The runtime: the callbacks that it was given, and its answers.
struct Runtime {
  ompt_callback_t callbacks[tr2::kEvents];
  std::set<int> unknown;  // events that it never tells
  uint64_t task_id = 0;
  tr2::Frame frame{};
  int state = 0x01;
  int team_size = 2;
  bool shut_down = false;
} runtime;

int SetCallback(int event, ompt_callback_t callback) {
  if (runtime.unknown.count(event) != 0) return 2;
  runtime.callbacks[event] = callback;
  return 4;
}
int GetState(ompt_wait_id_t*) { return runtime.state; }
uint64_t GetTaskId(int) { return runtime.task_id; }
tr2::Frame* GetTaskFrame(int) { return &runtime.frame; }
int GetTeamSize(int) { return runtime.team_size; }

template <typename Function>
ompt_interface_fn_t Erase(Function* function) {
  return reinterpret_cast<ompt_interface_fn_t>(function);
}
ompt_interface_fn_t Lookup(const char* name) {
  if (strcmp(name, "ompt_set_callback") == 0) return Erase(SetCallback);
  if (strcmp(name, "ompt_get_state") == 0) return Erase(GetState);
  if (strcmp(name, "ompt_get_task_id") == 0) return Erase(GetTaskId);
  if (strcmp(name, "ompt_get_task_frame") == 0) return Erase(GetTaskFrame);
  if (strcmp(name, "ompt_get_parallel_team_size") == 0) return Erase(GetTeamSize);
  return nullptr;
}

template <typename... Arguments>
void Happens(Event event, Arguments... arguments) {
  if (auto* callback = reinterpret_cast<void (*)(Arguments...)>(runtime.callbacks[event])) callback(arguments...);
}

// What the collector heard, a word for each event.
std::ostringstream heard;
uint64_t region_value;       // the next region's
const ompt_data_t* entered;  // the task that task_schedule named last

void OnParallelBegin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* parallel, unsigned, int, const void*) {
  parallel->value = region_value;
  heard << "parallel ";
}
void OnParallelEnd(ompt_data_t* parallel, ompt_data_t*, int, const void*) {
  heard << "/parallel:" << parallel->value << " ";
}
void OnImplicitTask(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t*, unsigned size, unsigned number,
                    int) {
  if (endpoint == ompt_scope_begin)
    heard << "implicit:" << parallel->value << ":" << number << "of" << size << " ";
  else
    heard << "/implicit:" << number << " ";
}
void OnTaskCreate(ompt_data_t*, const ompt_frame_t*, ompt_data_t* task, int, int, const void* codeptr_ra) {
  task->value = reinterpret_cast<uint64_t>(codeptr_ra);
  heard << "create ";
}
void OnTaskSchedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  entered = next;
  heard << (status == ompt_task_complete ? "complete:" : "switch:") << prior->value << "->" << next->value << " ";
}
void OnSync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void*) {
  heard << (endpoint == ompt_scope_begin ? "" : "/") << "wait" << kind << " ";
}
void OnMutex(ompt_mutex_t kind, ompt_wait_id_t id, const void*) { heard << "mutex" << kind << ":" << id << " "; }

class Tr2 : public ::testing::Test {
 protected:
  Tr2() {
    runtime = {};
    heard.str("");
    region_value = 70;
    this_thread = thread_.get();
  }
  ~Tr2() override { this_thread = nullptr; }

  void Join() {
    BindTr2(
        Lookup, /*reenters_as_runtime=*/true, [] { runtime.shut_down = true; }, &entry_points_);
    Hear(ompt_callback_parallel_begin, OnParallelBegin);
    Hear(ompt_callback_parallel_end, OnParallelEnd);
    Hear(ompt_callback_implicit_task, OnImplicitTask);
    Hear(ompt_callback_task_create, OnTaskCreate);
    Hear(ompt_callback_task_schedule, OnTaskSchedule);
    Hear(ompt_callback_sync_region_wait, OnSync);
    Hear(ompt_callback_mutex_acquired, OnMutex);
    Happens(Event::kThreadBegin, 1, uint64_t{1});
  }
  template <typename Function>
  ompt_set_result_t Hear(ompt_callbacks_t event, Function* function) {
    return entry_points_.set_callback(event, reinterpret_cast<ompt_callback_t>(function));
  }

  void BeginRegion(uint64_t parallel, uint64_t task) {
    Happens(Event::kParallelBegin, uint64_t{1}, &initial_frame_, parallel, uint32_t{2}, kFunction, 0);
    runtime.frame = {Address(0x1000), nullptr};
    Happens(Event::kImplicitTaskBegin, parallel, task);
  }

  struct Told {
    int found = 0;
    int flags = 0;
    ompt_data_t* data = nullptr;
    ompt_frame_t* frame = nullptr;
    ompt_data_t* parallel = nullptr;
    int thread_num = -1;
  };
  Told Task(int level) {
    Told told;
    told.found =
        entry_points_.get_task_info(level, &told.flags, &told.data, &told.frame, &told.parallel, &told.thread_num);
    return told;
  }

  static void* Address(uintptr_t address) { return reinterpret_cast<void*>(address); }
  const void* const kFunction = Address(0x4000);

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  EntryPoints entry_points_;
  tr2::Frame initial_frame_{nullptr, Address(0x2000)};
};

TEST_F(Tr2, ARegionInTheDocumentsOrder) {
  Join();
  BeginRegion(5, 50);
  Happens(Event::kBarrierBegin, uint64_t{5}, uint64_t{50});
  Happens(Event::kBarrierEnd, uint64_t{5}, uint64_t{50});
  runtime.frame.exit_runtime_frame = nullptr;  // the task's code is over
  Happens(Event::kBarrierBegin, uint64_t{5}, uint64_t{50});
  Happens(Event::kBarrierEnd, uint64_t{5}, uint64_t{50});
  Happens(Event::kImplicitTaskEnd, uint64_t{5}, uint64_t{50});
  Happens(Event::kParallelEnd, uint64_t{5}, uint64_t{1}, 0);
  EXPECT_EQ(heard.str(), "parallel implicit:70:0of2 wait1 /wait1 wait9 /wait9 /implicit:0 /parallel:70 ");
}

// LLVM 3.7 to 3.9 tell the task's end before the barrier at the region's end.
TEST_F(Tr2, ATaskThatEndsBeforeTheBarrier) {
  Join();
  BeginRegion(5, 50);
  Happens(Event::kImplicitTaskEnd, uint64_t{5}, uint64_t{50});
  Happens(Event::kBarrierBegin, uint64_t{5}, uint64_t{50});
  Happens(Event::kBarrierEnd, uint64_t{5}, uint64_t{50});
  Happens(Event::kParallelEnd, uint64_t{5}, uint64_t{1}, 0);
  EXPECT_EQ(heard.str(), "parallel implicit:70:0of2 wait9 /wait9 /implicit:0 /parallel:70 ");
}

// The worker waits in its idle state. For the collector, it waits at the barrier until it is next needed.
TEST_F(Tr2, AWorkersEndIsToldWhenItIsNextNeeded) {
  Join();
  RegionRecord record{};
  record.live.store(true);
  record.session.store(region_session.load());
  region_value = MakeRef(&record);
  ThreadState primary{};
  this_thread = &primary;
  Happens(Event::kParallelBegin, uint64_t{1}, &initial_frame_, uint64_t{5}, uint32_t{2}, kFunction, 0);
  this_thread = thread_.get();
  thread_->tasks.worker_of = 1;
  heard.str("");
  runtime.frame = {Address(0x1000), nullptr};
  Happens(Event::kImplicitTaskBegin, uint64_t{5}, uint64_t{51});
  runtime.frame.exit_runtime_frame = nullptr;
  Happens(Event::kBarrierBegin, uint64_t{5}, uint64_t{51});
  Happens(Event::kBarrierEnd, uint64_t{5}, uint64_t{51});
  Happens(Event::kImplicitTaskEnd, uint64_t{5}, uint64_t{51});
  runtime.task_id = 0;
  runtime.state = 0x10;
  const std::string value = std::to_string(region_value);
  EXPECT_EQ(heard.str(), "implicit:" + value + ":1of2 wait9 ");
  ompt_wait_id_t wait_id;
  EXPECT_EQ(entry_points_.get_state(&wait_id), ompt_state_wait_barrier_implicit_parallel);
  EXPECT_EQ(Task(0).parallel->value, region_value);
  EXPECT_EQ(Task(0).frame, nullptr);
  EXPECT_EQ(Task(1).found, 0) << "the tasks around it are on another stack";
  record.live.store(false);
  EXPECT_EQ(entry_points_.get_state(&wait_id), ompt_state_idle);

  // A task of the region is executed in the barrier. LLVM's runtimes have taken the implicit task's number away.
  Happens(Event::kTaskBegin, uint64_t{50}, &initial_frame_, uint64_t{90}, kFunction);
  Happens(Event::kTaskSwitch, uint64_t{0}, uint64_t{90});
  Happens(Event::kTaskSwitch, uint64_t{90}, uint64_t{0});
  Happens(Event::kTaskEnd, uint64_t{90});
  heard.str("");
  Happens(Event::kThreadEnd, 2, uint64_t{2});
  EXPECT_EQ(heard.str(), "/wait9 /implicit:1 ");
}

TEST_F(Tr2, ANestedRegionOfAWorker) {
  Join();
  BeginRegion(5, 50);
  thread_->tasks.numbered->tasks[0].thread_num = 1;  // this thread is a worker of the outer team
  region_value = 71;
  BeginRegion(6, 60);
  EXPECT_EQ(heard.str(), "parallel implicit:70:0of2 parallel implicit:71:0of2 ") << "the outer task goes on";
  EXPECT_EQ(Task(0).parallel->value, 71u);
  EXPECT_EQ(Task(1).parallel->value, 70u);
  EXPECT_EQ(Task(1).thread_num, 1);
}

// By the document a task is told when it is made, and its end comes before the switch that leaves it.
TEST_F(Tr2, TasksInTheDocumentsOrder) {
  Join();
  BeginRegion(5, 50);
  heard.str("");
  runtime.task_id = 50;
  Happens(Event::kTaskBegin, uint64_t{50}, &initial_frame_, uint64_t{90}, kFunction);
  Happens(Event::kTaskSwitch, uint64_t{50}, uint64_t{90});
  EXPECT_EQ(Task(0).flags, static_cast<int>(ompt_task_explicit));
  EXPECT_EQ(Task(0).data, entered);
  EXPECT_EQ(Task(1).flags, static_cast<int>(ompt_task_implicit));
  EXPECT_EQ(Task(2).flags, static_cast<int>(ompt_task_initial));
  EXPECT_EQ(Task(3).found, 0);
  Happens(Event::kTaskEnd, uint64_t{90});
  Happens(Event::kTaskSwitch, uint64_t{0}, uint64_t{50});
  EXPECT_EQ(heard.str(), "create switch:0->16385 complete:16385->0 ");
  EXPECT_EQ(Task(0).flags, static_cast<int>(ompt_task_implicit));
}

// LLVM's runtimes tell a task when it starts, and leave it before they tell its end. An undeferred task has no switch.
TEST_F(Tr2, TasksInTheOrderOfLlvm) {
  Join();
  BeginRegion(5, 50);
  heard.str("");
  runtime.task_id = 90;
  Happens(Event::kTaskBegin, uint64_t{50}, &initial_frame_, uint64_t{90}, kFunction);
  Happens(Event::kTaskSwitch, uint64_t{50}, uint64_t{90});
  runtime.task_id = 91;
  Happens(Event::kTaskBegin, uint64_t{90}, &initial_frame_, uint64_t{91}, kFunction);  // undeferred, in the first
  EXPECT_EQ(Task(2).flags, static_cast<int>(ompt_task_implicit));
  Happens(Event::kTaskEnd, uint64_t{91});
  Happens(Event::kTaskSwitch, uint64_t{90}, uint64_t{50});
  Happens(Event::kTaskEnd, uint64_t{90});
  EXPECT_EQ(heard.str(), "switch:0->16385 switch:16385->16385 complete:16385->16385 complete:16385->0 ");
}

// Each runs in the task before it. The tasks beyond the kept ones are not told apart, and nothing is lost below.
TEST_F(Tr2, TasksDeeperThanIsKept) {
  Join();
  BeginRegion(5, 50);
  constexpr uint64_t kFirst = 1000, kDeep = 10000;
  for (uint64_t id = kFirst; id < kFirst + kDeep; id++) {
    runtime.task_id = id;
    Happens(Event::kTaskBegin, id - 1, &initial_frame_, id, kFunction);
  }
  EXPECT_EQ(thread_->tasks.numbered->kept(), NumberedTasks::kMost);
  EXPECT_EQ(Task(0).flags, static_cast<int>(ompt_task_explicit));
  EXPECT_EQ(Task(NumberedTasks::kMost).flags, static_cast<int>(ompt_task_initial));
  for (uint64_t id = kFirst + kDeep; id-- > kFirst;) {
    Happens(Event::kTaskSwitch, id, id > kFirst ? id - 1 : 50);
    Happens(Event::kTaskEnd, id);
  }
  EXPECT_EQ(thread_->tasks.numbered->depth, 1u);
  EXPECT_EQ(Task(0).flags, static_cast<int>(ompt_task_implicit));
}

TEST_F(Tr2, MutexesAndAnswers) {
  runtime.unknown = {Event::kAcquiredCritical, Event::kReleaseLock,   Event::kReleaseNestLockLast,
                     Event::kReleaseCritical,  Event::kReleaseAtomic, Event::kReleaseOrdered};
  Join();
  EXPECT_EQ(Hear(ompt_callback_mutex_acquired, OnMutex), ompt_set_sometimes) << "criticals are not told";
  EXPECT_EQ(Hear(ompt_callback_mutex_released, OnMutex), ompt_set_never);
  EXPECT_EQ(Hear(ompt_callback_parallel_begin, OnParallelBegin), ompt_set_always);
  EXPECT_EQ(Hear(ompt_callback_dispatch, OnMutex), ompt_set_never);
  Happens(Event::kAcquiredNestLockFirst, ompt_wait_id_t{7});
  EXPECT_EQ(heard.str(), "mutex3:7 ");
  Happens(Event::kRuntimeShutdown);
  EXPECT_TRUE(runtime.shut_down);
}

// Where the events of whole barriers are missing, the events of their waits serve.
TEST_F(Tr2, WaitsWithoutTheirConstructs) {
  runtime.unknown = {Event::kBarrierBegin, Event::kBarrierEnd, Event::kTaskwaitBegin, Event::kTaskwaitEnd};
  Join();
  BeginRegion(5, 50);
  heard.str("");
  runtime.state = 0x42;
  Happens(Event::kWaitBarrierBegin, uint64_t{5}, uint64_t{50});
  Happens(Event::kWaitBarrierEnd, uint64_t{5}, uint64_t{50});
  Happens(Event::kWaitTaskwaitBegin, uint64_t{5}, uint64_t{50});
  EXPECT_EQ(heard.str(), "wait3 /wait1 wait5 ");
}

// The whole construct has a body, which works.
TEST_F(Tr2, ATaskgroupWaitsAfterItsBody) {
  Join();
  Happens(Event::kTaskgroupBegin, uint64_t{1}, uint64_t{2});
  EXPECT_EQ(heard.str(), "");
  Happens(Event::kWaitTaskgroupBegin, uint64_t{1}, uint64_t{2});
  Happens(Event::kWaitTaskgroupEnd, uint64_t{1}, uint64_t{2});
  Happens(Event::kTaskgroupEnd, uint64_t{1}, uint64_t{2});
  const std::string kind = std::to_string(ompt_sync_region_taskgroup);
  EXPECT_EQ(heard.str(), "wait" + kind + " /wait" + kind + " ");
}

TEST(IdMap, KeepsWhatFitsAndForgetsWhatEnds) {
  auto map = std::make_unique<IdMap<uint64_t, 4>>();
  std::vector<uint64_t> kept;
  for (uint64_t id = 1; id <= 100; id++) {
    uint64_t* value = map->Insert(id);
    if (value == nullptr) continue;
    *value = 10 * id;
    kept.push_back(id);
  }
  EXPECT_EQ(kept.size(), 16u) << "all places are taken";
  for (const uint64_t id : kept) {
    ASSERT_NE(map->Find(id), nullptr);
    EXPECT_EQ(*map->Find(id), 10 * id);
    EXPECT_EQ(map->Insert(id), map->Find(id)) << "an id has one place";
  }
  EXPECT_EQ(map->Find(0), nullptr);
  for (const uint64_t id : kept) map->Erase(id);
  for (const uint64_t id : kept) EXPECT_EQ(map->Find(id), nullptr);
  EXPECT_NE(map->Insert(1000), nullptr);
}

}  // namespace
}  // namespace ompprof::collect
