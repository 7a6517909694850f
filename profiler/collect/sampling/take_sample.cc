#include "profiler/collect/sampling/take_sample.h"

#include <sched.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/paths/record_stack.h"
#include "profiler/collect/quirks/libomp.h"
#include "profiler/collect/sampling/event_counts.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/tasks/current_task.h"
#include "profiler/collect/tasks/read_task_view.h"
#include "profiler/collect/thread/phase.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer_wake.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// The primary thread is inside its region, so the path up to the region's implicit task created the region. All samples
// of the region's workers will have this path, so only a whole path is used.
void ResolveRegions(ThreadState* thread, const TaskView& view, uint32_t size) {
  if (!thread->sampler.limits.MayKeepPath()) return;
  const PathBuffer& path = thread->paths.buffer;
  uint32_t position = 0;  // behind the marker of the task around
  for (uint32_t level = view.count; level > 0; --level) {
    const RegionRef ref = view.primary_of[level - 1];
    const NodeKey marker = view.levels[level - 1].marker;
    if (!HasSite(marker)) continue;
    uint32_t at = position;
    // A marker that is not found now will be found at the region's next sample, or at its end. (16 keys, there and
    // back, are a unit.)
    if (!thread->sampler.limits.fuel.Take(Cut::kTree, (size - position) / 16)) return;
    while (at < size && path.last_keys[at] != marker) ++at;
    if (at == size) {
      // While a runtime makes or ends a team, the team's task may have the frames of the task around it, and the latter
      // none. Then nothing within is at its place.
      if (IsImplicit(view.levels[level - 1])) return;
      continue;  // the task has no frames of its own now
    }
    const uint32_t around = position;
    position = at + 1;
    if (ref == 0 || RegionOf(ref)->context.load(std::memory_order_relaxed) != 0) continue;
    const uint32_t user = YoungestUserFrame(path, at);
    // Likewise: code of the task around this region has created it.
    if (user == at || user < around) continue;
    RegionRecord* record = RegionOf(ref);
    record->splice = view.splice;
    record->context.store(static_cast<uint64_t>(thread->paths.slot->tree.id()) << 32 | path.last_nodes[user],
                          std::memory_order_release);
  }
}

// Whether the youngest frames are the user's, but a runtime called them for its own purpose and not as a task.
bool CalledBack(const PathBuffer& path, uint32_t size) {
  uint32_t at = size - 1;
  while (at > 0 && IsUserFrame(path.last_keys[at])) --at;
  if ((KeyKind(path.last_keys[at]) & 15) != fields::kNodeFrame) return false;
  const RuntimeCode::Object* object = session.runtime_code.Find(KeyValue(path.last_keys[at]));
  return at != size - 1 && object != nullptr && object->calls == RuntimeCode::Calls::kItsOwn;
}

bool IsLockWait(OmptState state) { return state >= OmptState::kWaitMutex && state < OmptState::kWaitTarget; }

// Whether the youngest frame is the user's for sure: the walk has come from the stack's start, and the runtime is not a
// part of the program.
bool IsInUserCode(const PathBuffer& path, uint32_t size) {
  return session.runtime_code.IsKnown() && IsUserFrame(path.last_keys[size - 1]) &&
         (KeyKind(path.last_keys[1]) & 15) == fields::kNodeFrame;
}

// The thread's state. Where the stack knows better than the runtime, the stack decides.
OmptState StateAt(const PathBuffer& path, uint32_t size, const TaskView& view) {
  if (view.state == OmptState::kNone || !IsUserFrame(path.last_keys[size - 1])) return view.state;
  const bool in_region = view.region != 0;
  // The device is the host's processor, and the thread executes the kernel that it has launched.
  // A handler of the program has jumped out of a wait for a lock, or has interrupted it: no runtime calls the program
  // there.
  if (view.state == OmptState::kWaitTarget || (IsLockWait(view.state) && IsInUserCode(path, size)))
    return in_region ? OmptState::kWorkParallel : OmptState::kWorkSerial;
  const OmptState state = libomp::StateInUserCode(view.state, in_region);
  // The runtime makes the program's code combine the threads' values while all threads are at a barrier.
  return IsBarrier(state) && CalledBack(path, size) ? OmptState::kWorkReduction : state;
}

