#include "profiler/analyze/compare/run_figures.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

bool IsConstruct(const std::string& name) { return name.rfind(" [omp ") != std::string::npos; }

// The functions of a view by the key that another build shares: name and file; for constructs, the line too.
class FunctionTable {
 public:
  FunctionTable(const View& view, std::vector<FunctionFigures>* figures) : figures_(*figures) {
    index_.resize(view.frames.function_count());
    for (FunctionId id = 1; id < view.frames.function_count(); ++id) {
      const ViewFunction& function = view.frames.function(id);
      const std::string file = BaseName(function.file);
      const uint32_t line = IsConstruct(function.name) ? function.line : 0;
      const auto [entry, added] = known_.emplace(std::make_tuple(function.name, file, line), figures_.size());
      if (added) figures_.push_back({function.name, file, line, {}, {}, function.file, function.line});
      index_[id] = entry->second;
    }
  }

  size_t Index(FunctionId id) const { return index_[id]; }

 private:
  std::vector<FunctionFigures>& figures_;
  std::vector<size_t> index_;  // by FunctionId
  std::map<std::tuple<std::string, std::string, uint32_t>, size_t> known_;
};

void MeasureFunctions(const View& view, RunFigures* run) {
  const FunctionTable table(view, &run->functions);
  std::vector<size_t> met(run->functions.size(), 0);  // by function: the number of the last sample that contains it
  size_t number = 0;
  for (const ViewSample& sample : view.samples) {
    ++number;
    bool leaf = true;
    for (PathId path = sample.path; path != kEmptyPath; path = view.paths.node(path).parent) {
      const Location& location = view.frames.location(view.paths.node(path).location);
      for (uint32_t i = 0; i < location.line_count; ++i) {
        const size_t index = table.Index(view.frames.line(location.first_line + i).function);
        FunctionFigures& function = run->functions[index];
        if (leaf) function.self.AddSamples(sample.cost.samples, sample.cost.weight);
        leaf = false;
        if (met[index] == number) continue;
        met[index] = number;
        function.total.AddSamples(sample.cost.samples, sample.cost.weight);
      }
    }
  }
  run->functions.erase(std::remove_if(run->functions.begin(), run->functions.end(),
                                      [](const FunctionFigures& function) { return function.total.value == 0; }),
                       run->functions.end());
}

void MeasureStates(const View& view, RunFigures* run) {
  std::map<std::string, StateFigures> states;
  const auto at = [&](uint32_t process, OmptState state) -> StateFigures& {
    return states[StateName(view.run.process(process), state)];
  };
  for (const ViewSample& sample : view.samples) {
    if (!sample.cost.is_unsampled())
      at(sample.process, sample.state).cpu.AddSamples(sample.cost.samples, sample.cost.weight);
  }
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    Amount& waited = at(wait.process, wait.state).wait;
    waited.AddEvents(wait.total_ns, wait.max_ns);
    waited.AddEstimate(wait.estimate.variance);
  }
  for (auto& [name, state] : states) {
    state.name = name;
    run->states.push_back(state);
  }
}

void MeasureRegions(const View& view, RunFigures* run) {
  std::map<FunctionId, Amount> waits;
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge || wait.region == kNoFunction || wait.state == OmptState::kIdle) continue;
    waits[wait.region].AddEvents(wait.total_ns, wait.max_ns);
    waits[wait.region].AddEstimate(wait.estimate.variance);
  }
  for (const Region& region : view.regions) {
    const ViewFunction& construct = view.frames.function(region.construct);
    RegionFigures figures;
    figures.name = construct.name;
    figures.file = BaseName(construct.file);
    figures.line = construct.line;
    figures.path = construct.file;
    figures.declared = construct.line;
    figures.cpu.AddSamples(region.samples, region.weight);
    figures.elapsed = Amount::Unknown(static_cast<double>(region.elapsed_ns));
    if (region.elapsed_max_ns != 0) {
      figures.elapsed = {};
      figures.elapsed.AddEvents(region.elapsed_ns, region.elapsed_max_ns);
    }
    figures.wait = waits[region.construct];
    run->regions.push_back(figures);
  }
}

