// Builds the view of recorded processes: symbolizes their call paths, and adds their figures up.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_BUILD_VIEW_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_BUILD_VIEW_H_

#include <memory>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/model/profile_reader.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// Takes one process at a time, so that a job's profiles need not be in memory together. The view grows with the
// distinct call paths, with the processes and their threads, and with Timeline::kKeep also with the samples.
class ViewBuilder {
 public:
  // `symbolizer` has no processes, and must outlive the builder. Timeline::kDrop: View::timed and device_operations
  // stay empty.
  ViewBuilder(ViewKind kind, model::Timeline timeline, model::Symbolizer* symbolizer);
  ~ViewBuilder();
  ViewBuilder(const ViewBuilder&) = delete;
  ViewBuilder& operator=(const ViewBuilder&) = delete;

  // The caller may delete `process` afterwards.
  void Add(const model::ProcessProfile& process);

  // The view of all processes that were added. Called once, after the last Add.
  View Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Builds the view of `processes`, with the timeline. `symbolizer` has no processes.
View BuildView(const std::vector<const model::ProcessProfile*>& processes, ViewKind kind,
               model::Symbolizer* symbolizer);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_BUILD_VIEW_H_
