#include "profiler/report/columns/value_text.h"

#include <algorithm>

#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

std::string NumberText(uint64_t number, Unit unit, const analyze::Estimate& estimate, bool derived, bool nanoseconds) {
  switch (unit) {
    case Unit::kNs:
      return derived ? Tilde(estimate) + Duration(number) : Measured(number, estimate);
    case Unit::kWeight:
      return Weight(number, nanoseconds);
    case Unit::kCount:
      return Tilde(estimate) + Count(number);
    default:
      return std::to_string(number);
  }
}

}  // namespace

std::string ValueText(const Value& value, Unit unit, const analyze::Estimate& estimate, bool derived,
                      bool nanoseconds) {
  if (const auto* text = std::get_if<std::string>(&value)) return Printable(*text);
  if (const auto* number = std::get_if<uint64_t>(&value))
    return NumberText(*number, unit, estimate, derived, nanoseconds);
  if (const auto* real = std::get_if<double>(&value)) {
    if (unit == Unit::kNs || unit == Unit::kWeight)
      return NumberText(static_cast<uint64_t>(*real), unit, estimate, derived, nanoseconds);
    // Rounding may make an imbalance slightly negative.
    return Tilde(estimate) + (unit == Unit::kShare ? Percent(std::max(0.0, *real)) : Times(*real));
  }
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  return "-";
}

}  // namespace ompprof::report
