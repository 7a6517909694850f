#include "profiler/collect/sampling/take_sample.h"

#include <omp-tools.h>

#include "profiler/collect/ompt/debt.h"
#include "profiler/collect/ompt/governor.h"
#include "profiler/collect/ompt/wait_state.h"
#include "profiler/collect/phase.h"
#include "profiler/collect/sampling/stack_walk.h"
#include "profiler/collect/session.h"
#include "profiler/collect/unwind/arch.h"
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

// Of a path that is cut for want of fuel, so many keys at the leaf are kept.
constexpr uint32_t kLeafKeys = 8;

// The path from keys[from] on becomes a cut and its leaf. Its new size.
uint32_t CutMiddle(NodeKey* keys, uint32_t from, uint32_t size) {
  if (size - from <= kLeafKeys + 1) return size;
  keys[from] = MakeKey(0, fields::kNodeCut);
  for (uint32_t i = 0; i < kLeafKeys; ++i) keys[from + 1 + i] = keys[size - kLeafKeys + i];
  return from + 1 + kLeafKeys;
}

// Nodes for path.keys[0 .. size), into last_nodes. Most samples share all but a few leaf frames with the one before, so
// those are compared, not looked up. Returns the path's size, which is smaller if it had to be cut; 0 if the tree is
// full.
uint32_t InsertPath(ThreadState* thread, uint32_t size) {
  PathBuffer* path = &thread->paths.buffer;
  Tree* tree = &thread->paths.slot->tree;
  uint32_t same = 0;
  const uint32_t comparable = size < path->last_size ? size : path->last_size;
  while (same < comparable && path->keys[same] == path->last_keys[same]) ++same;
  uint32_t node = same == 0 ? 0 : path->last_nodes[same - 1];
  bool cut = false;
  for (uint32_t i = same; i < size; ++i) {
    if (!cut && __builtin_expect(!thread->sampler.limits.fuel.Take(Cut::kTree, Fuel::kNode), 0)) {
      size = CutMiddle(path->keys, i, size);
      cut = true;
    }
    node = tree->Child(node, path->keys[i]);
    if (node == 0) {
      path->last_size = i;
      return 0;
    }
    path->last_keys[i] = path->keys[i];
    path->last_nodes[i] = node;
  }
  path->last_size = size;
  if (tree->spare() < kLowNodes) WakeWriter();
  return size;
}

// Position of the youngest user frame among keys [0, end), or end if there is none.
uint32_t YoungestUserFrame(const PathBuffer& path, uint32_t end) {
  for (uint32_t i = end; i > 0; --i) {
    if (IsUserFrame(path.keys[i - 1])) return i - 1;
  }
  return end;
}

// The primary thread is inside its region, so the path up to the region's implicit task is where the region was
// created. All samples of the region's workers will have it, so it is taken from a whole path.
void ResolveRegions(ThreadState* thread, const TaskView& view, uint32_t size) {
  if (!thread->sampler.limits.MayKeepPath()) return;
  const PathBuffer& path = thread->paths.buffer;
  uint32_t position = 0;
  for (uint32_t level = view.count; level > 0; --level) {
    const RegionRef ref = view.primary_of[level - 1];
    const NodeKey marker = view.levels[level - 1].marker;
    if (marker == 0) continue;
    uint32_t at = position;
    // What is not found now is at the region's next sample, or at its end. (16 keys, there and back, are a unit.)
    if (!thread->sampler.limits.fuel.Take(Cut::kTree, (size - position) / 16)) return;
    while (at < size && path.last_keys[at] != marker) ++at;
    if (at == size) continue;  // not on the stack: the task has no frames of its own now
    position = at + 1;
    if (ref == 0 || RegionOf(ref)->context.load(std::memory_order_relaxed) != 0) continue;
    const uint32_t user = YoungestUserFrame(path, at);
    if (user == at) continue;
    RegionRecord* record = RegionOf(ref);
    record->splice = view.splice;
    record->context.store(static_cast<uint64_t>(thread->paths.slot->tree.id()) << 32 | path.last_nodes[user],
                          std::memory_order_release);
  }
}

// `known`: as WalkStack has it.
uint32_t InsertStack(ThreadState* thread, const ucontext_t* context, uintptr_t known, const TaskView& view) {
  const StackParts stack = WalkStack(thread, session.unwinder, context, known);
  const uint32_t size = Classify(stack, view.levels, view.count, view.runtime_base, session.runtime_code,
                                 session.epoch.load(std::memory_order_relaxed), thread->paths.buffer.keys,
                                 thread->paths.buffer.key_limit);
  return InsertPath(thread, size);
}

