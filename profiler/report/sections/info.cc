#include "profiler/report/sections/info.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/overhead.h"
#include "profiler/report/sections/recording.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;

constexpr size_t kLineWidth = 90;

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + Printable(word);
  return text;
}

std::string Machine(const analyze::ProcessFacts& process) {
  const analyze::MachineFacts& machine = process.machine;
  std::string text = machine.cpus == 0 ? "?" : std::to_string(machine.cpus);
  text += machine.cpus == 1 ? " processor" : " processors";
  if (machine.cpu_quota_milli != 0) {
    char quota[64];
    std::snprintf(quota, sizeof quota, " (the control group allows the time of %.1f)", machine.cpu_quota_milli / 1e3);
    text += quota;
  }
  if (const size_t sockets = machine.layout().sockets; sockets > 1)
    text += " in " + std::to_string(sockets) + " sockets";
  if (process.sampling.tick_ns != 0) text += ", kernel tick " + Duration(process.sampling.tick_ns);
  return text;
}

std::string Ending(const analyze::ProcessFacts& process) {
  if (process.complete)
    return Printable(process.end_reason.empty() ? "in a way the collector saw" : process.end_reason);
  return "no end in the file: the process was killed or is still running, and its last second may be missing";
}

void AddRuntime(const analyze::RuntimeFacts& runtime, TextTable* table) {
  table->Add({"OpenMP", Printable(runtime.version) + " (OMPT " + Printable(OmptVersion(runtime)) + ")" +
                            (runtime.module != 0 ? ", module " + std::to_string(runtime.module) : "")});
  std::map<uint32_t, std::vector<std::string>, std::greater<>> by_result;
  for (const analyze::RuntimeFacts::Callback& callback : runtime.callbacks) {
    constexpr char kPrefix[] = "ompt_callback_";
    const std::string& name = callback.name;
    by_result[callback.result].push_back(name.rfind(kPrefix, 0) == 0 ? name.substr(sizeof kPrefix - 1) : name);
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
  if (!runtime.missing_entry_points.empty())
    table->Add({"", "entry points missing: " + Join(runtime.missing_entry_points)});
}

std::string Losses(const analyze::ProcessFacts& process, bool ns) {
  std::string text;
  for (const analyze::LossFacts& loss : process.losses) {
    if (loss.samples == 0 && loss.weight == 0) continue;
    text += (text.empty() ? "" : "; ") + std::string(analyze::LossName(loss.reason)) + ": " + Count(loss.samples) +
            (loss.weight != 0 ? " (" + Weight(loss.weight, ns) + ")" : "");
  }
  return text.empty() ? "none" : text;
}

std::string Threads(const analyze::ProcessFacts& process) {
  TextTable table({{"id", Align::kRight},
                   {"tid", Align::kRight},
                   {"kind", Align::kLeft},
                   {"began after", Align::kRight},
                   {"ended after", Align::kRight},
                   {"CPU clock", Align::kRight},
                   {"name", Align::kLeft}});
  const uint64_t start = process.start_mono_ns;
  const auto after = [start](uint64_t mono_ns) { return Duration(mono_ns > start ? mono_ns - start : 0); };
  for (const analyze::ThreadFacts& thread : process.threads) {
    const std::string kind = analyze::ThreadKindName(thread.kind);
    table.Add({std::to_string(thread.id), std::to_string(thread.tid), kind.empty() ? "?" : kind,
               after(thread.start_mono_ns), thread.end_mono_ns == 0 ? "-" : after(thread.end_mono_ns),
               Duration(thread.cpu_ns), Printable(thread.name) + (thread.sampled ? "" : " (not sampled)")});
  }
  return table.empty() ? "" : "\nThreads\n" + table.Text();
}

std::string Modules(const analyze::ProcessFacts& process) {
  TextTable table({{"id", Align::kRight}, {"build id", Align::kLeft}, {"file", Align::kLeft}});
  for (const analyze::ModuleFacts& module : process.modules) {
    table.Add({std::to_string(module.id), module.build_id.empty() ? "-" : Hex(module.build_id),
               Printable(module.path) + (module.openmp_runtime ? "  (OpenMP runtime)" : "") +
                   (module.profilers_own ? "  (ompprof's own)" : "") + (module.unloaded ? "  (unloaded)" : "")});
  }
  return table.empty() ? "" : "\nModules\n" + table.Text();
}

std::string Records(const analyze::ProcessFacts& process) {
  TextTable table({{"records", Align::kRight}, {"bytes", Align::kRight}, {"kind", Align::kLeft}});
  for (const analyze::FileFacts::RecordKind& kind : process.recorded.records)
    table.Add({Count(kind.records), Count(kind.bytes), kind.name});
  return table.empty() ? "" : "\nRecords\n" + table.Text();
}

}  // namespace

