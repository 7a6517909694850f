#include "profiler/analyze/short_waits.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "proto/ompt_state.h"

namespace ompprof::analyze {

void AddShortWaits(View* view) {
  struct Waits {
    uint64_t all_ns = 0;
    double all_variance = 0;
    uint64_t placed_ns = 0;
    double placed_variance = 0;
  };
  std::map<std::tuple<uint32_t, uint32_t, OmptState>, Waits> waits;  // by process, thread and state
  for (const WaitTotal& wait : view->waits) {
    if (wait.charge) continue;
    Waits& of_thread = waits[{wait.process, wait.thread, wait.state}];
    of_thread.all_ns += wait.total_ns;
    of_thread.all_variance += wait.estimate.variance;
  }
  for (const ViewSample& sample : view->samples) {
    if (sample.cost.wait == 0) continue;
    Waits& of_thread = waits[{sample.process, sample.thread, sample.state}];
    of_thread.placed_ns += sample.cost.wait;
    of_thread.placed_variance += sample.cost.wait_variance;
  }
  for (ViewSample& sample : view->samples) {
    if (sample.cost.wait == 0) continue;
    const Waits& of_thread = waits[{sample.process, sample.thread, sample.state}];
    if (of_thread.placed_ns <= of_thread.all_ns || of_thread.all_ns == 0) continue;
    const double part = static_cast<double>(of_thread.all_ns) / static_cast<double>(of_thread.placed_ns);
    const auto wait = static_cast<uint64_t>(part * static_cast<double>(sample.cost.wait));
    view->total_wait -= sample.cost.wait - wait;
    sample.cost.wait = wait;
    sample.cost.wait_variance *= part * part;
  }
  PathId path = kEmptyPath;
  for (const auto& [key, of_thread] : waits) {
    if (of_thread.all_ns <= of_thread.placed_ns) continue;
    if (path == kEmptyPath) path = view->paths.Child(kEmptyPath, view->frames.AddPseudo(kShortWaits));
    ViewSample sample{};
    sample.path = path;
    std::tie(sample.process, sample.thread, sample.state) = key;
    sample.region = kNoFunction;
    sample.in_wait = true;
    sample.cost.wait = of_thread.all_ns - of_thread.placed_ns;
    sample.cost.wait_variance = std::max(0.0, of_thread.all_variance - of_thread.placed_variance);
    view->samples.push_back(sample);
    view->total_wait += sample.cost.wait;
  }
}

}  // namespace ompprof::analyze