// The CPU time of threads that wait for a device in each target construct. The construct is the frame above the wait.
std::map<FunctionId, Amount> CpuOfTargets(const View& view) {
  std::map<FunctionId, Amount> cpu;
  for (const ViewSample& sample : view.samples) {
    if (KindOf(sample.state) != StateKind::kTarget || sample.path == kEmptyPath) continue;
    const PathId above = view.paths.node(sample.path).parent;
    if (above == kEmptyPath) continue;
    const Location& location = view.frames.location(view.paths.node(above).location);
    if (location.line_count > 0)
      cpu[view.frames.line(location.first_line).function].AddSamples(sample.cost.samples, sample.cost.weight);
  }
  return cpu;
}

// The construct on all devices together.
void MeasureTargets(const View& view, RunFigures* run) {
  const std::map<FunctionId, Amount> cpu = CpuOfTargets(view);
  std::map<FunctionId, RegionFigures> targets;
  for (const TargetConstruct& target : TargetConstructs(view)) {
    const ViewFunction& construct = view.frames.function(target.construct);
    RegionFigures& figures = targets[target.construct];
    figures.name = construct.name;
    figures.file = BaseName(construct.file);
    figures.line = construct.line;
    figures.path = construct.file;
    figures.declared = construct.line;
    if (const auto sampled = cpu.find(target.construct); sampled != cpu.end()) figures.cpu = sampled->second;
    figures.elapsed.AddEvents(target.elapsed_ns, target.longest_ns);
    figures.wait.AddEvents(target.waited_ns, std::min(target.longest_ns, target.waited_ns));
  }
  for (auto& [construct, figures] : targets) run->regions.push_back(std::move(figures));
}

// The figures of a unified job vary from rank to rank: the ranks are the sample that tells the variances.
void AddVariancesOfRanks(const View& view, RunFigures* run) {
  std::map<std::tuple<FigureKind, FigureMetric, std::string, std::string>, double> variances;
  for (const JobFigure& figure : view.job_figures) {
    const auto members = static_cast<double>(view.run.process(figure.process).members);
    if (figure.kind != FigureKind::kPath)
      variances[{figure.kind, figure.metric, figure.name, BaseName(figure.file)}] +=
          members * figure.deviation * figure.deviation;
  }
  const auto set = [&](FigureKind kind, FigureMetric metric, const std::string& name, const std::string& file,
                       Amount* amount) {
    const auto found = variances.find({kind, metric, name, file});
    if (found != variances.end()) amount->variance = found->second;
  };
  set(FigureKind::kRun, FigureMetric::kSampled, "", "", &run->cpu);
  for (FunctionFigures& function : run->functions) {
    set(FigureKind::kFunction, FigureMetric::kSampledSelf, function.name, function.file, &function.self);
    set(FigureKind::kFunction, FigureMetric::kSampled, function.name, function.file, &function.total);
  }
  for (StateFigures& state : run->states) {
    set(FigureKind::kState, FigureMetric::kSampled, state.name, "", &state.cpu);
    set(FigureKind::kState, FigureMetric::kWait, state.name, "", &state.wait);
  }
  for (RegionFigures& region : run->regions) {
    set(FigureKind::kRegion, FigureMetric::kElapsed, region.name, region.file, &region.elapsed);
    set(FigureKind::kRegion, FigureMetric::kWait, region.name, region.file, &region.wait);
  }
}

}  // namespace

RunFigures MeasureRun(const View& view) {
  RunFigures run;
  run.wall = Amount::Unknown(static_cast<double>(view.run.duration_ns()));
  for (const ViewSample& sample : view.samples) run.cpu.AddSamples(sample.cost.samples, sample.cost.weight);
  MeasureFunctions(view, &run);
  MeasureStates(view, &run);
  MeasureRegions(view, &run);
  MeasureTargets(view, &run);
  if (view.run.is_unified()) AddVariancesOfRanks(view, &run);
  return run;
}

}  // namespace ompprof::analyze
