// What a profile's file holds: who was recorded, how, what the OpenMP runtime answered, how much of everything there
// is. `ompprof info` prints it; nothing in it needs symbols.
#ifndef OMPPROF_PROFILER_REPORT_INFO_TEXT_H_
#define OMPPROF_PROFILER_REPORT_INFO_TEXT_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/run_facts.h"

namespace ompprof::report {

// "sometimes paired": an ompt_set_result_t (OpenMP 5.2, section 19.4.4.2).
const char* SetResultName(uint32_t result);

// "a1b2c3": bytes as hexadecimal digits.
std::string Hex(const std::string& bytes);

// `damage` is what is wrong with the process's records, a sentence; empty: nothing.
std::string InfoText(const analyze::ProcessFacts& process, const std::string& damage);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_INFO_TEXT_H_
