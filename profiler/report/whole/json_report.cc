#include "profiler/report/whole/json_report.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/outside_waits.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/concurrency.h"
#include "profiler/analyze/view/confidence.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/counts_json.h"
#include "profiler/report/basics/estimate_json.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/state_columns.h"
#include "profiler/report/columns/thread_columns.h"
#include "profiler/report/columns/wait_columns.h"
#include "profiler/report/sections/advice.h"
#include "profiler/report/sections/devices.h"
#include "profiler/report/sections/functions.h"
#include "profiler/report/sections/info.h"
#include "profiler/report/sections/locks.h"
#include "profiler/report/sections/no_samples.h"
#include "profiler/report/sections/overhead.h"
#include "profiler/report/sections/phases.h"
#include "profiler/report/sections/ranks.h"
#include "profiler/report/sections/regions.h"
#include "profiler/report/sections/spread.h"
#include "profiler/report/sections/unnamed.h"

namespace ompprof::report {
namespace {

// The profiler's time, and its budget.
void Overhead(const analyze::View& view, JsonWriter* json) {
  json->Key("overhead");
  json->BeginObject();
  json->Member("budget_percent", view.run.first().sampling.max_overhead_permille / 10.0);
  json->Member("collector_percent", OwnPercent(view));
  if (!view.selection.any()) json->Member("unsampled_ns", UnsampledOwnNs(view));
  if (!view.selection.any()) json->Member("runtime_ns", RuntimeOwnNs(view));
  json->Key("governed");
  json->BeginArray();
  for (const GovernedEvents& governed : GovernedIn(view)) {
    json->BeginObject();
    json->Member("class", governed.name);
    json->Member("events", governed.events);
    json->Member("observed_fraction", governed.observed_fraction());
    json->EndObject();
  }
  json->EndArray();
  json->EndObject();
}

// The part of the run that the figures are of.
void Selected(const analyze::View& view, JsonWriter* json) {
  const analyze::Selection& selection = view.selection;
  json->Key("selection");
  json->BeginObject();
  if (!selection.phase.empty()) json->Member("phase", selection.phase);
  if (!selection.region.empty()) json->Member("region", selection.region);
  if (selection.thread) json->Member("thread", *selection.thread);
  json->Member("run_sampled_cpu_ns", view.run_weight);
  json->EndObject();
}

// The processors of the run, and their load by other programs.
void Machine(const analyze::RunFacts& run, JsonWriter* json) {
  const analyze::MachineFacts& machine = run.first().machine;
  json->Key("machine");
  json->BeginObject();
  json->Member("cpus", machine.cpus);
  json->Member("online_cpus", machine.online_cpus);
  json->Member("usable_cpus", run.usable_cpus());
  const analyze::Layout layout = machine.layout();
  json->Member("cores", uint64_t{layout.cores});
  json->Member("sockets", uint64_t{layout.sockets});
  json->Member("numa_nodes", uint64_t{layout.nodes});
  json->Member("threads_at_a_time", analyze::ThreadsAtATime(run));
  json->Member("cpus_of_others", run.cpus_of_others());
  json->EndObject();
}

void Program(const analyze::View& view, const analyze::Summary& summary, JsonWriter* json) {
  const analyze::ProcessFacts& first = view.run.first();
  json->Member("schema_version", kJsonSchemaVersion);
  json->Member("program", first.program);
  json->Key("command");
  json->BeginArray();
  for (const std::string& word : first.argv) json->String(word);
  json->EndArray();
  json->Member("host", first.host);
  json->Member("start_unix_ns", static_cast<uint64_t>(std::max<int64_t>(first.start_unix_ns, 0)));
  json->Member("duration_ns", summary.duration_ns);
  json->Member("cpu_ns", summary.cpu_ns);
  json->Member("view", view.kind == analyze::ViewKind::kUser ? "user" : "machine");
  json->Member("complete", summary.complete);
  json->Member("samples", view.total_samples);
  json->Member("effective_samples", analyze::EffectiveSamples(view));
  json->Member("sampled_cpu_ns", view.total_weight);
  json->Member("tree_unspliced_ns", view.unspliced_weight);
  JsonCountMembers(view, view.total_counts, json);
  json->Member("clock", first.sampling.clock);
  json->Member("source", first.sampling.source);
  json->Member("weight_unit", first.sampling.weight_unit);
  json->Member("unwinder", first.sampling.unwinder);
  Machine(view.run, json);
  Overhead(view, json);
  json->Key("lost");
  json->BeginObject();
  json->Member("samples", summary.lost_samples);
  json->Member("cpu_ns", summary.lost_weight);
  json->Key("by_reason");
  json->BeginObject();
  for (const analyze::LossCost& loss : summary.losses) {
    json->Member(analyze::LossCode(loss.reason), loss.cost.samples);
  }
  json->EndObject();
  json->EndObject();
  std::string runtimes;
  std::string generations;
  for (const analyze::RuntimeFacts& runtime : first.runtimes) {
    runtimes += (runtimes.empty() ? "" : "; ") + runtime.version;
    if (!runtime.ompt_generation.empty()) generations += (generations.empty() ? "" : "; ") + runtime.ompt_generation;
  }
  json->Member("runtime", runtimes);
  if (!generations.empty()) json->Member("ompt_generation", generations);
}

void Threads(const analyze::View& view, const analyze::Summary& summary, const analyze::StateTimes& times,
             JsonWriter* json) {
  std::map<std::pair<uint32_t, uint32_t>, const analyze::ThreadStates*> states;
  for (const analyze::ThreadStates& thread : times.threads) states[{thread.process, thread.thread}] = &thread;
  json->Key("threads");
  json->BeginArray();
  for (const analyze::ThreadCost& thread : summary.threads) {
    const auto found = states.find({thread.process, thread.id});
    json->BeginObject();
    JsonMembers(ThreadColumns(), ThreadRow{view, thread, &times, found == states.end() ? nullptr : found->second},
                json);
    json->EndObject();
  }
  json->EndArray();
}

void Efficiency(const analyze::Efficiency& efficiency, JsonWriter* json) {
  json->Key("efficiency");
  json->BeginObject();
  if (efficiency.known) {
    json->Member("threads", efficiency.threads);
    json->Member("duration_ns", efficiency.duration_ns);
    json->Member("busy_threads", efficiency.busy_threads());
    json->Member("parallel", efficiency.parallel());
    json->Member("load_balance", efficiency.load_balance());
    json->Member("communication", efficiency.busiest_thread());
    json->Member("serial_fraction", efficiency.serial_fraction());
    json->Member("speedup_bound", efficiency.speedup_bound());
    json->Member("useful_ns", efficiency.useful_ns);
    json->Member("mpi_ns", efficiency.mpi_ns);
    json->Member("library_wait_ns", efficiency.library_ns);
    json->Member("off_cpu_ns", efficiency.off_cpu_ns());
    json->Member("ready_ns", efficiency.ready_ns);
    json->Member("blocked_ns", efficiency.blocked_ns);
    json->Member("ompprof_ns", efficiency.own_ns);
    json->Member("wait_ns", efficiency.wait_ns);
    json->Member("barrier_ns", efficiency.barrier_ns);
    json->Member("task_ns", efficiency.task_ns);
    json->Member("lock_ns", efficiency.lock_ns);
    json->Member("device_wait_ns", efficiency.device_wait_ns);
    json->Member("idle_ns", efficiency.idle_ns);
    json->Member("serial_ns", efficiency.serial_ns);
    json->Member("parallel_ns", efficiency.parallel_ns);
    json->Member("partial_ns", efficiency.partial_ns);
    JsonEstimate(efficiency.wait_estimate, json);
  }
  json->EndObject();
}

// The place to change: the acquisition of a lock, or a construct or function. Empty and 0: the run as a whole.
void AdvicePlace(const analyze::View& view, const analyze::Advice& advice, JsonWriter* json) {
  const analyze::ViewFunction none;
  const auto function = [&](analyze::FunctionId id) -> const analyze::ViewFunction& {
    return id == analyze::kNoFunction ? none : view.frames.function(id);
  };
  const bool placed = advice.place.function != analyze::kNoFunction && !function(advice.place.function).file.empty();
  const analyze::ViewFunction& where = function(placed ? advice.place.function : advice.where);
  json->Member("file", where.file);
  json->Member("line", placed && advice.place.line != 0 ? advice.place.line : where.line);
  json->Member("function", function(advice.where).name);
}

void Advice(const analyze::View& view, const analyze::Answers& answers, JsonWriter* json) {
  json->Key("advice");
  json->BeginArray();
  for (const analyze::Advice& advice : answers.findings.advice) {
    json->BeginObject();
    json->Member("kind", analyze::AdviceName(advice.kind));
    json->Member("about", analyze::IsOnMeasurement(advice.kind) ? "measurement" : "program");
    json->Member("where", AdviceWhere(view, advice, &answers.locks));
    AdvicePlace(view, advice, json);
    json->Member("text", AdviceText(advice));
    json->Member("evidence", AdviceEvidence(advice));
    json->Member("gain_ns", advice.gain_ns);
    json->Member("estimated", advice.estimate.any());
    json->Member("ci95", advice.gain_ci95_ns());
    json->EndObject();
  }
  json->EndArray();
  json->Member("disturbance", DisturbanceText(view, answers.findings));
  json->Key("advice_refused");
  json->BeginArray();
  for (const analyze::Refusal& refusal : answers.findings.refusals) {
    json->BeginObject();
    json->Member("where", RefusalWhere(view, refusal));
    json->Member("cause", analyze::CauseName(refusal.cause));
    json->Member("reason", analyze::RefusalName(refusal.reason));
    json->Member("text", RefusalText(refusal));
    json->Member("gain_ns", refusal.gain_ns);
    json->EndObject();
  }
  json->EndArray();
}

// The places of waits, and the threads that came last there.
void Waits(const analyze::View& view, JsonWriter* json) {
  json->Key("waits");
  json->BeginArray();
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    json->BeginObject();
    JsonMembers(WaitColumns(), WaitRow{view, wait}, json);
    json->EndObject();
  }
  json->EndArray();
}

// Waits for mutexes and the like, by place.
void OutsideWaits(const analyze::View& view, JsonWriter* json) {
  json->Key("outside_waits");
  json->BeginArray();
  for (const analyze::OutsideWait& wait : analyze::OutsideWaits(view)) {
    json->BeginObject();
    json->Member("for", wait.what);
    json->Member("at", PlaceText(view, wait.place));
    json->Member("region",
                 wait.region == analyze::kNoFunction ? std::string() : view.frames.function(wait.region).name);
    json->Member("wait_ns", wait.total_ns());
    json->Member("cpu_ns", wait.cpu_ns);
    JsonEstimate(wait.estimate(), json);
    json->EndObject();
  }
  json->EndArray();
}

void Modules(const model::Symbolizer& symbolizer, JsonWriter* json) {
  json->Key("modules");
  json->BeginArray();
  for (size_t i = 1; i < symbolizer.objects().size(); ++i) {
    const model::Object& object = symbolizer.objects()[i];
    json->BeginObject();
    json->Member("path", object.path);
    json->Member("build_id", Hex(object.build_id));
    json->Member("openmp_runtime", object.openmp_runtime);
    json->Member("profilers_own", object.profilers_own);
    json->Member("symbols", object.file != nullptr);
    json->Member("lines", object.has_lines);
    json->EndObject();
  }
  json->EndArray();
}

void Unnamed(const analyze::View& view, const analyze::UnnamedCode& unnamed, JsonWriter* json) {
  json->Key("unnamed");
  json->BeginObject();
  json->Member("cpu_ns", unnamed.weight);
  json->Member("noticeable", unnamed.noticeable);
  json->Key("objects");
  json->BeginArray();
  for (const analyze::UnnamedObject& object : unnamed.objects) {
    json->BeginObject();
    json->Member("path", object.path);
    json->Member("cpu_ns", object.weight);
    json->Member("package", object.package);
    json->Member("command", object.command);
    json->EndObject();
  }
  json->EndArray();
  json->Member("python_cpu_ns", unnamed.python.weight);
  json->Member("python_note", PythonSentence(view, unnamed));
  json->EndObject();
}

void Notes(const analyze::View& view, const analyze::Summary& summary, JsonWriter* json) {
  json->Key("notes");
  json->BeginArray();
  const analyze::RunFacts& run = view.run;
  for (const analyze::ProcessFacts& process : run.processes) {
    const std::string file = run.several() ? process.file + ": " : "";
    for (const std::string& note : analyze::NotesOf(process)) json->String(file + note);
  }
  for (const std::string& note : GovernedNotes(view)) json->String(note);
  if (const std::string none = NoSamplesText(run); !none.empty()) json->String(none);
  for (const std::string& text : UnsampledTexts(view, summary)) json->String(text);
  if (const std::string warning = OwnWarning(view); !warning.empty()) json->String(warning);
  for (const std::string& warning : view.warnings) json->String(warning);
  json->EndArray();
}

}  // namespace

