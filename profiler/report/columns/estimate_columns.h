// The two columns for the estimate of a row's sum of waits.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_ESTIMATE_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_ESTIMATE_COLUMNS_H_

#include <string>
#include <vector>

#include "profiler/report/columns/column.h"

namespace ompprof::report {

// `sum`: the key of the sum. kEstimate returns the sum's estimate.
template <class Row, analyze::Estimate (*kEstimate)(const Row&)>
std::vector<Column<Row>> EstimateColumns(const std::string& sum) {
  return {
      {.key = "estimated",
       .unit = Unit::kFlag,
       .value = [](const Row& row) -> Value { return kEstimate(row).any(); },
       .meaning = "whether `" + sum + "` is estimated in part"},
      {.key = "ci95",
       .unit = Unit::kNs,
       .from = From::kComputed,
       .value = [](const Row& row) -> Value { return kEstimate(row).ci95_ns(); },
       .meaning = "error of `" + sum + "`"},
  };
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_ESTIMATE_COLUMNS_H_
