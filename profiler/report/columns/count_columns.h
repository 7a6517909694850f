// The columns of counted events (`record --count`). JSON has an object of them. A text table and CSV have a column for
// each event of the profile, which only a profile with counts has.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_COUNT_COLUMNS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_COUNT_COLUMNS_H_

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/counts_json.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

// Row has a member `view`. kCounts: the row's counts.
template <class Row, const analyze::Counts& (*kCounts)(const Row&)>
class CountColumns {
 public:
  using Group = std::vector<Column<Row>>;

  // The members of JSON, in every table.
  static Group Members(const std::string& of_what) {
    return {
        {.key = "counts",
         .unit = Unit::kObject,
         .from = From::kSampled,
         .value = [](const Row& row) -> Value { return row.view.counted.empty() ? Value() : Value(true); },
         .files = kJson,
         .json = [](const Row& row, JsonWriter* json) { JsonCounts(row.view, kCounts(row), json); },
         .meaning = "with `record --count` only: what each event counted in " + of_what + ", by the event's name"},
        {.key = "ipc",
         .unit = Unit::kFactor,
         .from = From::kComputed,
         .value = IpcOf,
         .files = kJson,
         .meaning = "instructions per cycle, if `counts` has both"},
    };
  }

  // The columns of text and of CSV. `at`: the place of the first column in the text table.
  static Group Of(const analyze::View& view, int at) {
    Group columns;
    for (size_t i = 0; i < view.counted.size() && i < kMostCountedEvents; ++i) {
      const std::string& name = view.counted[i].name;
      columns.push_back({.key = name,
                         .heading = Printable(name),
                         .unit = Unit::kCount,
                         .from = From::kSampled,
                         .value = kValues[i],
                         .text = {at, static_cast<int>(i) + 1},
                         .files = kCsv,
                         .cell = kCells[i]});
    }
    if (!analyze::KnowsIpc(view.counted)) return columns;
    columns.push_back({.key = "ipc",
                       .heading = "IPC",
                       .unit = Unit::kFactor,
                       .from = From::kComputed,
                       .value = IpcOf,
                       .text = {at},
                       .files = kCsv});
    return columns;
  }

 private:
  template <size_t kEvent>
  static uint64_t CountOf(const Row& row) {
    return kCounts(row)[row.view.counted[kEvent].at];
  }
  template <size_t kEvent>
  static Value ValueOf(const Row& row) {
    return CountOf<kEvent>(row);
  }
  template <size_t kEvent>
  static TextTable::Cell CellOf(const Row& row) {
    return Weight(CountOf<kEvent>(row), /*nanoseconds=*/false);
  }
  static Value IpcOf(const Row& row) {
    const auto ipc = analyze::Ipc(row.view.counted, kCounts(row));
    return ipc ? Value(*ipc) : Value();
  }

  static constexpr Value (*kValues[])(const Row&) = {ValueOf<0>, ValueOf<1>, ValueOf<2>, ValueOf<3>};
  static constexpr TextTable::Cell (*kCells[])(const Row&) = {CellOf<0>, CellOf<1>, CellOf<2>, CellOf<3>};
  static_assert(kMostCountedEvents == 4);
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_COUNT_COLUMNS_H_
