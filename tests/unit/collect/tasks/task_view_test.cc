// Runtimes whose chain of tasks does not end, or leads back into itself: the number of questions, and the known
// answers.
#include "profiler/collect/tasks/read_task_view.h"
#include "profiler/collect/thread/thread_state.h"

#include <gtest/gtest.h>
#include <omp-tools.h>
#include <string.h>

#include <memory>
#include <vector>

#include "profiler/collect/base/os.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

struct Task {
  int flags;
  uintptr_t exit_frame;
  uint64_t parallel_data = 0;
  int thread_num = 0;
};

// Task `level` is tasks[level], or beyond `loop_from` a task behind that level again.
struct Runtime {
  std::vector<Task> tasks;
  size_t loop_from = 1000000;
  ompt_data_t data[4096];
  ompt_data_t parallel[4096];
  ompt_frame_t frames[4096];
  uint64_t asked = 0;
  uint64_t gone_through = 0;  // steps from task to task, which runtimes make
  int deepest = 0;
  bool fatal = false;  // libomp 7 to 13 would have gone through a null pointer
} runtime;

int GetState(ompt_wait_id_t*) { return ompt_state_work_parallel; }

int GetTaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                int* thread_num) {
  ++runtime.asked;
  runtime.gone_through += static_cast<uint64_t>(level);
  if (level > runtime.deepest) runtime.deepest = level;
  auto which = static_cast<size_t>(level);
  if (which >= runtime.tasks.size()) {
    if (which > runtime.tasks.size() && thread_num != nullptr) runtime.fatal = true;
    if (runtime.loop_from >= runtime.tasks.size()) return 0;
    which = runtime.loop_from + (which - runtime.loop_from) % (runtime.tasks.size() - runtime.loop_from);
  }
  const Task& said = runtime.tasks[which];
  *flags = said.flags;
  *task = &runtime.data[which];
  *parallel = &runtime.parallel[which];
  (*parallel)->value = said.parallel_data;
  *frame = &runtime.frames[which];
  (*frame)->exit_frame.value = said.exit_frame;
  if (thread_num != nullptr) *thread_num = said.thread_num;
  return 2;
}

ompt_set_result_t SetCallback(ompt_callbacks_t, ompt_callback_t) { return ompt_set_always; }

ompt_interface_fn_t Lookup(const char* name) {
  if (strcmp(name, "ompt_set_callback") == 0) return reinterpret_cast<ompt_interface_fn_t>(SetCallback);
  if (strcmp(name, "ompt_get_state") == 0) return reinterpret_cast<ompt_interface_fn_t>(GetState);
  if (strcmp(name, "ompt_get_task_info") == 0) return reinterpret_cast<ompt_interface_fn_t>(GetTaskInfo);
  return nullptr;
}

class TaskViewTest : public testing::Test {
 protected:
  TaskViewTest() {
    static const bool started = [] {
      session.active.store(true);
      SetMemoryBudget(~0ull);
      ompt_start_tool_result_t* tool = StartTool(202011, "LLVM OMP version: scripted");
      return tool != nullptr && tool->initialize(Lookup, 0, &tool->tool_data) == 1;
    }();
    EXPECT_TRUE(started);
    thread_->tasks.announced_by = 1;
    runtime.loop_from = 1000000;
    runtime.fatal = false;
    region_ = pool_->Allocate(2);
    region_->codeptr_ra = 0x5555;
    ref_ = MakeRef(region_);
  }
  // The callbacks have told of the thread's region.
  void InRegion(uint32_t thread_num) {
    thread_->tasks.open[0].region = ref_;
    thread_->tasks.open[0].thread_num = thread_num;
    thread_->tasks.depth = 1;
  }
  void Read() {
    runtime.asked = runtime.gone_through = 0;
    runtime.deepest = 0;
    thread_->sampler.limits.fuel.Fill();
    ReadTaskView(thread_.get(), &view_);
  }
  bool IsCut(Cut cut) const { return thread_->sampler.limits.fuel.Has(cut); }

  std::unique_ptr<ThreadState> thread_ = std::make_unique<ThreadState>();
  std::unique_ptr<RegionPool> pool_ = std::make_unique<RegionPool>();
  RegionRecord* region_;
  RegionRef ref_;
  TaskView view_;
};

const NodeKey kRegionsTask = MakeKey(0x5555, fields::kNodeImplicitTask);

TEST_F(TaskViewTest, AChainThatEnds) {
  runtime.tasks = {{ompt_task_explicit, 0x100}, {ompt_task_implicit, 0x200, ref_, 0}, {ompt_task_initial, 0}};
  Read();
  EXPECT_EQ(view_.count, 3u);
  EXPECT_EQ(view_.region, ref_);
  EXPECT_EQ(runtime.asked, 3u) << "an initial task has nothing around it";
  EXPECT_FALSE(thread_->sampler.limits.fuel.IsCut());
}

