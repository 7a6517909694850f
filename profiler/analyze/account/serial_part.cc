#include "profiler/analyze/account/serial_part.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

#include "profiler/analyze/view/system_objects.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// Whether the sample is outside regions, or was taken before the runtime knew the thread.
bool IsSerial(const View& view, const ViewSample& sample) {
  if (sample.own) return false;
  if (sample.state == OmptState::kWorkSerial) return true;
  if (sample.state != OmptState::kNone) return false;
  const ThreadFacts* thread = view.run.process(sample.process).FindThread(sample.thread);
  return thread != nullptr && thread->kind == ThreadKind::kInitial;
}

// Whether the function is in the program's own code: no part of a run-time library, and no made-up frame.
bool IsPrograms(const View& view, const model::Symbolizer* symbolizer, FunctionId id) {
  const ViewFunction& function = view.frames.function(id);
  if (function.name.empty() || function.name[0] == '<' || function.name == "_start") return false;
  if (symbolizer == nullptr || function.object == 0) return true;
  const model::Object& object = symbolizer->objects()[function.object];
  return !object.openmp_runtime && !object.profilers_own && !IsLanguageLibrary(object.path);
}

}  // namespace

SerialPart FindSerialPart(const View& view, const model::Symbolizer* symbolizer, double threads) {
  struct Cost {
    bool is_programs = false;
    uint64_t total = 0;
    double frames_below = 0;  // times total
    uint64_t last_sample = 0;
  };
  std::unordered_map<FunctionId, Cost> costs;
  SerialPart part;
  uint64_t total = 0, visit = 0;
  for (const ViewSample& sample : view.samples) {
    if (!IsSerial(view, sample)) continue;
    ++visit;
    // A thread that sleeps while others wait for it uses no CPU time.
    const auto slept = static_cast<uint64_t>(static_cast<double>(sample.cost.blame) / std::max(threads - 1, 1.0));
    const uint64_t weight = std::max(sample.cost.weight, slept);
    part.cpu_ns += sample.cost.weight;
    total += weight;
    double below = 0;
    for (PathId path = sample.path; path != kEmptyPath; path = view.paths.node(path).parent) {
      const Location& location = view.frames.location(view.paths.node(path).location);
      for (uint32_t i = 0; i < location.line_count; ++i, ++below) {
        const FunctionId function = view.frames.line(location.first_line + i).function;
        const auto [entry, is_new] = costs.try_emplace(function);
        Cost& cost = entry->second;
        if (is_new) cost.is_programs = IsPrograms(view, symbolizer, function);
        if (!cost.is_programs || cost.last_sample == visit) continue;  // the function may call itself
        cost.last_sample = visit;
        cost.total += weight;
        cost.frames_below += below * static_cast<double>(weight);
      }
    }
  }
  constexpr uint64_t kFewestSamples = 5;
  if (total < kFewestSamples * view.run.first().sampling.period) return part;
  std::tuple<double, uint64_t, FunctionId> least;
  for (const auto& [function, cost] : costs) {
    const double below = cost.frames_below / static_cast<double>(std::max<uint64_t>(cost.total, 1));
    const std::tuple<double, uint64_t, FunctionId> rank{below, cost.total, function};
    if (cost.total <= total / 2 || (part.most != kNoFunction && rank > least)) continue;
    part.most = function;
    least = rank;
  }
  return part;
}

}  // namespace ompprof::analyze
