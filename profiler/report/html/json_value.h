// JSON in memory, written piece by piece like JSON text. The page's data contain the JSON report in this form.
#ifndef OMPPROF_PROFILER_REPORT_HTML_JSON_VALUE_H_
#define OMPPROF_PROFILER_REPORT_HTML_JSON_VALUE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {

// Members stay in the order of writing. The value is equal to the value that a parser makes of JsonText's text.
class JsonValue final : public JsonWriter {
 public:
  using Json = nlohmann::ordered_json;

  void BeginObject() override { open_.push_back({Json::object(), {}}); }
  void EndObject() override { Close(); }
  void BeginArray() override { open_.push_back({Json::array(), {}}); }
  void EndArray() override { Close(); }
  void Key(const std::string& name) override;
  void String(const std::string& value) override;
  void Number(uint64_t value) override { Add(value); }
  void Number(double value) override;
  void Bool(bool value) override { Add(value); }
  void Null() override { Add(nullptr); }

  // The value. Called after the last End.
  Json Take() { return std::move(whole_); }

 private:
  struct Open {
    Json value;
    std::string key;  // of the next member
  };

  void Close();
  void Add(Json value);

  std::vector<Open> open_;  // the innermost is last
  Json whole_;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_JSON_VALUE_H_
