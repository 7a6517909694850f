// How often the threads of each region met at each of its barriers, and how long each thread waited there. The advice
// uses it: what a schedule can change is that the same thread comes last at the same barrier each time.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_BARRIERS_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_BARRIERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

class Barriers {
 public:
  explicit Barriers(const View& view);

  // How often a team met at barriers of the region, its end included. Of several processes: of the process that met
  // most often.
  uint64_t Meetings(FunctionId region) const;

  // How much longer the region took because the same thread came last each time: at each barrier, the threads' mean
  // wait less the shortest wait of a thread, added up over barriers. Small where a different thread comes last each
  // time. Such lateness comes from chance or from the machine. `team`: the threads of all processes together. Nothing
  // if threads met fewer than three times, or if the barriers had other threads each time.
  std::optional<uint64_t> SameThreadsLateNs(FunctionId region, double team) const;

 private:
  using ThreadKey = std::pair<uint32_t, uint32_t>;               // process and thread
  using PlaceKey = std::tuple<OmptState, FunctionId, uint32_t>;  // state, function and line
  struct Waits {
    uint64_t count = 0;
    uint64_t ns = 0;
  };
  using Place = std::map<ThreadKey, Waits>;

  static uint64_t MeetingsAt(const Place& place);

  std::map<FunctionId, std::map<PlaceKey, Place>> regions_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_BARRIERS_H_
