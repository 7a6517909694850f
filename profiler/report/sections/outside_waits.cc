#include "profiler/report/sections/outside_waits.h"

#include <algorithm>
#include <vector>

#include "profiler/analyze/account/outside_waits.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

bool IsOneOf(const std::string& routine, const std::vector<const char*>& names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return routine == name; });
}

bool IsRandom(const std::string& routine) {
  return IsOneOf(routine, {"rand", "random", "srand", "srandom", "drand48", "lrand48", "mrand48"});
}

bool IsAllocator(const std::string& routine) {
  return IsOneOf(routine, {"malloc", "free", "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc"});
}

}  // namespace

std::string OutsideWaitsText(const analyze::View& view, const TextOptions& options, size_t usual) {
  const std::vector<analyze::OutsideWait> waits = analyze::OutsideWaits(view);
  if (waits.empty()) return "";
  uint64_t all_ns = 0;
  analyze::Estimate estimate;
  for (const analyze::OutsideWait& wait : waits) {
    all_ns += wait.total_ns();
    estimate.Add(wait.estimate());
  }
  TextTable table({{"waited", Align::kRight},
                   {"share", Align::kRight},
                   {"on CPU", Align::kRight, Fit::kKeep, 2},
                   {"for", Align::kLeft, Fit::kShorten},
                   {"at", Align::kLeft, Fit::kShorten},
                   {"region", Align::kLeft, Fit::kShorten, 1}});
  const size_t rows = std::min(waits.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::OutsideWait& wait = waits[i];
    const std::string place = PlaceText(view, wait.place);
    table.Add({Measured(wait.total_ns(), wait.estimate()), ShareCell(wait.total_ns(), all_ns), Duration(wait.cpu_ns),
               Printable(wait.what), options.full_names ? place : view.frames.ShortName(place),
               NameText(view, wait.region, options)});
  }
  return Title(options.style, "Where threads waited outside OpenMP (thread time, sampled; shares of " +
                                  Measured(all_ns, estimate) + ")") +
         table.Text(options.style) + Omitted(rows, waits.size(), "places");
}

std::string OutsideLockWhere(const analyze::View& view, const analyze::Advice& advice) {
  const std::string place = PlaceText(view, advice.place);
  return Printable(advice.what) + (place.empty() ? "" : " at " + place);
}

std::string OutsideLockText(const analyze::Advice& advice) {
  const std::string routine = analyze::LibcRoutine(advice.what);
  if (routine.empty())
    return "threads wait for each other there: do less under it, or split what it protects, for example into a part "
           "for each thread";
  if (IsRandom(routine))
    return "all threads share one generator and its lock: give each thread a generator of its own (<random>, rand_r)";
  if (IsAllocator(routine))
    return "threads wait for the allocator's lock: allocate once per thread and use the memory again, or try another "
           "allocator (jemalloc, tcmalloc)";
  return "all threads share the lock of this routine: call it less often, or outside the parallel region";
}

std::string OutsideLockEvidence(const analyze::Advice& advice) {
  return "threads waited " + Measured(advice.wait_ns, advice.estimate) + " there, " + Tilde(advice.estimate) +
         Share(advice.wait_ns, advice.of_ns) + " of the region's thread time, sampled";
}

}  // namespace ompprof::report
