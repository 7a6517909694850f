// Exports a view for https://profiler.firefox.com, in its "processed profile" JSON. `ompprof export` calls it.
// The format: docs-developer/processed-profile-format.md and CHANGELOG-formats.md of the Firefox Profiler. The profiler
// converts files of older versions as it loads them.
#include "profiler/report/exports/exports.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/exports/thread_names.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

// The first version in which all threads share their tables of stacks, frames and functions.
constexpr uint64_t kFormatVersion = 60;

constexpr int kMillisecond = 6;  // digits of a nanosecond in it

// A marker with a begin and an end.
constexpr uint64_t kInterval = 1;

// The kind of resource that is a library.
constexpr uint64_t kLibrary = 1;

enum Category : uint64_t { kOther, kProgram, kWaiting, kOverhead, kMpi };

// Made-up frames begin with '<': "<omp barrier: implicit>", "<waiting: TBB>", "<mpi MPI_Allreduce>", "<omp overhead>",
// "<ompprof>".
Category CategoryOf(const std::string& function) {
  if (function.empty()) return kOther;
  if (function[0] != '<') return kProgram;
  if (function == "<omp overhead>" || function == "<ompprof>") return kOverhead;
  if (function.rfind("<mpi ", 0) == 0) return kMpi;
  return function.rfind("<omp ", 0) == 0 || function.rfind("<waiting", 0) == 0 ? kWaiting : kOther;
}

// A thread's samples and stretches of waiting, in the order of the export.
struct Row {
  uint32_t sample;   // index into View::samples
  uint64_t time_ns;  // the begin of an untimed sample, the time of a timed sample, the end of a wait
  uint64_t weight;
};

struct Rows {
  std::vector<Row> samples;
  std::vector<Row> waits;
};

class FirefoxWriter {
 public:
  FirefoxWriter(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink)
      : view_(view), symbolizer_(symbolizer), json_(sink) {}

  void Write() {
    NumberStacks();
    json_.BeginObject();
    Meta();
    Libraries();
    json_.Key("threads");
    json_.BeginArray();
    for (const auto& [thread, rows] : Threads()) Thread(thread.first, thread.second, rows);
    json_.EndArray();
    json_.Key("pages");
    json_.BeginArray();
    json_.EndArray();
    Shared();
    json_.EndObject();
  }

 private:
  using ThreadRows = std::map<std::pair<uint32_t, uint32_t>, Rows>;

  uint64_t String(const std::string& text) {
    const auto [entry, added] = strings_.emplace(text, strings_.size());
    if (added) string_list_.push_back(&entry->first);
    return entry->second;
  }

  // A location's frames have consecutive numbers, and so have a path's stacks that end with its location. Outer
  // functions come first.
  void NumberStacks() {
    first_frame_.assign(view_.frames.location_count(), 0);
    for (analyze::LocationId id = 0; id < first_frame_.size(); ++id) {
      first_frame_[id] = frames_;
      frames_ += view_.frames.location(id).line_count;
    }
    last_stack_.assign(view_.paths.size(), 0);
    for (analyze::PathId path = 1; path < last_stack_.size(); ++path) {
      const uint32_t count = view_.frames.location(view_.paths.node(path).location).line_count;
      stacks_ += count;
      last_stack_[path] = count == 0 ? last_stack_[view_.paths.node(path).parent] : stacks_;
    }
  }

  // Gives each frame's location and line to `take`.
  template <typename Take>
  void ForEachFrame(Take&& take) const {
    for (analyze::LocationId id = 0; id < first_frame_.size(); ++id) {
      const analyze::Location& location = view_.frames.location(id);
      for (uint32_t i = location.line_count; i-- > 0;)
        take(location, location.line_count - 1 - i, view_.frames.line(location.first_line + i));
    }
  }

  ThreadRows Threads() const {
    ThreadRows threads;
    for (uint32_t i = 0; i < view_.samples.size(); ++i) {
      const analyze::ViewSample& sample = view_.samples[i];
      if (sample.interval || view_.run.process(sample.process).sampling.timeline || sample.cost.is_unsampled())
        continue;
      std::vector<Row>& rows = threads[{sample.process, sample.thread}].samples;
      const uint64_t begin = rows.empty() ? 0 : rows.back().time_ns + rows.back().weight;
      rows.push_back({i, begin, sample.cost.weight});
    }
    for (const analyze::TimedSample& timed : view_.timed) {
      const analyze::ViewSample& sample = view_.samples[timed.sample];
      Rows& rows = threads[{sample.process, sample.thread}];
      (sample.interval ? rows.waits : rows.samples).push_back({timed.sample, timed.time_ns, timed.weight});
    }
    return threads;
  }

