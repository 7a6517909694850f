#include "profiler/report/sections/efficiency.h"

#include <algorithm>

#include "profiler/analyze/builder/account_threads.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

// "91.9 %: 56.1 % at barriers, 10.0 % ready without a processor; in 50 regions, the largest 2.0 %"
std::string LostText(const analyze::View& view, const analyze::Efficiency& efficiency) {
  const uint64_t whole = efficiency.threads * efficiency.duration_ns;
  uint64_t lost_ns = 0;
  std::string parts;
  constexpr double kLeastShare = 0.0005;  // a smaller part would be shown as 0.0 %
  for (const analyze::Loss& loss : analyze::LossesOf(efficiency)) {
    lost_ns += loss.ns;
    if (static_cast<double>(loss.ns) < kLeastShare * static_cast<double>(whole)) continue;
    parts += (parts.empty() ? ": " : ", ") + Share(loss.ns, whole) + " " + analyze::LossTitle(loss.kind);
  }
  uint64_t regions = 0;
  uint64_t most_ns = 0;
  for (const analyze::Region& region : view.regions) {
    const uint64_t ns = region.LostNs();
    if (ns == 0) continue;
    ++regions;
    most_ns = std::max(most_ns, ns);
  }
  if (regions > 1) parts += "; in " + Count(regions) + " regions, the largest " + Share(most_ns, whole);
  return Tilde(efficiency.wait_estimate) + Share(lost_ns, whole) + parts;
}

}  // namespace

std::string OfProcessorsText(const analyze::View& view, const analyze::Efficiency& efficiency) {
  const double processors = analyze::ProcessorsAtATime(view.run);
  if (processors <= 0 || efficiency.threads <= processors) return "";
  return ", " + Percent(efficiency.busy_threads() / processors) + " of " + Processors(processors);
}

std::string EfficiencyText(const analyze::View& view, const analyze::Efficiency& efficiency, const Style& style) {
  if (!efficiency.known || efficiency.threads < 2) return "";
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft, Fit::kWrap}});
  table.Add({"busy threads", Tilde(efficiency.wait_estimate) + Times(efficiency.busy_threads()) + " of " +
                                 std::to_string(efficiency.threads) + " on average" +
                                 OfProcessorsText(view, efficiency)});
  table.Add({"parallel efficiency", Tilde(efficiency.wait_estimate) + Percent(efficiency.parallel()) +
                                        " = load balance " + Percent(efficiency.load_balance()) + " x busiest thread " +
                                        Percent(efficiency.busiest_thread())});
  table.Add({"lost", LostText(view, efficiency)});
  table.Add(
      {"waiting", Measured(efficiency.wait_ns, efficiency.wait_estimate) +
                      " of thread time in regions; workers idle between regions: " + Duration(efficiency.idle_ns)});
  if (efficiency.off_cpu_ns() > 0) {
    table.Add({"off CPU", "ready without a processor: " + Duration(efficiency.ready_ns) +
                              " of thread time; blocked outside OpenMP (I/O" + (efficiency.mpi_ns > 0 ? ", MPI" : "") +
                              ", page faults, other locks): " + Duration(efficiency.blocked_ns)});
  }
  if (efficiency.mpi_ns > 0) table.Add({"in MPI", Duration(efficiency.mpi_ns) + " of thread time, sampled"});
  if (efficiency.library_ns > 0)
    table.Add({"outside OpenMP",
               Duration(efficiency.library_ns) + " of thread time waiting for locks or in libraries, sampled"});
  table.Add(
      {"serial time",
       Duration(efficiency.serial_ns) + ", " + Percent(efficiency.serial_fraction()) + " of the run" +
           (efficiency.has_speedup_bound() ? " (Amdahl limit: " + Times(efficiency.speedup_bound()) + "x)" : "")});
  table.Add(
      {"team waiting", Duration(efficiency.partial_ns) + " of parallel time in which some threads waited for others"});
  return Title(style, std::string("Efficiency (useful: on a processor, not waiting; waits: wall time, ") +
                          ExactWords(efficiency.wait_estimate) + ")") +
         table.Text(style);
}

}  // namespace ompprof::report
