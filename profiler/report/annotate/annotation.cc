#include "profiler/report/annotate/annotation.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "profiler/report/annotate/code.h"
#include "profiler/report/annotate/disassembly.h"
#include "profiler/report/annotate/source.h"
#include "profiler/report/basics/counts_json.h"
#include "profiler/report/basics/estimate_json.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/selection.h"

namespace ompprof::report {
namespace {

using analyze::Spent;
using analyze::SpotCost;
using Align = TextTable::Align;
using Cell = TextTable::Cell;
using Fit = TextTable::Fit;

constexpr size_t kFiles = 10;
constexpr size_t kFunctions = 10;

std::string Hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%" PRIx64, value);
  return text;
}

// The columns of costs left of a line. The functions' costs determine the columns.
class Margin {
 public:
  Margin(const analyze::View& view, const SpotCost& all) : view_(view) {
    for (int i = 0; i < analyze::kSpents; ++i) {
      if (all.weight[i] > 0) spents_.push_back(i);
    }
    if (spents_.size() == 1 && spents_[0] == static_cast<int>(Spent::kWork)) spents_.clear();
    waits_ = all.self.wait > 0;
    blame_ = all.self.all_blame() > 0;
    ipc_ = analyze::KnowsIpc(view.counted);
  }

  std::vector<TextTable::Column> Columns(const char* place, const char* text) const {
    // Work is the rest beside the other parts, so its column comes first.
    constexpr int kDrop[analyze::kSpents] = {7, 2, 2, 3, 4, 3, 6, 5};
    std::vector<TextTable::Column> columns = {{WeightTitle(view_), Align::kRight},
                                              {"samples", Align::kRight, Fit::kKeep, 8}};
    for (const int spent : spents_)
      columns.push_back({analyze::SpentName(static_cast<Spent>(spent)), Align::kRight, Fit::kKeep, kDrop[spent]});
    if (waits_) columns.push_back({"waited", Align::kRight, Fit::kKeep, 1});
    if (blame_) columns.push_back({"blame", Align::kRight, Fit::kKeep, 1});
    for (const analyze::CountedEvent& event : view_.counted)
      columns.push_back({Printable(event.name), Align::kRight, Fit::kKeep, 1});
    if (ipc_) columns.push_back({"IPC", Align::kRight, Fit::kKeep, 1});
    columns.push_back({"with calls", Align::kRight, Fit::kKeep, 5});
    columns.push_back({place, Align::kRight});
    columns.push_back({text, Align::kLeft, Fit::kCut});
    return columns;
  }

  // `spot` null: the place has no cost.
  std::vector<Cell> Row(const SpotCost* spot, std::string place, Cell text) const {
    std::vector<Cell> row;
    const auto share = [&](uint64_t weight) -> Cell {
      return weight == 0 ? Cell("") : ShareCell(weight, view_.total_weight);
    };
    const SpotCost none;
    if (spot == nullptr) spot = &none;
    row.push_back(share(spot->self.weight));
    row.emplace_back(spot->self.samples == 0 ? "" : Count(spot->self.samples));
    for (const int spent : spents_) row.push_back(share(spot->weight[spent]));
    if (waits_) row.emplace_back(spot->self.wait == 0 ? "" : Measured(spot->self.wait, spot->self.wait_estimate()));
    if (blame_)
      row.emplace_back(spot->self.all_blame() == 0 ? ""
                                                   : Measured(spot->self.all_blame(), spot->self.blame_estimate()));
    for (const analyze::CountedEvent& event : view_.counted) {
      const uint64_t count = spot->self.counts[event.at];
      row.emplace_back(count == 0 ? "" : Weight(count, /*nanoseconds=*/false));
    }
    if (ipc_) {
      const auto ipc = analyze::Ipc(view_.counted, spot->self.counts);
      row.emplace_back(ipc ? Times(*ipc) : "");
    }
    row.push_back(share(spot->total.weight));
    row.emplace_back(std::move(place));
    row.push_back(std::move(text));
    return row;
  }

  // Whether the cost is large enough to show the line.
  bool IsHot(const SpotCost& spot, double min_percent) const {
    const auto enough = [min_percent](uint64_t part, uint64_t whole) {
      return part > 0 && static_cast<double>(part) >= min_percent / 100 * static_cast<double>(whole);
    };
    return enough(spot.total.weight, view_.total_weight) || enough(spot.self.wait, view_.total_wait) ||
           enough(spot.self.all_blame(), view_.total_blame);
  }

