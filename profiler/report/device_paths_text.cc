#include "profiler/report/device_paths_text.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profiler/report/names_text.h"
#include "profiler/report/style.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

struct Row {
  uint32_t device;
  analyze::PathId path;
  uint64_t count = 0;
  uint64_t ns = 0;
  uint64_t waited_ns = 0;
  uint64_t bytes = 0;
};

// The same path in several processes is one row.
std::vector<Row> RowsOf(const analyze::View& view) {
  std::map<std::pair<uint32_t, analyze::PathId>, Row> rows;
  for (const analyze::DevicePathTotal& part : view.device_paths) {
    if (part.leaf == analyze::kEmptyPath) continue;
    const uint32_t device = view.device_work[part.total].device;
    Row& row = rows.try_emplace({device, part.leaf}, Row{device, part.leaf}).first->second;
    row.count += part.count;
    row.ns += part.KernelNs();
    row.waited_ns += part.waited_ns;
    row.bytes += part.bytes;
  }
  std::vector<Row> sorted;
  for (const auto& [key, row] : rows) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.ns > b.ns; });
  return sorted;
}

// The functions of the path, outermost first.
std::string NamesOf(const analyze::View& view, analyze::PathId path, const TextOptions& options) {
  std::vector<analyze::FunctionId> functions;
  for (const analyze::LocationId id : view.paths.Locations(path)) {
    const analyze::Location& location = view.frames.location(id);
    for (uint32_t i = location.line_count; i-- > 0;)
      functions.push_back(view.frames.line(location.first_line + i).function);
  }
  return PathText(view, functions, {}, options);
}

}  // namespace

std::string DevicePathsText(const analyze::View& view, const TextOptions& options, size_t usual) {
  const std::vector<Row> rows = RowsOf(view);
  if (rows.empty()) return "";
  TextTable table({{"device", Align::kRight},
                   {"time", Align::kRight},
                   {"count", Align::kRight},
                   {"MB", Align::kRight, Fit::kKeep, 1},
                   {"host waited", Align::kRight, Fit::kKeep, 2},
                   {"asked for by", Align::kLeft, Fit::kShorten}});
  const size_t shown = std::min(rows.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < shown; ++i) {
    const Row& row = rows[i];
    table.Add({std::to_string(row.device - 1), Duration(row.ns), Count(row.count),
               row.bytes == 0 ? "" : Times(static_cast<double>(row.bytes) / 1e6), Duration(row.waited_ns),
               NamesOf(view, row.path, options)});
  }
  return Title(options.style,
               "Kernels and copies by call path (exact; by the device's own clock where its trace has them)") +
         table.Text(options.style) + Omitted(shown, rows.size(), "paths");
}

}  // namespace ompprof::report
