#include "runtime_shim/generations/early_inquiry.h"

#include <atomic>

#include "runtime_shim/generations/early_values.h"
#include "runtime_shim/generations/user_frame.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace early {
namespace {

// The shim's own entry points.
ompt_get_thread_data_t get_thread_data;
ompt_get_state_t get_state;
ompt_get_task_info_t get_task_info;
ompt_get_parallel_info_t get_parallel_info;

Reenter reenter_of_tool;

std::atomic<uint64_t> last_id{0};
std::atomic<uint64_t> last_thread_id{0};

// The number in a data word, which gets the number behind `last` if it has none.
uint64_t NumberOf(ompt_data_t* data, std::atomic<uint64_t>& last) {
  if (data == nullptr) return 0;
  uint64_t number = __atomic_load_n(&data->value, __ATOMIC_RELAXED);
  if (number != 0) return number;
  const uint64_t own = last.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool is_own =
      __atomic_compare_exchange_n(&data->value, &number, own, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return is_own ? own : number;
}

// Within InResumedTask: a task that stands before the thread's current task, or the number of levels to leave out. No
// event comes within the event of a switch, so these do not nest.
__thread Task* volatile resumed_early __attribute__((tls_model("initial-exec")));
__thread volatile int left_out __attribute__((tls_model("initial-exec")));

// What a task shows. NULL: there is none.
struct Shown {
  ompt_data_t* data;
  ompt_frame_t* frame;
};

Shown TaskAt(int level) {
  if (level < 0) return {nullptr, nullptr};
  if (Task* first = resumed_early) {
    if (level == 0) return {&first->data, &first->frame};
    level--;
  }
  Shown shown = {nullptr, nullptr};
  get_task_info(level + left_out, nullptr, &shown.data, &shown.frame, nullptr, nullptr);
  return shown;
}

// A worker's region may end while the worker asks. Its records may then serve others, and the entry points no longer
// find them: an answer counts if they find the same record again.
bool IsStillTask(int level, const Shown& shown) { return TaskAt(level).data == shown.data; }

bool IsParallelRegion(ompt_data_t* data) { return (RegionOf(data)->flags & static_cast<int>(ompt_parallel_team)) != 0; }

// The region's level for ompt_get_parallel_info; -1 if there is none. Early levels count parallel regions only.
int LevelInFive(int level) {
  constexpr int kDeepest = 4096;
  for (int five = 0; five < kDeepest && level >= 0; five++) {
    ompt_data_t* data = nullptr;
    if (get_parallel_info(five, &data, nullptr) == 0) return -1;
    if (IsParallelRegion(data) && level-- == 0) return five;
  }
  return -1;
}

// The region of an implicit task whose end is told later than the region's; 0 if the current task is no such task.
uint64_t LateRegionId() {
  ompt_data_t* task = nullptr;
  ompt_data_t* region = nullptr;
  int flags = 0;
  if (get_task_info(0, &flags, &task, nullptr, &region, nullptr) == 0) return 0;
  return region == nullptr && (flags & ompt_task_implicit) != 0 ? TaskOf(task)->region_id : 0;
}

// The frame pointer of the user's frame that called the shim's frame with this frame pointer. (It may be compiled
// without frame pointers. Then this is where its frame pointer would point to.) Without call frame information, it is
// the beginning of that frame.
void* UsersFramePointer(void* frame_pointer, bool is_of_own_stack) {
  char* cfa = CallersCfa(frame_pointer, is_of_own_stack);
  return cfa != nullptr ? cfa - kFramePointerToCfa : static_cast<char*>(frame_pointer) + kFramePointerToCfa;
}

// Where a region continues in the frame that called, no frame of the runtime lies between the two tasks. Both addresses
// are then the end of the user's stack at the call, and stay. A target task leaves the runtime and returns to it at one
// place, without a frame of the user's.
Frame Convert(const ompt_frame_t& frame, bool is_of_own_stack) {
  void* exit = frame.exit_frame.ptr;
  void* enter = frame.enter_frame.ptr;
  const bool is_frame_pointer = enter != nullptr && (frame.enter_frame_flags & ompt_frame_framepointer) != 0;
  if (reenter_of_tool == Reenter::kOfUser && is_frame_pointer && enter != exit)
    enter = UsersFramePointer(enter, is_of_own_stack);
  return {exit, enter};
}

}  // namespace

uint64_t IdOf(ompt_data_t* data) { return NumberOf(data, last_id); }

uint64_t ThreadIdOf(ompt_data_t* data) { return NumberOf(data, last_thread_id); }

uint64_t RegionIdOf(ompt_data_t* region) { return region != nullptr && IsParallelRegion(region) ? IdOf(region) : 0; }

Frame ConvertFrame(const ompt_frame_t& frame) { return Convert(frame, true); }

void BindInquiry(ompt_function_lookup_t lookup, Reenter reenter) {
  get_thread_data = reinterpret_cast<ompt_get_thread_data_t>(lookup("ompt_get_thread_data"));
  get_state = reinterpret_cast<ompt_get_state_t>(lookup("ompt_get_state"));
  get_task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
  get_parallel_info = reinterpret_cast<ompt_get_parallel_info_t>(lookup("ompt_get_parallel_info"));
  reenter_of_tool = reenter;
  last_thread_id.store(0);
}

InResumedTask::InResumedTask(const Task* suspended, Task* resumed) {
  if (this_thread.current != suspended) return;
  if (suspended->scheduling_parent == resumed)
    left_out = 1;
  else
    resumed_early = resumed;
}

InResumedTask::~InResumedTask() {
  left_out = 0;
  resumed_early = nullptr;
}

uint64_t GetThreadId() { return ThreadIdOf(get_thread_data()); }

int GetState(uint64_t* wait_id) {
  const WaitDetail detail = this_thread.wait_detail;
  return StateOf(get_state(wait_id), detail);
}

void* GetIdleFrame() { return IsKnown(this_thread) ? this_thread.idle_frame : nullptr; }

uint64_t GetParallelId(int level) {
  const int five = LevelInFive(level);
  if (five < 0) return level == 0 ? LateRegionId() : 0;
  ompt_data_t* data = nullptr;
  if (get_parallel_info(five, &data, nullptr) == 0) return 0;
  const uint64_t id = RegionIdOf(data);
  ompt_data_t* again = nullptr;
  return get_parallel_info(five, &again, nullptr) != 0 && again == data ? id : 0;
}

int GetParallelTeamSize(int level) {
  const int five = LevelInFive(level);
  int size = -1;
  return five >= 0 && get_parallel_info(five, nullptr, &size) != 0 ? size : -1;
}

uint64_t GetTaskId(int level) {
  const Shown shown = TaskAt(level);
  const uint64_t id = IdOf(shown.data);
  return id != 0 && IsStillTask(level, shown) ? id : 0;
}

Frame* GetTaskFrame(int level) {
  const Shown shown = TaskAt(level);
  if (shown.data == nullptr) return nullptr;
  const Frame converted = Convert(*shown.frame, level == 0);
  return IsStillTask(level, shown) ? KeepFrame(level, converted) : nullptr;
}

}  // namespace early
}  // namespace gomp_ompt
