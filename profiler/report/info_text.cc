#include "profiler/report/info_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "profiler/analyze/summary.h"
#include "profiler/model/own_modules.h"
#include "profiler/report/overhead_text.h"
#include "profiler/report/recording_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;

constexpr size_t kLineWidth = 90;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + Printable(word);
  return text;
}

std::string Machine(const Header& header) {
  std::string text = header.cpus() == 0 ? "?" : std::to_string(header.cpus());
  text += header.cpus() == 1 ? " processor" : " processors";
  if (header.cpu_quota_milli() != 0) {
    char quota[64];
    std::snprintf(quota, sizeof quota, " (the control group allows the time of %.1f)", header.cpu_quota_milli() / 1e3);
    text += quota;
  }
  if (header.sockets() > 1) text += " in a machine of " + std::to_string(header.sockets()) + " packages";
  if (header.tick_ns() != 0) text += ", kernel tick " + Duration(header.tick_ns());
  return text;
}

std::string Ending(const model::ProcessProfile& process) {
  if (process.complete)
    return Printable(process.footer.reason().empty() ? "in a way the collector saw" : process.footer.reason());
  return "no end in the file: the process was killed or is still running, and its last second may be missing";
}

void AddRuntime(const Runtime& runtime, TextTable* table) {
  table->Add({"OpenMP", Printable(runtime.version()) + " (OMPT " + std::to_string(runtime.omp_version()) + ")" +
                            (runtime.module() != 0 ? ", module " + std::to_string(runtime.module()) : "")});
  std::map<uint32_t, std::vector<std::string>, std::greater<>> by_result;
  for (const Runtime::Callback& callback : runtime.callbacks()) {
    constexpr char kPrefix[] = "ompt_callback_";
    const std::string& name = callback.name();
    by_result[callback.result()].push_back(name.rfind(kPrefix, 0) == 0 ? name.substr(sizeof kPrefix - 1) : name);
  }
  for (const auto& [result, names] : by_result) {
    std::string line = std::string("events ") + SetResultName(result) + ":";
    for (const std::string& name : names) {
      if (line.size() + name.size() > kLineWidth) {
        table->Add({"", line});
        line = "   ";
      }
      line += " " + Printable(name);
    }
    table->Add({"", line});
  }
  if (runtime.missing_entry_points_size() > 0) {
    table->Add({"", "entry points missing: " +
                        Join({runtime.missing_entry_points().begin(), runtime.missing_entry_points().end()})});
  }
}

std::string Losses(const model::ProcessProfile& process, bool ns) {
  std::string text;
  const Lost& lost = process.lost;
  for (int i = 0; i < lost.reason_size(); ++i) {
    const uint64_t samples = i < lost.samples_size() ? lost.samples(i) : 0;
    const uint64_t weight = i < lost.weight_size() ? lost.weight(i) : 0;
    if (samples == 0 && weight == 0) continue;
    text += (text.empty() ? "" : "; ") + std::string(analyze::LossName(static_cast<LostReason>(lost.reason(i)))) +
            ": " + Count(samples) + (weight != 0 ? " (" + Weight(weight, ns) + ")" : "");
  }
  return text.empty() ? "none" : text;
}

std::string Threads(const model::ProcessProfile& process) {
  TextTable table({{"id", Align::kRight},
                   {"tid", Align::kRight},
                   {"kind", Align::kLeft},
                   {"began after", Align::kRight},
                   {"ended after", Align::kRight},
                   {"CPU clock", Align::kRight},
                   {"name", Align::kLeft}});
  const uint64_t start = process.header.start_mono_ns();
  const auto after = [start](uint64_t mono_ns) { return Duration(mono_ns > start ? mono_ns - start : 0); };
  for (const auto& [id, thread] : process.threads) {
    const bool named = Thread::Kind_IsValid(thread.kind());
    table.Add({std::to_string(id), std::to_string(thread.tid()), named ? Lower(Thread::Kind_Name(thread.kind())) : "?",
               after(thread.start_mono_ns()), thread.end_mono_ns() == 0 ? "-" : after(thread.end_mono_ns()),
               Duration(thread.cpu_ns()), Printable(thread.name()) + (thread.sampled() ? "" : " (not sampled)")});
  }
  return table.empty() ? "" : "\nThreads\n" + table.Text();
}

