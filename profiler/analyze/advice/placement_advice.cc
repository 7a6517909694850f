#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/advice/rules.h"

namespace ompprof::analyze {
namespace {

// The part of the time in which threads could run that they waited for their processors, from which on it is worth a
// word; and the part of their lives that threads run at least, if they are to share cores.
constexpr double kWaitingShare = 0.1;
constexpr double kBusyShare = 0.5;
// Threads that move between sockets are there for this part of their time at least.
constexpr double kElsewhereShare = 0.05;
constexpr uint64_t kLeastMoves = 3;

// The settings of a process by which OpenMP runtimes bind threads: "OMP_PLACES={0} OMP_PROC_BIND=true".
std::string BindingSettings(const ProcessFacts& process) {
  std::string all;
  for (const std::string& setting : process.settings) {
    for (const char* name :
         {"OMP_PLACES=", "OMP_PROC_BIND=", "KMP_AFFINITY=", "KMP_HW_SUBSET=", "GOMP_CPU_AFFINITY="}) {
      if (setting.rfind(name, 0) == 0) all += (all.empty() ? "" : " ") + setting;
    }
  }
  return all;
}

// OpenMP threads of a process that may use the same processors.
struct BoundThreads {
  uint64_t count = 0;
  uint64_t lifetime_ns = 0;
  uint64_t cpu_ns = 0;
  uint64_t delay_ns = 0;
  uint64_t longest_ns = 0;  // of one thread: the time in which it could run

  void Add(const ThreadAccount& account) {
    ++count;
    lifetime_ns += account.lifetime_ns;
    cpu_ns += account.cpu_ns;
    delay_ns += account.delay_ns;
    longest_ns = std::max(longest_ns, account.cpu_ns + account.delay_ns);
  }
};

ProcessorNumbers Without(const ProcessorNumbers& all, const ProcessorNumbers& some) {
  ProcessorNumbers left;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(left, left.end()));
  return left;
}

class ProcessPlacement {
 public:
  ProcessPlacement(const AdviceRun& run, uint32_t number)
      : run_(run), process_(run.view.run.process(number)), may_use_(process_.machine.may_use) {
    for (const ThreadFacts& thread : process_.threads) {
      const auto account = run.view.accounts.find({number, thread.id});
      if (!thread.is_openmp()) others_cpu_ns_ += thread.cpu_ns;
      if (!thread.is_openmp() || account == run.view.accounts.end()) continue;
      if (thread.placement.may_use.empty()) known_ = false;
      groups_[thread.placement.may_use].Add(account->second);
    }
    known_ = known_ && !may_use_.empty();
  }

  // The best advice, if there is any.
  void Advise(std::vector<Advice>* all) const {
    if (!known_ || process_.members > 1) return;
    Advice best{};
    for (const auto& [bound_to, threads] : groups_) {
      Advice advice = OnProcessors(bound_to, threads);
      if (advice.gain_ns > best.gain_ns) best = std::move(advice);
    }
    if (!run_.Worthwhile(best.gain_ns)) best = OnCores();
    if (best.bound_to.empty()) return;
    best.what = BindingSettings(process_);
    all->push_back(std::move(best));
  }

 private:
  // That many threads of the run's length take so much time together.
  double MeanProcessors(uint64_t ns) const {
    return static_cast<double>(ns) / static_cast<double>(std::max<uint64_t>(process_.duration_ns, 1));
  }

  // The processors that other programs, and threads outside of OpenMP, keep busy.
  double UsedByOthers() const { return run_.view.run.cpus_of_others() + MeanProcessors(others_cpu_ns_); }

  // The threads that live at a time.
  double AtATime(const BoundThreads& threads) const {
    return std::min(static_cast<double>(threads.count), std::ceil(MeanProcessors(threads.lifetime_ns)));
  }

  // The processors of the process that no OpenMP thread may use.
  ProcessorNumbers Unused() const { return Without(may_use_, process_.OpenmpProcessors()); }

  // The gain: the threads' CPU time, on the free processors as well, takes less than the time in which the longest of
  // the threads could run. What threads spin while they wait counts as if it were work, so this is a lower bound.
  Advice OnProcessors(const ProcessorNumbers& bound_to, const BoundThreads& threads) const {
    Advice advice{};
    advice.kind = AdviceKind::kBoundTogether;
    const auto able_ns = static_cast<double>(threads.cpu_ns + threads.delay_ns);
    const auto processors = static_cast<double>(bound_to.size());
    const double together = AtATime(threads);
    if (together <= processors || static_cast<double>(threads.delay_ns) < kWaitingShare * able_ns) return advice;
    advice.unused = Unused();
    const double free = static_cast<double>(advice.unused.size()) - UsedByOthers();
    if (free <= 0) return advice;
    const double shared_ns = static_cast<double>(threads.cpu_ns) / std::min(together, processors + free);
    if (shared_ns < static_cast<double>(threads.longest_ns))
      advice.gain_ns = static_cast<uint64_t>(static_cast<double>(threads.longest_ns) - shared_ns);
    advice.bound_to = bound_to;
    advice.threads = together;
    advice.wait_ns = threads.delay_ns;
    advice.of_ns = threads.cpu_ns + threads.delay_ns;
    return advice;
  }

