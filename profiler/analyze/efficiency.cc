#include "profiler/analyze/efficiency.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

struct ThreadTimes {
  uint64_t waited_ns = 0;
  uint64_t idle_ns = 0;
  uint64_t in_regions_ns = 0;  // outermost ones that it created
  uint64_t partial_ns = 0;
  uint64_t own_ns = 0;  // the profiler's, while the thread did not wait
};

using Threads = std::map<uint32_t, ThreadTimes>;

// By process.
std::vector<Threads> WaitsOfThreads(const View& view) {
  std::vector<Threads> processes(view.processes.size());
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    ThreadTimes& thread = processes[wait.process][wait.thread];
    (wait.state == OmptState::kIdle ? thread.idle_ns : thread.waited_ns) += wait.total_ns;
  }
  for (const auto& [thread, weight] : view.own_useful_weight) processes[thread.first][thread.second].own_ns = weight;
  return processes;
}

// `threads` has the process's waits.
void AddProcess(const model::ProcessProfile& process, Threads threads, Efficiency* all) {
  for (const RegionStats& stats : process.regions) {
    // A team of one is no parallel execution.
    if (stats.nesting_level() != 0 || stats.actual_max() < 2) continue;
    threads[stats.thread()].in_regions_ns += stats.elapsed_ns();
    threads[stats.thread()].partial_ns += stats.partial_ns();
  }
  const uint64_t duration = process.DurationNs();
  const uint64_t end = process.header.start_mono_ns() + duration;
  uint64_t parallel = 0;
  uint64_t partial = 0;
  for (const auto& [id, thread] : process.threads) {
    const bool openmp = thread.kind() == Thread::INITIAL || thread.kind() == Thread::WORKER;
    const ThreadTimes& times = threads[id];
    if (!openmp && times.in_regions_ns == 0) continue;
    const uint64_t until = thread.end_mono_ns() != 0 ? std::min(thread.end_mono_ns(), end) : end;
    const uint64_t lifetime = until > thread.start_mono_ns() ? until - thread.start_mono_ns() : 0;
    const uint64_t lost = times.waited_ns + times.idle_ns;
    const uint64_t busy = lifetime > lost ? lifetime - lost : 0;
    const uint64_t own = std::min(times.own_ns, busy);
    const uint64_t useful = busy - own;
    all->own_ns += own;
    ++all->threads;
    all->useful_ns += useful;
    all->useful_max_ns = std::max(all->useful_max_ns, useful);
    all->wait_ns += times.waited_ns;
    all->idle_ns += times.idle_ns + (duration > lifetime ? duration - lifetime : 0);
    // Where several threads have regions of their own, the one that was in them longest stands for all: the best that
    // can be said of a program that was killed.
    if (times.in_regions_ns > parallel) {
      parallel = times.in_regions_ns;
      partial = times.partial_ns;
    }
  }
  // The collector's own count of it, where the profile has an end.
  if (process.complete && process.footer.parallel_ns() + process.footer.serial_ns() > 0)
    parallel = process.footer.parallel_ns();
  parallel = std::min(parallel, duration);
  all->duration_ns = std::max(all->duration_ns, duration);
  all->parallel_ns += parallel;
  all->serial_ns += duration - parallel;
  all->partial_ns += partial;
}

}  // namespace

Efficiency MeasureEfficiency(const View& view) {
  if (!WaitsRecorded(view)) return {};
  Efficiency all;
  uint32_t with_ompt = 0;
  std::vector<Threads> waits = WaitsOfThreads(view);
  for (uint32_t i = 0; i < view.processes.size(); ++i) {
    if (view.processes[i]->runtimes.empty()) continue;
    ++with_ompt;
    AddProcess(*view.processes[i], std::move(waits[i]), &all);
  }
  for (const WaitTotal& wait : view.waits) {
    if (!wait.charge && wait.state != OmptState::kIdle) all.wait_estimate.Add(wait.estimate);
  }
  if (with_ompt == 0 || all.threads == 0) return {};
  all.known = true;
  all.serial_ns /= with_ompt;
  all.parallel_ns /= with_ompt;
  all.partial_ns /= with_ompt;
  return all;
}

Unblamed MeasureUnblamed(const View& view) {
  Unblamed all;
  for (const model::ProcessProfile* process : view.processes) {
    for (const RegionStats& stats : process->regions) all.nobody_working_ns += stats.unblamed_ns();
    all.nobody_working_ns += process->footer.idle_unblamed_ns();
    all.lock_handoff_ns += process->footer.lock_handoff_ns();
    all.unsampled_ns += process->footer.blame_pending_ns();
  }
  return all;
}

double UsableCpus(const Header& header) {
  const double cpus = header.cpus();
  const double quota = header.cpu_quota_milli() / 1000.0;
  return quota > 0 && (cpus == 0 || quota < cpus) ? quota : cpus;
}

}  // namespace ompprof::analyze