  void Meta() {
    const analyze::ProcessFacts& process = view_.run.first();
    json_.Key("meta");
    json_.BeginObject();
    json_.Member("version", uint64_t{24});  // of Firefox's own format, from which others are converted
    json_.Member("preprocessedProfileVersion", kFormatVersion);
    json_.Member("product", process.program.substr(process.program.rfind('/') + 1));
    json_.Member("importedFrom", "ompprof");
    json_.Key("interval");
    json_.Scaled(process.sampling.weighs_ns() ? process.sampling.period : 1000000, kMillisecond);
    json_.Key("startTime");
    json_.Scaled(process.start_unix_ns < 0 ? 0 : static_cast<uint64_t>(process.start_unix_ns), kMillisecond);
    json_.Member("processType", uint64_t{0});
    json_.Member("stackwalk", uint64_t{1});
    json_.Member("platform", "Linux");
    json_.Member("logicalCPUs", process.machine.cpus);
    for (const char* is_so :
         {"symbolicated", "usesOnlyOneStackType", "sourceCodeIsNotOnSearchfox", "keepProfileThreadOrder"})
      json_.Member(is_so, true);
    std::string command;
    for (const std::string& word : process.argv) command += (command.empty() ? "" : " ") + word;
    json_.Member("arguments", command);
    Units();
    Categories();
    MarkerSchema();
    json_.EndObject();
  }

  void Units() {
    json_.Key("sampleUnits");
    json_.BeginObject();
    json_.Member("time", "ms");
    json_.Member("eventDelay", "ms");
    json_.Member("threadCPUDelta", "ns");
    json_.EndObject();
  }

  void Categories() {
    json_.Key("categories");
    json_.BeginArray();
    for (const auto& [name, color] :
         {std::pair("Other", "grey"), std::pair("Program", "blue"), std::pair("Waiting", "orange"),
          std::pair("Overhead", "purple"), std::pair("MPI", "green")}) {
      json_.BeginObject();
      json_.Member("name", name);
      json_.Member("color", color);
      json_.Key("subcategories");
      json_.BeginArray();
      json_.String("Other");
      json_.EndArray();
      json_.EndObject();
    }
    json_.EndArray();
  }

  void MarkerSchema() {
    json_.Key("markerSchema");
    json_.BeginArray();
    json_.BeginObject();
    json_.Member("name", "wait");
    json_.Member("tooltipLabel", "{marker.name}");
    json_.Member("tableLabel", "{marker.name} {marker.data.region}");
    json_.Member("chartLabel", "{marker.data.region}");
    json_.Key("display");
    json_.BeginArray();
    for (const char* place : {"marker-chart", "marker-table", "timeline-overview"}) json_.String(place);
    json_.EndArray();
    json_.Key("fields");
    json_.BeginArray();
    json_.BeginObject();
    json_.Member("key", "region");
    json_.Member("label", "Region");
    json_.Member("format", "string");
    json_.EndObject();
    json_.EndArray();
    json_.EndObject();
    json_.EndArray();
  }

  // The object files, without those that have no path. library_of_: their numbers, by object.
  void Libraries() {
    json_.Key("libs");
    json_.BeginArray();
    for (const model::Object& object : symbolizer_.objects()) {
      library_of_.push_back(libraries_.size());
      if (object.path.empty()) continue;
      libraries_.push_back(object.path.substr(object.path.rfind('/') + 1));
      json_.BeginObject();
      json_.Member("arch", "");
      for (const char* name : {"name", "debugName"}) json_.Member(name, libraries_.back());
      for (const char* path : {"path", "debugPath"}) json_.Member(path, object.path);
      json_.Member("breakpadId", "");
      json_.Key("codeId");
      json_.Null();
      json_.EndObject();
    }
    json_.EndArray();
  }

  void Thread(uint32_t process, uint32_t thread, const Rows& rows) {
    const analyze::ProcessFacts& facts = view_.run.process(process);
    const analyze::ThreadFacts* known = facts.FindThread(thread);
    json_.BeginObject();
    json_.Member("processType", "default");
    json_.Member("processName", ProcessName(view_, process));
    json_.Member("name", ThreadName(view_, process, thread));
    // Process numbers of several hosts may be equal.
    json_.Member("pid", std::to_string(facts.pid) + (view_.run.several() ? "." + std::to_string(process) : ""));
    json_.Member("tid", known != nullptr ? std::to_string(known->tid) : "unknown");
    json_.Member("isMainThread", known != nullptr && (known->kind == analyze::ThreadKind::kInitial ||
                                                      known->kind == analyze::ThreadKind::kMain));
    json_.Member("showMarkersInTimeline", true);
    for (const char* time : {"processStartupTime", "registerTime"}) json_.Member(time, uint64_t{0});
    for (const char* time : {"processShutdownTime", "unregisterTime"}) {
      json_.Key(time);
      json_.Null();
    }
    json_.Key("pausedRanges");
    json_.BeginArray();
    json_.EndArray();
    Samples(facts, rows.samples);
    Markers(process, rows.waits);
    json_.EndObject();
  }

