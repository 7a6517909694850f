// Numbers that files contain, and that must not change; and the names that write_fields.cc gives its findings.
#include "proto/callpath_profile_fields.h"

#include <gtest/gtest.h>

#include <cstring>

#include "proto/callpath_profile.pb.h"
#include "proto/callpath_profile_magic.h"

namespace ompprof {
namespace {

TEST(Fields, OfMessages) {
  EXPECT_EQ(fields::record::kHeader, 1u);
  EXPECT_EQ(fields::record::kGoverned, 18u);
  EXPECT_EQ(fields::header::kFormatVersion, 1u);
  EXPECT_EQ(fields::header::kMaxOverheadPermille, 25u);
  EXPECT_EQ(fields::sample_batch::kTimedEndDeltaUs, 15u);
  EXPECT_EQ(fields::wait_stats::kHeldNs, 15u);
  EXPECT_EQ(fields::wait_stats::kLock, 20u) << "numbers may have gaps";
  EXPECT_EQ(fields::event_counts::kCount, 2u);
}

TEST(Fields, OfMessagesWithinMessages) {
  EXPECT_EQ(fields::callback::kResult, static_cast<uint32_t>(Runtime::Callback::kResultFieldNumber));
  EXPECT_EQ(fields::enumerator::kValue, static_cast<uint32_t>(Runtime::Enumerator::kValueFieldNumber));
}

TEST(Fields, Enumerators) {
  EXPECT_EQ(fields::kFormatCurrent, 1000u);
  EXPECT_EQ(fields::kNodeRoot, 1u);
  EXPECT_EQ(fields::kNodeTaskContext, 5u);
  EXPECT_EQ(fields::kNodeUndeferredTask, 9u);
  EXPECT_EQ(fields::kNodeRuntime, 16u);
  EXPECT_EQ(fields::kNodeReturnAddress, 32u);
  EXPECT_EQ(fields::kLostNoTimer, 5u);
  EXPECT_EQ(fields::kLostReasonCount, 7u);
  EXPECT_EQ(fields::kClassTaskWait, 2u);
  EXPECT_EQ(fields::kEventClassCount, static_cast<uint32_t>(EventClass_MAX) + 1);
  EXPECT_EQ(fields::thread::kKindMain, 4u);
  static_assert(sizeof(fields::NodeKind) == 1, "a node's kind is a byte");
}

TEST(Fields, TheMagicBytes) {
  EXPECT_EQ(fields::kMagicSize, 8u);
  EXPECT_EQ(std::memcmp(fields::kMagic, "OMPPROF\n", 8), 0);
}

}  // namespace
}  // namespace ompprof
