#include "profiler/analyze/compare/scaling.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/account/serial_part.h"
#include "profiler/analyze/builder/account_threads.h"

namespace ompprof::analyze {
namespace {

constexpr double kScalingLevel = 0.05;
// With a processor for each thread, threads are ready without one for so much of their time only if other programs take
// the processors.
constexpr double kDisturbed = 0.05;
// So many standard deviations.
constexpr double kBeyondChance = 5;
// By how much the wall times of two single runs must differ to be called different.
constexpr double kUsualDifference = 0.03;

ScalingPart PartOf(LossKind kind) {
  switch (kind) {
    case LossKind::kBarriers:
      return ScalingPart::kBarriers;
    case LossKind::kTasks:
      return ScalingPart::kTasks;
    case LossKind::kLocks:
      return ScalingPart::kLocks;
    case LossKind::kDevices:
      return ScalingPart::kDevices;
    case LossKind::kIdle:
      return ScalingPart::kIdle;
    case LossKind::kReady:
      return ScalingPart::kReady;
    case LossKind::kBlocked:
      return ScalingPart::kBlocked;
    case LossKind::kMpi:
      return ScalingPart::kMpi;
    case LossKind::kLibraries:
      return ScalingPart::kLibraries;
    case LossKind::kOwn:
      break;
  }
  return ScalingPart::kOwn;
}

std::string LastPart(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The innermost function and line of a sample's path.
const Line& LeafOf(const View& view, PathId path) {
  return view.frames.line(view.frames.location(view.paths.node(path).location).first_line);
}

// The work of the OpenMP runtime in all threads.
double RuntimeNs(const View& view) {
  double all = 0;
  for (const ViewSample& sample : view.samples) {
    if (sample.path != kEmptyPath && !sample.in_wait && !sample.own &&
        view.frames.function(LeafOf(view, sample.path).function).name == "<omp overhead>")
      all += static_cast<double>(sample.cost.weight);
  }
  return all;
}

// `ready`: the part of the run's thread time in which threads were ready without a processor.
void MeasureScalingRegions(const View& view, double ready, std::vector<RunRegion>* regions) {
  for (const Region& region : view.regions) {
    if (region.elapsed_ns == 0) continue;
    const ViewFunction& construct = view.frames.function(region.construct);
    RunRegion measured = {construct.name, LastPart(construct.file), construct.line, {}};
    RegionTimes& times = measured.times;
    times.elapsed_ns = static_cast<double>(region.elapsed_ns);
    double left = static_cast<double>(region.useful_ns);
    if (region.team_ns == 0) {  // teams of one thread, whose useful time is not measured
      times.parts[ScalingPart::kReady] = times.elapsed_ns * ready;
      left = times.elapsed_ns - times.parts[ScalingPart::kReady];
      // Asleep is what sampled CPU time leaves, if that is more than chance.
      const auto busy = static_cast<double>(region.busy_weight);
      const double asleep = left - busy;
      if (asleep > kBeyondChance * busy / std::sqrt(static_cast<double>(std::max<uint64_t>(region.samples, 1)))) {
        times.parts[ScalingPart::kBlocked] = asleep;
        left = busy;
      }
    }
    const auto add = [&](ScalingPart part, uint64_t ns, bool of_useful) {
      const double taken = of_useful ? std::min(static_cast<double>(ns), left) : static_cast<double>(ns);
      times.parts[part] += taken;
      if (of_useful) left -= taken;
    };
    add(ScalingPart::kBarriers, region.end_wait_ns + region.barrier_wait_ns, false);
    add(ScalingPart::kTasks, region.task_wait_ns, false);
    add(ScalingPart::kLocks, region.lock_wait_ns, false);
    add(ScalingPart::kReady, region.ready_ns, false);
    add(ScalingPart::kBlocked, region.blocked_ns, true);
    add(ScalingPart::kOwn, region.own_useful_weight, true);
    add(ScalingPart::kMpi, region.mpi_weight, true);
    add(ScalingPart::kLibraries, region.library_wait_weight, true);
    add(ScalingPart::kRuntime,
        std::accumulate(region.overhead_weight, region.overhead_weight + kOverheads, uint64_t{0}), true);
    times.work_ns = left;
    regions->push_back(std::move(measured));
  }
}

// The CPU time of each line, where a path ends.
void MeasureLines(const View& view, RunFigures* run) {
  std::map<std::pair<FunctionId, uint32_t>, Amount> lines;
  for (const ViewSample& sample : view.samples) {
    if (sample.path == kEmptyPath || sample.cost.weight == 0) continue;
    const Line& leaf = LeafOf(view, sample.path);
    if (leaf.line != 0) lines[{leaf.function, leaf.line}].AddSamples(sample.cost.samples, sample.cost.weight);
  }
  for (const auto& [place, amount] : lines) {
    const ViewFunction& function = view.frames.function(place.first);
    run->functions.push_back(
        {function.name, LastPart(function.file), place.second, amount, amount, function.file, place.second});
  }
}

// Of a figure that each run has.
template <class Figure>
Mean MeanOver(const std::vector<const ScalingRun*>& runs, const Figure& figure) {
  std::vector<Amount> amounts;
  for (const ScalingRun* run : runs) amounts.push_back(Amount::Unknown(figure(*run)));
  return MeanOf(amounts);
}

using RunsByThreads = std::map<uint32_t, std::vector<const ScalingRun*>>;

ScalingPoint PointOf(uint32_t threads, const std::vector<const ScalingRun*>& runs) {
  ScalingPoint point;
  point.threads = threads;
  point.runs = runs.size();
  const Mean wall = MeanOver(runs, [](const ScalingRun& run) { return run.wall_ns; });
  point.wall_ns = wall.value;
  if (wall.variance >= 0)
    point.wall_margin_ns = StudentQuantile(kScalingLevel, wall.degrees) * std::sqrt(wall.variance);
  point.work_ns = MeanOver(runs, [](const ScalingRun& run) { return run.work_ns; }).value;
  for (size_t part = 0; part < kScalingParts; ++part)
    point.parts.at(part) = MeanOver(runs, [part](const ScalingRun& run) { return run.parts.at(part); }).value;
  for (const ScalingRun* run : runs) {
    point.bound |= run->bound;
    if (run->processors > 0)
      point.processors = point.processors == 0 ? run->processors : std::min(point.processors, run->processors);
  }
  return point;
}

std::vector<RegionScaling> RegionsOf(const RunsByThreads& runs, const Scaling& scaling) {
  std::map<std::tuple<std::string, std::string, uint32_t>, RegionScaling> regions;
  size_t number = 0;
  for (const auto& [threads, of_point] : runs) {
    const auto count = static_cast<double>(of_point.size());
    for (const ScalingRun* run : of_point) {
      for (const RunRegion& region : run->regions) {
        RegionScaling& all = regions[{region.name, region.file, region.line}];
        all.name = region.name;
        all.file = region.file;
        all.line = region.line;
        all.times.resize(runs.size());
        RegionTimes& mean = all.times[number];
        mean.elapsed_ns += region.times.elapsed_ns / count;
        mean.work_ns += region.times.work_ns / count;
        for (size_t part = 0; part < kScalingParts; ++part) mean.parts.at(part) += region.times.parts.at(part) / count;
      }
    }
    ++number;
  }
  std::vector<RegionScaling> all;
  const size_t last = scaling.judged == 0 ? 0 : scaling.judged - 1;
  for (auto& [place, region] : regions) {
    const RegionTimes& first = region.times[0];
    const double ideal = first.elapsed_ns * scaling.first().threads / scaling.points[last].threads;
    if (first.elapsed_ns > 0) {
      region.inflation_ns = region.times[last].work_ns - first.work_ns;
      region.gain_ns = std::max(0.0, region.times[last].elapsed_ns - ideal);
    }
    for (size_t i = 1; i <= last; ++i) {
      const double least = region.times[region.best].elapsed_ns;
      if (region.times[i].elapsed_ns > 0 && (least == 0 || region.times[i].elapsed_ns < least)) region.best = i;
    }
    all.push_back(std::move(region));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const RegionScaling& a, const RegionScaling& b) { return a.gain_ns > b.gain_ns; });
  return all;
}

// The program's code that takes more CPU time after than before, beyond noise.
std::vector<FunctionDiff> GrownCode(const std::vector<const ScalingRun*>& before,
                                    const std::vector<const ScalingRun*>& after, RunFigures ScalingRun::*figures) {
  std::vector<RunFigures> sides[2];
  for (const ScalingRun* run : before) sides[0].push_back(run->*figures);
  for (const ScalingRun* run : after) sides[1].push_back(run->*figures);
  std::vector<FunctionDiff> grown;
  for (FunctionDiff& row : Compare(sides[0], sides[1]).functions) {
    const bool is_code = !row.name.empty() && row.name[0] != '<';
    if (is_code && row.self.verdict == Verdict::kMore) grown.push_back(std::move(row));
  }
  std::stable_sort(grown.begin(), grown.end(),
                   [](const FunctionDiff& a, const FunctionDiff& b) { return a.self.change() > b.self.change(); });
  return grown;
}

// A fit by least squares of relative differences: the sum of coefficients x terms is n x wall time.
struct Fit {
  std::vector<double> coefficients;
  double variance = 0;                       // of a run's relative difference
  std::vector<std::vector<double>> inverse;  // of the normal matrix
};

// 1, n - 1, n (n - 1): the first `count` of them.
std::vector<double> TermsOf(double threads, size_t count) {
  std::vector<double> terms = {1, threads - 1, threads * (threads - 1)};
  terms.resize(count);
  return terms;
}

// The inverse of a small symmetric matrix, by Gauss and Jordan. Empty: it is singular.
std::vector<std::vector<double>> Inverse(std::vector<std::vector<double>> matrix) {
  const size_t size = matrix.size();
  std::vector<std::vector<double>> inverse(size, std::vector<double>(size, 0));
  for (size_t i = 0; i < size; ++i) inverse[i][i] = 1;
  for (size_t column = 0; column < size; ++column) {
    size_t pivot = column;
    for (size_t row = column; row < size; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    if (std::abs(matrix[pivot][column]) < 1e-300) return {};
    std::swap(matrix[pivot], matrix[column]);
    std::swap(inverse[pivot], inverse[column]);
    const double divisor = matrix[column][column];
    for (size_t k = 0; k < size; ++k) {
      matrix[column][k] /= divisor;
      inverse[column][k] /= divisor;
    }
    for (size_t row = 0; row < size; ++row) {
      const double factor = matrix[row][column];
      if (row == column || factor == 0) continue;
      for (size_t k = 0; k < size; ++k) {
        matrix[row][k] -= factor * matrix[column][k];
        inverse[row][k] -= factor * inverse[column][k];
      }
    }
  }
  return inverse;
}

Fit FitTerms(const std::vector<const ScalingRun*>& runs, size_t count) {
  std::vector<std::vector<double>> normal(count, std::vector<double>(count, 0));
  std::vector<double> right(count, 0);
  const auto relative = [&](const ScalingRun& run) {
    std::vector<double> terms = TermsOf(run.threads, count);
    for (double& term : terms) term /= run.threads * run.wall_ns;
    return terms;
  };
  for (const ScalingRun* run : runs) {
    const std::vector<double> terms = relative(*run);
    for (size_t i = 0; i < count; ++i) {
      right[i] += terms[i];
      for (size_t k = 0; k < count; ++k) normal[i][k] += terms[i] * terms[k];
    }
  }
  Fit fit;
  fit.inverse = Inverse(normal);
  if (fit.inverse.empty()) return fit;
  for (size_t i = 0; i < count; ++i)
    fit.coefficients.push_back(std::inner_product(right.begin(), right.end(), fit.inverse[i].begin(), 0.0));
  for (const ScalingRun* run : runs) {
    const std::vector<double> terms = relative(*run);
    const double off = 1 - std::inner_product(terms.begin(), terms.end(), fit.coefficients.begin(), 0.0);
    fit.variance += off * off / static_cast<double>(runs.size() - count);
  }
  return fit;
}

// Without terms that would be negative: no program gets faster by waiting for others.
Fit FitLaw(const std::vector<const ScalingRun*>& runs) {
  Fit fit;
  for (size_t count = 3; count > 0; --count) {
    fit = FitTerms(runs, count);
    if (!fit.coefficients.empty() && fit.coefficients.back() >= 0) break;
  }
  return fit;
}

FunctionFigures SerialFunction(const View& view, const model::Symbolizer* symbolizer, double threads) {
  FunctionFigures figures;
  const FunctionId most = FindSerialPart(view, symbolizer, threads).most;
  if (most == kNoFunction) return figures;
  const ViewFunction& function = view.frames.function(most);
  figures.name = function.name;
  figures.path = function.file;
  figures.file = function.file.substr(function.file.rfind('/') + 1);
  figures.declared = function.line;
  return figures;
}

}  // namespace

const char* ScalingPartTitle(ScalingPart part) {
  switch (part) {
    case ScalingPart::kInflation:
      return "work inflation";
    case ScalingPart::kRuntime:
      return "in the OpenMP runtime";
    case ScalingPart::kBarriers:
      return LossTitle(LossKind::kBarriers);
    case ScalingPart::kTasks:
      return LossTitle(LossKind::kTasks);
    case ScalingPart::kLocks:
      return LossTitle(LossKind::kLocks);
    case ScalingPart::kDevices:
      return LossTitle(LossKind::kDevices);
    case ScalingPart::kIdle:
      return LossTitle(LossKind::kIdle);
    case ScalingPart::kReady:
      return LossTitle(LossKind::kReady);
    case ScalingPart::kBlocked:
      return LossTitle(LossKind::kBlocked);
    case ScalingPart::kMpi:
      return LossTitle(LossKind::kMpi);
    case ScalingPart::kLibraries:
      return LossTitle(LossKind::kLibraries);
    case ScalingPart::kOwn:
      return LossTitle(LossKind::kOwn);
  }
  return "";
}

const char* ScalingPartShortTitle(ScalingPart part) {
  static constexpr const char* kTitles[kScalingParts] = {"inflation", "runtime", "barriers",  "tasks",
                                                         "locks",     "devices", "idle",      "ready",
                                                         "blocked",   "MPI",     "libraries", "ompprof"};
  return kTitles[static_cast<size_t>(part)];
}

double ScalingParts::sum() const { return std::accumulate(begin(), end(), 0.0); }

ScalingRun MeasureScalingRun(const View& view, const model::Symbolizer* symbolizer) {
  ScalingRun run;
  if (!WaitsRecorded(view)) {
    run.why_not = "waits were not recorded (--waits=off)";
    return run;
  }
  if (!view.run.weighs_ns()) {
    run.why_not = "its samples count events, and not time";
    return run;
  }
  const Efficiency efficiency = MeasureEfficiency(view, MeasureMpi(view));
  if (!efficiency.known || efficiency.duration_ns == 0) {
    run.why_not = "the profile has no OMPT data; `ompprof info` says why it has none";
    return run;
  }
  run.threads = efficiency.threads;
  run.asked = static_cast<uint32_t>(std::strtoul(view.run.first().SettingOf("OMP_NUM_THREADS").c_str(), nullptr, 10));
  run.processors = ProcessorsAtATime(view.run);
  run.bound = view.run.thread_cpus() < view.run.usable_cpus();
  if (run.bound) run.processors = view.run.thread_cpus();
  run.wall_ns = static_cast<double>(efficiency.duration_ns);
  for (const Loss& loss : LossesOf(efficiency)) run.parts[PartOf(loss.kind)] += static_cast<double>(loss.ns);
  const double useful = run.threads * run.wall_ns - run.parts.sum();
  run.parts[ScalingPart::kRuntime] = std::min(RuntimeNs(view), std::max(useful, 0.0));
  run.work_ns = useful - run.parts[ScalingPart::kRuntime];
  MeasureScalingRegions(view, run.parts[ScalingPart::kReady] / (run.threads * run.wall_ns), &run.regions);
  run.serial = SerialFunction(view, symbolizer, run.threads);
  run.functions = MeasureRun(view);
  MeasureLines(view, &run.lines);
  return run;
}

bool Scaling::is_disturbed() const {
  return std::any_of(
      points.begin(), points.begin() + static_cast<std::ptrdiff_t>(judged),
      [](const ScalingPoint& point) { return point.parts[ScalingPart::kReady] > kDisturbed * point.thread_ns(); });
}

bool Scaling::IsFaster(size_t point, size_t other) const {
  const ScalingPoint& a = points[point];
  const ScalingPoint& b = points[other];
  const double least = a.wall_margin_ns >= 0 && b.wall_margin_ns >= 0
                           ? std::sqrt(a.wall_margin_ns * a.wall_margin_ns + b.wall_margin_ns * b.wall_margin_ns)
                           : kUsualDifference * std::min(a.wall_ns, b.wall_ns);
  return a.wall_ns < b.wall_ns - least;
}

Extrapolation Extrapolate(const Scaling& scaling, const std::vector<ScalingRun>& runs, uint32_t threads) {
  constexpr size_t kFewestPoints = 3;
  constexpr size_t kMoreRuns = 2;
  constexpr double kWidest = 0.5;
  Extrapolation result;
  result.threads = threads;
  std::vector<const ScalingRun*> judged;
  for (const ScalingRun& run : runs) {
    if (scaling.judged > 0 && run.threads <= scaling.last_judged().threads) judged.push_back(&run);
  }
  if (scaling.is_disturbed()) {
    result.why_not = "other programs took processors";
  } else if (scaling.judged < kFewestPoints) {
    result.why_not = "it needs runs with three numbers of threads that have a processor each";
  } else if (judged.size() < kFewestPoints + kMoreRuns) {
    result.why_not = "it needs five runs or more, to know how much times vary: --repeat=2";
  }
  if (!result.why_not.empty()) return result;

  const ScalingPoint& last = scaling.last_judged();
  const double more = last.threads - scaling.first().threads;
  const double grows = (last.parts[ScalingPart::kInflation] + last.parts[ScalingPart::kIdle]) / more;
  const double other = last.parts.sum() - last.parts[ScalingPart::kInflation] - last.parts[ScalingPart::kIdle];
  const double kept = 1 - other / last.thread_ns();
  result.amdahl_ns = (last.work_ns + grows * (threads - scaling.first().threads)) / (threads * kept);

  const Fit fit = FitLaw(judged);
  const size_t count = fit.coefficients.size();
  const std::vector<double> terms = TermsOf(threads, count);
  const double thread_ns = std::inner_product(terms.begin(), terms.end(), fit.coefficients.begin(), 0.0);
  result.law_ns = thread_ns / threads;
  double spread = 1;  // of the run itself, and of the fit
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < count; ++k) spread += terms[i] * fit.inverse[i][k] * terms[k] / (thread_ns * thread_ns);
  }
  result.law_margin_ns = StudentQuantile(kScalingLevel, static_cast<double>(judged.size() - count)) *
                         std::sqrt(fit.variance * spread) * result.law_ns;
  if (!(result.law_margin_ns <= kWidest * result.law_ns))
    result.why_not = "the runs differ by too much: the interval would be wider than the time itself";
  return result;
}

