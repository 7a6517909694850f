// The number of events that a profile can have counts of (--count). The collector, the options and the offline half all
// use it. It is small, because each row of samples and each sum has room for this many counts.
#ifndef OMPPROF_PROTO_COUNTED_EVENTS_H_
#define OMPPROF_PROTO_COUNTED_EVENTS_H_

#include <stdint.h>

namespace ompprof {

inline constexpr uint32_t kMostCountedEvents = 4;

}  // namespace ompprof

#endif  // OMPPROF_PROTO_COUNTED_EVENTS_H_
