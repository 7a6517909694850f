#include "profiler/report/html/page_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/columns/spread_columns.h"
#include "profiler/report/columns/tables.h"
#include "profiler/report/html/json_value.h"
#include "profiler/report/html/page_devices.h"
#include "profiler/report/html/page_ranks.h"
#include "profiler/report/html/page_timeline.h"
#include "profiler/report/html/page_tree.h"
#include "profiler/report/html/path_nodes.h"
#include "profiler/report/html/region_threads.h"
#include "profiler/report/html/source_lines.h"
#include "profiler/report/html/stack_tree.h"
#include "profiler/report/html/thread_rows.h"
#include "profiler/report/html/thread_stacks.h"
#include "profiler/report/whole/json_report.h"

namespace ompprof::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr size_t kMostFunctions = 2000;
constexpr size_t kMostLocks = 1000;
constexpr size_t kMostPaths = 30;  // of each region

// The texts of the page, without repetition.
class Texts {
 public:
  Texts() { Add(""); }

  size_t Add(const std::string& text) {
    const auto [entry, added] = index_.emplace(text, texts_.size());
    if (added) texts_.push_back(text);
    return entry->second;
  }
  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, size_t> index_;
};

// The frames in the page's trees, with new numbers.
class FrameColumns {
 public:
  FrameColumns(const PageNames& names, const analyze::FrameTable& user, const analyze::FrameTable& machine,
               Texts* texts)
      : names_(names), user_(user), machine_(machine), texts_(*texts) {}

  int64_t Number(int64_t frame) {
    if (frame < 0) return frame;
    const auto [entry, added] = numbers_.emplace(frame, static_cast<int64_t>(numbers_.size()));
    if (added) {
      const Frame& known = names_.frames()[static_cast<size_t>(frame)];
      const std::string brief = user_.Shows(known.name) ? user_.ShortName(known.name) : machine_.ShortName(known.name);
      columns_["name"].push_back(texts_.Add(known.name));
      columns_["short"].push_back(texts_.Add(brief));
      columns_["file"].push_back(texts_.Add(known.file));
      columns_["line"].push_back(known.line);
      columns_["module"].push_back(texts_.Add(known.module));
      columns_["inlined"].push_back(known.inlined ? 1 : 0);
    }
    return entry->second;
  }

  Json columns() const { return columns_; }

 private:
  const PageNames& names_;
  const analyze::FrameTable& user_;
  const analyze::FrameTable& machine_;
  Texts& texts_;
  std::unordered_map<int64_t, int64_t> numbers_;
  Json columns_ = {{"name", Json::array()}, {"short", Json::array()},  {"file", Json::array()},
                   {"line", Json::array()}, {"module", Json::array()}, {"inlined", Json::array()}};
};

Json RowColumns(const std::vector<StackRow>& rows, bool before) {
  Json columns = {{"node", Json::array()}, {"state", Json::array()}, {"cpu", Json::array()},
                  {"wait", Json::array()}, {"blame", Json::array()}, {"samples", Json::array()}};
  uint32_t last = 0;
  for (const StackRow& row : rows) {
    if (row.before != before) continue;
    columns["node"].push_back(row.node - last);
    last = row.node;
    columns["state"].push_back(row.state);
    columns["cpu"].push_back(row.cost.weight);
    columns["wait"].push_back(row.cost.wait);
    columns["blame"].push_back(row.cost.all_blame());
    columns["samples"].push_back(row.cost.samples);
  }
  return columns;
}

Json TreeColumns(const PageTree& tree, bool with_before, FrameColumns* frames) {
  Json columns = {{"up", Json::array()}, {"frame", Json::array()}};
  for (uint32_t node = 1; node < tree.nodes.size(); ++node) {
    columns["up"].push_back(node - tree.nodes[node].parent);
    columns["frame"].push_back(frames->Number(tree.nodes[node].frame));
  }
  Json recursion = {{"node", Json::array()}, {"calls", Json::array()}, {"at_least", Json::array()}};
  for (uint32_t node = 1; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].recursion.calls == 1) continue;
    recursion["node"].push_back(node);
    recursion["calls"].push_back(tree.nodes[node].recursion.calls);
    recursion["at_least"].push_back(tree.nodes[node].recursion.at_least ? 1 : 0);
  }
  if (!recursion["node"].empty()) columns["recursion"] = std::move(recursion);
  columns["rows"] = RowColumns(tree.rows, false);
  if (with_before) columns["before"] = RowColumns(tree.rows, true);
  return columns;
}

