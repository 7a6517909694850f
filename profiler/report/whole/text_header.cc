#include "profiler/report/whole/text_header.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/compare/jobs.h"
#include "profiler/analyze/view/concurrency.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/counts.h"
#include "profiler/report/sections/no_samples.h"
#include "profiler/report/sections/overhead.h"
#include "profiler/report/sections/recording.h"
#include "profiler/report/sections/selection.h"

namespace ompprof::report {
namespace {

std::vector<std::string> RuntimeLines(const analyze::ProcessFacts& process) {
  std::vector<std::string> lines;
  for (const analyze::RuntimeFacts& runtime : process.runtimes)
    lines.push_back(Printable(runtime.version) + " (OMPT " + Printable(OmptVersion(runtime)) + ")");
  if (!lines.empty()) return lines;
  return {Printable(analyze::WhyNoOmpt(process)) + ", so there are no states and no regions"};
}

// "1 thread", "2 threads"
std::string Counted(size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

size_t ThreadCount(const analyze::Summary& summary) {
  return static_cast<size_t>(std::count_if(summary.threads.begin(), summary.threads.end(),
                                           [](const analyze::ThreadCost& thread) { return thread.id != 0; }));
}

// What the processes' OpenMP runtimes are. Launchers and shells have none, and do not count.
void AddRuntimes(const analyze::RunFacts& run, TextTable* table) {
  const std::vector<uint32_t> others = analyze::FindJobs(run).others;
  const bool all_are_others = others.size() == run.processes.size();
  std::set<std::string> told;
  for (uint32_t i = 0; i < run.processes.size(); ++i) {
    if (!all_are_others && std::find(others.begin(), others.end(), i) != others.end()) continue;
    for (const std::string& line : RuntimeLines(run.process(i))) {
      if (told.insert(line).second) table->Add({"OpenMP", line});
    }
  }
}

void AddRecorded(const analyze::RunFacts& run, TextTable* table) {
  const analyze::ProcessFacts& first = run.first();
  if (run.is_unified()) {
    table->Add({"recorded", Date(first.start_unix_ns) + " and later, " + Count(run.members()) +
                                " processes, unified: figures are sums over them"});
  } else if (!run.several()) {
    table->Add({"recorded", Date(first.start_unix_ns) + " on " + Printable(first.host) + ", process " +
                                std::to_string(first.pid) +
                                (first.rank.empty() ? "" : ", rank " + Printable(first.rank))});
  } else {
    table->Add(
        {"recorded", Date(first.start_unix_ns) + " and later, " + std::to_string(run.processes.size()) + " processes"});
  }
}

void AddSamples(const analyze::View& view, const analyze::Summary& summary, TextTable* table) {
  std::string lost;
  for (const analyze::LossCost& loss : summary.losses) {
    if (analyze::LosesThreads(loss.reason)) continue;
    lost += (lost.empty() ? " (" : ", ") + Count(loss.cost.samples) + " " + analyze::LossName(loss.reason);
  }
  table->Add({"samples", Count(view.total_samples) + ", " + Weight(view.total_weight, WeighsNanoseconds(view)) +
                             " in all; " + Count(summary.lost_samples) + " lost" + (lost.empty() ? "" : lost + ")")});
}

// " on 32 cores, 2 sockets and 4 NUMA nodes": of the processors that the process may use. Empty where that says
// nothing.
std::string LayoutText(const analyze::MachineFacts& machine) {
  const analyze::Layout layout = machine.layout();
  std::vector<std::string> parts;
  if (layout.cores > 0 && layout.cores < machine.cpus) parts.push_back(Counted(layout.cores, "core"));
  if (layout.sockets > 1) parts.push_back(Counted(layout.sockets, "socket"));
  if (layout.nodes > 1) parts.push_back(Counted(layout.nodes, "NUMA node"));
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? " on " : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

// "2 processors of 64 (affinity mask), 8 threads per processor; other programs used 0.5 of them". Empty: not known.
std::string MachineText(const analyze::RunFacts& run) {
  analyze::MachineFacts machine;  // the widest of the processes
  for (const analyze::ProcessFacts& process : run.processes) {
    if (process.machine.usable_cpus() > machine.usable_cpus()) machine = process.machine;
  }
  if (machine.cpus == 0) return "";
  std::string text = Counted(machine.cpus, "processor");
  if (machine.online_cpus > machine.cpus) text += " of " + std::to_string(machine.online_cpus) + " (affinity mask)";
  text += LayoutText(machine);
  const double usable = machine.usable_cpus();
  if (usable < machine.cpus) text += ", of which the control group allows " + Times(usable);
  if (const double threads = analyze::ThreadsAtATime(run) / usable; threads > 0 && !run.is_unified()) {
    std::string number = Times(threads);
    if (number.size() > 3 && number.compare(number.size() - 3, 3, ".00") == 0) number.resize(number.size() - 3);
    text += ", " + number + (number == "1" ? " thread" : " threads") + " per processor";
  }
  if (machine.load_duration_ns > 0) text += "; other programs used " + Times(run.cpus_of_others()) + " of them";
  return text;
}

// "12.3 % of the CPU time; 1,234,567 page faults, 40 for each page of its memory". Empty where the kernel does little.
std::string KernelText(const analyze::RunFacts& run) {
  uint64_t cpu_ns = 0, kernel_ns = 0, faults = 0, bytes = 0;
  for (const analyze::ProcessFacts& process : run.processes) {
    for (const analyze::ThreadFacts& thread : process.threads) cpu_ns += thread.cpu_ns;
    kernel_ns += process.kernel_ns();
    faults += process.minor_faults();
    bytes += process.peak_resident_bytes;
  }
  if (kernel_ns * 10 < cpu_ns || kernel_ns == 0) return "";
  const uint64_t each = bytes == 0 ? 0 : faults / (bytes / 4096 + 1);
  return Share(kernel_ns, cpu_ns) + " of the CPU time; " + Count(faults) + " page faults" +
         (each < 2 ? "" : ", " + Count(each) + " for each page of its memory");
}

// The limits of a process's profile, a sentence each.
std::vector<std::string> ProcessNotes(const analyze::ProcessFacts& process, const std::string& name) {
  std::vector<std::string> notes;
  if (!process.complete) {
    notes.push_back(
        name +
        "the profile has no end: the program was killed or is still running, and its last second may be missing");
  } else if (process.samples_written > 0 && process.samples != process.samples_written) {
    notes.push_back(name + "the file says it has " + Count(process.samples_written) + " samples, but " +
                    Count(process.samples) + " were found");
  }
  if (process.incomplete_members > 0)
    notes.push_back(
        name + Count(process.incomplete_members) + " of " + Count(process.members) +
        " processes have no end: they were killed or were still running, and their last second may be missing");
  for (const std::string& note : analyze::NotesOf(process)) notes.push_back(name + Printable(note));
  return notes;
}

// Sentences may recur. `named`: notes on one of several processes begin with its file.
std::vector<std::string> Notes(const analyze::View& view, const analyze::Summary& summary, bool filtered, bool named) {
  std::vector<std::string> notes;
  for (const analyze::LossCost& loss : summary.losses) {
    if (analyze::LosesThreads(loss.reason)) {
      notes.push_back(Count(loss.cost.samples) + " threads could not be given a timer and have no samples");
    }
  }
  for (const analyze::ProcessFacts& process : view.run.processes) {
    for (std::string& note : ProcessNotes(process, named && view.run.several() ? Printable(process.file) + ": " : ""))
      notes.push_back(std::move(note));
  }
  for (const std::string& note : GovernedNotes(view)) notes.push_back(note);
  if (const std::string warning = OwnWarning(view); !warning.empty()) notes.push_back(warning);
  if (const std::string none = NoSamplesText(view.run); !none.empty()) notes.push_back(none);
  for (const std::string& text : UnsampledTexts(view, summary)) notes.push_back(text);
  if (view.unspliced_weight > 0) {
    notes.push_back(Share(view.unspliced_weight, view.total_weight) +
                    " of the time is in parallel regions whose call path is not known");
  }
  if (filtered)
    notes.push_back(
        "samples are left out below, or functions of their paths (--focus, --ignore, --hide, --show-from); shares are "
        "of the whole profile");
  return notes;
}

}  // namespace

std::vector<std::string> NotesOfRun(const analyze::View& view, const analyze::Summary& summary, bool filtered) {
  return Notes(view, summary, filtered, false);
}

std::string TextHeader(const analyze::View& view, const analyze::Summary& summary, bool filtered, const Style& style) {
  using Align = TextTable::Align;
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft, TextTable::Fit::kWrap}});
  const analyze::RunFacts& run = view.run;
  const analyze::ProcessFacts& first = run.first();
  const size_t threads = ThreadCount(summary);

