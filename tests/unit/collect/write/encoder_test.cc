// libprotobuf reads exactly the values that the collector's encoder writes.
#include "profiler/collect/write/encoding/encoder.h"

#include <gtest/gtest.h>

#include <vector>

#include "proto/callpath_profile.pb.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {
namespace {

class EncoderTest : public testing::Test {
 protected:
  std::string Bytes() const { return {reinterpret_cast<const char*>(out_.data()), out_.size()}; }
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(4096);
  Encoder out_{buffer_.data(), buffer_.size()};
};

TEST_F(EncoderTest, ScalarsAtTheirLimits) {
  for (const uint64_t value :
       {uint64_t{1}, uint64_t{127}, uint64_t{128}, uint64_t{300}, uint64_t{1} << 32, ~uint64_t{0}}) {
    out_.Clear();
    out_.UInt(fields::footer::kEndMonoNs, value);
    Footer footer;
    ASSERT_TRUE(footer.ParseFromString(Bytes()));
    EXPECT_EQ(footer.end_mono_ns(), value);
    EXPECT_EQ(footer.SerializeAsString(), Bytes()) << "and byte for byte what libprotobuf writes";
  }
  out_.Clear();
  out_.UInt(1, 0);
  EXPECT_EQ(out_.size(), 0u) << "zero is left out";
}

TEST_F(EncoderTest, PaddedLengthsAreRead) {
  const size_t record = out_.BeginLength();
  const size_t header = out_.Begin(fields::record::kHeader);
  out_.String(fields::header::kHost, "a host");
  out_.StringEntry(fields::header::kArgv, "");
  out_.StringEntry(fields::header::kArgv, "x");
  out_.End(header);
  out_.End(record);
  ASSERT_FALSE(out_.overflowed());
  Record parsed;
  ASSERT_TRUE(parsed.ParseFromArray(out_.data() + 3, static_cast<int>(out_.size() - 3)));
  EXPECT_EQ(parsed.header().host(), "a host");
  ASSERT_EQ(parsed.header().argv_size(), 2);
  EXPECT_EQ(parsed.header().argv(0), "");
}

TEST_F(EncoderTest, PackedColumnsAndZigZag) {
  const size_t values = out_.Begin(fields::node_batch::kValueDelta);
  for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{1}, INT64_MIN, INT64_MAX})
    out_.Varint(Encoder::ZigZag(value));
  out_.End(values);
  NodeBatch batch;
  ASSERT_TRUE(batch.ParseFromString(Bytes()));
  ASSERT_EQ(batch.value_delta_size(), 5);
  EXPECT_EQ(batch.value_delta(1), -1);
  EXPECT_EQ(batch.value_delta(3), INT64_MIN);
  EXPECT_EQ(batch.value_delta(4), INT64_MAX);
}

TEST_F(EncoderTest, OverflowIsSaidAndNothingIsWrittenBeyond) {
  uint8_t small[8] = {0, 0, 0, 0, 0, 0, 0xee, 0xee};
  Encoder out(small, 6);
  out.String(1, "too long for it");
  EXPECT_TRUE(out.overflowed());
  for (int i = 0; i < 20; ++i) out.Varint(~0ull);
  out.End(out.Begin(3));
  EXPECT_TRUE(out.overflowed());
  EXPECT_LE(out.size(), 6u);
  EXPECT_EQ(small[6], 0xee);
  EXPECT_EQ(small[7], 0xee);
}

}  // namespace
}  // namespace ompprof::collect
