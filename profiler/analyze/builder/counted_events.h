// The places of events in a view's counts. Processes may have counted different events, or the same in another order; a
// view has the events that all of them counted.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_COUNTED_EVENTS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_COUNTED_EVENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analyze/view/counted_event.h"
#include "profiler/model/process_profile.h"

namespace ompprof::analyze {

class CountedEvents {
 public:
  // By a process's event: its place in the view's counts; nothing for an event that the view does not have. The first
  // process that counted anything decides on the places.
  using Places = std::vector<std::optional<size_t>>;
  Places Add(const Header& header);

  // The events that all processes counted. Processes that counted none do not matter, because the machine may have
  // refused it to some.
  std::vector<CountedEvent> InAll() const;

  // A sentence if the processes differ; else empty.
  std::string Warning() const;

 private:
  struct Event {
    std::string name;
    uint32_t processes;
  };
  std::vector<Event> events_;  // by place
  uint32_t counting_ = 0;      // processes with any events
  uint32_t others_ = 0;
  bool differ_ = false;
};

// The counts of a process at the view's places.
Counts AtPlaces(const CountedEvents::Places& places, const Counts& counts);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_COUNTED_EVENTS_H_
