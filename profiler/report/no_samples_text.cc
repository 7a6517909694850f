#include "profiler/report/no_samples_text.h"

#include <algorithm>
#include <cstdint>

#include "profiler/report/units.h"
#include "profiler/report/unsampled_text.h"

namespace ompprof::report {
namespace {

// A program with this many times its CPU time slept most of the time.
constexpr uint64_t kAsleep = 10;

uint64_t LostSamples(const analyze::ProcessFacts& process) {
  uint64_t lost = 0;
  for (const analyze::LossFacts& loss : process.losses) lost += analyze::LosesThreads(loss.reason) ? 0 : loss.samples;
  return lost;
}

// The most CPU time of a thread. Each thread is sampled by its own clock.
uint64_t BusiestThreadNs(const analyze::ProcessFacts& process) {
  uint64_t most = 0;
  for (const analyze::ThreadFacts& thread : process.threads) most = std::max(most, thread.cpu_ns);
  return most;
}

std::string OfClock(const analyze::ProcessFacts& process) {
  const analyze::SamplingFacts& sampling = process.sampling;
  const std::string faster = "; a higher rate takes more samples, as in `ompprof record -F 10000`";
  if (!sampling.weighs_ns())
    return "no thread counted " + Count(sampling.period) + " " + Printable(sampling.clock) +
           ", the distance between two samples";
  if (sampling.clock == "wall" && process.duration_ns < 2 * sampling.period)
    return "the run took " + Duration(process.duration_ns) + ", and a sample is taken every " +
           Duration(sampling.period) + faster;
  if (sampling.clock != "wall" && process.duration_ns > kAsleep * process.cpu_ns &&
      process.duration_ns > sampling.period)
    return "the program slept: it used " + Duration(process.cpu_ns) + " of CPU time in " +
           Duration(process.duration_ns) + "; `ompprof record --clock=wall` samples sleeping threads too";
  if (sampling.clock != "wall" && BusiestThreadNs(process) < 2 * sampling.period)
    return "the busiest thread used " + Duration(BusiestThreadNs(process)) +
           " of CPU time, and a thread is sampled every " + Duration(sampling.period) + " of its CPU time" + faster;
  const std::string none = "the sampling signal reached no thread of the program";
  // The collector's notes say why: threads block it, or the program took it.
  return process.notes.empty() ? none + "; another signal may, as in `ompprof record --signal=RTMIN+3`" : none;
}

std::string Reason(const analyze::RunFacts& run) {
  const analyze::ProcessFacts& process = run.first();
  const analyze::SamplingFacts& sampling = process.sampling;
  if (const uint64_t lost = LostSamples(process); lost > 0) return "all " + Count(lost) + " samples were lost";
  if (sampling.paused)
    return "the program was recorded with --paused, and did not start the sampling for long enough (omp_control_tool, "
           "or ompprof_start of ompprof.h)";
  if (sampling.delay_ns > 0 && sampling.delay_ns >= process.duration_ns)
    return "the program ended after " + Duration(process.duration_ns) + ", and sampling was to start after " +
           Duration(sampling.delay_ns) + " (--delay)";
  if (process.end_reason == "exec")
    return "the process became another program by exec, and that program has " +
           (process.successor.empty() ? "no profile in this folder"
                                      : "a profile of its own, " + Printable(process.successor));
  if (!UnseenProgramsText(run).empty()) return "the program waited for others";  // which a sentence of their own tells
  return OfClock(process);
}

}  // namespace

std::string NoSamplesText(const analyze::RunFacts& run) {
  const bool any = std::any_of(run.processes.begin(), run.processes.end(),
                               [](const analyze::ProcessFacts& process) { return process.samples > 0; });
  return run.empty() || any ? "" : "no samples: " + Reason(run);
}

}  // namespace ompprof::report