  // A column of a table: `value` writes the value of a row.
  template <typename List, typename Value>
  void Values(const char* name, const List& list, Value&& value) {
    json_.Key(name);
    json_.BeginArray();
    for (const auto& row : list) value(row);
    json_.EndArray();
  }

  void Samples(const analyze::ProcessFacts& facts, const std::vector<Row>& rows) {
    const bool is_time = facts.sampling.weighs_ns();
    json_.Key("samples");
    json_.BeginObject();
    json_.Member("length", uint64_t{rows.size()});
    json_.Member("weightType", is_time ? "tracing-ms" : "samples");
    Values("stack", rows, [&](const Row& row) { Stack(last_stack_[view_.samples[row.sample].path]); });
    Values("time", rows, [&](const Row& row) { json_.Scaled(row.time_ns, kMillisecond); });
    Values("weight", rows, [&](const Row& row) { json_.Scaled(row.weight, is_time ? kMillisecond : 0); });
    if (is_time) Values("threadCPUDelta", rows, [&](const Row& row) { json_.Number(row.weight); });
    json_.EndObject();
  }

  // `stack`: the number plus 1; 0: none.
  void Stack(uint32_t stack) {
    if (stack == 0)
      json_.Null();
    else
      json_.Number(uint64_t{stack} - 1);
  }

  void Markers(uint32_t process, const std::vector<Row>& waits) {
    json_.Key("markers");
    json_.BeginObject();
    json_.Member("length", uint64_t{waits.size()});
    Values("name", waits, [&](const Row& row) { json_.Number(String(StateName(process, row))); });
    Values("startTime", waits,
           [&](const Row& row) { json_.Scaled(row.time_ns - std::min(row.time_ns, row.weight), kMillisecond); });
    Values("endTime", waits, [&](const Row& row) { json_.Scaled(row.time_ns, kMillisecond); });
    Values("phase", waits, [&](const Row&) { json_.Number(kInterval); });
    Values("category", waits, [&](const Row&) { json_.Number(uint64_t{kWaiting}); });
    Values("data", waits, [&](const Row& row) {
      json_.BeginObject();
      json_.Member("type", "wait");
      json_.Member("region", view_.frames.function(view_.samples[row.sample].region).name);
      json_.EndObject();
    });
    json_.EndObject();
  }

  std::string StateName(uint32_t process, const Row& row) const {
    const std::string name = analyze::StateName(view_.run.process(process), view_.samples[row.sample].state);
    const std::string prefix = "ompt_state_";
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
  }

  void Shared() {
    json_.Key("shared");
    json_.BeginObject();
    Stacks();
    Frames();
    Functions();
    Resources();
    json_.Key("nativeSymbols");
    json_.BeginObject();
    json_.Member("length", uint64_t{0});
    for (const char* column : {"libIndex", "address", "name", "functionSize"}) Empty(column);
    json_.EndObject();
    Sources();
    Values("stringArray", string_list_, [&](const std::string* text) { json_.String(*text); });
    json_.EndObject();
  }

  void Empty(const char* column) {
    json_.Key(column);
    json_.BeginArray();
    json_.EndArray();
  }

  // Gives each stack's frame, and the stack below which it lies (plus 1; 0: none), to `take`.
  template <typename Take>
  void ForEachStack(Take&& take) const {
    uint32_t stack = 0;
    for (analyze::PathId path = 1; path < last_stack_.size(); ++path) {
      const analyze::PathTree::Node& node = view_.paths.node(path);
      uint32_t below = last_stack_[node.parent];
      const uint32_t count = view_.frames.location(node.location).line_count;
      for (uint32_t i = 0; i < count; ++i) {
        take(first_frame_[node.location] + i, below);
        below = ++stack;
      }
    }
  }

  void Stacks() {
    json_.Key("stackTable");
    json_.BeginObject();
    json_.Member("length", stacks_);
    json_.Key("frame");
    json_.BeginArray();
    ForEachStack([&](uint32_t frame, uint32_t) { json_.Number(uint64_t{frame}); });
    json_.EndArray();
    json_.Key("prefix");
    json_.BeginArray();
    ForEachStack([&](uint32_t, uint32_t below) { Stack(below); });
    json_.EndArray();
    json_.EndObject();
  }

  template <typename Value>
  void FrameColumn(const char* name, Value&& value) {
    json_.Key(name);
    json_.BeginArray();
    ForEachFrame(value);
    json_.EndArray();
  }

