#include "profiler/report/diff_json.h"

#include "profiler/report/json_writer.h"

namespace ompprof::report {
namespace {

using analyze::Difference;
using analyze::Verdict;

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMore:
      return "more";
    case Verdict::kLess:
      return "less";
    case Verdict::kNoise:
      return "noise";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

void Put(const char* name, const Difference& difference, bool sampled, JsonWriter* json) {
  json->Key(name);
  json->BeginObject();
  json->Member("from", sampled ? "sampled" : "exact");
  json->Member("before", difference.before);
  json->Member("after", difference.after);
  json->Member("change", difference.change());
  if (difference.margin >= 0) {
    json->Member("low", difference.change() - difference.margin);
    json->Member("high", difference.change() + difference.margin);
  }
  json->Member("verdict", Name(difference.verdict));
  json->EndObject();
}

// The members that functions and regions share.
template <class Row>
void Place(const Row& row, JsonWriter* json) {
  json->Member("name", row.name);
  json->Member("file", row.file);
  json->Member("line_before", row.line_before);
  json->Member("line_after", row.line_after);
  json->Member("is_before", row.is_before);
  json->Member("is_after", row.is_after);
}

}  // namespace

std::string DiffJson(const analyze::Diff& diff, const std::string& unit,
                     const std::vector<analyze::GatedFigure>& regressions) {
  JsonText json;
  json.BeginObject();
  json.Member("schema_version", kJsonSchemaVersion);
  json.Member("weight_unit", unit);
  json.Member("runs_before", uint64_t{diff.runs_before});
  json.Member("runs_after", uint64_t{diff.runs_after});
  Put("wall", diff.wall, false, &json);
  Put("cpu", diff.cpu, true, &json);
  json.Key("functions");
  json.BeginArray();
  for (const analyze::FunctionDiff& row : diff.functions) {
    json.BeginObject();
    Place(row, &json);
    Put("self", row.self, true, &json);
    Put("total", row.total, true, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("regions");
  json.BeginArray();
  for (const analyze::RegionDiff& row : diff.regions) {
    json.BeginObject();
    Place(row, &json);
    Put("cpu", row.cpu, true, &json);
    Put("elapsed", row.elapsed, false, &json);
    Put("wait", row.wait, false, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("states");
  json.BeginArray();
  for (const analyze::StateDiff& row : diff.states) {
    json.BeginObject();
    json.Member("name", row.name);
    Put("cpu", row.cpu, true, &json);
    Put("wait", row.wait, false, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("regressions");
  json.BeginArray();
  for (const analyze::GatedFigure& regression : regressions) {
    json.BeginObject();
    json.Member("what", regression.What());
    json.Member("percent", 100 * regression.difference.relative());
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return json.text() + "\n";
}

}  // namespace ompprof::report
