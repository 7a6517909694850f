// How far a member of a job is from the mean member, and where it differs most; and the members that stand out.
#ifndef OMPPROF_PROFILER_UNIFY_DEVIATION_H_
#define OMPPROF_PROFILER_UNIFY_DEVIATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/unify/figures.h"
#include "profiler/unify/packer.h"
#include "profiler/unify/spread.h"

namespace ompprof::unify {

struct Deviation {
  // The distance: the differences from the mean, added up over all call paths (sampled weight without what they call)
  // and over all states (exact waits); as a part of the mean member's sum of these figures.
  double distance = 0;

  // The figure with the largest difference, its value and its mean. Zeros: the member is the mean.
  uint64_t figure = 0;
  uint64_t value = 0;
  double mean = 0;

  // Of the member's run.
  uint64_t useful = 0;
  uint64_t useful_max = 0;  // of the busiest thread
  uint64_t mpi = 0;
  uint64_t wait_ns = 0;
};

void Pack(const Deviation& deviation, Packer* to);
Deviation UnpackDeviation(Unpacker* from);

// "1.20 s more than the mean (3.00 s) in compute"
std::string ReasonText(const NamedPlan& plan, const Deviation& deviation);

// The means of a program's figures over its members.
class MeanMember {
 public:
  MeanMember(const Plan& plan, const Spreads& spreads, uint64_t members);

  Deviation Compare(const Values& values) const;

 private:
  std::vector<double> means_;    // by figure; 0: not compared
  std::vector<size_t> by_size_;  // the compared figures, the largest mean first
  double sum_ = 0;
};

// A member is an outlier if its distance from the mean member is much larger than the median distance: by more than
// three standard deviations. The median deviation from the median estimates these. At most so many are kept.
inline constexpr size_t kMostOutliers = 16;

// The indexes of the outliers, the largest distance first.
std::vector<size_t> FindOutliers(const std::vector<double>& distances);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_DEVIATION_H_
