// A made-up table: its declarations become text, CSV, JSON and the page.
#include "profiler/report/columns/column.h"

#include <gtest/gtest.h>

#include <set>

#include "profiler/report/columns/rows_csv.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"
#include "profiler/report/columns/tables.h"

namespace ompprof::report {
namespace {

struct Dish {
  std::string name;
  uint64_t cooked_ns;
  uint64_t salt_variance = 0;
  uint64_t guests = 0;  // 0: not known
};

std::vector<Column<Dish>> DishColumns() {
  return {
      {.key = "name",
       .heading = "dish",
       .value = [](const Dish& dish) -> Value { return dish.name; },
       .text = {30},
       .page = 10,
       .meaning = "its `name`"},
      {.key = "cooked_ns",
       .heading = "cooked",
       .unit = Unit::kNs,
       .from = From::kExact,
       .value = [](const Dish& dish) -> Value { return dish.cooked_ns; },
       .text = {10},
       .page = 20,
       .estimate =
           [](const Dish& dish) {
             return analyze::Estimate{0, static_cast<double>(dish.salt_variance)};
           },
       .meaning = "time on the stove"},
      {.key = "self_cpu_ns",
       .heading = "CPU",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const Dish&) -> Value { return uint64_t{1500}; },
       .text = {20}},
      {.key = "count",
       .unit = Unit::kCount,
       .value = [](const Dish& dish) -> Value {
         if (dish.guests == 0) return {};
         return dish.guests;
       },
       .csv = "guests"},
      {.key = "vegan", .unit = Unit::kFlag, .value = [](const Dish&) -> Value { return true; }, .files = kCsv},
      {.key = "courses",
       .unit = Unit::kArray,
       .files = kJson,
       .json =
           [](const Dish& dish, JsonWriter* json) {
             json->BeginArray();
             json->Number(dish.guests);
             json->EndArray();
           }},
  };
}

TEST(ColumnTest, Csv) {
  const auto columns = DishColumns();
  CsvWriter csv(CsvHeader(columns, {true, "wall"}));
  CsvRow(columns, Dish{"soup, hot", 7}, &csv);
  CsvRow(columns, Dish{"rice", 8, 0, 3}, &csv);
  EXPECT_EQ(csv.text(),
            "name,cooked_ns,self_wall_ns,guests,vegan\r\n"
            "\"soup, hot\",7,1500,0,1\r\n"
            "rice,8,1500,3,1\r\n");
}

TEST(ColumnTest, Json) {
  JsonText json(JsonText::Layout::kOneLine);
  json.BeginObject();
  JsonMembers(DishColumns(), Dish{"soup", 7}, &json);
  json.EndObject();
  EXPECT_EQ(json.text(), R"({"name":"soup","cooked_ns":7,"self_cpu_ns":1500,"courses":[0]})"
                         "\n");
}

TEST(ColumnTest, TextHasItsOwnOrderAndUnits) {
  const auto columns = DishColumns();
  RowsText<Dish> text(columns, &Column<Dish>::text, {true, "wall"});
  text.Add({"soup", 1230000000});
  text.Add({"rice", 2500, 1});
  text.AddPart({{"name", "  with peas"}});
  EXPECT_EQ(text.Text({}),
            "          cooked     wall  dish\n"
            "          1.23 s  1.50 us  soup\n"
            "  ~2.50 us ±1.96  1.50 us  rice\n"
            "                             with peas\n");
}

TEST(ColumnTest, FiguresByTheirUnit) {
  const analyze::Estimate estimate = {1, 1e6};
  const bool ns = true;
  EXPECT_EQ(ValueText(uint64_t{1230000000}, Unit::kNs, estimate, /*derived=*/true, ns), "~1.23 s");
  EXPECT_EQ(ValueText(uint64_t{12345}, Unit::kCount, estimate, false, ns), "~12,345");
  EXPECT_EQ(ValueText(1234.6, Unit::kNs, {}, false, ns), "1.23 us");
  EXPECT_EQ(ValueText(uint64_t{1500}, Unit::kWeight, {}, false, /*nanoseconds=*/false), "1.50 k");
  EXPECT_EQ(ValueText(0.25, Unit::kShare, {}, false, ns), "25.0 %");
  EXPECT_EQ(ValueText(-1e-9, Unit::kShare, {}, false, ns), "0.0 %");
  EXPECT_EQ(ValueText(2.5, Unit::kFactor, {}, false, ns), "2.50");
  EXPECT_EQ(ValueText({}, Unit::kNs, estimate, false, ns), "-");
}

TEST(ColumnTest, TextDoesNotShowAFigureThatWasNotRecorded) {
  std::vector<Column<Dish>> columns = DishColumns();
  columns[1].known = [](const Dish& dish) { return dish.cooked_ns != 0; };
  RowsText<Dish> text(columns, &Column<Dish>::text, {true, "CPU"}, /*without=*/{"self_cpu_ns"});
  text.Add({"salad", 0});
  EXPECT_EQ(text.Text({}), "  cooked  dish\n       -  salad\n");
}

TEST(ColumnTest, NamesOfWeights) {
  const Weighing events = {false, "cache-misses"};
  EXPECT_EQ(CsvName("self_cpu_error_ns", Unit::kWeight, events), "self_error_events");
  EXPECT_EQ(CsvName("cpu_ns", Unit::kWeight, events), "events");
  EXPECT_EQ(CsvName("cpu_ns", Unit::kWeight, {true, "wall"}), "wall_ns");
  EXPECT_EQ(CsvName("clock_cpu_ns", Unit::kNs, events), "clock_cpu_ns");
  EXPECT_EQ(HeadingText("CPU", Unit::kWeight, events), "cache-misses");
}

TEST(ColumnTest, Hover) {
  const std::vector<ColumnFacts> facts = FactsOf(DishColumns());
  EXPECT_EQ(HoverText(facts[0]), "its name");
  EXPECT_EQ(HoverText(facts[1]), "time on the stove; exact, or with ~ estimated");
}

// A column that is shown says what it is. No name is taken twice.
TEST(ReportTables, AreWhole) {
  for (const TableFacts& table : ReportTables()) {
    std::set<std::string> members, csv;
    for (const ColumnFacts& column : table.columns) {
      const std::string name = table.name + "." + column.key;
      if ((column.files & kJson) != 0) {
        EXPECT_TRUE(members.insert(column.key).second) << name;
      }
      if ((column.files & kCsv) != 0) {
        EXPECT_TRUE(csv.insert(column.csv).second) << name;
      }
      if (column.page != 0) {
        EXPECT_FALSE(column.heading.empty()) << name;
      }
      if (column.files != 0 || column.page != 0) {
        EXPECT_FALSE(column.meaning.empty()) << name;
      }
      // Windows estimate waits. A sampled figure, or a clock's, has no part of them.
      if (column.measured) {
        EXPECT_TRUE(column.from == From::kExact || column.from == From::kPlaced || column.from == From::kComputed)
            << name;
      }
    }
  }
}

}  // namespace
}  // namespace ompprof::report
