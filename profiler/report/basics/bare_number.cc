#include "profiler/report/basics/bare_number.h"

#include <cmath>
#include <cstdio>

namespace ompprof::report {

std::string BareNumber(double value) {
  constexpr double kAllExact = 9007199254740992.0;  // 2^53
  const bool whole = std::abs(value) < kAllExact && value == std::trunc(value);
  char number[40];
  std::snprintf(number, sizeof number, whole ? "%.0f" : "%.10g", value);
  return number;
}

}  // namespace ompprof::report
