#include "profiler/model/time_bins.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ompprof::model {

void TimeBinner::Add(uint32_t row, uint64_t from_us, uint64_t to_us) {
  from_us = std::max(from_us, begin_us_);
  if (from_us >= to_us) return;
  while (((to_us - 1) >> log2_) - First() >= most_numbers_) Widen();
  while (from_us < to_us) {
    const uint64_t number = from_us >> log2_;
    const uint64_t until = std::min(to_us, (number + 1) << log2_);
    Entry(row, number) += until - from_us;
    from_us = until;
  }
  while (us_.size() > most_bins_ && last_ > First()) Widen();
}

uint64_t& TimeBinner::Entry(uint32_t row, uint64_t number) {
  const uint32_t entry = entries_.Of({row * most_numbers_ + number - First()});
  if (entry > us_.size()) us_.push_back(0);
  last_ = std::max(last_, number);
  return us_[entry - 1];
}

void TimeBinner::Widen() {
  TimeBinner wide(begin_us_, most_numbers_, most_bins_);
  wide.log2_ = log2_ + 1;
  wide.last_ = wide.First();
  for (uint32_t entry = 1; entry <= us_.size(); ++entry) {
    const uint64_t key = entries_[entry][0];
    const uint64_t number = (First() + key % most_numbers_) >> 1;
    wide.Entry(static_cast<uint32_t>(key / most_numbers_), number) += us_[entry - 1];
  }
  *this = std::move(wide);
}

TimeBins TimeBinner::Bins() const {
  TimeBins result;
  if (us_.empty()) return result;
  result.log2_us = log2_;
  result.bins.reserve(us_.size());
  for (uint32_t entry = 1; entry <= us_.size(); ++entry) {
    const uint64_t key = entries_[entry][0];
    result.bins.push_back(
        {First() + key % most_numbers_, static_cast<uint32_t>(key / most_numbers_), us_[entry - 1] * 1000});
  }
  std::sort(result.bins.begin(), result.bins.end(),
            [](const TimeBin& a, const TimeBin& b) { return std::tie(a.number, a.row) < std::tie(b.number, b.row); });
  return result;
}

}  // namespace ompprof::model
