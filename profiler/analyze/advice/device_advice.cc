#include "profiler/analyze/advice/rules.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// Fewer launches may each need the data that they get.
constexpr uint64_t kManyLaunches = 10;
constexpr uint64_t kMuchData = 64 << 10;  // bytes for each launch
constexpr double kMostlyCopies = 0.3;     // of the construct's time
constexpr double kSomeCopies = 0.1;       // likewise
constexpr double kCopiesDominate = 0.5;   // likewise
constexpr double kRoundTrip = 0.5;        // the smaller of the bytes to and from the device, as a share of the larger
// Overlap needs work that does not depend on the kernels, which the profile does not tell. So it must save more, as a
// share of the run's wall time.
constexpr double kWorthwhileOverlap = 0.1;
constexpr double kMostlyIdle = 0.5;  // the device's idle share of the run
// A launch costs some microseconds on any device.
constexpr uint64_t kShortKernelNs = 50000;

// A target construct on devices, or on the host.
struct Target {
  uint64_t regions = 0;
  uint64_t regions_ns = 0;
  uint64_t launches = 0;
  uint64_t kernel_ns = 0;
  uint64_t kernel_wait_ns = 0;  // of the host
  uint64_t copy_ns = 0;
  uint64_t bytes_to = 0;    // the device
  uint64_t bytes_from = 0;  // the device
  uint64_t on_host = 0;
  uint64_t bytes() const { return bytes_to + bytes_from; }
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
    target->kernel_wait_ns += work.waited_ns;
  }
  if (IsCopy(work.work)) {
    target->copy_ns += work.host_ns;
    (work.work == DeviceWork::kToDevice ? target->bytes_to : target->bytes_from) += work.bytes;
  }
}

// As much data comes back from the device as goes there: probably the same data in each launch.
bool TravelsBothWays(const Target& target) {
  const auto [less, more] = std::minmax(target.bytes_to, target.bytes_from);
  return static_cast<double>(less) >= kRoundTrip * static_cast<double>(more);
}

// The same data in each launch. One copy remains. Data that goes one way may be new in each launch, so its copies must
// take more of the construct's time. On a busy machine, kernels wait for processors and copies do not. The copies of a
// grid were 13 % of the time there, and the run without them took a third of the time.
void KeepData(const AdviceRun& run, FunctionId construct, const Target& target, std::vector<Advice>* advice) {
  if (target.launches < kManyLaunches || target.bytes() < target.launches * kMuchData) return;
  const double least = TravelsBothWays(target) ? kSomeCopies : kMostlyCopies;
  if (static_cast<double>(target.copy_ns) < least * static_cast<double>(target.regions_ns)) return;
  const double saved = static_cast<double>(target.copy_ns) * (1 - 1 / static_cast<double>(target.launches));
  const uint64_t gain_ns = run.OfEachProcess(saved);
  if (!run.Worthwhile(gain_ns)) return;
  Advice& found = AddAdvice(AdviceKind::kKeepData, construct, gain_ns, advice);
  found.count = target.launches;
  found.bytes = target.bytes();
  found.wait_ns = target.copy_ns;
  found.of_ns = target.regions_ns;
}

// Too few launches for KeepData. Either the data stays on the device after the first launch, or copies and kernels of
// pieces overlap.
void Transfers(const AdviceRun& run, FunctionId construct, const Target& target, std::vector<Advice>* advice) {
  if (target.launches == 0 || target.launches >= kManyLaunches || target.copy_ns < target.kernel_ns) return;
  if (static_cast<double>(target.copy_ns) < kCopiesDominate * static_cast<double>(target.regions_ns)) return;
  const double repeated = static_cast<double>(target.copy_ns) * (1 - 1 / static_cast<double>(target.launches));
  const uint64_t gain_ns = run.OfEachProcess(std::max(repeated, static_cast<double>(target.kernel_ns)));
  if (!run.Worthwhile(gain_ns)) return;
  Advice& found = AddAdvice(AdviceKind::kTransfers, construct, gain_ns, advice);
  found.count = target.launches;
  found.bytes = target.bytes();
  found.wait_ns = target.copy_ns;
  found.busy_ns = target.kernel_ns;
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

// The waits of a thread for devices, and the time in which it computes. The thread with the longest of both.
struct WaitingThread {
  uint64_t waited_ns = 0;
  uint64_t computed_ns = 0;
  uint64_t both_ns() const { return std::min(waited_ns, computed_ns); }
};

WaitingThread BusiestWaitingThread(const View& view) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> waits;
  for (const WaitTotal& wait : view.waits) {
    if (!wait.charge && KindOf(wait.state) == StateKind::kTarget) waits[{wait.process, wait.thread}] += wait.total_ns;
  }
  WaitingThread busiest;
  for (const auto& [key, waited_ns] : waits) {
    const auto account = view.accounts.find(key);
    if (account == view.accounts.end()) continue;
    const WaitingThread thread{waited_ns, account->second.on_cpu_ns};
    if (thread.both_ns() > busiest.both_ns()) busiest = thread;
  }
  return busiest;
}

