#include "profiler/report/annotate_json.h"

#include <map>
#include <vector>

#include "profiler/report/annotate_code.h"
#include "profiler/report/annotate_disassembly.h"
#include "profiler/report/annotate_source.h"
#include "profiler/report/counts_json.h"
#include "profiler/report/estimate_json.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {
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
