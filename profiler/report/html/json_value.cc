#include "profiler/report/html/json_value.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "profiler/report/utf8.h"

namespace ompprof::report {
namespace {

constexpr int kDigits = 10;
constexpr double kFirstWithExponent = 1e10;  // in kDigits digits

double Rounded(double value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, kDigits).ptr;
  std::from_chars(digits, end, value);
  return value;
}

}  // namespace

void JsonValue::Key(const std::string& name) { open_.back().key = ValidUtf8(name); }

void JsonValue::String(const std::string& value) { Add(ValidUtf8(value)); }

void JsonValue::Number(double value) {
  const double rounded = Rounded(value);
  if (std::floor(rounded) == rounded && std::fabs(rounded) < kFirstWithExponent)
    Add(static_cast<int64_t>(rounded));
  else
    Add(rounded);
}

void JsonValue::Close() {
  Json closed = std::move(open_.back().value);
  open_.pop_back();
  Add(std::move(closed));
}

void JsonValue::Add(Json value) {
  if (open_.empty()) {
    whole_ = std::move(value);
  } else if (open_.back().value.is_array()) {
    open_.back().value.push_back(std::move(value));
  } else {
    open_.back().value[open_.back().key] = std::move(value);
  }
}

}  // namespace ompprof::report
