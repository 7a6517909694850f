#include "profiler/analyze/view/frame_table.h"

#include <algorithm>

#include "profiler/analyze/view/distinct_names.h"

namespace ompprof::analyze {

FrameTable::FrameTable() : functions_(1), locations_(1) {}

FunctionId FrameTable::AddFunction(const ViewFunction& function) {
  std::string key = function.name;
  key += '\0';
  key += function.file;
  key += '\0';
  key += std::to_string(function.line);
  key += '\0';
  key += std::to_string(function.object);
  key += '\0';
  key += std::to_string(function.part);
  key += function.arguments;
  // With gcc, instances of a template for lambdas of other instances differ in the linked name only. A copy has a
  // suffix.
  if (!function.arguments.empty()) key += function.system_name.substr(0, function.system_name.find('.'));
  const auto [entry, added] = function_by_key_.emplace(std::move(key), static_cast<FunctionId>(functions_.size()));
  if (added) functions_.push_back(function);
  return entry->second;
}

FunctionId FrameTable::AddFunction(const model::SourceFrame& frame, uint32_t object) {
  const auto [entry, added] = function_by_source_.emplace(frame.function, kNoFunction);
  if (added) {
    const model::Function& source = *frame.function;
    const std::string& file = source.file.empty() ? frame.file : source.file;
    entry->second = AddFunction({source.name, source.system_name, file, source.line, object, source.arguments});
  }
  return entry->second;
}

LocationId FrameTable::AddLocation(model::CodeAddress place, const std::vector<Line>& lines) {
  uint64_t hash = (place.address ^ (uint64_t{place.object} << 48)) * 0x9e3779b97f4a7c15u;
  for (const Line& line : lines) hash = (hash ^ (uint64_t{line.function} << 32 | line.line)) * 0x9e3779b97f4a7c15u;
  const auto [begin, end] = location_by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Location& known = locations_[at->second];
    if (known.place.object != place.object || known.place.address != place.address) continue;
    if (known.line_count != lines.size()) continue;
    if (std::equal(lines.begin(), lines.end(), lines_.begin() + known.first_line,
                   [](const Line& a, const Line& b) { return a.function == b.function && a.line == b.line; })) {
      return at->second;
    }
  }
  const auto id = static_cast<LocationId>(locations_.size());
  locations_.push_back({place, static_cast<uint32_t>(lines_.size()), static_cast<uint32_t>(lines.size())});
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  location_by_hash_.emplace(hash, id);
  return id;
}

LocationId FrameTable::AddPseudo(const std::string& name) {
  const auto [entry, added] = pseudo_by_name_.emplace(name, 0);
  if (added) entry->second = AddLocation({0, 0}, {{AddFunction({name, "", "", 0, 0}), 0}});
  return entry->second;
}

void FrameTable::TellNamesApart(const std::vector<std::string>& objects) {
  for (const Line& line : lines_) shown_.insert(line.function);
  for (const auto& [id, name] : given_names_) functions_[id].name = name;
  std::vector<ViewFunction*> functions;
  std::map<FunctionId, std::string> given;
  for (const FunctionId id : shown_) {
    if (id == kNoFunction) continue;
    functions.push_back(&functions_[id]);
    given[id] = functions_[id].name;
  }
  MakeNamesDistinct(functions, objects);
  std::vector<std::string> names;
  given_names_.clear();
  for (const auto& [id, name] : given) {
    names.push_back(functions_[id].name);
    if (names.back() != name) given_names_.emplace(id, name);
  }
  short_names_.Set(names);
}

}  // namespace ompprof::analyze