// The costs of each row of threads.
Json ThreadColumns(const std::vector<ThreadStackRow>& rows) {
  Json columns = Json::object();
  for (const char* name : {"thread", "node", "state", "cpu", "wait", "blame", "samples"}) columns[name] = Json::array();
  uint32_t last_thread = 0;
  uint32_t last_node = 0;
  for (const ThreadStackRow& row : rows) {
    if (row.thread != last_thread) last_node = 0;
    columns["thread"].push_back(row.thread - last_thread);
    columns["node"].push_back(row.node - last_node);
    columns["state"].push_back(row.state);
    columns["cpu"].push_back(row.cost.weight);
    columns["wait"].push_back(row.cost.wait);
    columns["blame"].push_back(row.cost.all_blame());
    columns["samples"].push_back(row.cost.samples);
    last_thread = row.thread;
    last_node = row.node;
  }
  return columns;
}

Json BothDirections(const StackTree& tree, bool with_before, FrameColumns* frames, std::vector<uint32_t>* kept) {
  Json trees;
  const PageTree down = CutTree(tree, kPageNodes, kept);
  trees["down"] = TreeColumns(down, with_before, frames);
  if (!tree.thread_rows().empty())
    trees["down"]["threads"] = ThreadColumns(ThreadStacks(tree, down, *kept, kPageThreadStacks));
  trees["up"] = TreeColumns(CallersTree(tree, kPageNodes), with_before, frames);
  trees["nodes"] = tree.size() - 1;
  return trees;
}

// The page's trees of a view. `nodes`, if not null, learns the view's paths.
Json Trees(const StackTree& tree, const PageNames& names, bool with_before, FrameColumns* frames, PathNodes* nodes) {
  std::vector<uint32_t> kept;
  Json trees = BothDirections(tree, with_before, frames, &kept);
  if (nodes != nullptr) nodes->AddWhole(tree, std::move(kept));
  const std::optional<StackTree> folded = tree.Folded(names);
  if (!folded) return trees;
  std::vector<uint32_t> folded_kept;
  trees["folded"] = BothDirections(*folded, with_before, frames, &folded_kept);
  if (nodes != nullptr) nodes->AddFolded(*folded, std::move(folded_kept));
  return trees;
}

Json States(const PageNames& names) {
  Json states = Json::array();
  for (const State& state : names.states())
    states.push_back({{"name", state.name}, {"class", TimeClassName(state.time_class)}});
  return states;
}

// The JSON report, without the parts that the page has in another form.
// The figures of a job, without those of single call paths.
Json PageSpread(const Json& spread, const analyze::FrameTable& frames) {
  Json rows = Json::array();
  for (Json row : spread) {
    if (row["kind"] == "path") continue;
    const auto name = row["name"].get<std::string>();
    row["short"] = row["kind"] == "run"     ? "the process"
                   : row["kind"] == "state" ? analyze::PlainStateName(name)
                   : name.empty()           ? "<no region>"
                                            : frames.ShortName(name);
    row["metric_words"] = MetricWords(row["metric"].get<std::string>());
    rows.push_back(std::move(row));
  }
  return rows;
}

