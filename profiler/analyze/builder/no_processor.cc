#include "profiler/analyze/builder/no_processor.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ompprof::analyze {
namespace {

// The part of the thread's time off its processor, outside of OpenMP's waits, in which it could run.
double ReadyPart(const View& view, const ViewSample& sample) {
  const auto account = view.accounts.find({sample.process, sample.thread});
  if (account == view.accounts.end() || account->second.off_cpu_ns() == 0) return 0;
  return static_cast<double>(account->second.ready_ns) / static_cast<double>(account->second.off_cpu_ns());
}

}  // namespace

void BlameNoProcessor(View* view) {
  std::vector<std::pair<size_t, uint64_t>> moved;  // by sample
  uint64_t moved_ns = 0;
  for (size_t i = 0; i < view->samples.size(); ++i) {
    const ViewSample& sample = view->samples[i];
    uint64_t ns = sample.cost.ready_blame;
    if (sample.cost.off_processor_blame != 0)
      ns += static_cast<uint64_t>(static_cast<double>(sample.cost.off_processor_blame) * ReadyPart(*view, sample));
    if (ns == 0) continue;
    moved.emplace_back(i, ns);
    moved_ns += ns;
  }
  if (static_cast<double>(moved_ns) < static_cast<double>(view->total_blame) * kLeastNoProcessor) return;
  for (const auto& [index, ns] : moved) {
    ViewSample lacking = view->samples[index];
    lacking.path = view->paths.Child(lacking.path, view->frames.AddPseudo(kNoProcessor));
    lacking.cost = {};
    lacking.cost.blame = ns;
    view->samples[index].cost.blame -= ns;
    view->samples.push_back(lacking);
  }
}

}  // namespace ompprof::analyze
