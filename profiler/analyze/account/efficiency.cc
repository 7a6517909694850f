#include "profiler/analyze/account/efficiency.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "profiler/analyze/view/concurrency.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

struct ThreadTimes {
  uint64_t barrier_ns = 0;
  uint64_t task_ns = 0;
  uint64_t lock_ns = 0;
  uint64_t device_wait_ns = 0;
  uint64_t idle_ns = 0;
  uint64_t own_ns = 0;  // the profiler's time while the thread did not wait
  uint64_t mpi_ns = 0;
  uint64_t library_ns = 0;
  uint64_t slept_ns = 0;  // the part of library_ns that samples of sleep show
  uint64_t ready_ns = 0;
  uint64_t blocked_ns = 0;
};

using Threads = std::map<uint32_t, ThreadTimes>;

// Takes as much of `wanted` as is left.
uint64_t Take(uint64_t wanted, uint64_t* left) {
  const uint64_t taken = std::min(wanted, *left);
  *left -= taken;
  return taken;
}

// The waits of a state of this kind.
uint64_t* PartOf(StateKind kind, ThreadTimes* thread) {
  switch (kind) {
    case StateKind::kIdle:
      return &thread->idle_ns;
    case StateKind::kTasks:
      return &thread->task_ns;
    case StateKind::kLock:
      return &thread->lock_ns;
    case StateKind::kTarget:
      return &thread->device_wait_ns;
    default:
      return &thread->barrier_ns;
  }
}

// By process.
std::vector<Threads> TimesOfThreads(const View& view, const MpiTime& mpi) {
  std::vector<Threads> processes(view.run.processes.size());
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    ThreadTimes& thread = processes[wait.process][wait.thread];
    *PartOf(KindOf(wait.state), &thread) += wait.total_ns;
  }
  for (const auto& [thread, weight] : view.own_useful_weight) processes[thread.first][thread.second].own_ns = weight;
  for (const auto& [thread, weight] : mpi.threads) {
    if (view.run.process(thread.first).sampling.weighs_ns()) processes[thread.first][thread.second].mpi_ns = weight;
  }
  for (const ViewSample& sample : view.samples) {
    if (sample.state != kStateLibraryWait) continue;
    ThreadTimes& thread = processes[sample.process][sample.thread];
    if (view.run.process(sample.process).sampling.weighs_ns()) thread.library_ns += sample.cost.weight;
    thread.library_ns += sample.cost.wait;
    thread.slept_ns += sample.cost.wait;
  }
  for (const auto& [thread, account] : view.accounts) {
    ThreadTimes& times = processes[thread.first][thread.second];
    times.ready_ns = account.ready_ns;
    times.blocked_ns = account.blocked_ns;
    // Samples of a wall clock in MPI, and in other libraries that wait, contain the sleep there.
    uint64_t slept_ns =
        view.run.process(thread.first).sampling.clock == "wall" ? times.mpi_ns + times.library_ns : times.slept_ns;
    slept_ns -= Take(slept_ns, &times.blocked_ns);
    Take(slept_ns, &times.ready_ns);
  }
  return processes;
}

// The life of a thread, and its useful part. Of a unified process: of the mean member.
struct UsefulLife {
  Span span;
  uint64_t useful_ns;
  uint64_t members;
};

// Adds the lives of the process's threads. `threads` holds their times.
void AddProcess(const ProcessFacts& process, Threads threads, Efficiency* all, std::vector<UsefulLife>* lives) {
  const uint64_t duration = process.durations_ns();
  uint64_t parallel = 0;
  uint64_t partial = 0;
  for (const ThreadFacts& thread : process.threads) {
    const ThreadTimes& times = threads[thread.id];
    if (!thread.is_openmp() && thread.regions_ns == 0) continue;
    uint64_t useful = thread.lifetime_ns;
    const uint64_t barrier_ns = Take(times.barrier_ns, &useful);
    const uint64_t task_ns = Take(times.task_ns, &useful);
    const uint64_t lock_ns = Take(times.lock_ns, &useful);
    all->barrier_ns += barrier_ns;
    all->task_ns += task_ns;
    all->lock_ns += lock_ns;
    all->wait_ns += barrier_ns + task_ns + lock_ns;
    all->device_wait_ns += Take(times.device_wait_ns, &useful);
    all->idle_ns += Take(times.idle_ns, &useful);
    all->own_ns += Take(times.own_ns, &useful);
    all->mpi_ns += Take(times.mpi_ns, &useful);
    all->library_ns += Take(times.library_ns, &useful);
    all->ready_ns += Take(times.ready_ns, &useful);
    all->blocked_ns += Take(times.blocked_ns, &useful);
    lives->push_back({SpanOf(process, thread), useful / process.members, process.members});
    all->useful_ns += useful;
    // If several threads create regions, the thread with the longest time in regions stands for all. A killed program
    // tells no better.
    if (thread.regions_ns > parallel) {
      parallel = thread.regions_ns;
      partial = thread.partial_ns;
    }
  }
  // The collector's own count, if the profile has an end.
  if (process.parallel_ns + process.serial_ns > 0) parallel = process.parallel_ns;
  parallel = std::min(parallel, duration);
  all->parallel_ns += parallel;
  all->serial_ns += duration - parallel;
  all->partial_ns += partial;
}