Json Report(const PageRun& run) {
  const analyze::FrameTable& frames = run.view->frames;
  JsonValue json;
  WriteJsonReport(*run.view, *run.summary, *run.symbolizer, run.answers, std::nullopt, JsonParts::kOfPage, &json);
  Json report = json.Take();
  report["function_count"] = report["functions"].size();
  report["lock_count"] = report["locks"].size();
  Json& functions = report["functions"];
  // The report sorts functions by own CPU time. The page also needs functions with much blame or waiting and little CPU
  // time.
  std::stable_sort(functions.begin(), functions.end(), [](const Json& a, const Json& b) {
    const auto weight = [](const Json& function) {
      return std::max({function["self_cpu_ns"].get<uint64_t>(), function["wait_ns"].get<uint64_t>(),
                       function["blame_ns"].get<uint64_t>(), function["total_cpu_ns"].get<uint64_t>() / 4});
    };
    return weight(a) > weight(b);
  });
  while (functions.size() > kMostFunctions) functions.erase(functions.size() - 1);
  for (Json& function : functions) {
    const std::string name = function["name"].get<std::string>();
    function["short"] = frames.ShortName(name);
    if (analyze::StandsForWaiting(name)) function["waits"] = true;
  }
  for (auto& [name, state] : report["states"].items()) state["plain"] = analyze::PlainStateName(name);
  for (Json& region : report["regions"]) {
    region["short"] = frames.ShortName(region["name"].get<std::string>());
    if (region["kind"] == "target") continue;
    region["path_count"] = region["paths"].size();
    Json& paths = region["paths"];
    while (paths.size() > kMostPaths) paths.erase(paths.size() - 1);
    for (Json& path : paths) {
      for (Json& caller : path["callers"]) caller = frames.ShortName(caller.get<std::string>());
    }
  }
  if (report.contains("rank_regions")) {
    for (Json& region : report["rank_regions"]) region["short"] = frames.ShortName(region["name"].get<std::string>());
  }
  if (report.contains("spread")) report["spread"] = PageSpread(report["spread"], frames);
  Json& locks = report["locks"];
  while (locks.size() > kMostLocks) locks.erase(locks.size() - 1);
  for (Json& lock : locks) {
    for (const char* places : {"blamed", "waiting"}) {
      for (Json& place : lock[places]) place["short"] = frames.ShortName(place["function"].get<std::string>());
    }
  }
  return report;
}

const char* UnitName(Unit unit) {
  switch (unit) {
    case Unit::kText:
      return "text";
    case Unit::kNs:
      return "ns";
    case Unit::kWeight:
      return "weight";
    case Unit::kCount:
      return "count";
    case Unit::kShare:
      return "share";
    case Unit::kFactor:
      return "factor";
    default:
      return "number";
  }
}

// The columns of the page's tables, in their order.
Json Columns(const analyze::View& view) {
  const Weighing weighing = WeighingOf(view);
  Json tables = Json::object();
  for (TableFacts table : ReportTables()) {
    std::stable_sort(table.columns.begin(), table.columns.end(),
                     [](const ColumnFacts& a, const ColumnFacts& b) { return a.page < b.page; });
    Json columns = Json::array();
    for (const ColumnFacts& column : table.columns) {
      if (column.page == 0) continue;
      columns.push_back({{"key", column.key},
                         {"heading", HeadingText(column.heading, column.unit, weighing)},
                         {"unit", UnitName(column.unit)},
                         {"measured", column.measured},
                         {"derived", column.derived},
                         {"hover", HoverText(column)}});
    }
    tables[table.name] = std::move(columns);
  }
  return tables;
}

Json Threads(const ThreadRows& rows) {
  Json threads = Json::array();
  for (const PageThread& row : rows.rows()) {
    Json sampled = Json::array();
    Json waited = Json::array();
    for (int i = 0; i < kTimeClasses; ++i) {
      sampled.push_back(row.sampled[i]);
      waited.push_back(row.waited_ns[i]);
    }
    threads.push_back({{"label", row.label},
                       {"name", row.name},
                       {"placement", row.placement},
                       {"threads", row.threads},
                       {"lifetime_ns", row.lifetime_ns},
                       {"cpu_ns", row.cpu_ns},
                       {"ready_ns", row.ready_ns},
                       {"blocked_ns", row.blocked_ns},
                       {"sampled", sampled},
                       {"waited_ns", waited}});
  }
  return threads;
}

Json Regions(const analyze::View& view, const ThreadRows& rows) {
  Json regions = Json::array();
  for (const RegionThreads& region : BuildRegionThreads(view, rows)) {
    Json last = Json::array();
    for (const LastArriver& thread : region.last)
      last.push_back({{"thread", thread.thread}, {"at", thread.at}, {"count", thread.count}, {"by_ns", thread.by_ns}});
    Json waits = Json::array();
    for (const RegionWait& wait : region.waits) {
      waits.push_back({{"state", analyze::PlainStateName(wait.state)},
                       {"class", TimeClassName(wait.time_class)},
                       {"at", wait.at},
                       {"count", wait.count},
                       {"wait_ns", wait.wait_ns},
                       {"max_ns", wait.max_ns},
                       {"estimated", wait.estimate.any()},
                       {"ci95", wait.estimate.ci95_ns()}});
    }
    Json by_class = Json::object();
    for (const auto& [time_class, waited] : region.wait_by_class) by_class[TimeClassName(time_class)] = waited;
    regions.push_back({{"useful", region.useful},
                       {"samples", region.samples},
                       {"wait_ns", region.wait_ns},
                       {"wait_by_class", by_class},
                       {"last", last},
                       {"waits", waits}});
  }
  return regions;
}

