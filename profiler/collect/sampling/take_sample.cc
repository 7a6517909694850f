#include "profiler/collect/sampling/take_sample.h"

#include <omp-tools.h>

#include "profiler/collect/ompt/debt.h"
#include "profiler/collect/ompt/wait_state.h"
#include "profiler/collect/phase.h"
#include "profiler/collect/sampling/stack_walk.h"
#include "profiler/collect/session.h"
#include "profiler/collect/write/writer.h"

// Where the collector itself lies, as the linker says it.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

namespace ompprof::collect {
namespace {

// Below this many free nodes the writer is asked for more before its time.
constexpr uint32_t kLowNodes = 1024;

bool IsOwn(uintptr_t pc) {
  const auto begin = reinterpret_cast<uintptr_t>(__ehdr_start);
  return pc - begin < reinterpret_cast<uintptr_t>(_end) - begin;
}

// The collector's own frames are under the runtime's in a callback, and nobody's where the profile ends.
bool IsUserFrame(NodeKey key) {
  const uint8_t kind = KeyKind(key);
  return (kind & 15) == fields::kNodeFrame && (kind & fields::kNodeRuntime) == 0 && !IsOwn(KeyValue(key));
}

// Nodes for path.keys[0 .. size), into last_nodes. Most samples share all but a few leaf frames with the one before, so
// those are compared, not looked up. False if the tree is full.
bool InsertPath(ThreadState* thread, uint32_t size) {
  PathBuffer* path = &thread->path;
  Tree* tree = &thread->slot->tree;
  uint32_t same = 0;
  const uint32_t comparable = size < path->last_size ? size : path->last_size;
  while (same < comparable && path->keys[same] == path->last_keys[same]) ++same;
  uint32_t node = same == 0 ? 0 : path->last_nodes[same - 1];
  for (uint32_t i = same; i < size; ++i) {
    node = tree->Child(node, path->keys[i]);
    if (node == 0) {
      path->last_size = i;
      return false;
    }
    path->last_keys[i] = path->keys[i];
    path->last_nodes[i] = node;
  }
  path->last_size = size;
  if (tree->spare() < kLowNodes) WakeWriter();
  return true;
}

// Position of the youngest user frame among keys [0, end), or end if there is none.
uint32_t YoungestUserFrame(const PathBuffer& path, uint32_t end) {
  for (uint32_t i = end; i > 0; --i) {
    if (IsUserFrame(path.keys[i - 1])) return i - 1;
  }
  return end;
}

// The primary thread is inside its region, so the path up to the region's implicit task is where the region was
// created.
void ResolveRegions(ThreadState* thread, const TaskView& view, uint32_t size) {
  const PathBuffer& path = thread->path;
  uint32_t position = 0;
  for (uint32_t level = view.count; level > 0; --level) {
    const RegionRef ref = view.primary_of[level - 1];
    const NodeKey marker = view.levels[level - 1].marker;
    if (marker == 0) continue;
    uint32_t at = position;
    while (at < size && path.last_keys[at] != marker) ++at;
    if (at == size) continue;  // not on the stack: the task has no frames of its own now
    position = at + 1;
    if (ref == 0 || RegionOf(ref)->context.load(std::memory_order_relaxed) != 0) continue;
    const uint32_t user = YoungestUserFrame(path, at);
    if (user == at) continue;
    RegionRecord* record = RegionOf(ref);
    record->splice = view.splice;
    record->context.store(static_cast<uint64_t>(thread->slot->tree.id()) << 32 | path.last_nodes[user],
                          std::memory_order_release);
  }
}

uint32_t InsertStack(ThreadState* thread, const ucontext_t* context, const TaskView& view) {
  const StackParts stack = WalkStack(thread, session.unwinder, context);
  const uint32_t size =
      Classify(stack, view.levels, view.count, view.runtime_base, session.runtime_code,
               session.epoch.load(std::memory_order_relaxed), thread->path.keys, thread->path.key_limit);
  return InsertPath(thread, size) ? size : 0;
}

// Whether the youngest frames are the user's, called by a runtime for a purpose of its own and not as a task.
bool CalledBack(const PathBuffer& path, uint32_t size) {
  uint32_t at = size - 1;
  while (at > 0 && IsUserFrame(path.last_keys[at])) --at;
  if ((KeyKind(path.last_keys[at]) & 15) != fields::kNodeFrame) return false;
  const RuntimeCode::Object* object = session.runtime_code.Find(KeyValue(path.last_keys[at]));
  return at != size - 1 && object != nullptr && !object->calls_tasks;
}

// What the thread does, where its stack knows better than the runtime.
uint32_t StateAt(const PathBuffer& path, uint32_t size, const TaskView& view) {
  if (view.state == 0 || !IsUserFrame(path.last_keys[size - 1])) return view.state;
  const auto state = static_cast<int>(view.state - 1);
  // LLVM's runtime forgets to say that it has done, in a region that is serialized within a teams construct.
  if (state == ompt_state_overhead)
    return 1 + static_cast<uint32_t>(view.region != 0 ? ompt_state_work_parallel : ompt_state_work_serial);
  // It has the program's code combine what the threads have, while all of them are at a barrier.
  if (IsBarrierState(state) && CalledBack(path, size)) return 1 + static_cast<uint32_t>(ompt_state_work_reduction);
  return view.state;
}

// A task whose creator's path is kept may have been created on another thread's stack, which its region's path
// continues.
bool HasTaskContext(const TaskView& view) {
  for (uint32_t level = 0; level < view.count; ++level) {
    if ((KeyKind(view.levels[level].marker) & 15) == fields::kNodeTaskContext) return true;
  }
  return false;
}

}  // namespace

void TakeSample(ThreadState* thread, const ucontext_t* context, uint64_t weight, uint32_t count) {
  TaskView& view = thread->sampled_view;
  ReadTaskView(*thread, &view);
  const uint32_t size = InsertStack(thread, context, view);
  if (size == 0) {
    thread->lost[fields::kLostTreeFull].Add(count, weight);
    WakeWriter();
    return;
  }
  ResolveRegions(thread, view, size);
  Sample sample;
  sample.weight = weight;
  sample.wait_id = view.wait_id;
  sample.splice = view.splice == 0 && HasTaskContext(view) ? view.region : view.splice;
  sample.region = view.region;
  sample.node = thread->path.last_nodes[size - 1];
  sample.count = count;
  sample.state = StateAt(thread->path, size, view);
  sample.kind = kSampled;
  sample.phase = PhaseForSample(*thread, view.region);
  sample.time_ns = session.config.timeline ? NowFor(thread) : 0;
  const uint32_t state = view.state - 1;
  const bool works = view.state != 0 && (state <= ompt_state_work_reduction || state == ompt_state_overhead);
  sample.extra = works ? TakeBlame(thread, view.region) : 0;
  if (sample.extra != 0) RememberBlamed(thread, sample);
  thread->last_sample = sample;
  if (!thread->ring.Push(sample)) thread->lost[fields::kLostRingFull].Add(count, weight);
  if ((thread->ring.head() - thread->ring.tail()) * 2 > thread->ring.capacity()) WakeWriter();
}

uint32_t RecordCallPath(ThreadState* thread, const ucontext_t* context, TaskView* view) {
  ReadTaskView(*thread, view);
  const uint32_t size = InsertStack(thread, context, *view);
  const uint32_t user = YoungestUserFrame(thread->path, size);
  return user == size ? 0 : thread->path.last_nodes[user];
}

uint32_t RecordStack(ThreadState* thread, const ucontext_t* context, TaskView* view) {
  ReadTaskView(*thread, view);
  const uint32_t size = InsertStack(thread, context, *view);
  return size == 0 ? 0 : thread->path.last_nodes[size - 1];
}

}  // namespace ompprof::collect
