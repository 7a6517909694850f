#include "profiler/analyze/account/device_timeline.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ompprof::analyze {
namespace {

bool IsOfDevice(DeviceWork work) {
  switch (work) {
    case DeviceWork::kKernel:
    case DeviceWork::kAllocation:
    case DeviceWork::kToDevice:
    case DeviceWork::kFromDevice:
    case DeviceWork::kFree:
      return true;
    default:
      return false;
  }
}

// The rows of operations in the order of their begins: the first row that is free.
class Rows {
 public:
  uint32_t Take(uint64_t begin_ns, uint64_t end_ns) {
    for (; !busy_.empty() && busy_.top().first <= begin_ns; busy_.pop()) free_.push(busy_.top().second);
    uint32_t row = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      row = free_.top();
      free_.pop();
    }
    busy_.emplace(end_ns, row);
    return row;
  }
  uint32_t count() const { return count_; }

 private:
  using End = std::pair<uint64_t, uint32_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> busy_;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free_;
  uint32_t count_ = 0;
};

void Arrange(const View& view, DeviceTimeline* timeline) {
  std::sort(timeline->slices.begin(), timeline->slices.end(), [&](const DeviceSlice& a, const DeviceSlice& b) {
    const DeviceOperation& left = view.device_operations[a.operation];
    const DeviceOperation& right = view.device_operations[b.operation];
    return std::tie(left.begin_ns, left.end_ns, a.operation) < std::tie(right.begin_ns, right.end_ns, b.operation);
  });
  Rows rows;
  for (DeviceSlice& slice : timeline->slices) {
    const DeviceOperation& operation = view.device_operations[slice.operation];
    slice.row = rows.Take(operation.begin_ns, operation.end_ns);
  }
  timeline->rows = rows.count();
}

}  // namespace

const DeviceWorkTotal& TotalOf(const View& view, const DeviceOperation& operation) {
  return view.device_work[view.device_paths[operation.part].total];
}

const ViewFunction& ConstructOf(const View& view, const DeviceOperation& operation) {
  return view.frames.function(TotalOf(view, operation).construct);
}

std::vector<DeviceTimeline> DeviceTimelines(const View& view) {
  std::set<uint32_t> traced;  // parts with kernels of a trace
  for (const DeviceOperation& operation : view.device_operations) {
    if (operation.thread == 0) traced.insert(operation.part);
  }
  std::map<std::pair<uint32_t, uint32_t>, DeviceTimeline> timelines;
  for (uint32_t i = 0; i < view.device_operations.size(); ++i) {
    const DeviceOperation& operation = view.device_operations[i];
    const DeviceWorkTotal& total = TotalOf(view, operation);
    if (total.device == 0 || !IsOfDevice(total.work)) continue;
    if (operation.thread != 0 && total.work == DeviceWork::kKernel && traced.count(operation.part) != 0) continue;
    timelines[{total.process, total.device}].slices.push_back({i, 0});
  }
  std::vector<DeviceTimeline> all;
  for (auto& [key, timeline] : timelines) {
    timeline.process = key.first;
    timeline.device = key.second;
    const auto device = std::find_if(view.devices.begin(), view.devices.end(), [&, id = key](const ViewDevice& known) {
      return known.process == id.first && known.id == id.second;
    });
    if (device != view.devices.end()) timeline.type = device->type;
    Arrange(view, &timeline);
    all.push_back(std::move(timeline));
  }
  return all;
}

}  // namespace ompprof::analyze
