#include "profiler/unify/spread.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "profiler/model/figure_bucket.h"

namespace ompprof::unify {
namespace {

// Figures below this part of the largest figure of their metric have no histogram.
constexpr double kHistogramShare = 0.001;

constexpr int kBatch = 4096;

// Numbers the texts of a process, and puts each into the batch that uses it first.
class Texts {
 public:
  uint32_t Of(const std::string& text, SpreadBatch* batch) {
    if (text.empty()) return 0;
    const auto [known, added] = numbers_.emplace(text, static_cast<uint32_t>(numbers_.size() + 1));
    if (added) batch->add_text(text);
    return known->second;
  }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

// Writes the spreads of a plan.
class BatchMaker {
 public:
  BatchMaker(const NamedPlan& plan, const Spreads& spreads, const std::vector<std::string>& names)
      : plan_(plan), spreads_(spreads), names_(names), first_figures_(plan.subjects.size() + 1, 0) {}

  std::vector<SpreadBatch> Run() {
    EachFigure([&](uint32_t, uint32_t metric, const Spread& spread) {
      largest_[metric] = std::max(largest_[metric], spread.sum);
    });
    EachFigure([&](uint32_t subject, uint32_t metric, const Spread& spread) { Write(subject, metric, spread); });
    return std::move(batches_);
  }

 private:
  template <class Take>
  void EachFigure(Take take) const {
    for (uint32_t subject = 1; subject <= plan_.subjects.size(); ++subject) {
      for (uint32_t metric = 1; metric < kMetrics; ++metric) {
        const Spread* spread = spreads_.Find(FigureOf(subject, static_cast<SpreadMetric>(metric)));
        if (spread != nullptr) take(subject, metric, *spread);
      }
    }
  }

  void Write(uint32_t subject, uint32_t metric, const Spread& spread) {
    if (batches_.empty() || batches_.back().of_size() == kBatch) batches_.emplace_back();
    SpreadBatch* batch = &batches_.back();
    ++written_;
    if (first_figures_[subject] == 0) first_figures_[subject] = written_;
    const Subject& of = plan_.subjects[subject - 1];
    batch->add_of(of.kind);
    batch->add_name(texts_.Of(of.name, batch));
    batch->add_file(texts_.Of(of.file, batch));
    batch->add_line(of.line);
    batch->add_parent(of.parent == 0 ? 0 : first_figures_[of.parent]);
    batch->add_metric(metric);
    // A member without the figure has 0.
    const bool all = spread.members == names_.size();
    batch->add_sum(spread.sum);
    batch->add_min(all ? spread.min : 0);
    batch->add_max(spread.max);
    batch->add_deviation(spread.Deviation(names_.size()));
    batch->add_members(spread.members);
    batch->add_min_member(all ? texts_.Of(names_[spread.min_member], batch) : 0);
    batch->add_max_member(texts_.Of(names_[spread.max_member], batch));
    const bool large = static_cast<double>(spread.sum) >= kHistogramShare * static_cast<double>(largest_[metric]);
    batch->add_buckets(large ? WriteHistogram(spread, batch) : 0);
  }

  // Returns the number of buckets.
  uint32_t WriteHistogram(const Spread& spread, SpreadBatch* batch) const {
    const uint64_t without = names_.size() - spread.members;
    if (without > 0) {
      batch->add_bucket(0);
      batch->add_bucket_members(without);
    }
    for (const auto& [bucket, count] : spread.buckets) {
      batch->add_bucket(bucket);
      batch->add_bucket_members(count);
    }
    return static_cast<uint32_t>(spread.buckets.size()) + (without > 0 ? 1 : 0);
  }

