#include "profiler/unify/deviation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "profiler/analyze/view/omp_state.h"

namespace ompprof::unify {
namespace {

// The subject and the metric of a figure; see FigureOf.
uint32_t SubjectOf(size_t figure) { return static_cast<uint32_t>(figure / kMetrics) + 1; }
SpreadMetric MetricOf(size_t figure) { return static_cast<SpreadMetric>(figure % kMetrics); }

std::string Seconds(double ns) {
  char text[32];
  snprintf(text, sizeof text, ns < 1e9 ? "%.3g ms" : "%.3g s", ns < 1e9 ? ns / 1e6 : ns / 1e9);
  return text;
}

double Median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

void Pack(const Deviation& deviation, Packer* to) {
  to->Put(deviation.distance);
  to->Put(deviation.figure);
  to->Put(deviation.value);
  to->Put(deviation.mean);
  for (const uint64_t number : {deviation.useful, deviation.useful_max, deviation.mpi, deviation.wait_ns})
    to->Put(number);
}

Deviation UnpackDeviation(Unpacker* from) {
  Deviation deviation;
  deviation.distance = from->Double();
  deviation.figure = from->Number();
  deviation.value = from->Number();
  deviation.mean = from->Double();
  deviation.useful = from->Number();
  deviation.useful_max = from->Number();
  deviation.mpi = from->Number();
  deviation.wait_ns = from->Number();
  return deviation;
}

std::string ReasonText(const NamedPlan& plan, const Deviation& deviation) {
  if (deviation.mean == 0) return "";
  const Subject& subject = plan.subjects[SubjectOf(deviation.figure) - 1];
  const double difference = static_cast<double>(deviation.value) - deviation.mean;
  const std::string where =
      subject.kind == SPREAD_STATE ? "waiting: " + analyze::PlainStateName(subject.name) : "in " + subject.name;
  return Seconds(std::abs(difference)) + (difference > 0 ? " more" : " less") + " than the mean (" +
         Seconds(deviation.mean) + ") " + where;
}

MeanMember::MeanMember(const Plan& plan, const Spreads& spreads, uint64_t members)
    : means_(plan.kinds.size() * kMetrics, 0) {
  for (size_t figure = 0; figure < means_.size(); ++figure) {
    const uint32_t kind = plan.kinds[SubjectOf(figure) - 1];
    const bool compared = (kind == SPREAD_PATH && MetricOf(figure) == METRIC_SAMPLED_SELF) ||
                          (kind == SPREAD_STATE && MetricOf(figure) == METRIC_WAIT);
    const Spread* spread = compared ? spreads.Find(figure) : nullptr;
    if (spread == nullptr) continue;
    means_[figure] = static_cast<double>(spread->sum) / static_cast<double>(members);
    sum_ += means_[figure];
    by_size_.push_back(figure);
  }
  std::stable_sort(by_size_.begin(), by_size_.end(), [&](size_t a, size_t b) { return means_[a] > means_[b]; });
}

Deviation MeanMember::Compare(const Values& values) const {
  Deviation deviation;
  deviation.useful = values[FigureOf(kRun, METRIC_WORK)];
  deviation.useful_max = values.BusiestThread();
  deviation.mpi = values[FigureOf(kRun, METRIC_MPI)];
  deviation.wait_ns = values[FigureOf(kRun, METRIC_WAIT)];
  double largest = 0;
  for (const size_t figure : by_size_) {
    const double difference = std::abs(static_cast<double>(values[figure]) - means_[figure]);
    deviation.distance += difference;
    if (difference <= largest) continue;
    largest = difference;
    deviation.figure = figure;
    deviation.value = values[figure];
    deviation.mean = means_[figure];
  }
  if (sum_ > 0) deviation.distance /= sum_;
  return deviation;
}

std::vector<size_t> FindOutliers(const std::vector<double>& distances) {
  if (distances.size() < 3) return {};
  constexpr double kDeviations = 3;
  constexpr double kFromMedianDeviation = 1.4826;  // of a normal distribution
  const double median = Median(distances);
  std::vector<double> from_median;
  for (const double distance : distances) from_median.push_back(std::abs(distance - median));
  const double limit = median + kDeviations * kFromMedianDeviation * Median(from_median);
  std::vector<size_t> outliers;
  for (size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] > limit) outliers.push_back(i);
  }
  std::stable_sort(outliers.begin(), outliers.end(), [&](size_t a, size_t b) { return distances[a] > distances[b]; });
  if (outliers.size() > kMostOutliers) outliers.resize(kMostOutliers);
  return outliers;
}

}  // namespace ompprof::unify
