// Advice as sentences. The text and JSON reports print it.
#ifndef OMPPROF_PROFILER_REPORT_ADVICE_TEXT_H_
#define OMPPROF_PROFILER_REPORT_ADVICE_TEXT_H_

#include <string>

#include "profiler/analyze/advice.h"
#include "profiler/analyze/locks.h"
#include "profiler/analyze/view.h"

namespace ompprof::report {

// The subject of the advice: a region, a function, or a lock's name with the line that takes the lock. "the run" if the
// advice has no narrower subject. `locks` may be null.
std::string AdviceWhere(const analyze::View& view, const analyze::Advice& advice, const analyze::Locks* locks);

// The gain: "1.20 s"; "~1.20 s ±0.05" if the gain comes from estimated waits.
std::string GainText(const analyze::Advice& advice);

// The change to try, a sentence.
std::string AdviceText(const analyze::Advice& advice);

// The numbers behind the advice, a sentence.
std::string AdviceEvidence(const analyze::View& view, const analyze::Advice& advice);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ADVICE_TEXT_H_