  const NamedPlan& plan_;
  const Spreads& spreads_;
  const std::vector<std::string>& names_;
  std::vector<SpreadBatch> batches_;
  Texts texts_;
  uint32_t written_ = 0;                 // figures
  std::vector<uint32_t> first_figures_;  // by subject: the number of its first figure
  uint64_t largest_[kMetrics] = {};      // sum, by metric
};

}  // namespace

void Spread::AddExtremes(uint64_t least, uint32_t least_member, uint64_t most, uint32_t most_member) {
  if (least < min || (least == min && least_member < min_member)) {
    min = least;
    min_member = least_member;
  }
  if (most > max || (most == max && most_member < max_member)) {
    max = most;
    max_member = most_member;
  }
}

void Spread::AddToBucket(uint32_t bucket, uint64_t count) {
  const auto at = std::lower_bound(buckets.begin(), buckets.end(), std::make_pair(bucket, uint64_t{0}));
  if (at != buckets.end() && at->first == bucket)
    at->second += count;
  else
    buckets.insert(at, {bucket, count});
}

void Spread::Add(uint32_t member, uint64_t value) {
  if (members == 0) max_member = member;
  AddExtremes(value, member, value, member);
  sum += value;
  squares += static_cast<unsigned __int128>(value) * value;
  ++members;
  AddToBucket(model::BucketOf(value), 1);
}

void Spread::Add(const Spread& more) {
  if (more.members == 0) return;
  if (members == 0) max_member = more.max_member;
  AddExtremes(more.min, more.min_member, more.max, more.max_member);
  sum += more.sum;
  squares += more.squares;
  members += more.members;
  for (const auto& [bucket, count] : more.buckets) AddToBucket(bucket, count);
}

double Spread::Deviation(uint64_t all) const {
  if (all == 0) return 0;
  // The variance is (all * squares - sum * sum) / all^2. The difference is exact unless it needs more than 128 bits.
  const auto sum_squared = static_cast<unsigned __int128>(sum) * sum;
  unsigned __int128 all_squares = 0;
  if (!__builtin_mul_overflow(squares, static_cast<unsigned __int128>(all), &all_squares))
    return static_cast<double>(std::sqrt(static_cast<long double>(all_squares - sum_squared)) /
                               static_cast<long double>(all));
  const auto mean = static_cast<long double>(sum) / static_cast<long double>(all);
  const auto variance = static_cast<long double>(squares) / static_cast<long double>(all) - mean * mean;
  return variance <= 0 ? 0 : static_cast<double>(std::sqrt(variance));
}

Spread& Spreads::At(size_t figure) {
  if (numbers_[figure] == 0) {
    spreads_.emplace_back();
    numbers_[figure] = static_cast<uint32_t>(spreads_.size());
  }
  return spreads_[numbers_[figure] - 1];
}

void Spreads::Add(uint32_t member, const Values& values) {
  for (const size_t figure : values.touched()) At(figure).Add(member, values[figure]);
}

void Spreads::Pack(Packer* to) const {
  to->Put(uint64_t{spreads_.size()});
  for (size_t figure = 0; figure < numbers_.size(); ++figure) {
    const Spread* spread = Find(figure);
    if (spread == nullptr) continue;
    for (const uint64_t number :
         {static_cast<uint64_t>(figure), spread->sum, static_cast<uint64_t>(spread->squares >> 64),
          static_cast<uint64_t>(spread->squares), spread->min, spread->max, uint64_t{spread->min_member},
          uint64_t{spread->max_member}, spread->members, uint64_t{spread->buckets.size()}})
      to->Put(number);
    for (const auto& [bucket, count] : spread->buckets) {
      to->Put(uint64_t{bucket});
      to->Put(count);
    }
  }
}

void Spreads::AddPacked(Unpacker* from) {
  for (uint64_t left = from->Number(); left > 0; --left) {
    const size_t figure = from->Number();
    Spread spread;
    spread.sum = from->Number();
    const auto high = static_cast<unsigned __int128>(from->Number());
    spread.squares = high << 64 | from->Number();
    spread.min = from->Number();
    spread.max = from->Number();
    spread.min_member = static_cast<uint32_t>(from->Number());
    spread.max_member = static_cast<uint32_t>(from->Number());
    spread.members = from->Number();
    spread.buckets.resize(from->Number());
    for (auto& [bucket, count] : spread.buckets) {
      bucket = static_cast<uint32_t>(from->Number());
      count = from->Number();
    }
    At(figure).Add(spread);
  }
}

std::vector<SpreadBatch> MakeSpreadBatches(const NamedPlan& plan, const Spreads& spreads,
                                           const std::vector<std::string>& names) {
  return BatchMaker(plan, spreads, names).Run();
}

}  // namespace ompprof::unify
