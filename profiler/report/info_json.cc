#include "profiler/report/info_json.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "profiler/model/own_modules.h"
#include "profiler/report/info_text.h"
#include "profiler/report/overhead_text.h"

namespace ompprof::report {
namespace {

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

template <class Strings>
void StringArray(const char* name, const Strings& strings, JsonWriter* json) {
  json->Key(name);
  json->BeginArray();
  for (const auto& text : strings) json->String(text);
  json->EndArray();
}

void Lost(const model::ProcessProfile& process, JsonWriter* json) {
  json->Key("lost");
  json->BeginObject();
  const ompprof::Lost& lost = process.lost;
  for (int i = 0; i < lost.reason_size(); ++i) {
    const auto reason = static_cast<LostReason>(lost.reason(i));
    json->Key(LostReason_IsValid(reason) ? LostReason_Name(reason) : "LOST_" + std::to_string(lost.reason(i)));
    json->BeginObject();
    json->Member("samples", uint64_t{i < lost.samples_size() ? lost.samples(i) : 0});
    json->Member("weight", uint64_t{i < lost.weight_size() ? lost.weight(i) : 0});
    json->EndObject();
  }
  json->EndObject();
}

void Runtimes(const model::ProcessProfile& process, JsonWriter* json) {
  json->Key("runtimes");
  json->BeginArray();
  for (const Runtime& runtime : process.runtimes) {
    json->BeginObject();
    json->Member("version", runtime.version());
    json->Member("omp_version", runtime.omp_version());
    json->Member("module", runtime.module());
    json->Key("callbacks");
    json->BeginArray();
    for (const Runtime::Callback& callback : runtime.callbacks()) {
      json->BeginObject();
      json->Member("name", callback.name());
      json->Member("event", callback.event());
      json->Member("result", callback.result());
      const auto count = process.event_counts.find(callback.event());
      json->Member("count", count == process.event_counts.end() ? uint64_t{0} : count->second);
      json->EndObject();
    }
    json->EndArray();
    StringArray("missing_entry_points", runtime.missing_entry_points(), json);
    json->EndObject();
  }
  json->EndArray();
}

void Threads(const model::ProcessProfile& process, JsonWriter* json) {
  json->Key("threads");
  json->BeginArray();
  for (const auto& [id, thread] : process.threads) {
    json->BeginObject();
    json->Member("id", id);
    json->Member("tid", uint64_t{thread.tid()});
    json->Member("name", thread.name());
    json->Member("kind", Thread::Kind_IsValid(thread.kind()) ? Lower(Thread::Kind_Name(thread.kind())) : "unknown");
    json->Member("start_mono_ns", uint64_t{thread.start_mono_ns()});
    json->Member("end_mono_ns", uint64_t{thread.end_mono_ns()});
    json->Member("cpu_ns", uint64_t{thread.cpu_ns()});
    json->Member("sampled", thread.sampled());
    json->EndObject();
  }
  json->EndArray();
}

void Modules(const model::ProcessProfile& process, JsonWriter* json) {
  const std::set<uint32_t> own = model::OwnModules(process);
  json->Key("modules");
  json->BeginArray();
  for (const auto& [id, module] : process.modules) {
    json->BeginObject();
    json->Member("id", id);
    json->Member("path", module.path());
    json->Member("build_id", Hex(module.build_id()));
    json->Member("openmp_runtime", module.openmp_runtime());
    json->Member("profilers_own", own.count(id) != 0);
    json->Member("unloaded", module.unloaded_epoch() != 0);
    json->EndObject();
  }
  json->EndArray();
}

void Records(const model::ProcessProfile& process, JsonWriter* json) {
  json->Key("records");
  json->BeginObject();
  for (const auto& [kind, count] : process.records) {
    json->Key(kind == Record::KIND_NOT_SET ? "unknown" : RecordKindName(kind));
    json->BeginObject();
    json->Member("count", count.records);
    json->Member("bytes", count.bytes);
    json->EndObject();
  }
  json->EndObject();
}

}  // namespace

void InfoJson(const model::ProcessProfile& process, const std::string& file, const std::string& damage,
              JsonWriter* json) {
  const Header& header = process.header;
  const ProcessFacts facts = FactsOf(process);
  json->BeginObject();
  json->Member("file", file);
  json->Member("program", header.program());
  StringArray("command", header.argv(), json);
  json->Member("host", header.host());
  json->Member("process", uint64_t{header.pid()});
  json->Member("parent", uint64_t{header.parent_pid()});
  json->Member("rank", header.rank());
  json->Member("start_unix_ns", static_cast<uint64_t>(std::max<int64_t>(header.start_unix_ns(), 0)));
  json->Member("start_mono_ns", uint64_t{header.start_mono_ns()});
  json->Member("duration_ns", process.DurationNs());
  json->Member("cpu_ns", facts.cpu_ns);
  json->Member("complete", process.complete);
  json->Member("end_reason", process.footer.reason());
  json->Member("damage", damage);
  json->Member("clock", header.clock());
  json->Member("source", header.source());
  json->Member("weight_unit", header.weight_unit());
  json->Member("period", uint64_t{header.period()});
  json->Member("frequency", header.frequency());
  json->Member("unwinder", header.unwinder());
  json->Member("task_context", header.task_context());
  json->Member("waits", !header.no_waits());
  json->Member("max_overhead_percent", header.max_overhead_permille() / 10.0);
  json->Key("governed");
  json->BeginArray();
  for (const auto& [event_class, governed] : process.governed) {
    json->BeginObject();
    json->Member("class", ClassName(event_class));
    json->Member("events", uint64_t{governed.events()});
    json->Member("observed", uint64_t{governed.observed()});
    json->EndObject();
  }
  json->EndArray();
  json->Member("samples", facts.samples);
  json->Member("weight", facts.weight);
  Lost(process, json);
  json->Member("trees", uint64_t{process.trees.size()});
  json->Member("nodes", facts.nodes);
  json->Member("region_contexts", uint64_t{process.contexts.size()});
  json->Member("cpus", header.cpus());
  json->Member("cpu_quota_milli", header.cpu_quota_milli());
  json->Member("sockets", header.sockets());
  json->Member("tick_ns", uint64_t{header.tick_ns()});
  StringArray("settings", header.settings(), json);
  json->Member("collector_version", header.collector_version());
  json->Member("format_version", header.format_version());
  Runtimes(process, json);
  Threads(process, json);
  Modules(process, json);
  json->Member("bytes", facts.bytes);
  Records(process, json);
  StringArray("notes", process.notes, json);
  json->EndObject();
}

}  // namespace ompprof::report