TEST_F(TaskViewTest, TheMarkerTellsATaskThatRunsAtOnce) {
  constexpr int kUndeferred = ompt_task_explicit | ompt_task_undeferred;
  constexpr int kMerged = ompt_task_explicit | static_cast<int>(ompt_task_merged);
  runtime.tasks = {{kUndeferred, 0x100},
                   {kMerged, 0x110},
                   {ompt_task_explicit, 0x120},
                   {ompt_task_explicit, 0x130},
                   {kUndeferred, 0x140},
                   {ompt_task_target | ompt_task_undeferred, 0x150},
                   {ompt_task_implicit, 0x200, ref_, 0},
                   {ompt_task_initial, 0}};
  runtime.data[0].value = 0x777;
  runtime.data[2].value = 0x888;
  runtime.data[4].value = 1ull << 63 | 5;  // a node of the creator's path
  Read();
  runtime.data[0].value = runtime.data[2].value = runtime.data[4].value = 0;
  ASSERT_EQ(view_.count, 8u);
  EXPECT_EQ(view_.levels[0].marker, MakeKey(0x777, fields::kNodeUndeferredTask));
  EXPECT_EQ(view_.levels[1].marker, MakeKey(0, fields::kNodeUndeferredTask));
  EXPECT_EQ(view_.levels[2].marker, MakeKey(0x888, fields::kNodeExplicitTask));
  EXPECT_EQ(view_.levels[3].marker, MakeKey(0, fields::kNodeExplicitTask));
  EXPECT_EQ(view_.levels[4].marker, MakeKey(0, fields::kNodeUndeferredTask));
  EXPECT_EQ(view_.levels[5].marker, 0u) << "a target task";
  EXPECT_FALSE(HasSite(view_.levels[0].marker));
  EXPECT_TRUE(HasSite(view_.levels[2].marker));
  EXPECT_FALSE(HasSite(view_.levels[3].marker));
  EXPECT_TRUE(HasSite(kRegionsTask));
  EXPECT_FALSE(HasSite(0));
}

// libomp 14's answers about untied tasks.
TEST_F(TaskViewTest, ACircleIsSeenWhereItCloses) {
  for (const size_t length : {1u, 2u, 3u, 7u, 30u}) {
    for (const size_t before : {0u, 1u}) {
      runtime.tasks.assign(before + length, {ompt_task_explicit, 0x100});
      runtime.loop_from = before;
      InRegion(0);
      Read();
      EXPECT_EQ(runtime.asked, before + length + 1);
      EXPECT_TRUE(IsCut(Cut::kCircle));
      EXPECT_FALSE(IsCut(Cut::kTasks));
      ASSERT_EQ(view_.count, before + length + 2) << "each task once, the region's, and what is around it";
      EXPECT_EQ(view_.levels[view_.count - 2].marker, kRegionsTask);
      EXPECT_EQ(view_.primary_of[view_.count - 2], ref_);
      EXPECT_EQ(view_.region, ref_);
      EXPECT_EQ(view_.splice, 0u);
    }
  }
}

TEST_F(TaskViewTest, AWorkerIsSplicedToTheRegionThatTheCallbacksKnow) {
  runtime.tasks = {{ompt_task_explicit, 0x100}};
  runtime.loop_from = 0;
  InRegion(3);
  Read();
  EXPECT_EQ(view_.splice, ref_);
  EXPECT_EQ(view_.region, ref_);
  ASSERT_EQ(view_.count, 2u);
  EXPECT_EQ(view_.levels[1].marker, kRegionsTask);
  EXPECT_EQ(view_.levels[1].exit_frame, 0u) << "nobody has said where it begins";
  // A region that has ended is no region.
  region_->live.store(false);
  Read();
  EXPECT_EQ(view_.count, 1u);
  EXPECT_EQ(view_.splice, 0u);
}

// libomp 7 to 9 say 0 for a worker that executes a task.
TEST_F(TaskViewTest, TheEventTellsTheThreadsNumber) {
  runtime.tasks = {{ompt_task_explicit, 0x100}, {ompt_task_implicit, 0x200, ref_, 0}, {ompt_task_initial, 0}};
  InRegion(1);
  Read();
  EXPECT_EQ(view_.splice, 0u) << "the event was another task's";
  thread_->tasks.open[0].data = &runtime.data[1];
  Read();
  EXPECT_EQ(view_.count, 2u);
  EXPECT_EQ(view_.splice, ref_);
}

// libomp 19 says the inner region while it makes the inner team.
TEST_F(TaskViewTest, TheEventTellsATasksRegion) {
  const RegionRef inner = MakeRef(pool_->Allocate(2));
  runtime.tasks = {{ompt_task_implicit, 0x200, inner, 0}, {ompt_task_initial, 0}};
  InRegion(0);
  Read();
  EXPECT_EQ(view_.region, inner) << "the event was another task's";
  thread_->tasks.open[0].data = &runtime.data[0];
  Read();
  EXPECT_EQ(view_.region, ref_);
}