// Who asks for more frames than the usual 512 has them, at the price of a walk, a look-up and a node for each.
void FillFuel(ThreadState* thread) {
  constexpr uint32_t kUsualDepth = 512;
  const uint32_t depth = session.config.max_depth;
  thread->sampler.limits.fuel.Fill(depth > kUsualDepth ? (depth - kUsualDepth) * (1 + Fuel::kNode) : 0);
}

// In a callback a path is taken once: it is to be whole. What a walk has looked up the next one knows, so it gets
// further. Result: the path's size, 0 if the tree is full.
uint32_t InsertWholeStack(ThreadState* thread, const ucontext_t* context, TaskView* view) {
  constexpr int kMostWalks = 16;
  uint32_t size = 0;
  uint32_t before;
  int walks = 0;
  do {
    before = size;
    FillFuel(thread);
    ReadTaskView(thread, view);
    size = InsertStack(thread, context, reinterpret_cast<uintptr_t>(context), *view);
  } while (thread->sampler.limits.fuel.IsPathCut() && size > before && ++walks < kMostWalks);
  return size;
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

namespace {

// What the collector's callbacks cost, as the governor wants to know it.
void AccountForEvents(ThreadState* thread, uint64_t weight) {
  if (!session.config.waits) return;
  if (session.config.event[0] != '\0') {
    // The weight is in events: the time since the sample before, unless the thread has slept, most likely.
    constexpr uint64_t kMostNs = 20000000;
    const uint64_t now = NowFor(thread);
    const uint64_t passed = now - thread->waiting.costs.sampled_ns;
    thread->waiting.costs.sampled_ns = now;
    weight = passed < kMostNs ? passed : 0;
  }
  const NodeKey leaf = thread->paths.buffer.last_keys[thread->paths.buffer.last_size - 1];
  governor.Account(thread, weight, (KeyKind(leaf) & 15) == fields::kNodeFrame && IsOwn(KeyValue(leaf)));
}

}  // namespace

void TakeSample(ThreadState* thread, const ucontext_t* context, uint64_t weight, uint32_t count) {
  TaskView& view = thread->sampler.view;
  FillFuel(thread);
  ReadTaskView(thread, &view);
  const uint32_t size = InsertStack(thread, context, arch::LastByteOfSignalFrame(*context), view);
  if (__builtin_expect(thread->sampler.limits.fuel.IsCut(), 0)) thread->sampler.limits.CountCuts(count);
  if (size == 0) {
    thread->paths.lost[fields::kLostTreeFull].Add(count, weight);
    WakeWriter();
    return;
  }
  ResolveRegions(thread, view, size);
  Sample sample;
  sample.weight = weight;
  sample.wait_id = view.wait_id;
  sample.splice = view.splice == 0 && HasTaskContext(view) ? view.region : view.splice;
  sample.region = view.region;
  sample.node = thread->paths.buffer.last_nodes[size - 1];
  sample.count = count;
  sample.state = StateAt(thread->paths.buffer, size, view);
  sample.kind = kSampled;
  sample.estimated = false;
  sample.phase = PhaseForSample(*thread, view.region);
  sample.time_ns = session.config.timeline ? NowFor(thread) : 0;
  const uint32_t state = view.state - 1;
  const bool works = view.state != 0 && (state <= ompt_state_work_reduction || state == ompt_state_overhead);
  sample.extra = works ? TakeBlame(thread, view.region) : 0;
  if (sample.extra != 0) RememberBlamed(thread, sample);
  sample.estimated = sample.extra != 0 && IsEstimated(CurrentTask(thread));
  AccountForEvents(thread, weight);
  thread->paths.last_sample = sample;
  if (!thread->paths.ring.Push(sample)) thread->paths.lost[fields::kLostRingFull].Add(count, weight);
  if ((thread->paths.ring.head() - thread->paths.ring.tail()) * 2 > thread->paths.ring.capacity()) WakeWriter();
}

uint32_t RecordCallPath(ThreadState* thread, const ucontext_t* context, TaskView* view) {
  const uint32_t size = InsertWholeStack(thread, context, view);
  const uint32_t user = YoungestUserFrame(thread->paths.buffer, size);
  return user == size ? 0 : thread->paths.buffer.last_nodes[user];
}

uint32_t RecordStack(ThreadState* thread, const ucontext_t* context, TaskView* view) {
  const uint32_t size = InsertWholeStack(thread, context, view);
  return size == 0 ? 0 : thread->paths.buffer.last_nodes[size - 1];
}

}  // namespace ompprof::collect
