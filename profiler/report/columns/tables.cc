#include "profiler/report/columns/tables.h"

#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/region_columns.h"

namespace ompprof::report {

const std::vector<TableFacts>& ReportTables() {
  static const std::vector<TableFacts> tables = {
      {"regions", FactsOf(RegionColumns())},
      {"locks", FactsOf(LockColumns())},
  };
  return tables;
}

}  // namespace ompprof::report