// Launches and computing that alternate could overlap. The constructs share the gain by their waits.
void NowaitLaunches(const AdviceRun& run, const std::map<FunctionId, Target>& targets, std::vector<Advice>* advice) {
  uint64_t waited_ns = 0;  // for all work of devices
  for (const DeviceWorkTotal& work : run.view.device_work) waited_ns += work.waited_ns;
  if (waited_ns == 0) return;
  const WaitingThread thread = BusiestWaitingThread(run.view);
  for (const auto& [construct, target] : targets) {
    const double share = static_cast<double>(target.kernel_wait_ns) / static_cast<double>(waited_ns);
    const auto gain_ns = static_cast<uint64_t>(share * static_cast<double>(thread.both_ns()));
    if (!run.Worthwhile(gain_ns, kWorthwhileOverlap)) continue;
    Advice& found = AddAdvice(AdviceKind::kNowaitLaunches, construct, gain_ns, advice);
    found.count = target.launches;
    found.wait_ns = target.kernel_wait_ns;
    found.busy_ns = thread.computed_ns;
  }
}

// Whether the time of kernels is known: a launch that does not wait returns before its kernel has run.
bool KnowsKernels(const View& view) {
  return std::all_of(view.device_work.begin(), view.device_work.end(), [](const DeviceWorkTotal& work) {
    const bool waited = work.waited_ns * 2 > work.host_ns;
    return work.device == 0 || work.work != DeviceWork::kKernel || work.traced == work.count || waited;
  });
}

// The region with most of the host's computing, if there is one.
FunctionId MostOf(const View& view, uint64_t computed_ns) {
  const Region* most = nullptr;
  for (const Region& region : view.regions) {
    if (most == nullptr || region.elapsed_ns > most->elapsed_ns) most = &region;
  }
  return most != nullptr && most->elapsed_ns > computed_ns / 2 ? most->construct : kNoFunction;
}

// The host computes for longer than the device does, even if both overlap. Half of the rest is the device's.
void IdleDevice(const AdviceRun& run, std::vector<Advice>* advice) {
  const std::vector<DeviceSummary> devices = Devices(run.view);
  uint64_t busy_ns = 0;
  uint64_t launches = 0;
  for (const DeviceSummary& device : devices) {
    busy_ns = std::max(busy_ns, device.busy_ns);
    launches += device.launches;
  }
  if (launches == 0 || !KnowsKernels(run.view)) return;
  const Efficiency& efficiency = run.efficiency;
  const double idle = 1 - static_cast<double>(busy_ns) / static_cast<double>(efficiency.duration_ns);
  if (idle < kMostlyIdle || efficiency.useful_max_ns <= busy_ns) return;
  const uint64_t gain_ns = (efficiency.useful_max_ns - busy_ns) / 2;
  if (!run.Worthwhile(gain_ns, kWorthwhileOverlap)) return;
  Advice& found = AddAdvice(AdviceKind::kIdleDevice, MostOf(run.view, efficiency.useful_max_ns), gain_ns, advice);
  found.busy_ns = busy_ns;
  found.wait_ns = efficiency.useful_max_ns;
  found.of_ns = efficiency.duration_ns;
}

}  // namespace

void AdviseOnDevices(const AdviceRun& run, std::vector<Advice>* advice) {
  std::map<FunctionId, Target> targets;
  for (const DeviceWorkTotal& work : run.view.device_work) Add(work, &targets[work.construct]);
  for (const auto& [construct, target] : targets) {
    KeepData(run, construct, target, advice);
    Transfers(run, construct, target, advice);
    ShortKernels(run, construct, target, advice);
    // The gain is not known.
    if (target.on_host != 0 && !run.view.devices.empty())
      AddAdvice(AdviceKind::kOnTheHost, construct, 0, advice).count = target.on_host;
  }
  NowaitLaunches(run, targets, advice);
  IdleDevice(run, advice);
}

}  // namespace ompprof::analyze
