// JSON that every parser accepts, whatever the strings are.
#include "profiler/report/basics/json_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "profiler/report/basics/utf8.h"

namespace ompprof::report {
namespace {

// A sink gets pieces of bounded size while the text grows, and the whole text at the end.
TEST(JsonWriter, ASinkGetsPieces) {
  std::string text;
  size_t pieces = 0;
  size_t longest = 0;
  JsonText json([&](std::string_view piece) {
    text += piece;
    longest = std::max(longest, piece.size());
    ++pieces;
  });
  json.BeginArray();
  const std::string word(1000, 'x');
  for (int i = 0; i < 1000; ++i) json.String(word);
  json.EndArray();
  EXPECT_GT(pieces, 10u);
  EXPECT_LT(longest, kSinkBytes + 2000);
  EXPECT_EQ(text.size(), 1000 * (word.size() + 2) + 999 + 3);
  EXPECT_EQ(text.substr(0, 5), "[\"xxx");
  EXPECT_EQ(text.substr(text.size() - 3), "\"]\n");
}

TEST(JsonWriter, Nesting) {
  JsonText json;
  json.BeginObject();
  json.Member("a", uint64_t{18446744073709551615u});
  json.Key("b");
  json.BeginArray();
  json.String("x");
  json.Bool(true);
  json.BeginObject();
  json.EndObject();
  json.EndArray();
  json.Member("c", 2.5);
  json.Member("d", "text");
  json.EndObject();
  EXPECT_EQ(json.text(),
            "{\n  \"a\": 18446744073709551615,\n  \"b\": [\n    \"x\",\n    true,\n    {}\n  ],\n  \"c\": 2.5,\n"
            "  \"d\": \"text\"\n}\n");
}

TEST(JsonWriter, NanosecondsHaveAllTheirDigits) {
  JsonText json;
  json.BeginArray();
  json.Number(12628419837.0);
  json.Number(-9007199254740991.0);
  json.Number(0.0);
  json.Number(2.0 / 3);
  json.Number(1e300);
  json.EndArray();
  EXPECT_EQ(json.text(), "[\n  12628419837,\n  -9007199254740991,\n  0,\n  0.6666666667,\n  1e+300\n]\n");
}

TEST(JsonWriter, Thousandths) {
  JsonText json(JsonText::Layout::kOneLine);
  json.BeginArray();
  for (const uint64_t value : {uint64_t{0}, uint64_t{7000}, uint64_t{1005}, uint64_t{123456789012345678}})
    json.Thousandths(value);
  json.EndArray();
  EXPECT_EQ(json.text(), "[0,7,1.005,123456789012345.678]\n");
}

TEST(JsonWriter, Escapes) {
  JsonText json;
  json.String("\"\\\n\x01\x7f\xc3\xa9");
  EXPECT_EQ(json.text(), "\"\\\"\\\\\\u000a\\u0001\\u007f\xc3\xa9\"");
}

TEST(ValidUtf8, BadSequencesAreReplacedByteByByte) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(ValidUtf8("\xe9t\xe9"), bad + "t" + bad);
  EXPECT_EQ(ValidUtf8("\xc0\xaf"), bad + bad);                      // overlong
  EXPECT_EQ(ValidUtf8("\xed\xa0\x80"), bad + bad + bad);            // surrogate
  EXPECT_EQ(ValidUtf8("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // above U+10FFFF
  EXPECT_EQ(ValidUtf8("\xe2\x82"), bad + bad);                      // cut
  EXPECT_EQ(ValidUtf8("\xe2\x82\xac \xf0\x9f\x98\x80"), "\xe2\x82\xac \xf0\x9f\x98\x80");
}

}  // namespace
}  // namespace ompprof::report
