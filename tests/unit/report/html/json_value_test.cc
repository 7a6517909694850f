// JSON in memory equals a parser's result from the text that the same calls write.
#include "profiler/report/html/json_value.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ompprof::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNumbers[] = {0,
                               -0.0,
                               1,
                               -3,
                               2.5,
                               0.1 + 0.2,
                               1e-7,
                               1.0 / 3,
                               -2.0 / 3,
                               9999999999,
                               1e10,
                               12345678901.0,
                               1e300,
                               123456.789012,
                               99.9999999999999,
                               9999999999.9,
                               5e-324};

void Write(JsonWriter* json) {
  json->BeginObject();
  json->Member("z", uint64_t{18446744073709551615u});
  json->Member("a", "text");
  json->Member("caf\xe9", "\"\\\n\x01\x7f\xe9");
  json->Key("none");
  json->Null();
  json->Key("numbers");
  json->BeginArray();
  for (const double number : kNumbers) json->Number(number);
  json->EndArray();
  json->Key("empty");
  json->BeginArray();
  json->BeginObject();
  json->EndObject();
  json->BeginArray();
  json->EndArray();
  json->EndArray();
  json->Member("last", true);
  json->EndObject();
}

TEST(JsonValue, IsWhatTheTextSays) {
  JsonText text;
  Write(&text);
  JsonValue value;
  Write(&value);
  EXPECT_EQ(value.Take().dump(), Json::parse(text.text()).dump());
}

TEST(JsonValue, KeepsTenDigits) {
  const auto of = [](double number) {
    JsonValue value;
    value.Number(number);
    return value.Take().dump();
  };
  EXPECT_EQ(of(0.1 + 0.2), "0.3");
  EXPECT_EQ(of(2.0 / 3), "0.6666666667");
  EXPECT_EQ(of(3), "3");
}

TEST(JsonValue, MembersStayInOrder) {
  JsonValue value;
  value.BeginObject();
  value.Member("b", uint32_t{1});
  value.Key("a");
  value.BeginArray();
  value.String("x");
  value.Bool(false);
  value.EndArray();
  value.EndObject();
  EXPECT_EQ(value.Take().dump(), "{\"b\":1,\"a\":[\"x\",false]}");
}

}  // namespace
}  // namespace ompprof::report
