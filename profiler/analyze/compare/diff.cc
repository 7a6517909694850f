#include "profiler/analyze/compare/diff.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

namespace ompprof::analyze {
namespace {

constexpr double kSignificanceLevel = 0.05;
// The probability that equal programs give a regression: of the run as a whole, and of a function or region.
constexpr double kFalseAlarmsOfRun = 0.004;
constexpr double kFalseAlarmsOfParts = 0.003;
// The usual variance of functions and regions counts as so many degrees of freedom, unless a figure's own variance is
// larger than the usual variance by the factor kUnusual.
constexpr double kPriorDegrees = 8;
constexpr double kUnusual = 3;
// A function or region with a smaller share of the run is no regression worth a look.
constexpr double kWorthwhileShare = 0.01;

// A row's figures on one side, by run. A run without the row counts as zero.
template <class Figures>
struct SideRow {
  Figures any;
  std::vector<const Figures*> runs;
};

// The rows of one side, by `key`.
template <class Figures, class Key>
auto Collect(const std::vector<RunFigures>& runs, std::vector<Figures> RunFigures::*list, const Key& key) {
  std::map<decltype(key(Figures())), SideRow<Figures>> rows;
  for (size_t i = 0; i < runs.size(); ++i) {
    for (const Figures& figures : runs[i].*list) {
      SideRow<Figures>& row = rows[key(figures)];
      if (row.runs.empty()) {
        row.any = figures;
        row.runs.resize(runs.size(), nullptr);
      }
      row.runs[i] = &figures;
    }
  }
  return rows;
}

template <class Figures>
Mean MeanOfRow(const SideRow<Figures>* row, Amount Figures::*figure, size_t runs) {
  std::vector<Amount> amounts(runs);
  for (size_t i = 0; row != nullptr && i < runs; ++i) {
    if (row->runs[i] != nullptr) amounts[i] = row->runs[i]->*figure;
  }
  return MeanOf(amounts);
}

// `tests`: the number of differences that are judged together.
Difference Judge(const Mean& before, const Mean& after, size_t tests) {
  Difference difference;
  difference.before = before.value;
  difference.after = after.value;
  if (before.variance < 0 || after.variance < 0) return difference;
  const double variance = before.variance + after.variance;
  const auto part = [](const Mean& side) { return side.variance * side.variance / side.degrees; };
  const double parts = part(before) + part(after);  // Welch and Satterthwaite
  const double degrees = parts > 0 ? variance * variance / parts : std::numeric_limits<double>::infinity();
  difference.variance = variance;
  difference.degrees = degrees;
  const double error = std::sqrt(variance);
  difference.margin = StudentQuantile(kSignificanceLevel, degrees) * error;
  const double beyond =
      StudentQuantile(kSignificanceLevel / static_cast<double>(std::max<size_t>(tests, 1)), degrees) * error;
  difference.verdict = std::abs(difference.change()) <= beyond ? Verdict::kNoise
                       : difference.change() > 0               ? Verdict::kMore
                                                               : Verdict::kLess;
  return difference;
}

// A row on both sides. A null pointer: that side does not have the row.
template <class Figures>
struct Pair {
  const SideRow<Figures>* before;
  const SideRow<Figures>* after;
  const Figures& any() const { return after != nullptr ? after->any : before->any; }
};

// Pairs the rows of things with file and line: functions, constructs, regions. Rows with the same name (without place)
// and file form a group. PairLines pairs the rows within a group.
template <class Figures>
class PlacedRows {
 public:
  PlacedRows(const std::vector<RunFigures>& before, const std::vector<RunFigures>& after,
             std::vector<Figures> RunFigures::*list) {
    const auto key = [](const Figures& figures) {
      return std::make_tuple(WithoutPlace(figures.name), figures.file, figures.line, figures.name);
    };
    before_ = Collect(before, list, key);
    after_ = Collect(after, list, key);
    std::map<std::pair<std::string, std::string>, std::pair<Rows, Rows>> groups;
    for (const auto& [place, row] : before_) groups[{std::get<0>(place), std::get<1>(place)}].first.push_back(&row);
    for (const auto& [place, row] : after_) groups[{std::get<0>(place), std::get<1>(place)}].second.push_back(&row);
    for (auto& [name, rows] : groups) PairGroup(rows.first, rows.second);
  }
  PlacedRows(const PlacedRows&) = delete;
  PlacedRows& operator=(const PlacedRows&) = delete;

