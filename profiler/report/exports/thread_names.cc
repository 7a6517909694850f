#include "profiler/report/exports/thread_names.h"

#include <algorithm>

namespace ompprof::report {

std::string ProcessName(const analyze::View& view, uint32_t process) {
  const analyze::RunFacts& run = view.run;
  const analyze::ProcessFacts& facts = run.process(process);
  std::string name = facts.program.substr(facts.program.rfind('/') + 1) + " " + std::to_string(facts.pid);
  if (!facts.rank.empty()) name += " rank " + facts.rank;
  const bool one_host = std::all_of(run.processes.begin(), run.processes.end(),
                                    [&](const analyze::ProcessFacts& other) { return other.host == facts.host; });
  return one_host ? name : name + " on " + facts.host;
}

std::string ThreadName(const analyze::View& view, uint32_t process, uint32_t thread) {
  const analyze::ThreadFacts* known = view.run.process(process).FindThread(thread);
  std::string name = thread == 0 ? "unknown thread" : "thread " + std::to_string(thread);
  if (known != nullptr && known->kind != analyze::ThreadKind::kUnknown) {
    const std::string kind = analyze::ThreadKindName(known->kind);
    if (!kind.empty()) name += " (" + kind + ")";
  }
  return !view.run.several() ? name : ProcessName(view, process) + ", " + name;
}

std::string DeviceName(const analyze::View& view, const analyze::DeviceTimeline& timeline) {
  std::string name = "device " + std::to_string(timeline.device - 1);
  if (!timeline.type.empty()) name += " (" + timeline.type + ")";
  return !view.run.several() ? name : ProcessName(view, timeline.process) + ", " + name;
}

const char* DeviceClassName(analyze::DeviceWork work) {
  if (work == analyze::DeviceWork::kKernel) return "kernel";
  if (work == analyze::DeviceWork::kToDevice) return "to device";
  return work == analyze::DeviceWork::kFromDevice ? "from device" : "device memory";
}

}  // namespace ompprof::report
