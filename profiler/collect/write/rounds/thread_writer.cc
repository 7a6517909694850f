#include "profiler/collect/write/rounds/thread_writer.h"

#include <stdio.h>
#include <string.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// The name of a thread at its start and at its end is known. It is read meanwhile because the process may be killed. To
// open the file of a new thread costs some 20 us, so a round reads few names; the last one reads those of all threads
// that still live.
constexpr uint32_t kMostNames = 32;

void ReadThreadName(ThreadState* thread) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/comm", thread->identity.tid);
  char name[sizeof(thread->identity.name)];
  size_t length = ReadWholeFile(path, name, sizeof(name) - 1);
  while (length > 0 && name[length - 1] == '\n') --length;
  name[length] = '\0';
  if (length > 0) memcpy(thread->identity.name, name, length + 1);
}

// The factor for what windows found of this row. Waits for a lock have the lock's factor, as have its holders' charges.
double ScaleOf(const ThreadState& thread, const WaitCounts& counts) {
  if (counts.key.wait_id == 0) return EstimateScale(counts);
  const ThreadLocks::Acquisitions& of_lock = thread.locks.AcquisitionsOf(counts.key.wait_id);
  return RatioScale(of_lock.all.load(std::memory_order_relaxed), of_lock.found.load(std::memory_order_relaxed),
                    of_lock.stands_for.load(std::memory_order_relaxed));
}

}  // namespace

bool ThreadWriter::Write(bool last) {
  names_read_ = 0;
  samples_->BeginRound(last);
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (!WriteThread(thread, last)) return false;
  }
  return samples_->EndRound();
}

bool ThreadWriter::WriteThread(ThreadState* thread, bool last) {
  const bool ended = thread->lifecycle.load(std::memory_order_acquire) == ThreadState::kEnded;
  if (!file_->MakeRoom()) return false;
  const uint64_t head = thread->paths.ring.head();
  const bool sampled = head != thread->paths.ring.tail();
  // Written again whenever the thread was sampled, because the process may be killed: the record has the CPU time so
  // far.
  if (!thread->written.announced || (ended && !thread->written.end_announced) || last || sampled) {
    if (!ended && (last || (sampled && names_read_++ < kMostNames))) ReadThreadName(thread);
    EncodeThread(thread, &file_->out);
    thread->written.announced = true;
    thread->written.end_announced = ended;
  }
  if (thread->paths.slot->tree.size() > thread->paths.slot->written && !trees_->Write()) return false;
  if (!samples_->Write(thread, head, ended) || !WriteCounts(thread)) return false;
  if (ended) totals_->Drain(thread);
  return true;
}

// Writes, with `encode`, the entries of a thread's table that have changed since they were written. `stamp` changes
// with an entry.
template <typename Table, typename Stamp, typename Encode>
bool ThreadWriter::WriteChanged(Table* table, Stamp stamp, Encode encode) {
  for (uint32_t i = 0; table != nullptr && i < table->size(); ++i) {
    auto* counts = table->entry(i);
    const uint64_t now = stamp(*counts);
    if (now == counts->written) continue;
    if (!file_->MakeRoom()) return false;
    modules_->At(counts->key.codeptr_ra);
    encode(*counts);
    counts->written = now;
  }
  return true;
}

// The thread's sums for each region, each worksharing construct and each kind of wait.
bool ThreadWriter::WriteCounts(ThreadState* thread) {
  const uint32_t id = thread->identity.id;
  const auto value = [](const std::atomic<uint64_t>& count) { return count.load(std::memory_order_relaxed); };
  return WriteChanged(
             thread->tasks.region_stats,
             [&](const RegionCounts& counts) { return value(counts.invocations) + value(counts.ended); },
             [&](const RegionCounts& counts) { EncodeRegionStats(counts, id, &file_->out); }) &&
         WriteChanged(
             thread->tasks.work_stats,
             [&](const WorkCounts& counts) { return value(counts.count) + value(counts.chunks); },
             [&](const WorkCounts& counts) { EncodeWorkStats(counts, id, &file_->out); }) &&
         WriteChanged(
             thread->waiting.stats,
             [&](const WaitCounts& counts) {
               return value(counts.count) + value(counts.last_count) + value(counts.estimated_ns) +
                      value(counts.estimated_count) + value(counts.windows_count);
             },
             [&](const WaitCounts& counts) {
               modules_->At(counts.key.acquired_at);
               modules_->At(counts.key.wait_id);
               EncodeWaitStats(counts, id, ScaleOf(*thread, counts), &file_->out);
             });
}

void ThreadWriter::DiscardEnded(uint32_t keep) {
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kEnded) continue;
    if (keep != 0) {
      --keep;
      continue;
    }
    SampleRing& ring = thread->paths.ring;
    for (uint64_t position = ring.tail(); position != ring.head(); ++position) totals_->AddUnwritten(ring.at(position));
    ring.Release(ring.head());
    totals_->AddUnwritten(thread->sampler.tail_weight);
    thread->sampler.tail_weight = 0;
    trees_->LeaveBehind(thread->paths.slot);
    totals_->Drain(thread);
  }
}

}  // namespace ompprof::collect