TEST_F(TaskViewTest, WhereTheRegionsTaskBeginsIsKeptFromBefore) {
  runtime.tasks = {{ompt_task_implicit, 0x700, ref_, 1}};
  InRegion(1);
  Read();
  EXPECT_EQ(view_.count, 1u);
  // Now the chain is a circle. The implicit task's frame stayed in its place.
  runtime.tasks = {{ompt_task_implicit, 0x700, ref_, 1}, {ompt_task_explicit, 0x100}, {ompt_task_explicit, 0x200}};
  std::swap(runtime.frames[0], runtime.frames[8]);
  thread_->sampler.limits.frame = &runtime.frames[8];
  runtime.tasks[0] = {ompt_task_explicit, 0x50};
  runtime.loop_from = 0;
  Read();
  ASSERT_EQ(view_.count, 4u);
  EXPECT_EQ(view_.levels[3].marker, kRegionsTask);
  EXPECT_EQ(view_.levels[3].exit_frame, 0x700u);
}

TEST_F(TaskViewTest, AnEndlessChainCostsWhatItsShareOfTheFuelIs) {
  runtime.tasks.assign(4096, {ompt_task_explicit, 0x100});
  for (size_t i = 0; i < runtime.tasks.size(); ++i) runtime.tasks[i].exit_frame += i * 16;
  runtime.loop_from = 4095;
  InRegion(1);
  Read();
  EXPECT_TRUE(IsCut(Cut::kTasks));
  EXPECT_EQ(view_.count, TaskView::kMaxExplicit + 1) << "the innermost are kept";
  EXPECT_EQ(view_.region, ref_);
  EXPECT_EQ(view_.splice, ref_);
  EXPECT_LE(runtime.asked * 2 + runtime.gone_through / 4, Fuel::kMostForTasks + runtime.asked);
  EXPECT_GT(runtime.asked, 50u);
  EXPECT_GE(thread_->sampler.limits.fuel.Affordable(Cut::kFrames),
            Fuel::kSample - Fuel::kMostForTasks - Fuel::kKeptForTree)
      << "the stack has what it needs";
}

// In a chain that ends, the region is found without a question for each task, as before.
TEST_F(TaskViewTest, ARegionAroundHundredsOfTasks) {
  for (const size_t tasks : {33u, 60u, 100u, 200u}) {
    runtime.tasks.assign(tasks, {ompt_task_explicit, 0x100});
    runtime.tasks.push_back({ompt_task_implicit, 0x9000, ref_, 0});
    runtime.tasks.push_back({ompt_task_initial, 0});
    Read();
    EXPECT_EQ(view_.count, TaskView::kMaxExplicit + 2) << tasks;
    EXPECT_EQ(view_.region, ref_) << tasks;
    EXPECT_EQ(view_.levels[TaskView::kMaxExplicit].exit_frame, 0x9000u) << tasks;
    EXPECT_FALSE(thread_->sampler.limits.fuel.IsCut()) << tasks;
  }
  EXPECT_FALSE(runtime.fatal);
}

TEST(AnswerTimeTest, SlowAnswersAreATenthOfTheTime) {
  constexpr uint64_t kPeriodNs = 100000;
  AnswerTime answers;
  uint64_t took = 0, samples = 0;
  for (; samples < 100000; ++samples) {
    if (!answers.MayAsk()) continue;
    took += 3 * kPeriodNs;
    if (answers.IsTimed()) answers.Took(3 * kPeriodNs, kPeriodNs);
  }
  EXPECT_NEAR(static_cast<double>(took) / static_cast<double>(samples * kPeriodNs), 0.1, 0.02);
}

TEST(AnswerTimeTest, ALostProcessorIsNoSlowRuntime) {
  constexpr uint64_t kPeriodNs = 100000;
  AnswerTime answers;
  for (int sample = 0; sample < 10000; ++sample) {
    ASSERT_TRUE(answers.MayAsk()) << sample;
    if (answers.IsTimed()) answers.Took(sample % 48 == 47 ? 4000000 : 150, kPeriodNs);
  }
}

TEST(AnswerTimeTest, OneThatRecoversIsAskedAgain) {
  AnswerTime answers;
  int asked = 0;
  for (int sample = 0; sample < 10000; ++sample) {
    if (!answers.MayAsk()) continue;
    if (answers.IsTimed()) answers.Took(sample < 1000 ? 300000 : 150, 100000);
    asked += sample >= 1100;
  }
  EXPECT_EQ(asked, 8900);
}

// However long one answer takes, the collector asks the runtime again within a second.
TEST(AnswerTimeTest, NobodyIsSilentForLong) {
  AnswerTime answers;
  for (int sample = 0; sample < 100 && answers.MayAsk(); ++sample) {
    if (answers.IsTimed()) answers.Took(60000000000, 100000);
  }
  int unasked = 1;
  while (!answers.MayAsk() && unasked < 1000000) ++unasked;
  EXPECT_NEAR(unasked, 10000, 2);
}

TEST(AnswerTimeTest, SlowToUsMayBeQuickForTheirPeriod) {
  AnswerTime answers;
  for (int sample = 0; sample < 1000; ++sample) {
    ASSERT_TRUE(answers.MayAsk());
    if (answers.IsTimed()) answers.Took(100000, 10000000);  // 0.1 ms each 10 ms
  }
}

}  // namespace
}  // namespace ompprof::collect
