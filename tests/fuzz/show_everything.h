// Runs all commands on profiles, and checks each output (output_checks.h). The fuzzers of logs and of names call it.
#ifndef OMPPROF_TESTS_FUZZ_SHOW_EVERYTHING_H_
#define OMPPROF_TESTS_FUZZ_SHOW_EVERYTHING_H_

#include <string>
#include <vector>

#include "profiler/model/profile_reader.h"

namespace ompprof::fuzz {

// The processes of a log in memory that can be shown.
std::vector<model::ReadResult> ReadLog(const std::string& bytes);

// Report in both views and all its tables, page, exports, annotate, info, top, predictions; and comparisons of the
// processes with themselves.
void ShowEverything(const std::vector<model::ReadResult>& results);

// `ompprof merge` of the log: the merged file has the same processes with the same samples.
void Merge(const std::string& bytes);

// Reads the log in two parts, as `ompprof top` reads a growing log.
void Follow(const std::string& bytes, size_t first_part);

}  // namespace ompprof::fuzz

#endif  // OMPPROF_TESTS_FUZZ_SHOW_EVERYTHING_H_
