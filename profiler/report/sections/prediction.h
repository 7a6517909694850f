// Predictions as text and JSON, and locks by the user's name for them. `ompprof whatif` calls these functions.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_PREDICTION_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_PREDICTION_H_

#include <string>

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/account/what_if.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

// `question`: "main [omp parallel a.c:3] were balanced".
std::string PredictionText(const analyze::Prediction& prediction, const std::string& question, const Style& style = {});

// {"question", "before_ns", "after_ns", "estimated", "ci95", "assumptions": [...]}. ci95 is null if the error is not
// known.
std::string PredictionJson(const analyze::Prediction& prediction, const std::string& question);

// Whether the wait is for the lock that `name` means: the lock's name in reports, "file.c:12" of its acquisition, or
// its wait id, decimal or as 0x...
bool IsLockCalled(const analyze::View& view, const analyze::Locks& locks, const analyze::WaitTotal& wait,
                  const std::string& name);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_PREDICTION_H_
