#include "profiler/collect/write/rounds/cut_samples.h"

#include <stdio.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/sampling/sample_limits.h"

namespace ompprof::collect {
namespace {

struct Reason {
  Cut cut;
  const char* sentence;  // follows "N samples"
};
constexpr Reason kReasons[kCuts] = {
    {Cut::kTasks, "too many tasks lay within each other"},
    {Cut::kCircle, "the runtime's chain of tasks led back into itself"},
    {Cut::kSlow, "the runtime took too long to answer and was not asked"},
    {Cut::kFrames, "the stack was too deep for one sample"},
    {Cut::kTables, "the code's unwind tables took too long"},
    {Cut::kTree, "the call path was too long and new"},
};

}  // namespace

void CutSamples::Add(const SampleLimits& limits) {
  for (uint32_t i = 0; i < kCuts; ++i) samples[i] += limits.cut[i].load(std::memory_order_relaxed);
}

void CutSamples::AddNote() const {
  char list[400];
  size_t length = 0;
  for (const Reason& reason : kReasons) {
    const uint64_t count = samples[static_cast<uint32_t>(reason.cut)];
    if (count == 0) continue;
    const int added = snprintf(list + length, sizeof(list) - length, "%s%s (%llu)", length != 0 ? ", " : "",
                               reason.sentence, static_cast<unsigned long long>(count));
    if (added < 0 || static_cast<size_t>(added) >= sizeof(list) - length) break;
    length += static_cast<size_t>(added);
  }
  if (length != 0) collect::AddNote("some samples were cut short, to keep each sample within 0.1 ms: %s", list);
}

}  // namespace ompprof::collect