Json Sources(const PageRun& run, const std::vector<std::string>& folders) {
  Json sources = Json::array();
  for (const SourceFile& file : ReadSources(*run.view, *run.symbolizer, folders)) {
    Json costs = Json::array();
    for (const LineCost& cost : file.costs) {
      costs.push_back({cost.line, cost.self.weight, cost.total.weight, cost.wait_ns, cost.self.all_blame(),
                       cost.self.samples, cost.estimate.ci95_ns(), cost.self.blame_estimate().ci95_ns()});
    }
    Json numbers = Json::array();
    Json text = Json::array();
    for (const SourceLine& line : file.lines) {
      numbers.push_back(line.line);
      text.push_back(line.text);
    }
    sources.push_back({{"path", file.path},
                       {"read_from", file.read_from},
                       {"unreadable", file.unreadable},
                       {"changed", file.changed},
                       {"costs", costs},
                       {"lines", numbers},
                       {"text", text}});
  }
  return sources;
}

// The code of the hottest functions, by column.
Json Code(const std::vector<HotFunction>& functions, const analyze::FrameTable& frames, Texts* texts) {
  Json code = Json::array();
  for (const HotFunction& function : functions) {
    Json columns = Json::object();
    for (const char* name : {"address", "text", "file", "line", "left_out"}) columns[name] = Json::array();
    Json costs = Json::array();
    uint64_t last = 0;
    for (size_t i = 0; i < function.instructions.size(); ++i) {
      const HotInstruction& instruction = function.instructions[i];
      columns["address"].push_back(instruction.address - last);
      columns["text"].push_back(texts->Add(instruction.text));
      columns["file"].push_back(texts->Add(instruction.file));
      columns["line"].push_back(instruction.line);
      columns["left_out"].push_back(instruction.left_out);
      last = instruction.address;
      const analyze::Cost& self = instruction.cost.self;
      const analyze::Cost& total = instruction.cost.total;
      if (total.is_unsampled() && !total.has_waits_or_blame()) continue;
      costs.push_back({i, self.weight, total.weight, self.wait, self.all_blame(), self.samples,
                       self.wait_estimate().ci95_ns(), self.blame_estimate().ci95_ns()});
    }
    code.push_back({{"name", function.name},
                    {"short", frames.ShortName(function.name)},
                    {"symbol", function.symbol},
                    {"module", function.module},
                    {"problem", function.problem},
                    {"self_cpu_ns", function.self.weight},
                    {"self_samples", function.self.samples},
                    {"left_out", function.left_out},
                    {"instructions", columns},
                    {"costs", costs}});
  }
  return code;
}

// The class of an operation, which has a colour on the page.
const char* DeviceClass(analyze::DeviceWork work) {
  if (work == analyze::DeviceWork::kKernel) return "kernel";
  if (work == analyze::DeviceWork::kToDevice) return "upload";
  return work == analyze::DeviceWork::kFromDevice ? "download" : "memory";
}

// The devices' operations by column; null without operations.
Json DeviceOperationColumns(const PageDevices& page, const analyze::View& view, Texts* texts) {
  if (page.operations.empty()) return nullptr;
  Json devices = Json::array();
  for (const PageDevice& device : page.devices)
    devices.push_back({{"label", device.label}, {"type", device.type}, {"after_row", device.after_row}});
  Json columns = Json::object();
  for (const char* name : {"device", "begin", "length", "busy", "class", "what", "construct", "bytes", "count"})
    columns[name] = Json::array();
  uint32_t last_device = 0;
  uint64_t last_begin = 0;
  for (const PageOperation& operation : page.operations) {
    if (operation.device != last_device) last_begin = 0;
    columns["device"].push_back(operation.device - last_device);
    columns["begin"].push_back(operation.begin_ns - last_begin);
    columns["length"].push_back(operation.end_ns - operation.begin_ns);
    columns["busy"].push_back(operation.busy_ns);
    columns["class"].push_back(texts->Add(DeviceClass(operation.work)));
    columns["what"].push_back(texts->Add(DeviceWorkName(operation.work)));
    columns["construct"].push_back(texts->Add(view.frames.ShortName(operation.construct)));
    columns["bytes"].push_back(operation.bytes);
    columns["count"].push_back(operation.count);
    last_device = operation.device;
    last_begin = operation.begin_ns;
  }
  return {{"rows", devices}, {"resolution_ns", page.resolution_ns}, {"operations", columns}};
}

