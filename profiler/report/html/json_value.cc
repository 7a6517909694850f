#include "profiler/report/html/json_value.h"

#include <utility>

#include "profiler/report/basics/bare_number.h"
#include "profiler/report/basics/utf8.h"

namespace ompprof::report {

void JsonValue::Key(const std::string& name) { open_.back().key = ValidUtf8(name); }

void JsonValue::String(const std::string& value) { Add(ValidUtf8(value)); }

// Through the text, so that both have the same digits.
void JsonValue::Number(double value) { Add(Json::parse(BareNumber(value))); }

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
