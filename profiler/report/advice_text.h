// Advice in words. The text and JSON reports print it.
#ifndef OMPPROF_PROFILER_REPORT_ADVICE_TEXT_H_
#define OMPPROF_PROFILER_REPORT_ADVICE_TEXT_H_

#include <string>

#include "profiler/analyze/advice.h"
#include "profiler/analyze/locks.h"
#include "profiler/analyze/view.h"

namespace ompprof::report {

// The region or function that it is about, and of a lock its name and the line that takes it; "the run" if it is about
// all. `locks` may be null.
std::string AdviceWhere(const analyze::View& view, const analyze::Advice& advice, const analyze::Locks* locks);

// What it would save: "1.20 s", or "~1.20 s ±0.05" where the waits that this is reckoned from are estimated.
std::string GainText(const analyze::Advice& advice);

// What to try, a sentence.
std::string AdviceText(const analyze::Advice& advice);

// The numbers that say so, a sentence.
std::string AdviceEvidence(const analyze::View& view, const analyze::Advice& advice);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ADVICE_TEXT_H_
