#include "profiler/model/header_facts.h"

namespace ompprof::model {

ProcessIdentity IdentityOf(const Header& header) {
  return {header.host(), header.pid(), header.start_unix_ns(), header.start_mono_ns(), header.program()};
}

std::string ProcessText(const Header& header) {
  return "process " + std::to_string(header.pid()) + " on " + header.host();
}

std::string Measured(const Header& header) {
  if (header.weight_unit() == "events") return header.clock().empty() ? "events" : header.clock();
  return header.clock() == "wall" ? "wall time" : "CPU time";
}

}  // namespace ompprof::model
