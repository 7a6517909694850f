// What all kinds of advice need of a run. Only the files of the advice use it.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_ADVICE_RUN_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_ADVICE_RUN_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/account/barriers.h"
#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/view/concurrency.h"

namespace ompprof::analyze {

// The least gain of advice, as a share of the run's wall time.
inline constexpr double kWorthwhile = 0.03;

struct AdviceRun {
  AdviceRun(const View& viewed, const Efficiency& measured)
      : view(viewed), efficiency(measured), processes(OpenmpProcessesAtATime(viewed.run)), barriers(viewed) {}

  const View& view;
  const Efficiency& efficiency;
  double processes;  // the mean number that ran at a time
  Barriers barriers;

  bool Worthwhile(uint64_t gain_ns, double share = kWorthwhile) const {
    return static_cast<double>(gain_ns) >= share * static_cast<double>(efficiency.duration_ns) && gain_ns > 0;
  }

  // Whether a sampled weight is of five samples or more: fewer may be there by chance.
  bool IsBeyondChance(uint64_t weight) const { return weight >= 5 * view.run.first().sampling.period; }

  // The run's wall time from a sum over processes. Processes that ran at the same time share the sum.
  uint64_t OfEachProcess(double ns) const { return static_cast<uint64_t>(ns / processes); }
};

// The reference is valid until the next call.
inline Advice& AddAdvice(AdviceKind kind, FunctionId where, uint64_t gain_ns, std::vector<Advice>* all) {
  Advice& advice = all->emplace_back();
  advice.kind = kind;
  advice.where = where;
  advice.gain_ns = gain_ns;
  return advice;
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_ADVICE_RUN_H_
