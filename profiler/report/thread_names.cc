#include "profiler/report/thread_names.h"

#include <algorithm>
#include <cctype>

namespace ompprof::report {

std::string ProcessName(const analyze::View& view, uint32_t process) {
  const Header& header = view.processes[process]->header;
  const std::string& program = header.program();
  std::string name = program.substr(program.rfind('/') + 1) + " " + std::to_string(header.pid());
  if (!header.rank().empty()) name += " rank " + header.rank();
  const bool one_host = std::all_of(view.processes.begin(), view.processes.end(),
                                    [&](const auto* other) { return other->header.host() == header.host(); });
  return one_host ? name : name + " on " + header.host();
}

std::string ThreadName(const analyze::View& view, uint32_t process, uint32_t thread) {
  const model::ProcessProfile& profile = *view.processes[process];
  const auto known = profile.threads.find(thread);
  std::string name = thread == 0 ? "unknown thread" : "thread " + std::to_string(thread);
  if (known != profile.threads.end() && known->second.kind() != Thread::UNKNOWN) {
    std::string kind = Thread::Kind_Name(known->second.kind());
    std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!kind.empty()) name += " (" + kind + ")";
  }
  return view.processes.size() == 1 ? name : ProcessName(view, process) + ", " + name;
}

}  // namespace ompprof::report