  void Frames() {
    json_.Key("frameTable");
    json_.BeginObject();
    json_.Member("length", frames_);
    using analyze::Line;
    using analyze::Location;
    // Addresses would make the profiler ask a symbol server: names are known here.
    FrameColumn("address", [&](const Location&, uint32_t, const Line&) { json_.Integer(-1); });
    FrameColumn("inlineDepth", [&](const Location&, uint32_t depth, const Line&) { json_.Number(uint64_t{depth}); });
    FrameColumn("category", [&](const Location&, uint32_t, const Line& line) {
      json_.Number(uint64_t{CategoryOf(view_.frames.function(line.function).name)});
    });
    FrameColumn("subcategory", [&](const Location&, uint32_t, const Line&) { json_.Number(uint64_t{0}); });
    FrameColumn("func", [&](const Location&, uint32_t, const Line& line) { json_.Number(uint64_t{line.function}); });
    FrameColumn("line", [&](const Location&, uint32_t, const Line& line) { NumberOrNull(line.line); });
    for (const char* column : {"nativeSymbol", "innerWindowID", "column"})
      FrameColumn(column, [&](const Location&, uint32_t, const Line&) { json_.Null(); });
    json_.EndObject();
  }

  void NumberOrNull(uint64_t number) {
    if (number == 0)
      json_.Null();
    else
      json_.Number(number);
  }

  template <typename Value>
  void FunctionColumn(const char* name, Value&& value) {
    json_.Key(name);
    json_.BeginArray();
    for (analyze::FunctionId id = 0; id < view_.frames.function_count(); ++id) value(view_.frames.function(id));
    json_.EndArray();
  }

  void Functions() {
    json_.Key("funcTable");
    json_.BeginObject();
    json_.Member("length", uint64_t{view_.frames.function_count()});
    using analyze::ViewFunction;
    FunctionColumn("name", [&](const ViewFunction& function) { json_.Number(String(function.name)); });
    for (const char* column : {"isJS", "relevantForJS"})
      FunctionColumn(column, [&](const ViewFunction&) { json_.Bool(false); });
    FunctionColumn("resource", [&](const ViewFunction& function) {
      const bool has_library =
          function.object < library_of_.size() && !symbolizer_.objects()[function.object].path.empty();
      json_.Integer(has_library ? static_cast<int64_t>(library_of_[function.object]) : -1);
    });
    FunctionColumn("source", [&](const ViewFunction& function) {
      if (function.file.empty())
        json_.Null();
      else
        json_.Number(Source(function.file));
    });
    FunctionColumn("lineNumber", [&](const ViewFunction& function) { NumberOrNull(function.line); });
    FunctionColumn("columnNumber", [&](const ViewFunction&) { json_.Null(); });
    json_.EndObject();
  }

  uint64_t Source(const std::string& file) {
    const auto [entry, added] = sources_.emplace(file, sources_.size());
    if (added) source_list_.push_back(&entry->first);
    return entry->second;
  }

  void Sources() {
    json_.Key("sources");
    json_.BeginObject();
    json_.Member("length", uint64_t{source_list_.size()});
    Values("uuid", source_list_, [&](const std::string*) { json_.Null(); });
    Values("filename", source_list_, [&](const std::string* file) { json_.Number(String(*file)); });
    json_.EndObject();
  }

  // A resource for each library, with its number.
  void Resources() {
    json_.Key("resourceTable");
    json_.BeginObject();
    json_.Member("length", uint64_t{libraries_.size()});
    uint64_t next = 0;
    Values("lib", libraries_, [&](const std::string&) { json_.Number(next++); });
    Values("name", libraries_, [&](const std::string& name) { json_.Number(String(name)); });
    Values("host", libraries_, [&](const std::string&) { json_.Null(); });
    Values("type", libraries_, [&](const std::string&) { json_.Number(kLibrary); });
    json_.EndObject();
  }

  const analyze::View& view_;
  const model::Symbolizer& symbolizer_;
  JsonText json_;
  uint32_t frames_ = 0;
  uint32_t stacks_ = 0;
  std::vector<uint32_t> first_frame_;  // by location
  std::vector<uint32_t> last_stack_;   // by path: the stack with all its frames, plus 1
  std::vector<uint64_t> library_of_;   // by object: index into libraries_, if the object has a path
  std::vector<std::string> libraries_;
  std::unordered_map<std::string, uint64_t> strings_, sources_;
  std::vector<const std::string*> string_list_, source_list_;
};

}  // namespace

void Firefox(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink) {
  FirefoxWriter(view, symbolizer, sink).Write();
}

}  // namespace ompprof::report