const char* SetResultName(uint32_t result) {
  static const char* const kNames[] = {"refused",          "never",       "impossible", "sometimes heard",
                                       "sometimes paired", "always heard"};
  return result < 6 ? kNames[result] : "with an unknown answer";
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

// How many samples this weight has on average. Fewer by far: instants were thrown away, because nothing proved that the
// thread was on a processor.
std::string Expected(const analyze::ProcessFacts& process) {
  const uint64_t period = process.sampling.period;
  return period == 0 ? "" : "; " + Count((process.weight + period / 2) / period) + " on average at this rate";
}

std::string InfoText(const analyze::ProcessFacts& process, const std::string& damage) {
  const analyze::SamplingFacts& sampling = process.sampling;
  const analyze::FileFacts& recorded = process.recorded;
  const bool ns = sampling.weighs_ns();
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft}});
  table.Add({"program", Printable(process.program)});
  table.Add({"command", CommandLine(process)});
  table.Add({"process", std::to_string(process.pid) + " (parent " + std::to_string(process.parent_pid) + ") on " +
                            Printable(process.host) +
                            (process.rank.empty() ? "" : ", rank " + Printable(process.rank))});
  const uint64_t end = static_cast<uint64_t>(process.start_unix_ns) + process.duration_ns;
  table.Add({"recorded", Date(process.start_unix_ns) + " to " +
                             (process.start_unix_ns == 0 ? "?" : Date(static_cast<int64_t>(end))) + ", " +
                             Duration(process.duration_ns) + " wall, " + Duration(process.cpu_ns) + " CPU"});
  table.Add({"ended", Ending(process)});
  if (!damage.empty()) table.Add({"damage", Printable(damage)});
  table.Add({"sampling", Printable(Sampling(sampling) + ", unwinder " + sampling.unwinder)});
  table.Add({"period", Weight(sampling.period, ns) + " between samples" +
                           (sampling.task_context.empty() ? "" : ", task context " + Printable(sampling.task_context)) +
                           (sampling.no_waits ? ", waits not recorded (--waits=off)" : "")});
  if (sampling.max_overhead_permille != 0)
    table.Add({"events", "may cost " + BudgetText(sampling.max_overhead_permille) + " of the CPU time"});
  for (const analyze::GovernedFacts& governed : process.governed) {
    table.Add({"governed", ClassName(governed.event_class) + ": " + Count(governed.events) + " events, " +
                               Share(governed.observed, governed.events) + " of them measured"});
  }
  table.Add({"samples", Count(process.samples) + ", " + Weight(process.weight, ns) + " in all" + Expected(process)});
  table.Add({"lost", Losses(process, ns)});
  table.Add({"call paths", Count(recorded.nodes) + " frames in " + Count(recorded.trees) + " trees, " +
                               Count(recorded.region_contexts) + " region contexts"});
  table.Add({"machine", Machine(process)});
  if (!process.settings.empty()) table.Add({"settings", Join(process.settings)});
  for (const analyze::RuntimeFacts& runtime : process.runtimes) AddRuntime(runtime, &table);
  if (process.runtimes.empty()) table.Add({"OpenMP", Printable(analyze::WhyNoOmpt(process))});
  table.Add({"written by", "ompprof " + Printable(recorded.collector_version) + ", format " +
                               std::to_string(recorded.format_version)});
  for (const std::string& note : process.notes) table.Add({"note", Printable(note)});
  return table.Text() + Threads(process) + Modules(process) + Records(process);
}