 private:
  const analyze::View& view_;
  std::vector<int> spents_;
  bool waits_ = false;
  bool blame_ = false;
  bool ipc_ = false;
};

// The numbers within a distance of `context` of a number in `hot`, up to `last`.
std::vector<size_t> Around(const std::vector<size_t>& hot, size_t first, size_t last, size_t context) {
  std::vector<size_t> shown;
  for (const size_t at : hot) {
    size_t from = at > first + context ? at - context : first;
    if (!shown.empty()) from = std::max(from, shown.back() + 1);
    for (size_t i = from; i <= std::min(last, at + context); ++i) shown.push_back(i);
  }
  return shown;
}

std::string LeftOut(const analyze::View& view, uint64_t weight, const AnnotateOptions& options) {
  if (weight == 0) return "";
  char least[32];
  std::snprintf(least, sizeof least, "%g", options.min_percent);
  return Sentence(options.style,
                  AmountText(view, analyze::Metric::kWeight, weight) + " (" + Share(weight, view.total_weight) +
                      ") is elsewhere in it, where each has less than " + least + " %; --min-percent=0 shows it");
}

std::string FileText(const analyze::View& view, const analyze::FileLines& file, const Margin& margin, Sources* sources,
                     const AnnotateOptions& options) {
  std::vector<size_t> hot;
  for (const auto& [line, spot] : file.lines) {
    if (line != 0 && margin.IsHot(spot, options.min_percent)) hot.push_back(line);
  }
  const SourceText& source = sources->Of(file.file);
  std::string name = file.file.empty() ? "code without lines" : Printable(file.file);
  if (options.style.width > 0) name = Shorten(name, options.style.width - 2);
  std::string text = Title(options.style, name + ": " + AmountText(view, analyze::Metric::kWeight, file.self.weight) +
                                              ", " + Share(file.self.weight, view.total_weight));
  if (!source.problem.empty()) text += Sentence(options.style, "note: " + source.problem);

  std::vector<size_t> shown = hot;
  if (!source.lines.empty()) {
    // A line past the file's end may have a cost too.
    const size_t last = std::max(source.lines.size(), hot.empty() ? 0 : hot.back());
    shown = Around(hot, 1, last, options.context);
    while (!shown.empty() && shown.back() > source.lines.size() && shown.back() > hot.back()) shown.pop_back();
  }
  TextTable table(margin.Columns("line", "source"));
  uint64_t left_out = file.self.weight;
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i > 0 && shown[i] != shown[i - 1] + 1) table.Add(margin.Row(nullptr, "...", ""));
    const auto number = static_cast<uint32_t>(shown[i]);
    const auto found = file.lines.find(number);
    const SpotCost* spot = found == file.lines.end() ? nullptr : &found->second;
    if (spot != nullptr) left_out -= spot->self.weight;
    const bool marked = spot != nullptr && margin.IsHot(*spot, options.min_percent);
    table.Add(margin.Row(spot, std::to_string(number),
                         Cell(sources->Line(file.file, number), marked ? Color::kTitle : Color::kNone)));
  }
  const auto unknown = file.lines.find(0);
  if (unknown != file.lines.end() && margin.IsHot(unknown->second, options.min_percent)) {
    left_out -= unknown->second.self.weight;
    table.Add(margin.Row(&unknown->second, "?", Cell("<line not known>", Color::kDim)));
  }
  return text + (table.empty() ? "" : table.Text(options.style)) + LeftOut(view, left_out, options);
}