std::string JsonReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const analyze::Answers* answers, std::optional<analyze::Dimension> by) {
  JsonText json;
  WriteJsonReport(view, summary, symbolizer, answers, by, JsonParts::kAll, &json);
  return json.text();
}

void WriteJsonReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                     const analyze::Answers* answers, std::optional<analyze::Dimension> by, JsonParts parts,
                     JsonWriter* json) {
  const analyze::StateTimes times = analyze::MeasureStates(view);
  json->BeginObject();
  Program(view, summary, json);
  const analyze::Selection& selection = view.selection;
  const bool whole = !selection.any();
  if (!whole) Selected(view, json);
  json->Key("states");
  JsonStates(view, times.names, times.all, json);
  JsonPhases(view, json);
  if (answers != nullptr && whole) {
    Efficiency(answers->efficiency, json);
    const analyze::Unblamed unblamed = analyze::MeasureUnblamed(view);
    json->Key("unblamed_ns");
    json->BeginObject();
    json->Member("nobody_working", unblamed.nobody_working_ns);
    json->Member("lock_handoff", unblamed.lock_handoff_ns);
    json->Member("unsampled", unblamed.unsampled_ns);
    json->EndObject();
    Advice(view, *answers, json);
  }
  if (answers != nullptr && whole) RanksJson(view, answers->ranks, json);
  SpreadJson(view, json);
  if (parts == JsonParts::kAll && selection.knows_threads()) Threads(view, summary, times, json);
  if (selection.knows_regions()) JsonRegions(view, json);
  if (answers != nullptr && selection.knows_waits()) JsonLocks(view, answers->locks, json);
  JsonDevices(view, json);
  JsonDeviceBlame(view, json);
  JsonFunctions(view, symbolizer, analyze::FunctionCosts(analyze::BuildCallTree(view, false)), json);
  if (by) JsonBreakdown(view, symbolizer, *by, json);
  if (parts == JsonParts::kAll) {
    if (selection.knows_waits()) Waits(view, json);
    OutsideWaits(view, json);
    Modules(symbolizer, json);
  }
  if (answers != nullptr) Unnamed(view, answers->unnamed, json);
  Notes(view, summary, json);
  json->EndObject();
}

}  // namespace ompprof::report
