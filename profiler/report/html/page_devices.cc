#include "profiler/report/html/page_devices.h"

#include <algorithm>
#include <tuple>

#include "profiler/analyze/account/device_timeline.h"

namespace ompprof::report {
namespace {

using Operations = std::vector<PageOperation>;

auto Kind(const PageOperation& operation) {
  return std::make_tuple(operation.device, operation.work, operation.construct);
}

// Joins operations of a kind if they begin in the same `piece_ns` of time, or if the gap between them is at most
// `piece_ns`.
void Join(uint64_t piece_ns, Operations* operations) {
  std::sort(operations->begin(), operations->end(), [](const PageOperation& a, const PageOperation& b) {
    return std::make_tuple(Kind(a), a.begin_ns) < std::make_tuple(Kind(b), b.begin_ns);
  });
  size_t kept = 0;
  for (const PageOperation& operation : *operations) {
    PageOperation* last = kept == 0 ? nullptr : &(*operations)[kept - 1];
    if (last != nullptr && Kind(*last) == Kind(operation) &&
        (operation.begin_ns <= last->end_ns + piece_ns || operation.begin_ns / piece_ns == last->begin_ns / piece_ns)) {
      last->end_ns = std::max(last->end_ns, operation.end_ns);
      last->busy_ns += operation.busy_ns;
      last->bytes += operation.bytes;
      last->count += operation.count;
    } else {
      (*operations)[kept++] = operation;
    }
  }
  operations->resize(kept);
}

}  // namespace

PageDevices BuildPageDevices(const analyze::View& view, const ThreadRows& rows, size_t limit) {
  PageDevices page;
  uint64_t end_ns = 0;
  for (const analyze::DeviceTimeline& timeline : analyze::DeviceTimelines(view)) {
    const auto number = static_cast<uint32_t>(page.devices.size());
    page.devices.push_back({rows.ProcessPrefix(timeline.process) + "device " + std::to_string(timeline.device - 1),
                            timeline.type, rows.LastOf(timeline.process)});
    for (const analyze::DeviceSlice& slice : timeline.slices) {
      const analyze::DeviceOperation& operation = view.device_operations[slice.operation];
      const analyze::DeviceWorkTotal& total = analyze::TotalOf(view, operation);
      page.operations.push_back({number, total.work, total.construct, operation.begin_ns, operation.end_ns,
                                 operation.end_ns - operation.begin_ns, operation.bytes, 1});
      end_ns = std::max(end_ns, operation.end_ns);
    }
  }
  constexpr uint64_t kFinest = 100000;  // pieces of the time
  constexpr uint64_t kCoarsest = 100;
  for (uint64_t pieces = kFinest; page.operations.size() > limit && pieces >= kCoarsest; pieces /= 4) {
    page.resolution_ns = std::max<uint64_t>(end_ns / pieces, 1);
    Join(page.resolution_ns, &page.operations);
  }
  if (page.operations.size() > limit) {
    // They are of too many constructs: keep only their kinds.
    for (PageOperation& operation : page.operations) operation.construct = analyze::kNoFunction;
    Join(page.resolution_ns, &page.operations);
  }
  std::sort(page.operations.begin(), page.operations.end(), [](const PageOperation& a, const PageOperation& b) {
    return std::tie(a.device, a.begin_ns, a.work) < std::tie(b.device, b.begin_ns, b.work);
  });
  return page;
}

}  // namespace ompprof::report
