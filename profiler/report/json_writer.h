// JSON text, piece by piece. The JSON report is written with it.
#ifndef OMPPROF_PROFILER_REPORT_JSON_WRITER_H_
#define OMPPROF_PROFILER_REPORT_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::report {

// Calls must nest as JSON does: a Key before each value in an object, and each Begin closed by its End.
class JsonWriter {
 public:
  enum class Layout {
    kIndented,
    kOneLine,  // for files that no one reads
  };
  explicit JsonWriter(Layout layout = Layout::kIndented) : layout_(layout) {}

  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }

  void Key(const std::string& name);

  // Bytes that are not UTF-8 (symbol names need not be) become U+FFFD.
  void String(const std::string& value);
  void Number(uint64_t value);
  void Number(double value);  // must be finite
  void Bool(bool value);
  void Null();

  // Shorthands for a member of an object.
  void Member(const std::string& name, const std::string& value) { Key(name), String(value); }
  void Member(const std::string& name, const char* value) { Key(name), String(value); }
  void Member(const std::string& name, uint64_t value) { Key(name), Number(value); }
  void Member(const std::string& name, uint32_t value) { Key(name), Number(uint64_t{value}); }
  void Member(const std::string& name, double value) { Key(name), Number(value); }
  void Member(const std::string& name, bool value) { Key(name), Bool(value); }

  // The text so far; whole once everything is closed.
  const std::string& text() const { return text_; }

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Separate();

  Layout layout_;
  std::string text_;
  std::vector<bool> has_members_;  // of each open object or array
  bool after_key_ = false;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_JSON_WRITER_H_
