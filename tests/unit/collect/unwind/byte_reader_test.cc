// Numbers in unwind tables: the encodings of the DWARF and LSB documents, and damaged tables, which must end and stay
// bad.
#include "profiler/collect/unwind/byte_reader.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

ByteReader Over(const uint8_t* bytes, size_t size) { return ByteReader(bytes, bytes + size); }

TEST(ByteReaderTest, ReadsLeb128AsTheDwarfStandardsExamples) {
  const uint8_t bytes[] = {0x02, 0x7f, 0x80, 0x01, 0x81, 0x01, 0xb9, 0x64,   // unsigned: 2, 127, 128, 129, 12857
                           0x02, 0x7e, 0xff, 0x00, 0x81, 0x7f, 0x80, 0x7f};  // signed: 2, -2, 127, -127, -128
  ByteReader reader = Over(bytes, sizeof(bytes));
  for (uint64_t expected : {2, 127, 128, 129, 12857}) EXPECT_EQ(reader.Uleb(), expected);
  for (int64_t expected : {2, -2, 127, -127, -128}) EXPECT_EQ(reader.Sleb(), expected);
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(ByteReaderTest, StaysBadAfterTheEnd) {
  const uint8_t bytes[] = {0xff, 0xff};
  ByteReader reader = Over(bytes, sizeof(bytes));
  EXPECT_EQ(reader.Uleb(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.U8(), 0);
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_TRUE(reader.at_end());
}

TEST(ByteReaderTest, OverlongLebIsReadToItsEnd) {
  uint8_t bytes[20];
  memset(bytes, 0x80, sizeof(bytes));
  bytes[18] = 0;
  ByteReader reader = Over(bytes, sizeof(bytes));
  EXPECT_EQ(reader.Uleb(), 0u);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.remaining(), 1u);
}

// A number as long as the tables would keep the handler as long.
TEST(ByteReaderTest, AnEndlessLebIsNone) {
  uint8_t bytes[1000];
  memset(bytes, 0x80, sizeof(bytes));
  ByteReader reader = Over(bytes, sizeof(bytes));
  EXPECT_EQ(reader.Uleb(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.at() - bytes, 32);
  reader = Over(bytes, sizeof(bytes));
  EXPECT_EQ(reader.Sleb(), 0);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.at() - bytes, 32);
}

TEST(ByteReaderTest, AppliesPointerEncodings) {
  const uint8_t bytes[] = {0xfc, 0xff, 0xff, 0xff, 0xfc, 0xff, 0xff, 0xff, 0x34, 0x12};
  ByteReader reader = Over(bytes, sizeof(bytes));
  EXPECT_EQ(reader.Encoded(0x1b, 0), reinterpret_cast<uintptr_t>(bytes) - 4);
  EXPECT_EQ(reader.Encoded(0x3b, 1000), 996u);
  EXPECT_EQ(reader.Encoded(0x02, 0), 0x1234u);
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReaderTest, RefusesIndirectPointers) {
  const uint8_t bytes[8] = {};
  ByteReader reader = Over(bytes, sizeof(bytes));
  reader.Encoded(0x9b, 0);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace ompprof::collect