// The figures of threads, where threads that follow each other share a slot. `processes`: the processes' lives.
void AddThreads(const std::vector<UsefulLife>& lives, const std::vector<Span>& processes, Efficiency* all) {
  std::vector<Span> spans;
  uint64_t lived_ns = 0;
  for (const UsefulLife& life : lives) {
    spans.push_back(life.span);
    lived_ns += (life.span.end_ns - life.span.begin_ns) * life.members;
  }
  std::vector<uint64_t> useful_ns;  // by slot
  std::vector<uint64_t> members;
  const std::vector<uint32_t> slots = SlotsOf(spans);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] >= useful_ns.size()) {
      useful_ns.resize(slots[i] + 1);
      members.resize(slots[i] + 1);
    }
    useful_ns[slots[i]] += lives[i].useful_ns;
    members[slots[i]] = std::max(members[slots[i]], lives[i].members);
  }
  all->threads = static_cast<uint32_t>(std::accumulate(members.begin(), members.end(), uint64_t{0}));
  all->duration_ns = UnionNs(processes);
  for (const uint64_t useful : useful_ns) all->useful_max_ns = std::max(all->useful_max_ns, useful);
  const uint64_t possible = all->threads * all->duration_ns;
  if (possible > lived_ns) all->idle_ns += possible - lived_ns;
}

}  // namespace

Efficiency MeasureEfficiency(const View& view, const MpiTime& mpi) {
  if (!WaitsRecorded(view)) return {};
  Efficiency all;
  std::vector<UsefulLife> lives;
  std::vector<Span> processes;
  std::vector<Threads> times = TimesOfThreads(view, mpi);
  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    if (view.run.process(i).runtimes.empty()) continue;
    processes.push_back(SpanOf(view.run.process(i)));
    AddProcess(view.run.process(i), std::move(times[i]), &all, &lives);
  }
  for (const WaitTotal& wait : view.waits) {
    if (!wait.charge && wait.state != OmptState::kIdle) all.wait_estimate.Add(wait.estimate);
  }
  if (lives.empty()) return {};
  AddThreads(lives, processes, &all);
  all.known = true;
  const double at_a_time = OpenmpProcessesAtATime(view.run);
  for (uint64_t* sum : {&all.serial_ns, &all.parallel_ns, &all.partial_ns})
    *sum = static_cast<uint64_t>(static_cast<double>(*sum) / at_a_time);
  return all;
}

const char* LossTitle(LossKind kind) {
  switch (kind) {
    case LossKind::kBarriers:
      return "at barriers";
    case LossKind::kTasks:
      return "waiting for tasks";
    case LossKind::kLocks:
      return "waiting for locks";
    case LossKind::kDevices:
      return "waiting for devices";
    case LossKind::kIdle:
      return "idle between regions";
    case LossKind::kReady:
      return "ready without a processor";
    case LossKind::kBlocked:
      return "blocked outside OpenMP";
    case LossKind::kMpi:
      return "in MPI";
    case LossKind::kLibraries:
      return "waiting outside OpenMP";
    case LossKind::kOwn:
      return "in ompprof";
  }
  return "";
}

std::vector<Loss> LossesOf(const Efficiency& efficiency) {
  const Loss all[] = {{LossKind::kBarriers, efficiency.barrier_ns},  {LossKind::kTasks, efficiency.task_ns},
                      {LossKind::kLocks, efficiency.lock_ns},        {LossKind::kDevices, efficiency.device_wait_ns},
                      {LossKind::kIdle, efficiency.idle_ns},         {LossKind::kReady, efficiency.ready_ns},
                      {LossKind::kBlocked, efficiency.blocked_ns},   {LossKind::kMpi, efficiency.mpi_ns},
                      {LossKind::kLibraries, efficiency.library_ns}, {LossKind::kOwn, efficiency.own_ns}};
  std::vector<Loss> losses;
  std::copy_if(std::begin(all), std::end(all), std::back_inserter(losses),
               [](const Loss& loss) { return loss.ns != 0; });
  std::stable_sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) { return a.ns > b.ns; });
  return losses;
}

Unblamed MeasureUnblamed(const View& view) {
  Unblamed all;
  for (const ProcessFacts& process : view.run.processes) {
    all.nobody_working_ns += process.unblamed.nobody_working_ns;
    all.lock_handoff_ns += process.unblamed.lock_handoff_ns;
    all.unsampled_ns += process.unblamed.unsampled_ns;
  }
  return all;
}

}  // namespace ompprof::analyze