std::string Modules(const model::ProcessProfile& process) {
  TextTable table({{"id", Align::kRight}, {"build id", Align::kLeft}, {"file", Align::kLeft}});
  const std::set<uint32_t> own = model::OwnModules(process);
  for (const auto& [id, module] : process.modules) {
    table.Add({std::to_string(id), module.build_id().empty() ? "-" : Hex(module.build_id()),
               Printable(module.path()) + (module.openmp_runtime() ? "  (OpenMP runtime)" : "") +
                   (own.count(id) != 0 ? "  (ompprof's own)" : "") +
                   (module.unloaded_epoch() != 0 ? "  (unloaded)" : "")});
  }
  return table.empty() ? "" : "\nModules\n" + table.Text();
}

std::string Records(const model::ProcessProfile& process) {
  TextTable table({{"records", Align::kRight}, {"bytes", Align::kRight}, {"kind", Align::kLeft}});
  for (const auto& [kind, count] : process.records)
    table.Add({Count(count.records), Count(count.bytes), RecordKindName(kind)});
  return table.empty() ? "" : "\nRecords\n" + table.Text();
}

}  // namespace

ProcessFacts FactsOf(const model::ProcessProfile& process) {
  ProcessFacts facts;
  for (const model::SampleRow& row : process.samples) {
    facts.samples += row.samples;
    facts.weight += row.weight;
  }
  for (const auto& [id, tree] : process.trees) facts.nodes += tree.nodes.size();
  for (const auto& [kind, count] : process.records) facts.bytes += count.bytes;
  facts.cpu_ns = analyze::CpuNs(process);
  return facts;
}

const char* SetResultName(uint32_t result) {
  static const char* const kNames[] = {"refused",          "never",       "impossible", "sometimes heard",
                                       "sometimes paired", "always heard"};
  return result < 6 ? kNames[result] : "with an unknown answer";
}

std::string RecordKindName(int kind) {
  const auto* field = Record::descriptor()->FindFieldByNumber(kind);
  if (field == nullptr) return "unknown";
  std::string name = field->name();
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string Hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string InfoText(const model::ProcessProfile& process, const std::string& damage) {
  const Header& header = process.header;
  const ProcessFacts facts = FactsOf(process);
  const bool ns = header.weight_unit() != "events";
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft}});
  table.Add({"program", Printable(header.program())});
  table.Add({"command", CommandLine(header)});
  table.Add({"process", std::to_string(header.pid()) + " (parent " + std::to_string(header.parent_pid()) + ") on " +
                            Printable(header.host()) +
                            (header.rank().empty() ? "" : ", rank " + Printable(header.rank()))});
  const uint64_t end = static_cast<uint64_t>(header.start_unix_ns()) + process.DurationNs();
  table.Add({"recorded", Date(header.start_unix_ns()) + " to " +
                             (header.start_unix_ns() == 0 ? "?" : Date(static_cast<int64_t>(end))) + ", " +
                             Duration(process.DurationNs()) + " wall, " + Duration(facts.cpu_ns) + " CPU"});
  table.Add({"ended", Ending(process)});
  if (!damage.empty()) table.Add({"damage", Printable(damage)});
  table.Add({"sampling", Printable(Sampling(header) + ", unwinder " + header.unwinder())});
  table.Add({"period", Weight(header.period(), ns) + " between samples" +
                           (header.task_context().empty() ? "" : ", task context " + Printable(header.task_context())) +
                           (header.no_waits() ? ", waits not recorded (--waits=off)" : "")});
  if (header.max_overhead_permille() != 0)
    table.Add({"events", "may cost " + BudgetText(header.max_overhead_permille()) + " of the CPU time"});
  for (const auto& [event_class, governed] : process.governed) {
    table.Add({"governed", ClassName(event_class) + ": " + Count(governed.events()) + " events, " +
                               Share(governed.observed(), governed.events()) + " of them measured"});
  }
  table.Add({"samples", Count(facts.samples) + ", " + Weight(facts.weight, ns) + " in all"});
  table.Add({"lost", Losses(process, ns)});
  table.Add({"call paths", Count(facts.nodes) + " frames in " + Count(process.trees.size()) + " trees, " +
                               Count(process.contexts.size()) + " region contexts"});
  table.Add({"machine", Machine(header)});
  if (header.settings_size() > 0) table.Add({"settings", Join({header.settings().begin(), header.settings().end()})});
  for (const Runtime& runtime : process.runtimes) AddRuntime(runtime, &table);
  if (process.runtimes.empty()) table.Add({"OpenMP", "no OMPT: the program used no runtime that offers it"});
  table.Add({"written by", "ompprof " + Printable(header.collector_version()) + ", format " +
                               std::to_string(header.format_version())});
  for (const std::string& note : process.notes) table.Add({"note", Printable(note)});
  return table.Text() + Threads(process) + Modules(process) + Records(process);
}

}  // namespace ompprof::report
