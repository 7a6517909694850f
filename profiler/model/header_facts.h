// The facts of a profile's header about the whole profile: its process, and the weight of its samples. The merger and
// the commands ask for them when they read several profiles at once.
#ifndef OMPPROF_PROFILER_MODEL_HEADER_FACTS_H_
#define OMPPROF_PROFILER_MODEL_HEADER_FACTS_H_

#include <cstdint>
#include <string>
#include <tuple>

#include "proto/callpath_profile.pb.h"

namespace ompprof::model {

// Differs between any two processes. A process id may come again, but not with the same start. A process that becomes
// another program by exec begins another profile, with another program.
using ProcessIdentity = std::tuple<std::string, uint64_t, int64_t, uint64_t, std::string>;
ProcessIdentity IdentityOf(const Header& header);

// "process 42 on host", for a sentence.
std::string ProcessText(const ProcessIdentity& process);

// The clock of samples that weigh nanoseconds, by its word for --clock: "cpu" or "wall". A perf event that counts a
// thread's CPU time is "cpu".
std::string ClockWord(const Header& header);

// The quantity in SampleBatch.weight: "CPU time", "wall time", or the name of a perf event that is no clock. Weights of
// different quantities are neither added nor compared.
std::string Measured(const Header& header);

// The events of --count, "cycles,instructions"; empty: none. Counts of different events are not added.
std::string Counted(const Header& header);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_HEADER_FACTS_H_
