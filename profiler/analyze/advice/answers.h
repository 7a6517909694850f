// The analyses of a whole profile: efficiency, advice (with refusals), locks, ranks, code without names. The command
// line makes them before it filters samples by their functions, so a report on a part of the program gives the same
// advice. Of a selection, only locks and code without names are known.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_ANSWERS_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_ANSWERS_H_

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/account/unnamed_code.h"
#include "profiler/analyze/advice/advise.h"
#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct Answers {
  Efficiency efficiency;
  Findings findings;
  Locks locks;
  Ranks ranks;
  UnnamedCode unnamed;
};

// See BuildLocks for the arguments.
inline Answers Answer(View* view, model::Symbolizer* symbolizer) {
  Answers answers;
  if (!view->selection.any()) {
    const MpiTime mpi = MeasureMpi(*view);
    answers.efficiency = MeasureEfficiency(*view, mpi);
    answers.ranks = CompareRanks(*view, mpi);
    answers.findings = Advise(*view, answers.efficiency, symbolizer);
  }
  answers.unnamed = FindUnnamedCode(*view, *symbolizer);
  answers.locks = BuildLocks(view, symbolizer);
  return answers;
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_ANSWERS_H_