  AddRecorded(run, &table);
  table.Add({"time", Duration(summary.duration_ns) + " wall, " + Duration(summary.cpu_ns) + " CPU, " +
                         Counted(threads, "thread") + (run.is_unified() ? " in a process" : "")});
  if (const std::string part = SelectionText(view); !part.empty()) {
    table.Add({"only", part + "; shares are of this part"});
    table.Add({"left out", LeftOutText(view)});
  }
  if (const std::string machine = MachineText(run); !machine.empty()) table.Add({"machine", machine});
  if (const std::string kernel = KernelText(run); !kernel.empty()) table.Add({"kernel", kernel});
  AddSamples(view, summary, &table);
  if (const std::string counts = CountsText(view, summary.duration_ns); !counts.empty()) table.Add({"counted", counts});
  table.Add({"sampling", Printable(Sampling(first.sampling) + ", unwinder " +
                                   (first.sampling.unwinder.empty() ? "unknown" : first.sampling.unwinder))});
  if (view.total_weight > 0) table.Add({"overhead", OwnText(view)});
  AddRuntimes(run, &table);
  std::set<std::string> told;
  for (const std::string& note : Notes(view, summary, filtered, true)) {
    if (told.insert(note).second) table.Add({"note", note});
  }
  return Paint(style, Color::kTitle, Wrap(CommandLine(first), 4, style.width)) + "\n" + table.Text(style);
}

}  // namespace ompprof::report
