// Answers of LLVM's offloading runtime, as values. omptarget_test has the runtime itself.
#include "profiler/collect/quirks/libomptarget.h"

#include <gtest/gtest.h>
#include <string.h>

namespace ompprof::collect::libomptarget {
namespace {

TEST(LibomptargetQuirks, TypeOfADevice) {
  const auto copied = [](const char* type) {
    char copy[16];
    CopyDeviceType(type, copy, sizeof copy);
    return std::string(copy);
  };
  EXPECT_EQ(copied("generic-64bit"), "generic-64bit");
  EXPECT_EQ(copied("sm_90"), "sm_90");
  EXPECT_EQ(copied(nullptr), "");
  EXPECT_EQ(copied(""), "");
  EXPECT_EQ(copied("0U-Xh\x7f\x01"), "") << "other contents";
  EXPECT_EQ(copied("two words"), "");
  EXPECT_EQ(copied("a type longer than the room"), "");
}

TEST(LibomptargetQuirks, LaunchesOfADevice) {
  EXPECT_EQ(LaunchesOf("generic-64bit"), Launches::kOnHost);
  EXPECT_EQ(LaunchesOf("sm_90"), Launches::kReturnEarly);
  EXPECT_EQ(LaunchesOf("gfx90a"), Launches::kReturnEarly);
  for (const char* other : {"nvptx", "gcn", "reference", ""}) EXPECT_EQ(LaunchesOf(other), Launches::kWait) << other;
}

TEST(LibomptargetQuirks, Images) {
  const auto is_image = [](const char* name) { return IsImage(name, static_cast<uint32_t>(strlen(name))); };
  EXPECT_TRUE(is_image("tmpfile_XCRzGw"));
  EXPECT_FALSE(is_image("tmpfile_")) << "the runtime adds six characters";
  EXPECT_FALSE(is_image("libc.so.6"));
  EXPECT_FALSE(is_image("libcuda.so.1"));
  EXPECT_FALSE(is_image(""));
}

TEST(LibomptargetQuirks, StateInConstruct) {
  EXPECT_EQ(StateInConstruct(OmptState::kWorkSerial), OmptState::kWaitTarget);
  EXPECT_EQ(StateInConstruct(OmptState::kOverhead), OmptState::kWaitTarget);
  EXPECT_EQ(StateInConstruct(OmptState::kWaitBarrier), OmptState::kWaitBarrier);
}

TEST(LibomptargetQuirks, NoRuntime) {
  EXPECT_NE(WhyNoEvents("/nowhere/libomptarget.so"), nullptr) << "what is not loaded has no events";
}

}  // namespace
}  // namespace ompprof::collect::libomptarget
