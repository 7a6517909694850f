// The functions and code locations of a view, each stored once. Paths consist of locations. The reports and exporters
// turn a location into functions and lines.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_FRAME_TABLE_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_FRAME_TABLE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/view/path_tree.h"
#include "profiler/analyze/view/short_name.h"
#include "profiler/analyze/view/view_function.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// The made-up frame for the missing middle of a very deep stack.
inline constexpr char kFramesCut[] = "<frames cut>";
// The made-up function of signal handlers that cannot be sampled.
inline constexpr char kUnsampledHandler[] = "<not sampled: signal handler>";

struct Line {
  FunctionId function = kNoFunction;
  uint32_t line = 0;  // executed, or with the call of the next function; 0: not known
  // Of calls that read the same otherwise (call_parts.h): a number, in the order of the code, or kNamed: the function's
  // name tells them apart. 0: no other call reads so.
  uint32_t part = 0;

  static constexpr uint32_t kNamed = UINT32_MAX;

  bool operator==(const Line& other) const {
    return function == other.function && line == other.line && part == other.part;
  }
};

struct Location {
  model::CodeAddress place;  // {0, 0}: a made-up location, without machine code
  uint32_t first_line;
  uint32_t line_count;
};

class FrameTable {
 public:
  FrameTable();

  FunctionId AddFunction(const ViewFunction& function);

  // Adds a function that the symbolizer found.
  FunctionId AddFunction(const model::SourceFrame& frame, uint32_t object);

  // Sets ViewFunction::code.
  void Order(FunctionId id, uint64_t code) { functions_[id].code = code; }

  // A location at `place`, its functions innermost first. Equal places with equal functions are one location.
  LocationId AddLocation(model::CodeAddress place, const std::vector<Line>& lines);

  // A location with one made-up frame, for example "<omp idle>".
  LocationId AddPseudo(const std::string& name);

  // A location for a function without an address.
  LocationId AddSynthesized(FunctionId function) {
    return AddLocation({0, 0}, {{function, functions_[function].line}});
  }

  // Makes the names of the functions distinct that reports show: those of locations, and those that Show was called
  // for. `objects`: as for MakeNamesDistinct. Called when all functions are known, and again after more were added.
  void TellNamesApart(const std::vector<std::string>& objects);
  void Show(FunctionId id) { shown_.insert(id); }

  // The name that a table shows for a function's name. No two functions have the same short name.
  std::string ShortName(const std::string& name) const { return short_names_.Of(name); }
  bool Shows(const std::string& name) const { return short_names_.Has(name); }
  std::string ShortName(FunctionId id) const { return ShortName(functions_[id].name); }

  const ViewFunction& function(FunctionId id) const { return functions_[id]; }
  const Location& location(LocationId id) const { return locations_[id]; }
  size_t function_count() const { return functions_.size(); }
  size_t location_count() const { return locations_.size(); }

  // The lines of a location: line(location.first_line) is innermost.
  const Line& line(uint32_t index) const { return lines_[index]; }

 private:
  std::vector<ViewFunction> functions_;  // functions_[0] is kNoFunction
  std::vector<Location> locations_;      // locations_[0] is no location
  std::vector<Line> lines_;
  std::unordered_map<std::string, FunctionId> function_by_key_;
  std::unordered_map<const model::Function*, FunctionId> function_by_source_;
  std::unordered_multimap<uint64_t, LocationId> location_by_hash_;
  std::unordered_map<std::string, LocationId> pseudo_by_name_;
  std::set<FunctionId> shown_;
  std::map<FunctionId, std::string> given_names_;  // of functions whose names TellNamesApart has changed
  ShortNames short_names_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_FRAME_TABLE_H_
