#include "profiler/report/sections/counts.h"

#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

// A miss of the last cache moves a line of the cache. Lines have 64 bytes on x86-64, and on most other processors.
constexpr double kLineBytes = 64;

bool MovesALine(const std::string& event) { return event == "cache-misses" || event == "LLC-load-misses"; }

}  // namespace

std::string CountsText(const analyze::View& view, uint64_t duration_ns) {
  std::string text;
  const auto ipc = analyze::Ipc(view.counted, view.total_counts);
  for (const analyze::CountedEvent& event : view.counted) {
    const uint64_t count = view.total_counts[event.at];
    text += (text.empty() ? "" : ", ") + Printable(event.name) + " " + Weight(count, /*nanoseconds=*/false);
    if (event.name == "instructions" && ipc) text += " (" + Times(*ipc) + " per cycle)";
    if (!MovesALine(event.name) || duration_ns == 0 || view.selection.any()) continue;
    const double rate = static_cast<double>(count) * kLineBytes / static_cast<double>(duration_ns);
    text += " (about 64 B each: " + Times(rate) + " GB/s)";
  }
  return text;
}

}  // namespace ompprof::report
