// The columns of the table of locks.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_LOCK_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_LOCK_COLUMNS_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

struct LockRow {
  const analyze::View& view;
  const analyze::Locks& all;
  const analyze::Lock& lock;
  const TextOptions* options = nullptr;  // for text only
};

const std::vector<Column<LockRow>>& LockColumns();

// "deposit  bank.cc:40", or "<not known>".
std::string LockPlaceText(const analyze::View& view, const analyze::LockPlace& place, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_LOCK_COLUMNS_H_
