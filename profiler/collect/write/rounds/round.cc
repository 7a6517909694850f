#include "profiler/collect/write/rounds/round.h"

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/signal_cost.h"
#include "profiler/collect/thread/phase.h"

namespace ompprof::collect {
namespace {

// Before the threads are written, because threads may be released then.
void ScaleBlame() {
  double scaled = 0;
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    for (uint32_t i = 0; thread->waiting.stats != nullptr && i < thread->waiting.stats->size(); ++i) {
      const WaitCounts& counts = *thread->waiting.stats->entry(i);
      const auto ns = static_cast<double>(counts.estimated_ns.load(std::memory_order_relaxed));
      if (counts.key.wait_id == 0) scaled += ns * EstimateScale(counts);
    }
  }
  // For a moment, the part taken back may be larger, so the sum may be negative.
  const auto clocks = static_cast<double>(static_cast<int64_t>(window_waited_ns.load(std::memory_order_relaxed)));
  if (clocks > 0 && scaled > 0) governor.SetBlameScale(scaled / clocks);
}

}  // namespace

void RoundWriter::Prepare() {
  program.Collect();
  modules.table.Init(program.executable);
  totals.Begin();
}

bool RoundWriter::Run(bool last) {
  if (!file.MakeRoom()) return false;
  modules.WriteRuntimes();
  definitions.CollectRetired();
  ScaleBlame();
  const bool written = trees.Write() && threads.Write(last) && definitions.WriteLabels() && definitions.WriteLocks() &&
                       devices.Write() && definitions.WriteContexts() && trees.Write() && totals.Write(last) &&
                       modules.Write() && generated.Write(last) && modules.WriteUnloaded();
  if (!written) return false;
  definitions.ReleaseRetired();
  return file.Flush();
}

bool RoundWriter::WriteFooter(const char* reason) {
  if (!file.MakeRoom()) return false;
  double due = 0;
  uint64_t handoff = 0;
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    due += thread->blame.due_ns;
    handoff += thread->locks.handoff_ns.load(std::memory_order_relaxed);
  }
  EncodeFooter({reason, samples.samples(), samples.weight(), cpu_before_ns + ThreadCpuNs(), static_cast<uint64_t>(due),
                handoff, totals.Now().intervals_lost, labels.refused(), signal_cost.TotalNs(), PeakResidentBytes()},
               &file.out);
  return file.Flush();
}

bool AnythingSampled() {
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->paths.ring.head() != thread->paths.ring.tail()) return true;
  }
  return false;
}

}  // namespace ompprof::collect
