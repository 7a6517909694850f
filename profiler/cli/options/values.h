// What options accept. Each refusal has a sentence in ompprof's words, and the description stands in --help.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_VALUES_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_VALUES_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::cli {

// One of the words. OptionsOf reads them from the description, "{text,json}".
CLI::Validator OneOf(const std::vector<std::string>& words);

// A whole number from `low` to `high`. kNoLimit is no limit for the user; twice such a number is still a uint64_t.
inline constexpr uint64_t kNoLimit = 1000000000000;
CLI::Validator Whole(uint64_t low = 0, uint64_t high = kNoLimit);

// A number from `low` to `high`.
CLI::Validator Between(double low, double high);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_VALUES_H_
