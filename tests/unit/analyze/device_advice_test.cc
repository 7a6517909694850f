// Advice on devices, from made-up figures: where it is given, and its gain.
#include <gtest/gtest.h>

#include <vector>

#include "profiler/analyze/advice/advise.h"
#include "tests/unit/analyze/made_up_devices.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

constexpr uint64_t kMs = 1000000;

// One thread for 10 s: it computes for `computed_ns` and waits for a device in the rest.
class DeviceAdviceTest : public ::testing::Test {
 protected:
  void Computes(uint64_t computed_ns) {
    run_.process().threads[0].cpu_ns = computed_ns;
    run_.AddWait(1, OmptState::kWaitTarget, 10 * kSecond - computed_ns);
  }

  void Add(DeviceWork work, uint64_t count, uint64_t host_ns, uint64_t waited_ns, uint64_t bytes = 0) {
    DeviceWorkTotal total{};
    total.count = count;
    total.host_ns = host_ns;
    total.waited_ns = waited_ns;
    total.bytes = bytes;
    test::AddDeviceWork(&run_.view, work, "solve", total);
  }

  std::vector<Advice> Advised() {
    const Efficiency efficiency = run_.Measure();
    return Advise(run_.view, efficiency).advice;
  }

  MadeUpRun run_{1, 10 * kSecond};
};

// 4 launches of 1.5 s of copies and 0.5 s of kernel.
TEST_F(DeviceAdviceTest, CopiesOfFewLaunchesThatDominate) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 4, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 4, 2 * kSecond, 2 * kSecond);
  Add(DeviceWork::kToDevice, 4, 6 * kSecond, 6 * kSecond, 1 << 30);
  const std::vector<Advice> advice = Advised();
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind, AdviceKind::kTransfers);
  EXPECT_EQ(advice[0].gain_ns, 4500 * kMs);
}

// With one launch, all copies are needed: they can only overlap with the kernel.
TEST_F(DeviceAdviceTest, CopiesOfOneLaunch) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 1, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 1, 3 * kSecond, 3 * kSecond);
  Add(DeviceWork::kToDevice, 1, 5 * kSecond, 5 * kSecond, 1 << 30);
  const std::vector<Advice> advice = Advised();
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].gain_ns, 3 * kSecond);
}

TEST_F(DeviceAdviceTest, KernelsThatDominateGetNoAdvice) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 4, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 4, 5 * kSecond, 5 * kSecond);
  Add(DeviceWork::kToDevice, 4, 3 * kSecond, 3 * kSecond, 1 << 30);
  EXPECT_TRUE(Advised().empty());
}

// 100 launches. Copies are 15 % of the construct, because the kernels wait for processors of a busy machine.
TEST_F(DeviceAdviceTest, DataThatTravelsBothWaysInEachLaunch) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 100, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 100, 6800 * kMs, 6800 * kMs);
  Add(DeviceWork::kToDevice, 100, 600 * kMs, 600 * kMs, 1 << 30);
  Add(DeviceWork::kFromDevice, 100, 600 * kMs, 600 * kMs, 1 << 30);
  const std::vector<Advice> advice = Advised();
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind, AdviceKind::kKeepData);
  EXPECT_EQ(advice[0].gain_ns, 1188 * kMs);
  EXPECT_EQ(advice[0].bytes, uint64_t{2} << 30);
}

// The data of each launch may be new.
TEST_F(DeviceAdviceTest, FewCopiesInOneDirectionGetNoAdvice) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 100, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 100, 6800 * kMs, 6800 * kMs);
  Add(DeviceWork::kToDevice, 100, 1150 * kMs, 1150 * kMs, 1 << 30);
  Add(DeviceWork::kFromDevice, 100, 50 * kMs, 50 * kMs, 1 << 20);
  EXPECT_TRUE(Advised().empty());
}

TEST_F(DeviceAdviceTest, ManyCopiesInOneDirection) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 100, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 100, 4 * kSecond, 4 * kSecond);
  Add(DeviceWork::kToDevice, 100, 4 * kSecond, 4 * kSecond, 1 << 30);
  const std::vector<Advice> advice = Advised();
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind, AdviceKind::kKeepData);
}

TEST_F(DeviceAdviceTest, ShortTripsBothWaysGetNoAdvice) {
  Computes(2 * kSecond / 10);
  Add(DeviceWork::kTarget, 100, 8 * kSecond, 0);
  Add(DeviceWork::kKernel, 100, 7400 * kMs, 7400 * kMs);
  Add(DeviceWork::kToDevice, 100, 300 * kMs, 300 * kMs, 1 << 30);
  Add(DeviceWork::kFromDevice, 100, 300 * kMs, 300 * kMs, 1 << 30);
  EXPECT_TRUE(Advised().empty());
}

TEST_F(DeviceAdviceTest, LaunchesThatTheHostWaitsFor) {
  Computes(4 * kSecond);
  Add(DeviceWork::kKernel, 20, 6 * kSecond, 6 * kSecond);
  const std::vector<Advice> advice = Advised();
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind, AdviceKind::kNowaitLaunches);
  EXPECT_EQ(advice[0].gain_ns, 4 * kSecond);
  EXPECT_EQ(advice[0].wait_ns, 6 * kSecond);
  EXPECT_EQ(advice[0].busy_ns, 4 * kSecond);
}

// The kernels could overlap with the host's work in any case. Of the rest, the device takes half.
TEST_F(DeviceAdviceTest, ADeviceThatIsIdle) {
  Computes(9500 * kMs);
  Add(DeviceWork::kKernel, 2, 500 * kMs, 500 * kMs);
  const std::vector<Advice> advice = Advised();
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind, AdviceKind::kIdleDevice);
  EXPECT_EQ(advice[0].gain_ns, 4500 * kMs);
}

// Launches that do not wait, on a device without a trace: nobody knows how long the kernels took.
TEST_F(DeviceAdviceTest, ADeviceOfUnknownWorkIsNotIdle) {
  run_.process().threads[0].cpu_ns = 10 * kSecond;
  Add(DeviceWork::kKernel, 100, kMs, 0);
  EXPECT_TRUE(Advised().empty());
}

TEST_F(DeviceAdviceTest, BothAtTheSameTimeNeedNoAdvice) {
  run_.process().threads[0].cpu_ns = 10 * kSecond;
  DeviceWorkTotal total{};
  total.count = total.traced = 10;
  total.host_ns = kMs;
  total.traced_ns = 10 * kSecond;
  test::AddDeviceWork(&run_.view, DeviceWork::kKernel, "solve", total);
  EXPECT_TRUE(Advised().empty());
}

}  // namespace
}  // namespace ompprof::analyze
