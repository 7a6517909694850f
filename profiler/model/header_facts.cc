#include "profiler/model/header_facts.h"

#include "profiler/config/settings.h"

namespace ompprof::model {

ProcessIdentity IdentityOf(const Header& header) {
  return {header.host(), header.pid(), header.start_unix_ns(), header.start_mono_ns(), header.program()};
}

std::string ProcessText(const ProcessIdentity& process) {
  return "process " + std::to_string(std::get<1>(process)) + " on " + std::get<0>(process);
}

std::string ClockWord(const Header& header) {
  const char* wall = config::WordOf(config::ClockKind::kWall);
  return header.clock() == wall ? wall : config::WordOf(config::ClockKind::kCpu);
}

std::string Measured(const Header& header) {
  if (header.weight_unit() == "events") return header.clock().empty() ? "events" : header.clock();
  return ClockWord(header) == config::WordOf(config::ClockKind::kWall) ? "wall time" : "CPU time";
}

std::string Counted(const Header& header) {
  std::string names;
  for (const std::string& name : header.counted_events()) names += (names.empty() ? "" : ",") + name;
  return names;
}

}  // namespace ompprof::model
