#include "profiler/report/info_json.h"

#include <algorithm>
#include <string>
#include <vector>

#include "profiler/report/info_text.h"
#include "profiler/report/overhead_text.h"

namespace ompprof::report {
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
  json->Member("sockets", process.machine.sockets);
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
