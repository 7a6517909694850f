// The documentation's tables of columns, in Markdown. `document` writes them into the report's README.md, and a test
// compares them with it.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_DOCUMENTATION_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_DOCUMENTATION_H_

#include <string>
#include <vector>

#include "profiler/report/columns/tables.h"

namespace ompprof::report {

// The table of members between "<!-- columns: NAME -->" and "<!-- end of columns -->" as the declarations have it, for
// each table; NAME "csv" stands for the columns of CSV that are no members. Everything else stays as it is.
// `missing` gets the names of tables that `readme` has no such place for.
std::string WithColumns(const std::string& readme, const std::vector<TableFacts>& tables,
                        std::vector<std::string>* missing);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_DOCUMENTATION_H_
