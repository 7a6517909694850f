// Tells which processes and threads of a run lived at the same time, and which followed each other. Efficiency, advice
// and predictions use it.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_CONCURRENCY_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_CONCURRENCY_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/view/run_facts.h"

namespace ompprof::analyze {

// A stretch of wall time, in nanoseconds of CLOCK_REALTIME.
struct Span {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
};

// Of a unified process: the longest member, and the mean life of the members' threads.
Span SpanOf(const ProcessFacts& process);
Span SpanOf(const ProcessFacts& process, const ThreadFacts& thread);

// Wall time that at least one of the spans covers.
uint64_t UnionNs(std::vector<Span> spans);

// For each span, the number of its slot, from 0. Spans in one slot do not overlap. The number of slots is the largest
// number of spans at a time. A span takes the slot that became free last.
std::vector<uint32_t> SlotsOf(const std::vector<Span>& spans);

// The largest number of threads that lived at a time: OpenMP's threads, or all threads of a process without OMPT. A
// unified process counts as one of its members, because its members may have run on many machines.
uint32_t ThreadsAtATime(const RunFacts& run);

// The mean number of OpenMP processes that ran at a time, while any of them ran. Four ranks give 4; programs that a
// script starts one after the other give 1. At least 1.
double OpenmpProcessesAtATime(const RunFacts& run);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_CONCURRENCY_H_
