// Writes the tables of columns into the report's README.md. The developer runs it after a change of a column.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "profiler/report/columns/documentation.h"

int main() {
  const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY");  // set by `bazel run`
  const std::string path = (root != nullptr ? std::string(root) + "/" : std::string()) + "profiler/report/README.md";
  std::ifstream in(path);
  const std::string before((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<std::string> missing;
  const std::string after = ompprof::report::WithColumns(before, ompprof::report::ReportTables(), &missing);
  for (const std::string& name : missing)
    std::fprintf(stderr, "document: %s has no place for the columns of %s\n", path.c_str(), name.c_str());
  if (before.empty() || !missing.empty()) return 1;
  std::ofstream(path) << after;
  return 0;
}
