// All tables with declared columns, by the name of their member in the JSON report. The documentation and the web page
// use this list.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_TABLES_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_TABLES_H_

#include <string>
#include <vector>

#include "profiler/report/columns/column_facts.h"

namespace ompprof::report {

struct TableFacts {
  std::string name;  // "locks"
  std::vector<ColumnFacts> columns;
};

const std::vector<TableFacts>& ReportTables();

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_TABLES_H_