  const std::vector<Pair<Figures>>& pairs() const { return pairs_; }

 private:
  using Row = SideRow<Figures>;
  using Rows = std::vector<const Row*>;

  static std::vector<uint32_t> Lines(const Rows& rows) {
    std::vector<uint32_t> lines;
    for (const Row* row : rows) lines.push_back(row->any.line);
    return lines;
  }

  void PairGroup(Rows before, Rows after) {
    for (const auto& [i, k] : PairLines(Lines(before), Lines(after))) {
      pairs_.push_back({before[i], after[k]});
      before[i] = after[k] = nullptr;
    }
    for (const Row* row : before) {
      if (row != nullptr) pairs_.push_back({row, nullptr});
    }
    for (const Row* row : after) {
      if (row != nullptr) pairs_.push_back({nullptr, row});
    }
  }

  std::map<std::tuple<std::string, std::string, uint32_t, std::string>, Row> before_;
  std::map<std::tuple<std::string, std::string, uint32_t, std::string>, Row> after_;
  std::vector<Pair<Figures>> pairs_;
};

// Judges one figure of all pairs. Calls `put` with each pair's number and difference.
template <class Figures, class Put>
void JudgeAll(const std::vector<Pair<Figures>>& pairs, Amount Figures::*figure, size_t runs_before, size_t runs_after,
              const Put& put) {
  std::vector<std::pair<Mean, Mean>> means;
  size_t tests = 0;
  for (const Pair<Figures>& pair : pairs) {
    means.emplace_back(MeanOfRow(pair.before, figure, runs_before), MeanOfRow(pair.after, figure, runs_after));
    tests += means.back().first.value != 0 || means.back().second.value != 0;
  }
  for (size_t i = 0; i < pairs.size(); ++i) put(i, Judge(means[i].first, means[i].second, tests));
}

template <class Row>
void SortByChange(std::vector<Row>* rows, Difference Row::*figure) {
  std::stable_sort(rows->begin(), rows->end(), [figure](const Row& a, const Row& b) {
    return std::abs((a.*figure).change()) > std::abs((b.*figure).change());
  });
}

// Sets the members that functions and regions share.
template <class Row, class Figures>
Row PlacedRow(const Pair<Figures>& pair) {
  Row row;
  row.name = pair.any().name;
  row.file = pair.any().file;
  row.path = pair.any().path;
  row.declared = pair.any().declared;
  row.is_before = pair.before != nullptr;
  row.is_after = pair.after != nullptr;
  if (row.is_before) row.line_before = pair.before->any.line;
  if (row.is_after) row.line_after = pair.after->any.line;
  return row;
}

Difference JudgeRun(const std::vector<RunFigures>& before, const std::vector<RunFigures>& after,
                    Amount RunFigures::*figure) {
  const auto mean = [figure](const std::vector<RunFigures>& runs) {
    std::vector<Amount> amounts;
    for (const RunFigures& run : runs) amounts.push_back(run.*figure);
    return MeanOf(amounts);
  };
  return Judge(mean(before), mean(after), 1);
}

}  // namespace

std::string WithoutPlace(const std::string& name) {
  const size_t bracket = name.rfind(" [omp ");
  if (bracket == std::string::npos) return name;
  // "file.c:12", or "program+0x1234" if lines are not known.
  const size_t blank = name.rfind(' ');
  const std::string last = name.substr(blank + 1);
  if (blank <= bracket + 1 || last.find_first_of(":+") == std::string::npos) return name;
  return name.substr(0, blank) + "]";
}

std::vector<std::pair<size_t, size_t>> PairLines(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  if (a.size() > b.size()) {
    std::vector<std::pair<size_t, size_t>> pairs = PairLines(b, a);
    for (auto& pair : pairs) std::swap(pair.first, pair.second);
    return pairs;
  }
  // best[i][k]: the least sum for the first i elements of `a` and the first k elements of `b`.
  constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  const size_t width = b.size() + 1;
  std::vector<uint64_t> best((a.size() + 1) * width, kNone);
  const auto distance = [&](size_t i, size_t k) { return uint64_t{a[i] > b[k] ? a[i] - b[k] : b[k] - a[i]}; };
  for (size_t k = 0; k < width; ++k) best[k] = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t k = i; k < width; ++k) {
      const uint64_t paired = best[(i - 1) * width + k - 1] + distance(i - 1, k - 1);
      const uint64_t skipped = k > i ? best[i * width + k - 1] : kNone;
      best[i * width + k] = std::min(paired, skipped);
    }
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = a.size(), k = b.size(); i > 0; --k) {
    if (k > i && best[i * width + k - 1] == best[i * width + k]) continue;
    pairs.emplace_back(i - 1, k - 1);
    --i;
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

Diff Compare(const std::vector<RunFigures>& before, const std::vector<RunFigures>& after) {
  Diff diff;
  diff.runs_before = before.size();
  diff.runs_after = after.size();
  diff.wall = JudgeRun(before, after, &RunFigures::wall);
  diff.cpu = JudgeRun(before, after, &RunFigures::cpu);

  const PlacedRows<FunctionFigures> functions(before, after, &RunFigures::functions);
  for (const auto& pair : functions.pairs()) diff.functions.push_back(PlacedRow<FunctionDiff>(pair));
  const auto judge = [&](const auto& pairs, auto figure, auto* rows, auto member) {
    JudgeAll(pairs, figure, before.size(), after.size(),
             [&](size_t i, const Difference& difference) { (*rows)[i].*member = difference; });
  };
  judge(functions.pairs(), &FunctionFigures::self, &diff.functions, &FunctionDiff::self);
  judge(functions.pairs(), &FunctionFigures::total, &diff.functions, &FunctionDiff::total);
  SortByChange(&diff.functions, &FunctionDiff::self);

  const PlacedRows<RegionFigures> regions(before, after, &RunFigures::regions);
  for (const auto& pair : regions.pairs()) diff.regions.push_back(PlacedRow<RegionDiff>(pair));
  judge(regions.pairs(), &RegionFigures::cpu, &diff.regions, &RegionDiff::cpu);
  judge(regions.pairs(), &RegionFigures::elapsed, &diff.regions, &RegionDiff::elapsed);
  judge(regions.pairs(), &RegionFigures::wait, &diff.regions, &RegionDiff::wait);
  SortByChange(&diff.regions, &RegionDiff::cpu);

  const auto name = [](const StateFigures& state) { return state.name; };
  const auto states_before = Collect(before, &RunFigures::states, name);
  const auto states_after = Collect(after, &RunFigures::states, name);
  std::map<std::string, Pair<StateFigures>> by_name;
  for (const auto& [key, row] : states_before) by_name[key].before = &row;
  for (const auto& [key, row] : states_after) by_name[key].after = &row;
  std::vector<Pair<StateFigures>> states;
  for (const auto& [key, pair] : by_name) {
    states.push_back(pair);
    diff.states.emplace_back();
    diff.states.back().name = key;
  }
  judge(states, &StateFigures::cpu, &diff.states, &StateDiff::cpu);
  judge(states, &StateFigures::wait, &diff.states, &StateDiff::wait);
  // A sleeping wait uses almost no CPU time.
  const auto size = [](const StateDiff& row) {
    return std::max(std::abs(row.cpu.change()), std::abs(row.wait.change()));
  };
  std::stable_sort(diff.states.begin(), diff.states.end(),
                   [&](const StateDiff& a, const StateDiff& b) { return size(a) > size(b); });
  return diff;
}

namespace {

bool VariesByRuns(const GatedFigure& figure) {
  const Difference& difference = figure.difference;
  return figure.is_tested() && std::isfinite(difference.degrees) && difference.before > 0;
}

double RelativeVariance(const Difference& difference) {
  return difference.variance / (difference.before * difference.before);
}

// The median relative variance of the figures whose variance comes from the runs' differences. 0: there are none.
double UsualVariance(const std::vector<GatedFigure>& figures) {
  std::vector<double> variances;
  for (const GatedFigure& figure : figures) {
    if (VariesByRuns(figure)) variances.push_back(RelativeVariance(figure.difference));
  }
  if (variances.empty()) return 0;
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::nth_element(variances.begin(), middle, variances.end());
  return *middle;
}

// Finds the regressions among the figures. All of them together grow by chance with the probability
// `significance_level`.
void TestTogether(double usual_variance, double significance_level, double percent, std::vector<GatedFigure>* figures) {
  const auto tests =
      std::count_if(figures->begin(), figures->end(), [](const GatedFigure& figure) { return figure.is_tested(); });
  for (GatedFigure& figure : *figures) {
    const Difference& difference = figure.difference;
    if (!figure.is_tested() || difference.relative() * 100 <= percent) continue;
    double variance = difference.variance;
    double degrees = difference.degrees;
    if (VariesByRuns(figure) && usual_variance > 0) {
      if (RelativeVariance(difference) <= kUnusual * usual_variance) degrees += kPriorDegrees;
      variance = std::max(variance, usual_variance * difference.before * difference.before);
    }
    // Of chance in either direction, half makes the figure larger.
    const double level = 2 * significance_level / static_cast<double>(tests);
    figure.is_regression = difference.change() > StudentQuantile(level, degrees) * std::sqrt(variance);
  }
}

}  // namespace

std::string GatedFigure::What() const {
  return (kind == FigureKind::kFunction ? "function " : kind == FigureKind::kRegion ? "region " : "") + name;
}

std::vector<GatedFigure> TestFigures(const Diff& diff, double percent, const std::string& measured) {
  std::vector<GatedFigure> figures = {{FigureKind::kRun, "wall time", "", 0, diff.wall},
                                      {FigureKind::kRun, measured, "", 0, diff.cpu}};
  std::vector<GatedFigure> parts;
  const double least = kWorthwhileShare * diff.cpu.before;
  const auto add = [&](FigureKind kind, const std::string& name, const auto& row, const Difference& difference) {
    const bool is_code = !row.name.empty() && row.name[0] != '<';
    if (is_code && row.is_before && row.is_after && difference.before > 0 && difference.after >= least)
      parts.push_back({kind, name, row.path, row.declared, difference});
  };
  for (const FunctionDiff& row : diff.functions)
    add(FigureKind::kFunction, row.name + (row.file.empty() ? "" : " (" + row.file + ")"), row, row.self);
  for (const RegionDiff& row : diff.regions) add(FigureKind::kRegion, row.name, row, row.cpu);
  TestTogether(0, kFalseAlarmsOfRun, percent, &figures);
  TestTogether(UsualVariance(parts), kFalseAlarmsOfParts, percent, &parts);
  figures.insert(figures.end(), parts.begin(), parts.end());
  return figures;
}

std::vector<GatedFigure> RegressionsOf(const std::vector<GatedFigure>& figures) {
  std::vector<GatedFigure> regressions;
  std::copy_if(figures.begin(), figures.end(), std::back_inserter(regressions),
               [](const GatedFigure& figure) { return figure.is_regression; });
  return regressions;
}

std::vector<GatedFigure> FindRegressions(const Diff& diff, double percent, const std::string& measured) {
  return RegressionsOf(TestFigures(diff, percent, measured));
}

}  // namespace ompprof::analyze
