#include "profiler/report/columns/lock_columns.h"

#include <algorithm>

#include "profiler/report/basics/estimate_json.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/estimate_columns.h"

namespace ompprof::report {
namespace {

using Fit = TextTable::Fit;
using Places = std::vector<analyze::LockPlace>;

std::string Title(const LockRow& row) {
  const analyze::Lock& lock = row.lock;
  if (lock.made.function != analyze::kNoFunction)
    return (lock.locks > 1 ? Count(lock.locks) + " locks made at " : "lock made at ") +
           LockPlaceText(row.view, lock.made, *row.options);
  return Printable(lock.name) + (lock.module.empty() ? "" : "  (" + Printable(BaseName(lock.module)) + ")");
}

std::string FunctionName(const analyze::View& view, const analyze::LockPlace& place) {
  return place.function == analyze::kNoFunction ? "" : view.frames.function(place.function).name;
}

// The first place, which has the most time.
Value FirstFunction(const LockRow& row, const Places& places) {
  return places.empty() ? "" : FunctionName(row.view, places[0]);
}
Value FirstNs(const Places& places) { return places.empty() ? 0 : places[0].ns; }

void JsonPlace(const analyze::View& view, const analyze::LockPlace& place, JsonWriter* json) {
  json->Member("function", FunctionName(view, place));
  json->Member("file", place.file);
  json->Member("line", place.line);
}

void JsonPlaces(const analyze::View& view, const Places& places, JsonWriter* json) {
  json->BeginArray();
  for (const analyze::LockPlace& place : places) {
    json->BeginObject();
    JsonPlace(view, place, json);
    json->Member("ns", place.ns);
    json->Member("count", place.count);
    JsonEstimate(place.estimate, json);
    json->EndObject();
  }
  json->EndArray();
}

// The functions of a path, outermost first.
std::vector<std::string> Names(const analyze::View& view, analyze::PathId path) {
  std::vector<std::string> names;
  for (; path != analyze::kEmptyPath; path = view.paths.node(path).parent) {
    const analyze::Location& location = view.frames.location(view.paths.node(path).location);
    for (uint32_t i = 0; i < location.line_count; ++i)
      names.push_back(view.frames.function(view.frames.line(location.first_line + i).function).name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

void JsonMade(const LockRow& row, JsonWriter* json) {
  json->BeginObject();
  JsonPlace(row.view, row.lock.made, json);
  json->Key("path");
  json->BeginArray();
  for (const std::string& name : Names(row.view, row.lock.made_path)) json->String(name);
  json->EndArray();
  json->EndObject();
}

analyze::Estimate EstimateOf(const LockRow& row) { return row.lock.estimate; }

std::vector<Column<LockRow>> LockIdentity() {
  return {
      {.key = "name",
       .heading = "lock",
       .value = [](const LockRow& row) -> Value { return row.lock.name; },
       .text = {70, 0, Fit::kShorten},
       .page = 10,
       .cell = [](const LockRow& row) -> TextTable::Cell { return Title(row); },
       .meaning = "`table.locks[3]`: a variable, and its member; `critical hot`, `critical (unnamed)`; `lock made at "
                  "FUNCTION FILE:LINE` for one on the heap or a stack; `critical at FILE:LINE` where the name is not "
                  "known; else the address"},
      {.key = "kind",
       .heading = "kind",
       .value = [](const LockRow& row) -> Value { return analyze::LockKindName(row.lock.kind); },
       .text = {60, 3},
       .page = 20,
       .meaning = "`lock`, `nest_lock`, `critical`, `ordered`, `atomic`"},
      {.key = "module",
       .value = [](const LockRow& row) -> Value { return row.lock.module; },
       .meaning = "path of the file that holds the variable, else empty"},
      {.key = "address",
       .unit = Unit::kNumber,
       .value = [](const LockRow& row) -> Value { return row.lock.address; },
       .meaning = "in the first process that had the lock"},
  };
}

std::vector<Column<LockRow>> LockWaits() {
  return {
      {.key = "wait_ns",
       .heading = "wait",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const LockRow& row) -> Value { return row.lock.wait_ns; },
       .text = {10},
       .page = 30,
       .estimate = EstimateOf,
       .meaning = "wall time, all threads"},
      {.key = "share",
       .heading = "share",
       .unit = Unit::kShare,
       .text = {20},
       .files = 0,
       .cell = [](const LockRow& row) { return ShareCell(row.lock.wait_ns, row.all.thread_ns); }},
      {.key = "count",
       .heading = "waits",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const LockRow& row) -> Value { return row.lock.count; },
       .text = {30, 1},
       .page = 40,
       .csv = "waits",
       .estimate = EstimateOf,
       .meaning = "number of waits, all threads"},
  };
}

std::vector<Column<LockRow>> LengthsAndThreads() {
  return {
      {.key = "mean",
       .heading = "mean",
       .unit = Unit::kNs,
       .from = From::kExact,
       .page = 50,
       .files = 0,
       .estimate = EstimateOf,
       .derived = true,
       .meaning = "mean length of a wait"},
      {.key = "max_ns",
       .heading = "longest",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const LockRow& row) -> Value { return row.lock.max_ns; },
       .text = {40, 2},
       .page = 60,
       .meaning = "the longest wait"},
      {.key = "p95_ns",
       .heading = "p95",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const LockRow& row) -> Value {
         if (!row.lock.lengths.known()) return {};
         return analyze::WaitQuantile(row.lock, 0.95);
       },
       .text = {35, 5},
       .page = 55,
       .estimate = EstimateOf,
       .derived = true,
       .meaning = "95 % of the waits took no longer; within 12 %"},
      {.key = "threads",
       .heading = "threads",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const LockRow& row) -> Value { return uint64_t{row.lock.threads}; },
       .text = {50, 4},
       .page = 70,
       .meaning = "threads that waited"},
  };
}

