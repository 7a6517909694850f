#include "profiler/collect/paths/record_stack.h"

#include "profiler/collect/paths/stack_walk.h"
#include "profiler/collect/tasks/classify.h"
#include "profiler/collect/tasks/read_task_view.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// A path that is cut for lack of fuel keeps this many keys at the leaf.
constexpr uint32_t kLeafKeys = 8;

// Replaces the middle of the path, from keys[from] on, by a cut; the leaf stays. Returns the new size.
uint32_t CutMiddle(NodeKey* keys, uint32_t from, uint32_t size) {
  if (size - from <= kLeafKeys + 1) return size;
  keys[from] = MakeKey(0, fields::kNodeCut);
  for (uint32_t i = 0; i < kLeafKeys; ++i) keys[from + 1 + i] = keys[size - kLeafKeys + i];
  return from + 1 + kLeafKeys;
}

// Finds nodes for path.keys[0 .. size), and writes them to last_nodes. Most samples share all frames with the previous
// sample, except a few at the leaf. So equal keys are compared, not looked up. Returns the path's size, which is
// smaller if the path had to be cut; 0 if the tree is full.
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
  return size;
}

// The frame pointer of the runtime's frame that called the innermost task that runs; 0: the runtime does not tell it.
uintptr_t TaskCaller(const TaskView& view) {
  constexpr int kFramePointerOfRuntime = 0x20;  // ompt_frame_runtime | ompt_frame_framepointer
  for (uint32_t i = 0; i < view.count; ++i) {
    const TaskLevel& level = view.levels[i];
    if (level.exit_frame != 0) return level.exit_flags == kFramePointerOfRuntime ? level.exit_frame : 0;
  }
  return 0;
}

// A callback takes a path once, so the path should be whole. Each walk knows the look-ups of the previous walk and gets
// further. Returns the path's size; 0 if the tree is full.
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

}  // namespace

uint32_t YoungestUserFrame(const PathBuffer& path, uint32_t end) {
  for (uint32_t i = end; i > 0; --i) {
    if (IsUserFrame(path.keys[i - 1])) return i - 1;
  }
  return end;
}

uint32_t InsertStack(ThreadState* thread, const ucontext_t* context, uintptr_t known, const TaskView& view) {
  const StackParts stack = WalkStack(thread, session.unwinder, context, known, TaskCaller(view));
  const uint32_t size = Classify(stack, view.levels, view.count, view.runtime_base, session.runtime_code,
                                 session.epoch.load(std::memory_order_relaxed), thread->paths.buffer.keys,
                                 thread->paths.buffer.key_limit);
  return InsertPath(thread, size);
}

// A user who asks for more frames than the usual 512 gets them, at the price of a walk, a look-up and a node for each.
void FillFuel(ThreadState* thread) {
  constexpr uint32_t kUsualDepth = 512;
  const uint32_t depth = session.config.max_depth;
  thread->sampler.limits.fuel.Fill(depth > kUsualDepth ? (depth - kUsualDepth) * (1 + Fuel::kNode) : 0);
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
