// The machine's processors, from made-up folders in the place of /sys.
#include "profiler/collect/write/facts/topology.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ompprof::collect {
namespace {

class TopologyTest : public ::testing::Test {
 protected:
  TopologyTest() : root_(::testing::TempDir() + "/machine" + std::to_string(getpid())) {
    std::filesystem::remove_all(root_);
  }
  ~TopologyTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root_ + "/sys/devices/system/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  void Processor(int number, int package, const std::string& siblings) {
    const std::string folder = "cpu/cpu" + std::to_string(number) + "/topology/";
    Write(folder + "physical_package_id", std::to_string(package));
    Write(folder + "thread_siblings_list", siblings);
  }
  // "0 0 0 0" for each processor: number, package, core, node.
  std::string Read() {
    Topology topology{};
    ReadTopology(root_.c_str(), &topology);
    std::string text;
    for (uint32_t i = 0; i < topology.count; ++i) {
      const Topology::Processor& processor = topology.processors[i];
      for (const uint16_t part : {processor.number, processor.package, processor.core, processor.node})
        text += std::to_string(part) + " ";
      text.back() = '\n';
    }
    return text;
  }

  std::string root_;
};

TEST_F(TopologyTest, NothingIsKnownWithoutTheFiles) { EXPECT_EQ(Read(), ""); }

// Two packages of two nodes each; a node is a core of two processors. Processor 6 is offline.
TEST_F(TopologyTest, PackagesCoresAndNodes) {
  Write("cpu/online", "0-5,7");
  Processor(0, 0, "0,4");
  Processor(4, 0, "0,4");
  Processor(1, 0, "1,5");
  Processor(5, 0, "1,5");
  Processor(2, 1, "2");
  Processor(3, 1, "3,7");
  Processor(7, 1, "3,7");
  Write("node/online", "0-3");
  for (int node = 0; node < 4; ++node)
    Write("node/node" + std::to_string(node) + "/cpulist", std::to_string(node) + "," + std::to_string(node + 4));
  EXPECT_EQ(Read(),
            "0 0 0 0\n"
            "1 0 1 1\n"
            "2 1 2 2\n"
            "3 1 3 3\n"
            "4 0 0 0\n"
            "5 0 1 1\n"
            "7 1 3 3\n");
}

TEST_F(TopologyTest, WithoutNodesAndWithoutPackages) {
  Write("cpu/online", "0-1");
  Processor(0, -1, "0-1");
  Processor(1, -1, "0-1");
  EXPECT_EQ(Read(), "0 0 0 0\n1 0 0 0\n");
}

TEST(ProcessorList, Ranges) {
  EXPECT_EQ(ParseList("").size(), 0u);
  EXPECT_EQ(ParseList("\n").size(), 0u);
  const ProcessorSet set = ParseList("0-2,64,1000-5000\n");
  EXPECT_EQ(set.size(), 3u + 1 + 24);
  EXPECT_TRUE(set.Has(2) && set.Has(64) && set.Has(1023));
  EXPECT_FALSE(set.Has(3) || set.Has(63));
}

TEST(TopologyOfThisMachine, HasThisThreadsProcessors) {
  Topology topology{};
  ReadTopology("", &topology);
  if (topology.count == 0) GTEST_SKIP() << "/sys does not tell the processors here";
  const ProcessorSet mine = ProcessorsOf(0);
  ASSERT_FALSE(mine.empty());
  uint32_t found = 0;
  for (uint32_t i = 0; i < topology.count; ++i) found += mine.Has(topology.processors[i].number) ? 1 : 0;
  EXPECT_EQ(found, mine.size());
}

}  // namespace
}  // namespace ompprof::collect