// The timeline's stretches by column; null if the profile has no time stamps.
Json TimelineColumns(const PageTimeline& timeline, const PathNodes& nodes, const analyze::View& view,
                     PageNames* names) {
  if (timeline.stretches.empty()) return nullptr;
  Json columns = {{"row", Json::array()},  {"begin", Json::array()}, {"length", Json::array()},
                  {"busy", Json::array()}, {"node", Json::array()},  {"state", Json::array()},
                  {"cpu", Json::array()},  {"wait", Json::array()}};
  uint32_t last_row = 0;
  uint64_t last_begin = 0;
  constexpr uint64_t kMicrosecond = 1000;
  for (const PageStretch& stretch : timeline.stretches) {
    if (stretch.row != last_row) last_begin = 0;
    const uint64_t begin = stretch.begin_ns / kMicrosecond;
    columns["row"].push_back(stretch.row - last_row);
    columns["begin"].push_back(begin - last_begin);
    columns["length"].push_back(std::max<uint64_t>(stretch.end_ns / kMicrosecond, begin + 1) - begin);
    columns["busy"].push_back((stretch.busy_ns + kMicrosecond - 1) / kMicrosecond);
    columns["node"].push_back(nodes.at(stretch.node).whole);
    if (nodes.has_folded()) columns["folded"].push_back(nodes.at(stretch.node).folded);
    columns["state"].push_back(names->AddState(view.run.process(stretch.process), stretch.state));
    columns["cpu"].push_back(stretch.weight);
    columns["wait"].push_back(stretch.wait_ns);
    last_row = stretch.row;
    last_begin = begin;
  }
  Json living = {{"time", Json::array()}, {"threads", Json::array()}};
  for (const LivingThreads& step : timeline.living) {
    living["time"].push_back(step.time_ns / kMicrosecond);
    living["threads"].push_back(step.threads);
  }
  return {{"duration_ns", timeline.duration_ns},
          {"resolution_ns", timeline.resolution_ns},
          {"living", living},
          {"stretches", columns}};
}

}  // namespace

std::string PageData(const PageRun& user, const PageRun& machine, const PageRun* before, const PageParts& parts) {
  PageNames names;
  Texts texts;
  FrameColumns frames(names, user.view->frames, machine.view->frames, &texts);
  const ThreadRows rows(*user.view, *user.summary);
  const ThreadRows* threads = rows.rows().size() > 1 ? &rows : nullptr;

  Json trees;
  Json timeline;
  {
    StackTree tree;
    tree.Add(*user.view, *user.symbolizer, false, &names, threads);
    if (before != nullptr) tree.Add(*before->view, *before->symbolizer, true, &names);
    PathNodes nodes;
    trees["user"] = Trees(tree, names, before != nullptr, &frames, &nodes);
    const auto node_of = [&](analyze::PathId path) { return nodes.Of(path); };
    timeline = TimelineColumns(BuildPageTimeline(*user.view, rows, node_of, kPageStretches), nodes, *user.view, &names);
    if (!timeline.is_null()) {
      Json devices = DeviceOperationColumns(BuildPageDevices(*user.view, rows, kPageOperations), *user.view, &texts);
      if (!devices.is_null()) timeline["devices"] = std::move(devices);
    }
  }
  {
    StackTree tree;
    tree.Add(*machine.view, *machine.symbolizer, false, &names, threads);
    trees["machine"] = Trees(tree, names, false, &frames, nullptr);
  }

  Json code = Code(parts.code, user.view->frames, &texts);
  Json classes = Json::array();
  for (int i = 0; i < kTimeClasses; ++i) classes.push_back(TimeClassName(static_cast<TimeClass>(i)));
  Json data = {{"format", kFormat},
               {"report", Report(user)},
               {"before", before != nullptr ? Report(*before) : Json(nullptr)},
               {"columns", Columns(*user.view)},
               {"classes", classes},
               {"states", States(names)},
               {"threads", Threads(rows)},
               {"regions", Regions(*user.view, rows)},
               {"sources", Sources(user, parts.source_folders)},
               {"code", std::move(code)},
               {"trees", std::move(trees)},
               {"timeline", std::move(timeline)},
               {"ranks", RankData(*user.view, kPageRanks)},
               {"frames", frames.columns()},
               {"texts", texts.all()}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ompprof::report
