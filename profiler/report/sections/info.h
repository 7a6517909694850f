// What is in a profile: the answer of `ompprof info`.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_INFO_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_INFO_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/view/run_facts.h"
#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {

// The name of an ompt_set_result_t (OpenMP 5.2, section 19.4.4.2): "sometimes paired".
const char* SetResultName(uint32_t result);

// `bytes` as hexadecimal digits: "a1b2c3".
std::string Hex(const std::string& bytes);

// `damage`: a sentence about the damage in the process's records; empty: no damage.
std::string InfoText(const analyze::ProcessFacts& process, const std::string& damage);

// Writes one object. `file` is the file of the process; `damage` is the same as for InfoText.
void InfoJson(const analyze::ProcessFacts& process, const std::string& file, const std::string& damage,
              JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_INFO_H_
