// Writes JSON piece by piece. The JSON report and its parts write to a JsonWriter. JsonText makes text of the pieces;
// JsonValue (html/json_value.h) keeps them in memory for the page.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_JSON_WRITER_H_
#define OMPPROF_PROFILER_REPORT_BASICS_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/report/basics/sink.h"

namespace ompprof::report {

// The first member of each JSON output, "schema_version". It grows when a member changes its meaning or goes. New
// members do not change it. schema.json in this folder describes this version.
inline constexpr uint64_t kJsonSchemaVersion = 1;

// The calls must nest as JSON nests: a Key before each value in an object, an End for each Begin.
class JsonWriter {
 public:
  virtual ~JsonWriter() = default;

  virtual void BeginObject() = 0;
  virtual void EndObject() = 0;
  virtual void BeginArray() = 0;
  virtual void EndArray() = 0;

  virtual void Key(const std::string& name) = 0;

  // Bytes that are not UTF-8 (symbol names need not be) become U+FFFD.
  virtual void String(const std::string& value) = 0;
  virtual void Number(uint64_t value) = 0;
  virtual void Number(double value) = 0;  // must be finite; printed by BareNumber
  virtual void Bool(bool value) = 0;
  virtual void Null() = 0;

  // Shorthands for a member of an object.
  void Member(const std::string& name, const std::string& value) { Key(name), String(value); }
  void Member(const std::string& name, const char* value) { Key(name), String(value); }
  void Member(const std::string& name, uint64_t value) { Key(name), Number(value); }
  void Member(const std::string& name, uint32_t value) { Key(name), Number(uint64_t{value}); }
  void Member(const std::string& name, double value) { Key(name), Number(value); }
  void Member(const std::string& name, bool value) { Key(name), Bool(value); }
};

class JsonText final : public JsonWriter {
 public:
  enum class Layout {
    kIndented,
    kOneLine,  // for files that only programs read
  };
  explicit JsonText(Layout layout = Layout::kIndented) : layout_(layout) {}

  // Puts the text into `sink` instead, in one line.
  explicit JsonText(Sink sink) : layout_(Layout::kOneLine), sink_(std::move(sink)) {}

  void BeginObject() override { Begin('{'); }
  void EndObject() override { End('}'); }
  void BeginArray() override { Begin('['); }
  void EndArray() override { End(']'); }
  void Key(const std::string& name) override;
  void String(const std::string& value) override;
  void Number(uint64_t value) override;
  void Number(double value) override;
  void Bool(bool value) override;
  void Null() override;

  // value / 10^digits with all digits: 12.345. A double has too few digits for the nanoseconds of a long run.
  void Scaled(uint64_t value, int digits);
  void Thousandths(uint64_t value) { Scaled(value, 3); }

  void Integer(int64_t value);

  // The text so far; complete after the last End. With a sink, the part that the sink does not have.
  const std::string& text() const { return text_; }

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Separate();
  void Flush();

  Layout layout_;
  Sink sink_;
  std::string text_;
  std::vector<bool> has_members_;  // of each open object or array
  bool after_key_ = false;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_JSON_WRITER_H_
