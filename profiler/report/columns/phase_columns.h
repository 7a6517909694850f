// The columns of the table of phases.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_PHASE_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_PHASE_COLUMNS_H_

#include <vector>

#include "profiler/analyze/account/phases.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct PhaseRow {
  const analyze::View& view;
  const analyze::PhaseCost& phase;
};

const std::vector<Column<PhaseRow>>& PhaseColumns();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_PHASE_COLUMNS_H_
