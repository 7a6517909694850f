#include "profiler/report/locks_json.h"

#include <algorithm>
#include <string>
#include <vector>

#include "profiler/report/estimate_json.h"

namespace ompprof::report {
namespace {

void Place(const analyze::View& view, const analyze::LockPlace& place, JsonWriter* json) {
  json->Member("function", place.function == analyze::kNoFunction ? "" : view.frames.function(place.function).name);
  json->Member("file", place.file);
  json->Member("line", place.line);
}

void Places(const char* name, const analyze::View& view, const std::vector<analyze::LockPlace>& places,
            JsonWriter* json) {
  json->Key(name);
  json->BeginArray();
  for (const analyze::LockPlace& place : places) {
    json->BeginObject();
    Place(view, place, json);
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

}  // namespace

void JsonLocks(const analyze::View& view, const analyze::Locks& locks, JsonWriter* json) {
  json->Key("locks");
  json->BeginArray();
  for (const analyze::Lock& lock : locks.locks) {
    json->BeginObject();
    json->Member("name", lock.name);
    json->Member("kind", analyze::LockKindName(lock.kind));
    json->Member("module", lock.module);
    json->Member("address", lock.address);
    json->Member("wait_ns", lock.wait_ns);
    json->Member("count", lock.count);
    json->Member("max_ns", lock.max_ns);
    json->Member("threads", lock.threads);
    JsonEstimate(lock.estimate, json);
    Places("blamed", view, lock.blamed, json);
    Places("waiting", view, lock.waiting, json);
    if (lock.made.function != analyze::kNoFunction) {
      json->Key("made");
      json->BeginObject();
      Place(view, lock.made, json);
      json->Key("path");
      json->BeginArray();
      for (const std::string& name : Names(view, lock.made_path)) json->String(name);
      json->EndArray();
      json->EndObject();
    }
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
