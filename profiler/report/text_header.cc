#include "profiler/report/text_header.h"

#include <algorithm>
#include <set>

#include "profiler/report/names_text.h"
#include "profiler/report/overhead_text.h"
#include "profiler/report/recording_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

std::vector<std::string> RuntimeLines(const model::ProcessProfile& process) {
  std::vector<std::string> lines;
  for (const Runtime& runtime : process.runtimes)
    lines.push_back(Printable(runtime.version()) + " (OMPT " + std::to_string(runtime.omp_version()) + ")");
  if (lines.empty())
    lines = {"no OMPT: the program used no runtime that offers it, so there are no states and no regions"};
  return lines;
}

size_t ThreadCount(const analyze::Summary& summary) {
  return static_cast<size_t>(std::count_if(summary.threads.begin(), summary.threads.end(),
                                           [](const analyze::ThreadCost& thread) { return thread.id != 0; }));
}

}  // namespace

std::string TextHeader(const analyze::View& view, const analyze::Summary& summary, bool filtered, const Style& style) {
  using Align = TextTable::Align;
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft, TextTable::Fit::kWrap}});
  const model::ProcessProfile& first = *view.processes[0];
  const Header& header = first.header;
  const size_t threads = ThreadCount(summary);

  if (view.processes.size() == 1) {
    table.Add({"recorded", Date(header.start_unix_ns()) + " on " + Printable(header.host()) + ", process " +
                               std::to_string(header.pid()) +
                               (header.rank().empty() ? "" : ", rank " + Printable(header.rank()))});
  } else {
    table.Add({"recorded",
               Date(header.start_unix_ns()) + " and later, " + std::to_string(view.processes.size()) + " processes"});
  }
  table.Add({"time", Duration(summary.duration_ns) + " wall, " + Duration(summary.cpu_ns) + " CPU, " +
                         std::to_string(threads) + (threads == 1 ? " thread" : " threads")});
  std::string lost;
  for (const analyze::LossCost& loss : summary.losses) {
    if (loss.reason == LOST_NO_TIMER) continue;
    lost += (lost.empty() ? " (" : ", ") + Count(loss.cost.samples) + " " + analyze::LossName(loss.reason);
  }
  table.Add({"samples", Count(view.total_samples) + ", " + Weight(view.total_weight, WeighsNanoseconds(view)) +
                            " in all; " + Count(summary.lost_samples) + " lost" + (lost.empty() ? "" : lost + ")")});
  table.Add({"sampling", Printable(Sampling(header) + ", unwinder " +
                                   (header.unwinder().empty() ? "unknown" : header.unwinder()))});
  if (view.total_weight > 0) table.Add({"overhead", OwnText(view)});
  std::set<std::string> runtimes;
  for (const model::ProcessProfile* process : view.processes) {
    for (const std::string& line : RuntimeLines(*process)) {
      if (runtimes.insert(line).second) table.Add({"OpenMP", line});
    }
  }

  std::vector<std::string> notes;
  for (const analyze::LossCost& loss : summary.losses) {
    if (loss.reason == LOST_NO_TIMER) {
      notes.push_back(Count(loss.cost.samples) + " threads could not be given a timer and have no samples");
    }
  }
  for (const model::ProcessProfile* process : view.processes) {
    const std::string name = view.processes.size() > 1 ? Printable(process->file) + ": " : "";
    if (!process->complete) {
      notes.push_back(
          name +
          "the profile has no end: the program was killed or is still running, and its last second may be missing");
    } else if (process->footer.samples() > 0) {
      uint64_t read = 0;
      for (const model::SampleRow& row : process->samples) read += row.samples;
      if (read != process->footer.samples()) {
        notes.push_back(name + "the file says it has " + Count(process->footer.samples()) + " samples, but " +
                        Count(read) + " were found");
      }
    }
    for (const std::string& note : analyze::NotesOf(*process)) notes.push_back(name + Printable(note));
  }
  for (const std::string& note : GovernedNotes(view)) notes.push_back(note);
  if (const std::string warning = OwnWarning(view); !warning.empty()) notes.push_back(warning);
  if (view.unspliced_weight > 0) {
    notes.push_back(Share(view.unspliced_weight, view.total_weight) +
                    " of the time is in parallel regions whose call path is not known");
  }
  if (filtered)
    notes.push_back(
        "samples are left out below, or functions of their paths (--focus, --ignore, --hide, --show-from); shares are "
        "of the whole profile");
  std::set<std::string> told;
  for (const std::string& note : notes) {
    if (told.insert(note).second) table.Add({"note", note});
  }
  return Paint(style, Color::kTitle, Wrap(CommandLine(header), 4, style.width)) + "\n" + table.Text(style);
}

}  // namespace ompprof::report
