#include "profiler/analyze/view/process_labels.h"

#include <set>

namespace ompprof::analyze {
namespace {

bool Differ(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

}  // namespace

std::vector<std::string> ProcessLabels(const View& view) {
  std::vector<std::string> labels;
  for (const ProcessFacts& process : view.run.processes) labels.push_back(std::to_string(process.pid));
  if (Differ(labels)) return labels;
  for (size_t i = 0; i < labels.size(); ++i) labels[i] += "@" + view.run.processes[i].host;
  if (Differ(labels)) return labels;
  for (size_t i = 0; i < labels.size(); ++i) labels[i] += "#" + std::to_string(i + 1);
  return labels;
}

}  // namespace ompprof::analyze
