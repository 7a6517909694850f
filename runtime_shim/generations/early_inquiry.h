// The ids, frames and states that a tool of the early generations may ask for, at any time and in a signal handler.
#ifndef RUNTIME_SHIM_GENERATIONS_EARLY_INQUIRY_H_
#define RUNTIME_SHIM_GENERATIONS_EARLY_INQUIRY_H_

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime_shim/generations/frame.h"
#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {
namespace early {

// A region or task has its id in its data word. It gets the id when somebody first asks: a callback, or a signal
// handler that comes before the callback. So nothing is asked before it has an id, and a program without a question
// pays nothing. 0 for NULL. Async-signal-safe.
uint64_t IdOf(ompt_data_t* data);

// The same for a thread. Threads are numbered from 1: tools of the time take the id, less 1, for an index.
uint64_t ThreadIdOf(ompt_data_t* data);

// The shim's record around a data word.
inline Parallel* RegionOf(ompt_data_t* data) {
  return reinterpret_cast<Parallel*>(reinterpret_cast<char*>(data) - offsetof(Parallel, data));
}
inline Task* TaskOf(ompt_data_t* data) { return reinterpret_cast<Task*>(data); }
static_assert(offsetof(Task, data) == 0);

// The id of a region. 0 for the region around an initial task, and for a league, which the early generations do not
// have. Async-signal-safe.
uint64_t RegionIdOf(ompt_data_t* region);

// The second address of a frame.
enum class Reenter {
  kOfRuntime,  // the frame pointer of the runtime's frame, which the user's code called
  kOfUser,     // the frame pointer of the user's frame, which called the runtime
};

// Called before the tool's initializer. `lookup` gives the entry points of OpenMP 5.1.
void BindInquiry(ompt_function_lookup_t lookup, Reenter reenter);

// A frame of the calling thread, as the present tool has it. Async-signal-safe.
Frame ConvertFrame(const ompt_frame_t& frame);

// Until the end of the scope, level 0 is `resumed`: the tool hears of the switch from `suspended` to this task while
// the shim is still, or already, in the other of the two.
class InResumedTask {
 public:
  InResumedTask(const Task* suspended, Task* resumed);
  ~InResumedTask();
  InResumedTask(const InResumedTask&) = delete;
};

// The entry points of these names. Async-signal-safe.
uint64_t GetThreadId();
int GetState(uint64_t* wait_id);
void* GetIdleFrame();
uint64_t GetParallelId(int level);
int GetParallelTeamSize(int level);
uint64_t GetTaskId(int level);
Frame* GetTaskFrame(int level);

}  // namespace early
}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_EARLY_INQUIRY_H_
