// The order of a job's ranks: by number, then ranks that are no numbers, then processes without a rank.
#ifndef OMPPROF_PROFILER_UNIFY_RANK_ORDER_H_
#define OMPPROF_PROFILER_UNIFY_RANK_ORDER_H_

#include <cstdint>
#include <string>
#include <tuple>

namespace ompprof::unify {

inline std::tuple<bool, bool, uint64_t, std::string> RankOrder(const std::string& rank) {
  constexpr size_t kMostDigits = 18;
  const bool numeric =
      !rank.empty() && rank.size() <= kMostDigits && rank.find_first_not_of("0123456789") == std::string::npos;
  return {rank.empty(), !numeric, numeric ? std::stoull(rank) : 0, rank};
}

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_RANK_ORDER_H_
