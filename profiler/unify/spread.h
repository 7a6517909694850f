// The spread of figures over members: sums, extremes, standard deviations and histograms. All are kept as whole numbers
// until the end, so the result does not depend on the order in which members and parts are added.
#ifndef OMPPROF_PROFILER_UNIFY_SPREAD_H_
#define OMPPROF_PROFILER_UNIFY_SPREAD_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/unify/figures.h"
#include "profiler/unify/packer.h"

namespace ompprof::unify {

// The spread of one figure over the members that have it. The others have 0.
struct Spread {
  uint64_t sum = 0;
  unsigned __int128 squares = 0;
  uint64_t min = UINT64_MAX;
  uint64_t max = 0;
  uint32_t min_member = 0;  // the first member, in the members' order, with that value
  uint32_t max_member = 0;
  uint64_t members = 0;
  std::vector<std::pair<uint32_t, uint64_t>> buckets;  // with their numbers of members, ascending

  void Add(uint32_t member, uint64_t value);
  void Add(const Spread& more);

  // The standard deviation over `all` members.
  double Deviation(uint64_t all) const;

 private:
  void AddExtremes(uint64_t least, uint32_t least_member, uint64_t most, uint32_t most_member);
  void AddToBucket(uint32_t bucket, uint64_t count);
};

// The spreads of all figures of a plan.
class Spreads {
 public:
  explicit Spreads(size_t figures) : numbers_(figures, 0) {}

  void Add(uint32_t member, const Values& values);

  void Pack(Packer* to) const;
  void AddPacked(Unpacker* from);

  // Null: no member has the figure.
  const Spread* Find(size_t figure) const { return numbers_[figure] == 0 ? nullptr : &spreads_[numbers_[figure] - 1]; }

 private:
  Spread& At(size_t figure);

  std::vector<uint32_t> numbers_;  // by figure: index into spreads_ + 1; 0: none
  std::vector<Spread> spreads_;
};

// The records of a unified process's spreads. `names`: of the members in their order.
std::vector<SpreadBatch> MakeSpreadBatches(const NamedPlan& plan, const Spreads& spreads,
                                           const std::vector<std::string>& names);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_SPREAD_H_
