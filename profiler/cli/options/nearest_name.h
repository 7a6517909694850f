// The name that a misspelt word was meant to be: for options and commands.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_NEAREST_NAME_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_NEAREST_NAME_H_

#include <cstddef>
#include <string>
#include <vector>

namespace ompprof::cli {

// The fewest changes that make `b` of `a`. A change adds, removes or replaces a letter, or swaps two neighbours: the
// optimal string alignment distance (Boytsov, "Indexing methods for approximate dictionary searching", 2011).
size_t Changes(const std::string& a, const std::string& b);

// The name with the fewest changes from `word`; of several, the first. A name of which `word` is the beginning counts
// as near. Empty if every name needs more changes than a third of its letters.
std::string NearestName(const std::string& word, const std::vector<std::string>& names);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_NEAREST_NAME_H_
