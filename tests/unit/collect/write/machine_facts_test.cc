// Limits of control groups and settings of OpenMP runtimes, from made-up files; and this machine's own facts.
#include "profiler/collect/write/facts/machine_facts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ompprof::collect {
namespace {

class CpuQuota : public ::testing::Test {
 protected:
  CpuQuota() : root_(::testing::TempDir() + "/cgroup" + std::to_string(getpid())) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ + "/batch/job");
  }
  ~CpuQuota() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& file, const std::string& text) { std::ofstream(root_ + "/" + file) << text << "\n"; }
  uint32_t Of(const char* group) { return CpuQuotaMilli(root_.c_str(), group); }

  std::string root_;
};

TEST_F(CpuQuota, NoneWithoutControlGroups) {
  EXPECT_EQ(Of("/batch/job"), 0u);
  EXPECT_EQ(Of("/no/such/group"), 0u);
  EXPECT_EQ(CpuQuotaMilli("/no/such/folder", "/a"), 0u);
}

TEST_F(CpuQuota, TheLeastOfTheGroupsAround) {
  Write("batch/cpu.max", "250000 100000");
  Write("batch/job/cpu.max", "max 100000");
  EXPECT_EQ(Of("/batch/job"), 2500u);
  Write("batch/job/cpu.max", "50000 100000");
  EXPECT_EQ(Of("/batch/job"), 500u);
  EXPECT_EQ(Of("/batch"), 2500u);
  EXPECT_EQ(Of("/"), 0u);
}

TEST_F(CpuQuota, VersionOne) {
  Write("batch/cpu.cfs_quota_us", "-1");
  Write("batch/cpu.cfs_period_us", "100000");
  EXPECT_EQ(Of("/batch"), 0u);
  Write("batch/cpu.cfs_quota_us", "150000");
  EXPECT_EQ(Of("/batch/job"), 1500u);
}

TEST(MachineFacts, SettingsOfOpenmpRuntimes) {
  EXPECT_TRUE(TunesOpenmp("OMP_WAIT_POLICY=passive"));
  EXPECT_TRUE(TunesOpenmp("KMP_BLOCKTIME=0"));
  EXPECT_TRUE(TunesOpenmp("GOMP_SPINCOUNT=0"));
  EXPECT_FALSE(TunesOpenmp("OMPPROF_OUTPUT=x"));
  EXPECT_FALSE(TunesOpenmp("GOMP_OMPT_TOOL_LIBRARIES=/o/libompprof.so"));
  EXPECT_FALSE(TunesOpenmp("PATH=/usr/bin"));
}

TEST(MachineFacts, OfThisMachine) {
  const MachineFacts facts = ReadMachineFacts();
  EXPECT_GE(facts.may_use.size(), 1u);
  EXPECT_LE(facts.may_use.size(), static_cast<uint32_t>(sysconf(_SC_NPROCESSORS_CONF)));
}

}  // namespace
}  // namespace ompprof::collect
