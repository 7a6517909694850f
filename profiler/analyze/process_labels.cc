#include "profiler/analyze/process_labels.h"

#include <set>

namespace ompprof::analyze {
namespace {

bool Differ(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

}  // namespace

std::vector<std::string> ProcessLabels(const View& view) {
  std::vector<std::string> labels;
  for (const model::ProcessProfile* process : view.processes) labels.push_back(std::to_string(process->header.pid()));
  if (Differ(labels)) return labels;
  for (size_t i = 0; i < labels.size(); ++i) labels[i] += "@" + view.processes[i]->header.host();
  if (Differ(labels)) return labels;
  for (size_t i = 0; i < labels.size(); ++i) labels[i] += "#" + std::to_string(i + 1);
  return labels;
}

}  // namespace ompprof::analyze
