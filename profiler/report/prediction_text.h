// Predictions as text and JSON, and locks by what a person calls them. `ompprof whatif` prints them.
#ifndef OMPPROF_PROFILER_REPORT_PREDICTION_TEXT_H_
#define OMPPROF_PROFILER_REPORT_PREDICTION_TEXT_H_

#include <string>

#include "profiler/analyze/locks.h"
#include "profiler/analyze/view.h"
#include "profiler/analyze/what_if.h"

namespace ompprof::report {

// `question`: "main [omp parallel a.c:3] were balanced".
std::string PredictionText(const analyze::Prediction& prediction, const std::string& question);

// {"question", "before_ns", "after_ns", "estimated", "ci95", "assumptions": [...]}; ci95 is null where it is not known.
std::string PredictionJson(const analyze::Prediction& prediction, const std::string& question);

// Whether the wait is for the lock called `name`: its name as the reports show it, "file.c:12" where it is taken, or
// its wait id, decimal or as 0x...
bool IsLockCalled(const analyze::View& view, const analyze::Locks& locks, const analyze::WaitTotal& wait,
                  const std::string& name);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_PREDICTION_TEXT_H_
