#include "profiler/analyze/view/wait_lengths.h"

#include <algorithm>
#include <cmath>

#include "profiler/model/process_profile.h"

namespace ompprof::analyze {
namespace {

// The begin of a bucket, in nanoseconds.
double Begin(uint32_t bucket) {
  if (bucket == 0) return 0;
  return std::ldexp(1 + (bucket - 1) % 4 / 4.0, static_cast<int>(6 + (bucket - 1) / 4));
}

// The length that stands for all waits of a bucket: the harmonic mean of the bucket's ends. Its relative error is equal
// at both ends: at most 1/9, if the ends are 4 : 5.
double Middle(uint32_t bucket) {
  const double begin = Begin(bucket), end = Begin(bucket + 1);
  return begin == 0 ? end / 2 : 2 * begin * end / (begin + end);
}

}  // namespace

WaitLengths::WaitLengths(const WaitStats& stats) {
  uint32_t bucket = 0;
  for (int i = 0; i < stats.length_bucket_size(); ++i) {
    bucket += stats.length_bucket(i);
    Add(bucket - 1, stats.length_count(i));
  }
  missing_ = counts_.empty() && stats.count() > 0 && stats.estimated_ns() == 0;
}

void WaitLengths::Add(uint32_t bucket, uint64_t count) {
  const auto at = std::lower_bound(counts_.begin(), counts_.end(), bucket,
                                   [](const auto& known, uint32_t wanted) { return known.first < wanted; });
  if (at != counts_.end() && at->first == bucket)
    at->second += count;
  else
    counts_.insert(at, {bucket, count});
}

void WaitLengths::Add(const WaitLengths& more) {
  for (const auto& [bucket, count] : more.counts_) Add(bucket, count);
  missing_ = missing_ || more.missing_;
}

uint64_t WaitLengths::Quantile(double share) const {
  if (!known()) return 0;
  double all = 0;
  for (const auto& [bucket, count] : counts_) all += static_cast<double>(count);
  double upto = 0;
  for (const auto& [bucket, count] : counts_) {
    upto += static_cast<double>(count);
    if (upto >= share * all) return static_cast<uint64_t>(std::llround(Middle(bucket)));
  }
  return static_cast<uint64_t>(std::llround(Middle(counts_.back().first)));
}

}  // namespace ompprof::analyze
