#include "profiler/analyze/builder/bound_estimates.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/analyze/builder/account_threads.h"

namespace ompprof::analyze {
namespace {

struct WaitSums {
  uint64_t exact_ns = 0;
  uint64_t estimated_ns = 0;
  double factor = 1;  // for the estimates
};

uint64_t EstimatedNs(const WaitTotal& wait) { return std::min(wait.estimate.ns, wait.total_ns); }

}  // namespace

void BoundEstimatedWaits(View* view) {
  std::map<std::pair<uint32_t, uint32_t>, WaitSums> threads;
  for (const WaitTotal& wait : view->waits) {
    if (wait.charge) continue;
    WaitSums& waits = threads[{wait.process, wait.thread}];
    waits.estimated_ns += EstimatedNs(wait);
    waits.exact_ns += wait.total_ns - EstimatedNs(wait);
  }
  ThreadNs cpu = CpuOutsideWaits(*view);
  for (auto& [key, waits] : threads) {
    const ThreadFacts* thread = view->run.process(key.first).FindThread(key.second);
    if (thread == nullptr || thread->lifetime_ns == 0 || waits.estimated_ns == 0) continue;
    const uint64_t cpu_ns = IsSampledByCpuTime(view->run.process(key.first)) ? cpu[key] : 0;
    const uint64_t not_estimated = waits.exact_ns + cpu_ns;
    const uint64_t room = thread->lifetime_ns - std::min(not_estimated, thread->lifetime_ns);
    waits.factor = std::min(1.0, static_cast<double>(room) / static_cast<double>(waits.estimated_ns));
  }
  for (WaitTotal& wait : view->waits) {
    const double factor = wait.charge ? 1 : threads[{wait.process, wait.thread}].factor;
    if (factor == 1) continue;
    const uint64_t exact = wait.total_ns - EstimatedNs(wait);
    const auto estimated = static_cast<uint64_t>(static_cast<double>(EstimatedNs(wait)) * factor);
    wait.estimate = {estimated, wait.estimate.variance * factor * factor};
    wait.total_ns = exact + wait.estimate.ns;
    wait.max_ns = std::min(wait.max_ns, wait.total_ns);
  }
}

}  // namespace ompprof::analyze
