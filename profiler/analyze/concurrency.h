// What of a run happened at the same time: processes that ran side by side or one after the other, threads that lived
// together or took each other's place. Efficiency, advice and predictions are made from it.
#ifndef OMPPROF_PROFILER_ANALYZE_CONCURRENCY_H_
#define OMPPROF_PROFILER_ANALYZE_CONCURRENCY_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/run_facts.h"

namespace ompprof::analyze {

// A stretch of wall time, in nanoseconds of CLOCK_REALTIME.
struct Span {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
};

Span SpanOf(const ProcessFacts& process);
Span SpanOf(const ProcessFacts& process, const ThreadFacts& thread);

// Wall time in which at least one of the spans was.
uint64_t UnionNs(std::vector<Span> spans);

// For each span the number of its slot, from 0. Spans of one slot do not overlap. There are as many slots as there were
// spans at a time, at most: of the free slots, a span takes the one that became free last.
std::vector<uint32_t> SlotsOf(const std::vector<Span>& spans);

// The mean number of OpenMP processes that ran at a time, while any of them ran: 4 for four ranks, 1 for the programs
// that a script starts one after the other. At least 1.
double OpenmpProcessesAtATime(const RunFacts& run);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_CONCURRENCY_H_
