// Devices in the page's timeline: their rows, and that no sum is lost in a long timeline.
#include "profiler/report/html/page_devices.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/summary.h"
#include "tests/unit/analyze/made_up_devices.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

constexpr uint64_t kUs = 1000;

class PageDevicesTest : public ::testing::Test {
 protected:
  PageDevicesTest() {
    kernel_ = test::AddDeviceWork(&run_.view, analyze::DeviceWork::kKernel, "solve", {});
    copy_ = test::AddDeviceWork(&run_.view, analyze::DeviceWork::kToDevice, "solve", {});
  }

  PageDevices Build(size_t limit) {
    const ThreadRows rows(run_.view, analyze::Summarize(run_.view));
    return BuildPageDevices(run_.view, rows, limit);
  }

  test::MadeUpRun run_{2, 100000 * kUs};
  uint32_t kernel_;
  uint32_t copy_;
};

TEST_F(PageDevicesTest, IsEmptyWithoutOperations) { EXPECT_TRUE(Build(10).devices.empty()); }

TEST_F(PageDevicesTest, OperationsAreInTheirOrder) {
  run_.view.device_operations = {{kernel_, 0, 20 * kUs, 50 * kUs, 0}, {copy_, 1, 10 * kUs, 20 * kUs, 4096}};
  const PageDevices page = Build(10);
  ASSERT_EQ(page.devices.size(), 1u);
  EXPECT_EQ(page.devices[0].label, "device 0");
  EXPECT_EQ(page.devices[0].type, "reference");
  EXPECT_EQ(page.devices[0].after_row, 1u);
  EXPECT_EQ(page.resolution_ns, 0u);
  ASSERT_EQ(page.operations.size(), 2u);
  EXPECT_EQ(page.operations[0].work, analyze::DeviceWork::kToDevice);
  EXPECT_EQ(page.operations[0].bytes, 4096u);
  EXPECT_EQ(page.operations[1].begin_ns, 20 * kUs);
  EXPECT_EQ(page.operations[1].busy_ns, 30 * kUs);
}

TEST_F(PageDevicesTest, KeepsSumsWhenItPutsTogether) {
  constexpr uint32_t kCount = 20000;
  for (uint32_t i = 0; i < kCount; ++i)
    run_.view.device_operations.push_back({i % 4 == 0 ? copy_ : kernel_, 1, i * 5 * kUs, (i * 5 + 3) * kUs, 10});
  EXPECT_EQ(Build(kCount).operations.size(), size_t{kCount});
  const PageDevices page = Build(500);
  EXPECT_LE(page.operations.size(), 500u);
  EXPECT_GT(page.resolution_ns, 0u);
  uint64_t busy = 0, bytes = 0, count = 0;
  for (const PageOperation& operation : page.operations) {
    busy += operation.busy_ns;
    bytes += operation.bytes;
    count += operation.count;
    EXPECT_LE(operation.busy_ns, operation.end_ns - operation.begin_ns);
  }
  EXPECT_EQ(busy, kCount * 3 * kUs);
  EXPECT_EQ(bytes, kCount * 10u);
  EXPECT_EQ(count, kCount);
}

}  // namespace
}  // namespace ompprof::report
