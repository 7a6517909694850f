#include "profiler/model/time_bins.h"

#include <algorithm>
#include <tuple>

namespace ompprof::model {

void TimeBinner::Add(uint32_t row, uint64_t from_us, uint64_t to_us) {
  from_us = std::max(from_us, begin_us_);
  if (from_us >= to_us) return;
  while (((to_us - 1) >> log2_) - First() >= kMostNumbers) Widen();
  while (from_us < to_us) {
    const uint64_t number = from_us >> log2_;
    const uint64_t until = std::min(to_us, (number + 1) << log2_);
    us_[row * kMostNumbers + number - First()] += until - from_us;
    from_us = until;
  }
}

void TimeBinner::Widen() {
  const uint64_t first = First();
  ++log2_;
  std::unordered_map<uint64_t, uint64_t> wide;
  for (const auto& [key, us] : us_) {
    const uint64_t number = (first + key % kMostNumbers) >> 1;
    wide[key / kMostNumbers * kMostNumbers + number - First()] += us;
  }
  us_ = std::move(wide);
}

TimeBins TimeBinner::Bins() const {
  TimeBins result;
  if (us_.empty()) return result;
  result.log2_us = log2_;
  for (const auto& [key, us] : us_) {
    result.bins.push_back({First() + key % kMostNumbers, static_cast<uint32_t>(key / kMostNumbers), us * 1000});
  }
  std::sort(result.bins.begin(), result.bins.end(),
            [](const TimeBin& a, const TimeBin& b) { return std::tie(a.number, a.row) < std::tie(b.number, b.row); });
  return result;
}

}  // namespace ompprof::model
