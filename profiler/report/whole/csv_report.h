// One table of the report as CSV, for spreadsheets and data frames. `ompprof report --format=csv` and
// `ompprof export --format=csv-functions` print the table. README.md in this folder has the columns.
#ifndef OMPPROF_PROFILER_REPORT_WHOLE_CSV_REPORT_H_
#define OMPPROF_PROFILER_REPORT_WHOLE_CSV_REPORT_H_

#include <optional>
#include <string>

#include "profiler/analyze/account/breakdown.h"
#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::report {

// Functions by own time. With `by`, a function has a row for each value of the dimension. The first column, named after
// the dimension, has the value.
std::string CsvFunctions(const analyze::View& view, const model::Symbolizer& symbolizer, bool lines = false,
                         std::optional<analyze::Dimension> by = std::nullopt);
std::string CsvRegions(const analyze::View& view);
std::string CsvThreads(const analyze::View& view, const analyze::Summary& summary);
std::string CsvLocks(const analyze::View& view, const analyze::Locks& locks);
std::string CsvWaits(const analyze::View& view);
std::string CsvDevices(const analyze::View& view);
std::string CsvStates(const analyze::View& view);  // a row for each thread and state

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WHOLE_CSV_REPORT_H_
