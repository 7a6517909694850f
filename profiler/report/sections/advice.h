// Advice and refusals as sentences. The text and JSON reports print them.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_ADVICE_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_ADVICE_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/style.h"

namespace ompprof::report {

// The subject of the advice: a region, a function, or a lock's name with the line that takes the lock. "the run" if the
// advice has no narrower subject. `locks` may be null.
std::string AdviceWhere(const analyze::View& view, const analyze::Advice& advice, const analyze::Locks* locks);

// Whether the gain is the largest that is possible: how much of the serial part can be shared out, or given to a
// device, is not known.
bool IsBound(analyze::AdviceKind kind);

// The least gain, or for some kinds the largest: "1.20 s", "up to 1.20 s"; "~1.20 s ±0.05" if the gain comes from
// estimated waits.
std::string GainText(const analyze::Advice& advice);

// The change to try, a sentence.
std::string AdviceText(const analyze::Advice& advice);

// The numbers behind the advice, a sentence.
std::string AdviceEvidence(const analyze::Advice& advice);

// The region of a refusal, or "30 regions"; the reason, a sentence.
std::string RefusalWhere(const analyze::View& view, const analyze::Refusal& refusal);
std::string RefusalText(const analyze::Refusal& refusal);

// How other programs, or a lack of processors, disturbed the run: "the run was disturbed: ..." and what to do. Empty:
// not.
std::string DisturbanceText(const analyze::View& view, const analyze::Findings& findings);

// What to say where AdviceSection is empty.
std::string NoAdviceText(const analyze::View& view, const analyze::Findings& findings);

// Where no change to the program is known, but threads do useful work for most of the time: what one run cannot tell of
// the work, and the next commands. `brief`: half a sentence. Empty: not so.
std::string SlowWorkText(const analyze::Answers& answers, bool brief);

// The text report's section: advice on the program, advice on the measurement, and refusals, at most `limit` of each
// (0: all). Empty if there are none.
std::string AdviceSection(const analyze::View& view, const analyze::Answers& answers, size_t limit, const Style& style);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_ADVICE_H_