  // The cores that the processors are.
  std::set<uint32_t> Cores(const ProcessorNumbers& numbers) const {
    std::set<uint32_t> cores;
    for (const uint32_t number : numbers) {
      const auto processor = process_.machine.processors.find(number);
      cores.insert(processor == process_.machine.processors.end() ? number : processor->second.core);
    }
    return cores;
  }

  // What a core gives to a second thread depends on the program, so no gain is claimed.
  Advice OnCores() const {
    Advice advice{};
    advice.kind = AdviceKind::kSharedCores;
    BoundThreads all;
    for (const auto& [bound_to, threads] : groups_) {
      if (bound_to == may_use_) return advice;  // the kernel places them
      all.count += threads.count;
      all.lifetime_ns += threads.lifetime_ns;
      all.cpu_ns += threads.cpu_ns;
    }
    const double together = AtATime(all);
    const ProcessorNumbers used = process_.OpenmpProcessors();
    const std::set<uint32_t> cores = Cores(used);
    const bool busy = static_cast<double>(all.cpu_ns) >= kBusyShare * static_cast<double>(all.lifetime_ns);
    const ProcessorNumbers unused = Unused();
    std::set<uint32_t> free = Cores(unused);
    for (const uint32_t core : cores) free.erase(core);
    // Threads that lack processors lack more than cores.
    const bool share = together > static_cast<double>(cores.size()) && together <= static_cast<double>(used.size());
    if (!busy || !share || static_cast<double>(free.size()) <= UsedByOthers()) return advice;
    advice.bound_to = used;
    for (const uint32_t number : unused) {
      if (free.count(*Cores({number}).begin()) != 0) advice.unused.insert(number);
    }
    advice.threads = together;
    advice.count = cores.size();
    return advice;
  }

  const AdviceRun& run_;
  const ProcessFacts& process_;
  const ProcessorNumbers& may_use_;
  std::map<ProcessorNumbers, BoundThreads> groups_;
  uint64_t others_cpu_ns_ = 0;  // of threads that are not OpenMP's
  bool known_ = true;
};

// What a thread's samples say of the sockets: the weight on the socket with most of it, and the weight of all.
std::pair<uint64_t, uint64_t> OnMainSocket(const MachineFacts& machine, const PlacementFacts& placement) {
  std::map<uint32_t, uint64_t> weights;
  for (const PlacementFacts::Visit& visit : placement.ran_on) {
    const auto processor = machine.processors.find(visit.processor);
    if (processor != machine.processors.end()) weights[processor->second.package] += visit.weight;
  }
  std::pair<uint64_t, uint64_t> result;
  for (const auto& [package, weight] : weights) {
    result.first = std::max(result.first, weight);
    result.second += weight;
  }
  return result;
}

// The cost of a move depends on the data that the thread leaves in the other socket's memory, so no gain is claimed.
void AdviseOnMoves(const AdviceRun& run, std::vector<Advice>* advice) {
  uint64_t main_socket = 0;
  uint64_t all = 0;
  uint64_t moves = 0;
  for (const ProcessFacts& process : run.view.run.processes) {
    if (process.machine.layout().sockets < 2 || !BindingSettings(process).empty()) return;
    for (const ThreadFacts& thread : process.threads) {
      if (!thread.is_openmp()) continue;
      const auto [on_main, on_all] = OnMainSocket(process.machine, thread.placement);
      main_socket += on_main;
      all += on_all;
      if (on_main != on_all) moves += thread.placement.moves;
    }
  }
  if (moves < kLeastMoves || static_cast<double>(all - main_socket) < kElsewhereShare * static_cast<double>(all))
    return;
  Advice& added = AddAdvice(AdviceKind::kBinding, kNoFunction, 0, advice);
  added.wait_ns = all - main_socket;
  added.of_ns = all;
}

}  // namespace

void AdviseOnPlacement(const AdviceRun& run, std::vector<Advice>* advice) {
  for (uint32_t i = 0; i < run.view.run.processes.size(); ++i) {
    const size_t before = advice->size();
    ProcessPlacement(run, i).Advise(advice);
    if (advice->size() != before) break;  // ranks are placed alike
  }
  AdviseOnMoves(run, advice);
}

}  // namespace ompprof::analyze
