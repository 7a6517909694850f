// The profile of a running program, for a terminal: its time since the last picture, and its time in total. `ompprof
// top` draws it repeatedly.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_LIVE_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_LIVE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::report {

struct LiveTextOptions {
  bool full_names = false;
  size_t functions = 20;
};

class LiveText {
 public:
  // The picture of a view of one process. Time that was not in the view at the last call is new. `state` is the
  // program's state: "running".
  std::string Picture(const analyze::View& view, const std::string& state, const LiveTextOptions& options);

 private:
  // `weight`: the weight since the last call. Each part updates its members below.
  std::string HeadText(const analyze::View& view, const std::string& state, const analyze::Summary& summary,
                       uint64_t weight);
  std::string StatesText(const analyze::Summary& summary, uint64_t weight);
  std::string FunctionsText(const analyze::View& view, const LiveTextOptions& options, uint64_t weight);

  // At the last call.
  std::map<std::string, uint64_t> self_;    // by function
  std::map<std::string, uint64_t> states_;  // by name
  uint64_t samples_ = 0;
  uint64_t weight_ = 0;
  uint64_t mono_ns_ = 0;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_LIVE_H_
