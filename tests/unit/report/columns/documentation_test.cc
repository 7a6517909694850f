// The tables of columns in profiler/report/README.md are the declared columns. A column added or changed without its
// row fails.
#include "profiler/report/columns/documentation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace ompprof::report {
namespace {

TEST(DocumentationTest, FillsThePlacesAndNothingElse) {
  const std::vector<TableFacts> tables = {
      {"dishes",
       {{"count", "guests", "for", Unit::kCount, From::kExact, false, false, kJson | kCsv, true, 10, "how many eat"},
        {"spice", "spice", "", Unit::kText, From::kNone, false, false, kCsv, false, 0, "the hottest"}}}};
  std::vector<std::string> missing;
  const std::string text = WithColumns(
      "A\n<!-- columns: dishes -->\nold\n<!-- end of columns -->\nB\n<!-- columns: csv -->\n<!-- end of columns -->\n",
      tables, &missing);
  EXPECT_EQ(text,
            "A\n<!-- columns: dishes -->\n\n"
            "| member | type | from | heading | meaning |\n|---|---|---|---|---|\n"
            "| `count` | number | exact | for | how many eat |\n"
            "\n<!-- end of columns -->\nB\n<!-- columns: csv -->\n\n"
            "| table | CSV | from | heading | meaning |\n|---|---|---|---|---|\n"
            "| dishes | `guests` | exact | | the member `count` |\n"
            "| dishes | `spice` | | | the hottest |\n"
            "\n<!-- end of columns -->\n");
  EXPECT_TRUE(missing.empty());
  WithColumns("A\n", tables, &missing);
  EXPECT_EQ(missing, (std::vector<std::string>{"dishes", "csv"}));
}

TEST(DocumentationTest, TheReadmeHasTheColumnsAsDeclared) {
  std::ifstream in("profiler/report/README.md");
  const std::string readme((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(readme.empty());
  std::vector<std::string> missing;
  EXPECT_EQ(WithColumns(readme, ReportTables(), &missing), readme)
      << "bazel run //profiler/report/columns:document writes the tables";
  EXPECT_TRUE(missing.empty()) << missing.front() << " has no place in the documentation";
}

}  // namespace
}  // namespace ompprof::report