// A task with its creator's path may have been created on another thread's stack. The path of that stack's region
// continues the creator's path.
bool HasTaskContext(const TaskView& view) {
  for (uint32_t level = 0; level < view.count; ++level) {
    if ((KeyKind(view.levels[level].marker) & 15) == fields::kNodeTaskContext) return true;
  }
  return false;
}

// Tells the governor the cost of the collector's callbacks.
void AccountForEvents(ThreadState* thread, uint64_t weight) {
  if (!session.config.waits) return;
  if (session.config.event[0] != '\0') {
    // The weight is in events. So the time since the previous sample is used, unless the thread has probably slept.
    constexpr uint64_t kMostNs = 20000000;
    const uint64_t now = NowFor(thread);
    const uint64_t passed = now - thread->waiting.costs.sampled_ns;
    thread->waiting.costs.sampled_ns = now;
    weight = passed < kMostNs ? passed : 0;
  }
  const NodeKey leaf = thread->paths.buffer.last_keys[thread->paths.buffer.last_size - 1];
  governor.Account(thread, weight, (KeyKind(leaf) & 15) == fields::kNodeFrame && IsOwnCode(KeyValue(leaf)));
}

// The place and the state of the sampler's view, at a node of the thread's tree.
Sample SampleAtNode(const ThreadState& thread, uint32_t node) {
  const TaskView& view = thread.sampler.view;
  Sample sample{};
  sample.wait_id = view.wait_id;
  sample.splice = view.splice == 0 && HasTaskContext(view) ? view.region : view.splice;
  sample.region = view.region;
  sample.node = node;
  sample.state = view.state;
  sample.phase = PhaseForSample(thread, view.region);
  return sample;
}

// Likewise, with a stack of `size` nodes.
Sample SampleAt(ThreadState* thread, uint32_t size) {
  Sample sample = SampleAtNode(*thread, thread->paths.buffer.last_nodes[size - 1]);
  sample.state = StateAt(thread->paths.buffer, size, thread->sampler.view);
  if (IsLockWait(thread->sampler.view.state) && !IsLockWait(sample.state)) {
    sample.wait_id = 0;
    thread->locks.wanted_kind = 0;  // the end of a wait that was left is not reported
  }
  return sample;
}

void Push(ThreadState* thread, const Sample& sample, const SampleCounts* counts = nullptr) {
  if (!thread->paths.ring.Push(sample, counts))
    thread->paths.lost[fields::kLostRingFull].Add(sample.count, sample.weight);
  if ((thread->paths.ring.head() - thread->paths.ring.tail()) * 2 > thread->paths.ring.capacity()) writer_wake.Ask();
}

// Whether the runtime does not say that the thread waits.
bool MayWork(OmptState state) {
  return state <= OmptState::kWorkReduction || state == OmptState::kOverhead || state == OmptState::kUndefined ||
         state == OmptState::kNone;
}

// Adds what the kernel has done for the thread since its last sample.
void AddKernelWork(ThreadState* thread, const KernelWork& now, Sample* sample) {
  ThreadIdentity::Work& work = thread->identity.kernel_work;
  const auto since = [](uint64_t count, const std::atomic<uint64_t>& before) {
    const uint64_t seen = before.load(std::memory_order_relaxed);
    return static_cast<uint32_t>(count > seen ? count - seen : 0);
  };
  sample->faults = since(now.minor_faults, work.minor_faults);
  sample->kernel_us = since(now.cpu_us, work.cpu_us);
  work.Set(now.minor_faults, now.major_faults, now.cpu_us);
}

// The thread's CPU clock at this signal. 0: the source does not read it.
uint64_t CpuClock(const ThreadState& thread) {
  if (thread.sampler.source == &kOnCpuTimer) return thread.sampler.instants.seen_cpu_ns;
  return thread.sampler.source->weighs_by_cpu_clock ? thread.sampler.last_clock : 0;
}

