// The columns of the table of MPI ranks.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_RANK_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_RANK_COLUMNS_H_

#include <string>
#include <vector>

#include "profiler/analyze/compare/ranks.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct RankRow {
  const analyze::Ranks& ranks;
  const analyze::RankCost& rank;
  bool nanoseconds = true;  // whether weights are nanoseconds; for text
};

const std::vector<Column<RankRow>>& RankColumns();

// The text table's name of a rank: "rank 3"; "process 4711" for a process without a rank.
std::string RankName(const analyze::RankCost& rank);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_RANK_COLUMNS_H_