namespace {

void StringArray(const char* name, const std::vector<std::string>& strings, JsonWriter* json) {
  json->Key(name);
  json->BeginArray();
  for (const std::string& text : strings) json->String(text);
  json->EndArray();
}

void Lost(const analyze::ProcessFacts& process, JsonWriter* json) {
  json->Key("lost");
  json->BeginObject();
  for (const analyze::LossFacts& loss : process.losses) {
    json->Key(analyze::LossCode(loss.reason));
    json->BeginObject();
    json->Member("samples", loss.samples);
    json->Member("weight", loss.weight);
    json->EndObject();
  }
  json->EndObject();
}

void Runtimes(const analyze::ProcessFacts& process, JsonWriter* json) {
  json->Key("runtimes");
  json->BeginArray();
  for (const analyze::RuntimeFacts& runtime : process.runtimes) {
    json->BeginObject();
    json->Member("version", runtime.version);
    json->Member("omp_version", runtime.omp_version);
    if (!runtime.ompt_generation.empty()) json->Member("ompt_generation", runtime.ompt_generation);
    json->Member("module", runtime.module);
    json->Key("callbacks");
    json->BeginArray();
    for (const analyze::RuntimeFacts::Callback& callback : runtime.callbacks) {
      json->BeginObject();
      json->Member("name", callback.name);
      json->Member("event", callback.event);
      json->Member("result", callback.result);
      json->Member("count", callback.count);
      json->EndObject();
    }
    json->EndArray();
    StringArray("missing_entry_points", runtime.missing_entry_points, json);
    json->EndObject();
  }
  json->EndArray();
}

void Threads(const analyze::ProcessFacts& process, JsonWriter* json) {
  json->Key("threads");
  json->BeginArray();
  for (const analyze::ThreadFacts& thread : process.threads) {
    const std::string kind = analyze::ThreadKindName(thread.kind);
    json->BeginObject();
    json->Member("id", thread.id);
    json->Member("tid", thread.tid);
    json->Member("name", thread.name);
    json->Member("kind", kind.empty() ? "unknown" : kind);
    json->Member("start_mono_ns", thread.start_mono_ns);
    json->Member("end_mono_ns", thread.end_mono_ns);
    json->Member("cpu_ns", thread.cpu_ns);
    json->Member("sampled", thread.sampled);
    json->EndObject();
  }
  json->EndArray();
}

void Modules(const analyze::ProcessFacts& process, JsonWriter* json) {
  json->Key("modules");
  json->BeginArray();
  for (const analyze::ModuleFacts& module : process.modules) {
    json->BeginObject();
    json->Member("id", module.id);
    json->Member("path", module.path);
    json->Member("build_id", Hex(module.build_id));
    json->Member("openmp_runtime", module.openmp_runtime);
    json->Member("profilers_own", module.profilers_own);
    json->Member("unloaded", module.unloaded);
    json->EndObject();
  }
  json->EndArray();
}

void Records(const analyze::FileFacts& recorded, JsonWriter* json) {
  json->Member("bytes", recorded.bytes);
  json->Key("records");
  json->BeginObject();
  for (const analyze::FileFacts::RecordKind& kind : recorded.records) {
    json->Key(kind.name);
    json->BeginObject();
    json->Member("count", kind.records);
    json->Member("bytes", kind.bytes);
    json->EndObject();
  }
  json->EndObject();
}

}  // namespace

void InfoJson(const analyze::ProcessFacts& process, const std::string& file, const std::string& damage,
              JsonWriter* json) {
  const analyze::SamplingFacts& sampling = process.sampling;
  const analyze::FileFacts& recorded = process.recorded;
  json->BeginObject();
  json->Member("file", file);
  json->Member("program", process.program);
  StringArray("command", process.argv, json);
  json->Member("host", process.host);
  json->Member("process", process.pid);
  json->Member("parent", process.parent_pid);
  json->Member("rank", process.rank);
  json->Member("start_unix_ns", static_cast<uint64_t>(std::max<int64_t>(process.start_unix_ns, 0)));
  json->Member("start_mono_ns", process.start_mono_ns);
  json->Member("duration_ns", process.duration_ns);
  json->Member("cpu_ns", process.cpu_ns);
  json->Member("complete", process.complete);
  json->Member("end_reason", process.end_reason);
  json->Member("peak_resident_bytes", process.peak_resident_bytes);
  json->Member("damage", damage);
  json->Member("clock", sampling.clock);
  json->Member("source", sampling.source);
  json->Member("weight_unit", sampling.weight_unit);
  json->Member("period", sampling.period);
  json->Member("frequency", sampling.frequency);
  json->Member("unwinder", sampling.unwinder);
  json->Member("task_context", sampling.task_context);
  json->Member("waits", !sampling.no_waits);
  json->Member("max_overhead_percent", sampling.max_overhead_permille / 10.0);
  json->Key("governed");
  json->BeginArray();
  for (const analyze::GovernedFacts& governed : process.governed) {
    json->BeginObject();
    json->Member("class", ClassName(governed.event_class));
    json->Member("events", governed.events);
    json->Member("observed", governed.observed);
    json->EndObject();
  }
  json->EndArray();
  json->Member("samples", process.samples);
  json->Member("weight", process.weight);
  Lost(process, json);
  json->Member("trees", recorded.trees);
  json->Member("nodes", recorded.nodes);
  json->Member("region_contexts", recorded.region_contexts);
  json->Member("cpus", process.machine.cpus);
  json->Member("cpu_quota_milli", process.machine.cpu_quota_milli);
  json->Member("sockets", uint64_t{process.machine.layout().sockets});
  json->Member("tick_ns", sampling.tick_ns);
  StringArray("settings", process.settings, json);
  json->Member("collector_version", recorded.collector_version);
  json->Member("format_version", recorded.format_version);
  Runtimes(process, json);
  Threads(process, json);
  Modules(process, json);
  Records(recorded, json);
  StringArray("notes", process.notes, json);
  json->EndObject();
}

}  // namespace ompprof::report