void AddBlame(ThreadState* thread, const TaskView& view, const KernelWork& work, Sample* sample) {
  if (view.state > OmptState::kWorkReduction && view.state != OmptState::kOverhead) return;
  const Blame blame = TakeBlame(thread, view.region, {NowFor(thread), CpuClock(*thread), work.left});
  if (blame.ns == 0) return;
  sample->extra = blame.ns;
  sample->off_processor = blame.off_processor;
  sample->slept = blame.slept;
  sample->estimated = IsEstimated(CurrentTask(thread));
  RememberBlamed(thread, *sample);
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
    return;
  }
  ResolveRegions(thread, view, size);
  Sample sample = SampleAt(thread, size);
  sample.weight = weight;
  sample.count = count;
  sample.kind = kSampled;
  sample.time_ns = session.config.timeline ? NowFor(thread) : 0;
  const KernelWork work = KernelWorkOfThread();
  AddKernelWork(thread, work, &sample);
  thread->placement.See(sched_getcpu(), weight);
  AddBlame(thread, view, work, &sample);
  AccountForEvents(thread, weight);
  thread->paths.last_sample = sample;
  SampleCounts counts;
  const bool counted = __builtin_expect(session.counted_events != 0, 0) && ReadCounts(thread, &counts);
  Push(thread, sample, counted ? &counts : nullptr);
}

void TakeUnsampledHandler(ThreadState* thread, uint64_t weight, uint32_t count) {
  FillFuel(thread);
  ReadTaskView(thread, &thread->sampler.view);
  Tree* const tree = &thread->paths.slot->tree;
  const uint32_t root = tree->Child(0, MakeKey(session.epoch.load(std::memory_order_relaxed), fields::kNodeRoot));
  const uint32_t node = root != 0 ? tree->Child(root, MakeKey(0, fields::kNodeUnsampledHandler)) : 0;
  if (node == 0) {
    thread->paths.lost[fields::kLostTreeFull].Add(count, weight);
    return;
  }
  Sample sample = SampleAtNode(*thread, node);
  sample.weight = weight;
  sample.count = count;
  sample.kind = kSampled;
  sample.time_ns = session.config.timeline ? NowFor(thread) : 0;
  session.unsampled_handlers_ns.fetch_add(weight, std::memory_order_relaxed);
  Push(thread, sample);
}

void TakeSleep(ThreadState* thread, const ucontext_t* context, uint64_t slept_ns) {
  if (!session.config.waits) return;
  TaskView& view = thread->sampler.view;
  FillFuel(thread);
  ReadTaskView(thread, &view);
  if (!MayWork(view.state)) return;
  const uint32_t size = InsertStack(thread, context, arch::LastByteOfSignalFrame(*context), view);
  // The runtime sleeps for its own purpose in calls of its own.
  if (size == 0 || !IsUserFrame(thread->paths.buffer.last_keys[size - 1])) return;
  ResolveRegions(thread, view, size);
  Sample sample = SampleAt(thread, size);
  if (!MayWork(sample.state)) return;
  sample.kind = kWaited;
  sample.estimated = true;
  sample.extra = slept_ns;
  Push(thread, sample);
}

void SampleCall(ThreadState* thread, uintptr_t function, uint64_t weight) {
  TaskView view;
  const uint32_t caller = PathHere(thread, &view);
  Sample sample{};
  sample.node = caller != 0 ? CalledFunctionNode(thread, caller, function) : 0;
  sample.weight = weight;
  sample.count = 1;
  sample.wait_id = view.wait_id;
  sample.splice = view.splice == 0 && HasTaskContext(view) ? view.region : view.splice;
  sample.region = view.region;
  sample.state = view.state;
  sample.kind = kSampled;
  sample.time_ns = session.config.timeline ? NowFor(thread) : 0;
  if (sample.node == 0 || !PushFromCallback(thread, sample)) thread->paths.lost[fields::kLostBusy].Add(1, weight);
}

}  // namespace ompprof::collect
