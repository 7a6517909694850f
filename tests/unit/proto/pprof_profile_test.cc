// The pprof message's wire format, byte by byte against the format's published field numbers.
#include "proto/pprof_profile.pb.h"

#include <gtest/gtest.h>

namespace ompprof::pprof {
namespace {

TEST(PprofProfile, SampleIsPackedLocationsAndValues) {
  Sample sample;
  sample.add_location_id(1);
  sample.add_location_id(300);
  sample.add_value(7);
  // field 1 packed (0x0a), 3 bytes: 01, ac 02; field 2 packed (0x12), 1 byte: 07
  EXPECT_EQ(sample.SerializeAsString(), std::string("\x0a\x03\x01\xac\x02\x12\x01\x07", 8));
}

TEST(PprofProfile, LineAndFunctionFieldNumbers) {
  Line line;
  line.set_function_id(2);
  line.set_line(5);
  EXPECT_EQ(line.SerializeAsString(), std::string("\x08\x02\x10\x05", 4));
  Function function;
  function.set_id(1);
  function.set_start_line(9);
  EXPECT_EQ(function.SerializeAsString(), std::string("\x08\x01\x28\x09", 4));
}

}  // namespace
}  // namespace ompprof::pprof
