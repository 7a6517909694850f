#include "profiler/collect/blame/wait_rows.h"

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

constexpr uint64_t kDefaultPathNs = 5000000;

// The number of keys that a thread may use for separate locks. A program may have millions of locks, and has few other
// places that wait.
constexpr uint32_t kKeysWithLocks = WaitStats::kMaxKeys / 4 * 3;

std::atomic<bool> locks_folded{false};

// A lock without a key of its own: its waits and charges are kept by place only.
__attribute__((noinline)) WaitCounts* CountsOfOthers(WaitStats* stats, WaitKey key) {
  if (!locks_folded.exchange(true, std::memory_order_relaxed))
    AddNote(
        "a thread waited for more locks than can be kept apart: the rest are one lock in the profile (other locks)");
  key.wait_id = 0;
  key.lock = 0;
  return stats->Find(key);
}

}  // namespace

uint64_t PathThresholdNs() {
  const uint64_t period = session.period;
  return session.config.event[0] == '\0' && period != 0 ? period : kDefaultPathNs;
}

WaitCounts* CountsOf(ThreadState* thread, const WaitKey& key) {
  if (thread->waiting.stats == nullptr) thread->waiting.stats = static_cast<WaitStats*>(MapFixed(sizeof(WaitStats)));
  if (thread->waiting.stats == nullptr) return nullptr;
  // The program's code bounds the number of criticals and ordered regions.
  const bool is_lock = key.state == OmptState::kWaitLock && key.wait_id != 0;
  WaitCounts* counts = thread->waiting.stats->Find(key, is_lock ? kKeysWithLocks : WaitStats::kMaxKeys);
  return counts == nullptr && is_lock ? CountsOfOthers(thread->waiting.stats, key) : counts;
}

void AddWait(ThreadState* thread, const WaitKey& key, uint64_t ns, uint64_t path_ns) {
  AddWait(CountsOf(thread, key), ns, path_ns);
}

void AddWait(WaitCounts* counts, uint64_t ns, uint64_t path_ns) {
  if (counts == nullptr) return;
  Add(&counts->total_ns, ns);
  Add(&counts->path_ns, path_ns);
  if (ns > counts->max_ns.load(std::memory_order_relaxed)) counts->max_ns.store(ns, std::memory_order_relaxed);
  Add(&counts->count, 1);
}

void AddLength(ThreadState* thread, WaitCounts* counts, uint64_t ns, uint64_t waits) {
  WaitLengths* lengths = counts->lengths.load(std::memory_order_relaxed);
  if (__builtin_expect(lengths == nullptr, false)) {
    lengths = thread->waiting.lengths.Take();
    if (lengths == nullptr) return;
    counts->lengths.store(lengths, std::memory_order_release);
  }
  lengths->Add(ns, waits);
}

void TellOffProcessor(ThreadState* thread, Sample* row) {
  const ProcessorClocks& before = thread->blame.clocks;
  if (before.cpu_ns == 0) return;
  const ProcessorClocks now{NowFor(thread), ThreadCpuNs(), VoluntarySwitches()};
  row->off_processor = PartOffProcessor(before, now, thread->blame.worked_ns);
  row->slept = HasSlept(before, now);
}

namespace {

bool PushAt(ThreadState* thread, uint32_t node, const TaskView& view, SampleKind kind, OmptState state,
            uint64_t wait_id, uint64_t ns, bool estimated = false) {
  if (node == 0) return false;
  Sample row{};
  row.kind = kind;
  row.estimated = estimated;
  row.extra = ns;
  row.wait_id = wait_id;
  row.splice = view.splice;
  row.region = view.region;
  row.node = node;
  row.state = state;
  if (kind == kSampled) TellOffProcessor(thread, &row);
  return PushFromCallback(thread, row);
}

}  // namespace

bool PushRow(ThreadState* thread, SampleKind kind, OmptState state, uint64_t wait_id, uint64_t ns, bool estimated) {
  TaskView view;
  // A wait's path ends in the runtime. The path of blame ends in the code that called the runtime.
  const uint32_t node = kind == kWaited ? LeafHere(thread, &view) : PathHere(thread, &view);
  return PushAt(thread, node, view, kind, state, wait_id, ns, estimated);
}

bool PushAtEnd(ThreadState* thread, OmptState state, uint64_t ns) {
  TaskView view;
  const uint32_t node = PathOfEnd(thread, &view);
  return PushAt(thread, node, view, kSampled, state, 0, ns);
}

bool PushAtRegion(ThreadState* thread, const OpenTask& task, uint64_t ns) {
  if (!MarkSampled(task.region)) return false;
  const uint64_t codeptr_ra = RegionOf(task.region)->codeptr_ra;
  Sample row{};
  row.kind = kSampled;
  row.extra = ns;
  row.region = task.region;
  row.state = OmptState::kWorkParallel;
  TellOffProcessor(thread, &row);
  if (task.thread_num != 0) {
    row.splice = task.region;
    row.node = FinishedTaskNode(thread, codeptr_ra);
  } else {
    TaskView view;
    const uint32_t creator = PathHere(thread, &view);
    row.splice = view.splice;
    row.node = creator != 0 ? ImplicitTaskNode(thread, creator, codeptr_ra) : 0;
  }
  return row.node != 0 && PushFromCallback(thread, row);
}

}  // namespace ompprof::collect
