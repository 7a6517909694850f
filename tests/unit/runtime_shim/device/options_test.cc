#include "runtime_shim/device/options.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace reference_device {
namespace {

std::map<std::string, std::string> environment;
std::string complaint;

const char* Get(const char* name) {
  const auto found = environment.find(name);
  return found != environment.end() ? found->second.c_str() : nullptr;
}

void Complain(const char* name, const char* value) { complaint += std::string(name) + "=" + value + " "; }

Options Parse(const std::map<std::string, std::string>& variables) {
  environment = variables;
  complaint.clear();
  return ParseOptions(Get, Complain);
}

TEST(Options, Defaults) {
  const Options options = Parse({});
  EXPECT_EQ(options.devices, 1);
  EXPECT_TRUE(options.traces_ompt);
  EXPECT_TRUE(options.traces_native);
  EXPECT_EQ(options.failing_allocation, 0);
  EXPECT_EQ(options.copy_rate, 0);
  EXPECT_FALSE(options.spins);
  EXPECT_EQ(options.buffer_records, 16u);
  EXPECT_EQ(options.log, nullptr);
  EXPECT_EQ(complaint, "");
}

TEST(Options, EachValue) {
  const Options options = Parse({{"GOMP_REFERENCE_DEVICES", "2"},
                                 {"GOMP_REFERENCE_TRACE", "native"},
                                 {"GOMP_REFERENCE_FAILING_ALLOCATION", "3"},
                                 {"GOMP_REFERENCE_COPY_RATE", "0.5"},
                                 {"GOMP_REFERENCE_BUFFER_RECORDS", "4"},
                                 {"GOMP_REFERENCE_WAIT", "spin"},
                                 {"GOMP_REFERENCE_LOG", "/tmp/log"}});
  EXPECT_EQ(options.devices, 2);
  EXPECT_FALSE(options.traces_ompt);
  EXPECT_TRUE(options.traces_native);
  EXPECT_EQ(options.failing_allocation, 3);
  EXPECT_EQ(options.copy_rate, 0.5);
  EXPECT_TRUE(options.spins);
  EXPECT_EQ(options.buffer_records, 4u);
  EXPECT_STREQ(options.log, "/tmp/log");
  EXPECT_EQ(complaint, "");
}

TEST(Options, IllegalValuesAreNamedAndIgnored) {
  const Options options = Parse({{"GOMP_REFERENCE_DEVICES", "9"},
                                 {"GOMP_REFERENCE_BUFFER_RECORDS", "0"},
                                 {"GOMP_REFERENCE_COPY_RATE", "1x"},
                                 {"GOMP_REFERENCE_TRACE", ""}});
  EXPECT_EQ(options.devices, 1);
  EXPECT_EQ(options.buffer_records, 16u);
  EXPECT_EQ(options.copy_rate, 0);
  EXPECT_TRUE(options.traces_ompt);
  EXPECT_EQ(complaint,
            "GOMP_REFERENCE_DEVICES=9 GOMP_REFERENCE_COPY_RATE=1x GOMP_REFERENCE_BUFFER_RECORDS=0 "
            "GOMP_REFERENCE_TRACE= ");
}

}  // namespace
}  // namespace reference_device
