#include "profiler/model/timeline_keeper.h"

#include <algorithm>
#include <map>

namespace ompprof::model {

TimelineKeeper::TimelineKeeper(ProcessProfile* profile, const ReadOptions& options)
    : profile_(*profile),
      timeline_(options.timeline),
      most_timed_(options.most_timed),
      in_bins_(options.timeline == Timeline::kBin) {}

uint64_t TimelineKeeper::BeginUs() const {
  return static_cast<uint64_t>(std::clamp<int64_t>(profile_.header.start_unix_ns() / 1000, 0, kLatestUs));
}

void TimelineKeeper::Begin() {
  constexpr size_t kMostBins = 1000000;  // of 16 bytes
  if (timeline_ == Timeline::kBin)
    bins_ = TimeBinner(BeginUs(), kBinPieces, kMostBins);
  else
    bins_ = TimeBinner(BeginUs(), kTimedPieces, most_timed_);
}

void TimelineKeeper::Add(uint32_t row, uint64_t end_us, uint64_t weight) {
  if (timeline_ == Timeline::kDrop) return;
  if (in_bins_) return AddToBins(row, end_us, weight);
  profile_.timed.push_back({row, end_us * 1000, weight});
  if (most_timed_ != 0 && profile_.timed.size() > most_timed_ && profile_.header.weight_unit() != "events")
    PutTogether();
}

// The time of a sample is its weight. If weights count events, it is the time between samples.
void TimelineKeeper::AddToBins(uint32_t row, uint64_t end_us, uint64_t weight) {
  const Header& header = profile_.header;
  uint64_t length_us = weight / 1000;
  if (header.weight_unit() == "events" && !profile_.samples[row].interval)
    length_us = header.frequency() == 0 ? 0 : 1000000 / header.frequency();
  const uint64_t end = BeginUs() + end_us;
  bins_.Add(row, end - std::min(length_us, end_us), end);
}

void TimelineKeeper::PutTogether() {
  in_bins_ = true;
  for (const TimedRow& entry : profile_.timed) AddToBins(entry.row, entry.end_ns / 1000, entry.weight);
  profile_.timed = std::vector<TimedRow>();
}

void TimelineKeeper::Finish() {
  if (timeline_ == Timeline::kBin)
    profile_.time_bins = bins_.Bins();
  else if (in_bins_)
    TakeFromBins();
}

void TimelineKeeper::TakeFromBins() {
  const TimeBins all = bins_.Bins();
  profile_.timed_piece_ns = uint64_t{1000} << all.log2_us;
  profile_.timed.clear();
  profile_.timed.reserve(all.bins.size());
  for (auto begin = all.bins.begin(); begin != all.bins.end();) {
    const uint64_t number = begin->number;
    const auto end = std::find_if(begin, all.bins.end(), [&](const TimeBin& bin) { return bin.number != number; });
    TakePiece(begin, end, std::max(number << all.log2_us, BeginUs()), (number + 1) << all.log2_us);
    begin = end;
  }
}

// Lays the times of a piece one after the other for each thread, exact waits first: readers take samples within exact
// waits for samples of waiting.
void TimelineKeeper::TakePiece(std::vector<TimeBin>::const_iterator begin, std::vector<TimeBin>::const_iterator end,
                               uint64_t from_us, uint64_t to_us) {
  std::map<uint32_t, uint64_t> free_us;  // by thread: where the next time begins
  for (const bool interval : {true, false}) {
    for (auto bin = begin; bin != end; ++bin) {
      const SampleRow& row = profile_.samples[bin->row];
      if (row.interval != interval) continue;
      uint64_t& free = free_us.emplace(row.thread, from_us).first->second;
      const uint64_t until = std::min(to_us, free + bin->ns / 1000);
      const uint64_t weight = interval ? (until - free) * 1000 : bin->ns;
      profile_.timed.push_back({bin->row, (until - BeginUs()) * 1000, weight});
      free = until;
    }
  }
}

}  // namespace ompprof::model
