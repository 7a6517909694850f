#include "profiler/report/basics/json_writer.h"

#include <cstdio>

#include "profiler/report/basics/bare_number.h"
#include "profiler/report/basics/utf8.h"

namespace ompprof::report {
namespace {

std::string Quoted(const std::string& value) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(value)) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace

void JsonText::Separate() {
  if (sink_ && text_.size() >= kSinkBytes) Flush();
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_members_.empty()) return;
  if (has_members_.back()) text_ += ",";
  has_members_.back() = true;
  if (layout_ == Layout::kIndented) text_ += "\n" + std::string(2 * has_members_.size(), ' ');
}

void JsonText::Begin(char bracket) {
  Separate();
  text_ += bracket;
  has_members_.push_back(false);
}

void JsonText::End(char bracket) {
  const bool had_members = has_members_.back();
  has_members_.pop_back();
  if (had_members && layout_ == Layout::kIndented) text_ += "\n" + std::string(2 * has_members_.size(), ' ');
  text_ += bracket;
  if (!has_members_.empty()) return;
  text_ += "\n";
  if (sink_) Flush();
}

void JsonText::Flush() {
  sink_(text_);
  text_.clear();
}

void JsonText::Key(const std::string& name) {
  Separate();
  text_ += Quoted(name) + (layout_ == Layout::kIndented ? ": " : ":");
  after_key_ = true;
}

void JsonText::String(const std::string& value) {
  Separate();
  text_ += Quoted(value);
}

void JsonText::Number(uint64_t value) {
  Separate();
  text_ += std::to_string(value);
}

void JsonText::Number(double value) {
  Separate();
  text_ += BareNumber(value);
}

void JsonText::Scaled(uint64_t value, int digits) {
  Separate();
  uint64_t one = 1;
  for (int i = 0; i < digits; ++i) one *= 10;
  text_ += std::to_string(value / one);
  if (value % one != 0) text_ += "." + std::to_string(one + value % one).substr(1);
}

void JsonText::Integer(int64_t value) {
  Separate();
  text_ += std::to_string(value);
}

void JsonText::Bool(bool value) {
  Separate();
  text_ += value ? "true" : "false";
}

void JsonText::Null() {
  Separate();
  text_ += "null";
}

}  // namespace ompprof::report