std::string CodeText(const analyze::View& view, const FunctionCode& code, const Margin& margin,
                     model::Symbolizer* symbolizer, Sources* sources, const AnnotateOptions& options) {
  const model::Object& object = symbolizer->objects()[code.object];
  const std::string name = symbolizer->Frames({code.object, code.low}).back().function->name;
  std::string text =
      Title(options.style, Printable(view.frames.ShortName(name)) + "  " + Printable(BaseName(object.path)) + ": " +
                               AmountText(view, analyze::Metric::kWeight, code.self.weight) + ", " +
                               Share(code.self.weight, view.total_weight) + ", in " + Count(code.self.samples) +
                               " samples, what is inlined included");
  const Disassembly disassembly = Disassemble(options.objdump, object, code);
  TextTable table(margin.Columns("address", "instruction"));
  if (disassembly.instructions.empty()) {
    text += Sentence(options.style, "note: " + disassembly.problem);
    for (const auto& [address, spot] : code.addresses) {
      if (margin.IsHot(spot, options.min_percent)) table.Add(margin.Row(&spot, Hex(address), ""));
    }
    return text + (table.empty() ? "" : table.Text(options.style));
  }

  const std::vector<Instruction>& instructions = disassembly.instructions;
  const std::map<size_t, SpotCost> costs = CostsByInstruction(code, instructions);
  std::vector<size_t> hot;
  for (const auto& [at, spot] : costs) {
    if (margin.IsHot(spot, options.min_percent)) hot.push_back(at);
  }
  uint64_t left_out = code.self.weight;
  std::pair<std::string, uint32_t> line;
  const std::vector<size_t> shown = Around(hot, 0, instructions.size() - 1, options.context);
  for (size_t i = 0; i < shown.size(); ++i) {
    const Instruction& instruction = instructions[shown[i]];
    const bool gap = i > 0 && shown[i] != shown[i - 1] + 1;
    if (gap) table.Add(margin.Row(nullptr, "...", ""));
    const model::SourceFrame& frame = symbolizer->Frames({code.object, instruction.address}).front();
    if (frame.line != 0 && (gap || line != std::make_pair(frame.file, frame.line))) {
      line = {frame.file, frame.line};
      std::string source = sources->Line(frame.file, frame.line);
      source.erase(0, std::min(source.find_first_not_of(' '), source.size()));
      table.Add(margin.Row(
          nullptr, "",
          Cell(Printable(BaseName(frame.file)) + ":" + std::to_string(frame.line) + "  " + source, Color::kDim)));
    }
    const auto found = costs.find(shown[i]);
    const SpotCost* spot = found == costs.end() ? nullptr : &found->second;
    if (spot != nullptr) left_out -= spot->self.weight;
    const bool marked = spot != nullptr && margin.IsHot(*spot, options.min_percent);
    table.Add(margin.Row(spot, Hex(instruction.address),
                         Cell("  " + instruction.text, marked ? Color::kTitle : Color::kNone)));
  }
  return text + (table.empty() ? "" : table.Text(options.style)) + LeftOut(view, left_out, options);
}

}  // namespace

std::string AnnotateText(const analyze::View& view, const analyze::Annotation& annotation, const std::string& name,
                         model::Symbolizer* symbolizer, const AnnotateOptions& options) {
  const Margin margin(view, annotation.all);
  Sources sources(*symbolizer, options.source_folders, view.run.first().start_unix_ns);
  const uint64_t whole = view.total_weight;
  const auto amount = [&](const analyze::Cost& cost) {
    return AmountText(view, analyze::Metric::kWeight, cost.weight) + ", " + Share(cost.weight, whole);
  };
  std::string text =
      Paint(options.style, Color::kTitle, Printable(name)) + "\n" +
      Sentence(options.style, amount(annotation.all.self) + ", in " + Count(annotation.all.self.samples) +
                                  " samples; " + amount(annotation.all.total) + " with what it calls; shares of " +
                                  WholeText(view, analyze::Metric::kWeight));
  if (view.selection.any()) text += Sentence(options.style, "only " + SelectionText(view));
  const bool lines = std::any_of(annotation.files.begin(), annotation.files.end(), [](const analyze::FileLines& file) {
    return !file.file.empty() && file.lines.upper_bound(0) != file.lines.end();
  });
  if (options.source || (!options.code && lines)) {
    const size_t shown = std::min(annotation.files.size(), kFiles);
    for (size_t i = 0; i < shown; ++i) text += FileText(view, annotation.files[i], margin, &sources, options);
    if (shown < annotation.files.size())
      text += "\n  ... and " + Count(annotation.files.size() - shown) + " more files\n";
  }
  if (options.code || (!options.source && !lines)) {
    const std::vector<FunctionCode> functions = CodeByFunction(annotation, symbolizer);
    const size_t shown = std::min(functions.size(), kFunctions);
    for (size_t i = 0; i < shown; ++i) text += CodeText(view, functions[i], margin, symbolizer, &sources, options);
    if (shown < functions.size()) text += "\n  ... and " + Count(functions.size() - shown) + " more functions\n";
  }
  return text;
}