std::vector<Column<LockRow>> FirstPlaces() {
  return {
      {.key = "blamed_function",
       .heading = "held by",
       .from = From::kExact,
       .value = [](const LockRow& row) { return FirstFunction(row, row.lock.blamed); },
       .page = 80,
       .files = kCsv,
       .meaning = "the function that held the lock longest while others waited: the first of `blamed`"},
      {.key = "blamed_ns",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const LockRow& row) { return FirstNs(row.lock.blamed); },
       .files = kCsv,
       .meaning = "`ns` of that entry"},
      {.key = "waiting_function",
       .from = From::kExact,
       .value = [](const LockRow& row) { return FirstFunction(row, row.lock.waiting); },
       .files = kCsv,
       .meaning = "the function of the place with the longest waits: the first of `waiting`"},
      {.key = "waiting_ns",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const LockRow& row) { return FirstNs(row.lock.waiting); },
       .files = kCsv,
       .meaning = "`ns` of that entry"},
  };
}

std::vector<Column<LockRow>> Objects() {
  return {
      {.key = "blamed",
       .unit = Unit::kArray,
       .from = From::kExact,
       .files = kJson,
       .json = [](const LockRow& row, JsonWriter* json) { JsonPlaces(row.view, row.lock.blamed, json); },
       .meaning =
           "functions that held the lock meanwhile, by time: `function` (empty: not known), `file`, `line`, `ns` "
           "(other threads' waiting), `count` (releases that other threads had waited for), `estimated` and "
           "`ci95` of `ns`. The rest of `wait_ns` is the hand-off from one holder to the next"},
      {.key = "waiting",
       .unit = Unit::kArray,
       .from = From::kExact,
       .files = kJson,
       .json = [](const LockRow& row, JsonWriter* json) { JsonPlaces(row.view, row.lock.waiting, json); },
       .meaning = "the places of the waits, by line: the same members, with `ns` waited in `count` waits"},
      {.key = "made",
       .unit = Unit::kObject,
       .value = [](const LockRow& row) -> Value {
         if (row.lock.made.function == analyze::kNoFunction) return {};
         return true;
       },
       .files = kJson,
       .json = JsonMade,
       .meaning =
           "only of a lock on the heap or a stack whose initialization was seen: `function`, `file`, `line`, and "
           "`path`, an array of functions, outermost first; empty if only the call is known"},
  };
}

}  // namespace

const std::vector<Column<LockRow>>& LockColumns() {
  static const std::vector<Column<LockRow>> columns =
      AllOf({LockIdentity(), LockWaits(), LengthsAndThreads(), FirstPlaces(),
             EstimateColumns<LockRow, EstimateOf>("wait_ns"), Objects()});
  return columns;
}

std::string LockPlaceText(const analyze::View& view, const analyze::LockPlace& place, const TextOptions& options) {
  std::string text = NameText(view, place.function, options, "<not known>");
  if (!place.file.empty()) text += "  " + Printable(BaseName(place.file));
  if (!place.file.empty() && place.line != 0) text += ":" + std::to_string(place.line);
  return text;
}

}  // namespace ompprof::report
