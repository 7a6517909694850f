// The documentation's tables of columns, in Markdown. `document` writes them into the report's README.md. A test
// compares the README.md with them.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_DOCUMENTATION_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_DOCUMENTATION_H_

#include <string>
#include <vector>

#include "profiler/report/columns/tables.h"

namespace ompprof::report {

// `readme` with the present table of members between "<!-- columns: NAME -->" and "<!-- end of columns -->", for each
// table. NAME "csv" means the CSV columns that are no members. The other text stays unchanged. `missing` gets the names
// of tables without such a place.
std::string WithColumns(const std::string& readme, const std::vector<TableFacts>& tables,
                        std::vector<std::string>* missing);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_DOCUMENTATION_H_
