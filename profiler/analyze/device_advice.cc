#include "profiler/analyze/device_advice.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "profiler/analyze/devices.h"

namespace ompprof::analyze {
namespace {

// Fewer launches may each need the data that they get.
constexpr uint64_t kManyLaunches = 10;
constexpr uint64_t kMuchData = 64 << 10;  // bytes for each launch
constexpr double kMostlyCopies = 0.3;     // of the construct's time
// A launch costs some microseconds on any device.
constexpr uint64_t kShortKernelNs = 50000;

// A target construct on devices, or on the host.
struct Target {
  uint64_t regions = 0;
  uint64_t regions_ns = 0;
  uint64_t launches = 0;
  uint64_t kernel_ns = 0;
  uint64_t copy_ns = 0;
  uint64_t bytes = 0;
  uint64_t on_host = 0;
};

void Add(const DeviceWorkTotal& work, Target* target) {
  if (work.device == 0) {
    if (work.work == DeviceWork::kTarget) target->on_host += work.count;
    return;
  }
  if (work.work == DeviceWork::kTarget) {
    target->regions += work.count;
    target->regions_ns += work.host_ns;
  }
  if (work.work == DeviceWork::kKernel) {
    target->launches += work.count;
    target->kernel_ns += work.KernelNs();
  }
  if (IsCopy(work.work)) {
    target->copy_ns += work.host_ns;
    target->bytes += work.bytes;
  }
}

// The same data in each launch. One copy remains.
void KeepData(const AdviceRun& run, FunctionId construct, const Target& target, std::vector<Advice>* advice) {
  if (target.launches < kManyLaunches || target.bytes < target.launches * kMuchData) return;
  if (static_cast<double>(target.copy_ns) < kMostlyCopies * static_cast<double>(target.regions_ns)) return;
  const double saved = static_cast<double>(target.copy_ns) * (1 - 1 / static_cast<double>(target.launches));
  const uint64_t gain_ns = run.OfEachProcess(saved);
  if (!run.Worthwhile(gain_ns)) return;
  Advice& found = AddAdvice(AdviceKind::kKeepData, construct, gain_ns, advice);
  found.count = target.launches;
  found.bytes = target.bytes;
  found.wait_ns = target.copy_ns;
  found.of_ns = target.regions_ns;
}

void ShortKernels(const AdviceRun& run, FunctionId construct, const Target& target, std::vector<Advice>* advice) {
  if (target.launches < kManyLaunches || target.kernel_ns >= target.launches * kShortKernelNs) return;
  const uint64_t used = target.kernel_ns + target.copy_ns;
  const uint64_t launching = target.regions_ns > used ? target.regions_ns - used : 0;
  const uint64_t gain_ns = run.OfEachProcess(static_cast<double>(launching));
  if (!run.Worthwhile(gain_ns)) return;
  Advice& found = AddAdvice(AdviceKind::kShortKernels, construct, gain_ns, advice);
  found.count = target.launches;
  found.each_ns = target.kernel_ns / target.launches;
  found.wait_ns = launching;
  found.of_ns = target.regions_ns;
}

}  // namespace

void AdviseOnDevices(const AdviceRun& run, std::vector<Advice>* advice) {
  std::map<FunctionId, Target> targets;
  for (const DeviceWorkTotal& work : run.view.device_work) Add(work, &targets[work.construct]);
  for (const auto& [construct, target] : targets) {
    KeepData(run, construct, target, advice);
    ShortKernels(run, construct, target, advice);
    // The gain is not known.
    if (target.on_host != 0 && !run.view.devices.empty())
      AddAdvice(AdviceKind::kOnTheHost, construct, 0, advice).count = target.on_host;
  }
}

}  // namespace ompprof::analyze