Scaling MeasureScaling(const std::vector<ScalingRun>& runs) {
  RunsByThreads by_threads;
  Scaling scaling;
  for (const ScalingRun& run : runs) {
    by_threads[run.threads].push_back(&run);
    if (run.asked != 0 && run.asked != run.threads) scaling.refused.insert(run.asked);
  }
  for (const auto& [threads, of_point] : by_threads) scaling.points.push_back(PointOf(threads, of_point));
  const double work_ns = scaling.points[0].work_ns;
  for (ScalingPoint& point : scaling.points) {
    point.parts[ScalingPart::kInflation] = point.work_ns - work_ns;
    point.work_ns = work_ns;
    point.speedup = point.wall_ns > 0 ? scaling.points[0].wall_ns / point.wall_ns : 0;
  }
  while (scaling.judged < scaling.points.size() && scaling.points[scaling.judged].has_processors()) ++scaling.judged;
  for (size_t i = 1; i < scaling.judged; ++i) {
    if (scaling.points[i].wall_ns < scaling.points[scaling.best].wall_ns) scaling.best = i;
  }
  while (scaling.IsFaster(scaling.best, scaling.end)) ++scaling.end;
  while (scaling.points[scaling.enough].wall_ns > (1 + kNearlyBest) * scaling.points[scaling.best].wall_ns)
    ++scaling.enough;
  scaling.regions = RegionsOf(by_threads, scaling);
  if (scaling.judged > 1) {
    const std::vector<const ScalingRun*>& before = by_threads.begin()->second;
    const std::vector<const ScalingRun*>& after = by_threads[scaling.last_judged().threads];
    scaling.serial = after[0]->serial;
    scaling.functions = GrownCode(before, after, &ScalingRun::functions);
    scaling.lines = GrownCode(before, after, &ScalingRun::lines);
  }
  return scaling;
}

}  // namespace ompprof::analyze
