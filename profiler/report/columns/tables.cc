#include "profiler/report/columns/tables.h"

#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/function_columns.h"
#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/phase_columns.h"
#include "profiler/report/columns/rank_columns.h"
#include "profiler/report/columns/rank_region_columns.h"
#include "profiler/report/columns/region_columns.h"
#include "profiler/report/columns/spread_columns.h"
#include "profiler/report/columns/state_columns.h"
#include "profiler/report/columns/target_columns.h"
#include "profiler/report/columns/thread_columns.h"
#include "profiler/report/columns/wait_columns.h"

namespace ompprof::report {

const std::vector<TableFacts>& ReportTables() {
  static const std::vector<TableFacts> tables = {
      {"phases", FactsOf(PhaseColumns())},
      {"ranks", FactsOf(RankColumns())},
      {"rank_regions", FactsOf(RankRegionColumns())},
      {"spread", FactsOf(SpreadColumns())},
      {"states", FactsOf(StateColumns())},
      {"threads", FactsOf(ThreadColumns())},
      {"regions", FactsOf(RegionColumns())},
      {"locks", FactsOf(LockColumns())},
      {"functions", FactsOf(FunctionColumns())},
      {"waits", FactsOf(WaitColumns())},
      {"targets", FactsOf(TargetColumns())},
      {"devices", FactsOf(DeviceColumns())},
  };
  return tables;
}

}  // namespace ompprof::report
