// What a profile's file holds: who was recorded, how, what the OpenMP runtime answered, how much of everything there
// is. `ompprof info` prints it; nothing in it needs symbols.
#ifndef OMPPROF_PROFILER_REPORT_INFO_TEXT_H_
#define OMPPROF_PROFILER_REPORT_INFO_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/model/process_profile.h"

namespace ompprof::report {

// What is read off a process's records for both forms of the report.
struct ProcessFacts {
  uint64_t samples = 0;
  uint64_t weight = 0;  // in Header.weight_unit
  uint64_t nodes = 0;   // of all call-path trees
  uint64_t bytes = 0;   // of all records
  uint64_t cpu_ns =
      0;  // by the process's clock, the collector's thread left out; of one without an end, by its threads'
};
ProcessFacts FactsOf(const model::ProcessProfile& process);

// "sometimes paired": an ompt_set_result_t (OpenMP 5.2, section 19.4.4.2).
const char* SetResultName(uint32_t result);

// "samples": what a Record::KindCase is called; "unknown" for one that is newer than this program.
std::string RecordKindName(int kind);

// "a1b2c3": bytes as hexadecimal digits.
std::string Hex(const std::string& bytes);

// `damage` is what is wrong with the process's records, a sentence; empty: nothing.
std::string InfoText(const model::ProcessProfile& process, const std::string& damage);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_INFO_TEXT_H_