namespace {

using analyze::Spent;
using analyze::SpotCost;

void SelfMembers(const analyze::Cost& self, JsonWriter* json) {
  json->Member("self_cpu_ns", self.weight);
  json->Member("self_samples", self.samples);
}

void SpotMembers(const analyze::View& view, const SpotCost& spot, JsonWriter* json) {
  SelfMembers(spot.self, json);
  json->Key("spent_cpu_ns");
  json->BeginObject();
  for (int i = 0; i < analyze::kSpents; ++i) json->Member(analyze::SpentName(static_cast<Spent>(i)), spot.weight[i]);
  json->EndObject();
  json->Member("wait_ns", spot.self.wait);
  json->Member("blame_ns", spot.self.all_blame());
  JsonEstimates(spot.self, spot.total, json);
  JsonCountMembers(view, spot.self.counts, json);
  json->Member("total_cpu_ns", spot.total.weight);
  json->Member("total_samples", spot.total.samples);
}

void File(const analyze::View& view, const analyze::FileLines& file, Sources* sources, JsonWriter* json) {
  const SourceText& source = sources->Of(file.file);
  json->BeginObject();
  json->Member("file", file.file);
  json->Member("read_from", source.path);
  json->Member("note", source.problem);
  SelfMembers(file.self, json);
  json->Key("lines");
  json->BeginArray();
  for (const auto& [line, spot] : file.lines) {
    json->BeginObject();
    json->Member("line", line);
    json->Member("text", sources->Line(file.file, line));
    SpotMembers(view, spot, json);
    json->EndObject();
  }
  json->EndArray();
  json->EndObject();
}

void InstructionMembers(const analyze::View& view, const FunctionCode& code, const Instruction& instruction,
                        const SpotCost& spot, model::Symbolizer* symbolizer, JsonWriter* json) {
  const model::SourceFrame& frame = symbolizer->Frames({code.object, instruction.address}).front();
  json->BeginObject();
  json->Member("address", instruction.address);
  json->Member("text", instruction.text);
  json->Member("file", frame.file);
  json->Member("line", frame.line);
  SpotMembers(view, spot, json);
  json->EndObject();
}

void Function(const analyze::View& view, const FunctionCode& code, const std::string& objdump,
              model::Symbolizer* symbolizer, JsonWriter* json) {
  const model::Object& object = symbolizer->objects()[code.object];
  const Disassembly disassembly = Disassemble(objdump, object, code);
  json->BeginObject();
  json->Member("function", symbolizer->Frames({code.object, code.low}).back().function->name);
  json->Member("module", object.path);
  json->Member("low", code.low);
  json->Member("high", code.high);
  json->Member("note", disassembly.problem);
  SelfMembers(code.self, json);
  json->Key("instructions");
  json->BeginArray();
  if (disassembly.instructions.empty()) {
    for (const auto& [address, spot] : code.addresses)
      InstructionMembers(view, code, {address, ""}, spot, symbolizer, json);
  }
  for (const auto& [at, spot] : CostsByInstruction(code, disassembly.instructions))
    InstructionMembers(view, code, disassembly.instructions[at], spot, symbolizer, json);
  json->EndArray();
  json->EndObject();
}

}  // namespace

std::string AnnotateJson(const analyze::View& view, const analyze::Annotation& annotation, const std::string& name,
                         model::Symbolizer* symbolizer, const AnnotateOptions& options) {
  Sources sources(*symbolizer, options.source_folders, view.run.first().start_unix_ns);
  JsonText json;
  json.BeginObject();
  json.Member("schema_version", kJsonSchemaVersion);
  json.Member("name", name);
  json.Member("view", view.kind == analyze::ViewKind::kMachine ? "machine" : "user");
  json.Member("weight_unit", view.run.first().sampling.weight_unit);
  json.Member("sampled_cpu_ns", view.total_weight);
  SpotMembers(view, annotation.all, &json);
  json.Key("files");
  json.BeginArray();
  for (const analyze::FileLines& file : annotation.files) File(view, file, &sources, &json);
  json.EndArray();
  json.Key("code");
  json.BeginArray();
  if (options.code) {
    for (const FunctionCode& code : CodeByFunction(annotation, symbolizer))
      Function(view, code, options.objdump, symbolizer, &json);
  }
  json.EndArray();
  json.EndObject();
  return json.text();
}

}  // namespace ompprof::report
