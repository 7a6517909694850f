// The facts and records in a profile's file: the process, its sampling, the OpenMP runtime's answers, numbers of
// records. `ompprof info` prints it. It needs no symbols.
#ifndef OMPPROF_PROFILER_REPORT_INFO_TEXT_H_
#define OMPPROF_PROFILER_REPORT_INFO_TEXT_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/run_facts.h"

namespace ompprof::report {

// The name of an ompt_set_result_t (OpenMP 5.2, section 19.4.4.2): "sometimes paired".
const char* SetResultName(uint32_t result);

// `bytes` as hexadecimal digits: "a1b2c3".
std::string Hex(const std::string& bytes);

// `damage`: a sentence about the damage in the process's records; empty: no damage.
std::string InfoText(const analyze::ProcessFacts& process, const std::string& damage);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_INFO_TEXT_H_
