// The columns of the table of OpenMP states.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_STATE_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_STATE_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

// A state of one thread, or of all threads.
struct StateRow {
  const analyze::View& view;
  const std::string& name;
  const analyze::StateTime& time;
  const analyze::ThreadStates* thread = nullptr;  // for CSV
  uint64_t waited_ns = 0;                         // in all states; for text
  const TextOptions* options = nullptr;           // for text
};

const std::vector<Column<StateRow>>& StateColumns();

// Writes an object with a member for each used state in `times`, by name.
void JsonStates(const analyze::View& view, const std::vector<std::string>& names,
                const std::vector<analyze::StateTime>& times, JsonWriter* json);

// Whether a state has samples or waits.
bool IsUsed(const analyze::StateTime& time);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_STATE_COLUMNS_H_
