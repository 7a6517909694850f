#include "tests/integration/profile.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/integration/harness.h"
#include "tests/integration/pprof_file.h"

namespace ompprof::testing {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  std::string part;
  while (std::getline(stream, part, separator)) parts.push_back(part);
  return parts;
}

double Number(const nlohmann::json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace

Truth Truth::Parse(const std::string& out) {
  Truth truth;
  for (const std::string& line : Split(out, '\n')) {
    const std::vector<std::string> words = Split(line, ' ');
    if (words.size() < 4 || words[0] != "truth") continue;
    const double value = strtod(words.back().c_str(), nullptr);
    const std::string& kind = words[1];
    if (kind == "function") truth.functions[words[2]] = value;
    if (kind == "path") truth.paths[Split(words[2], ';')] = value;
    if (kind == "line") truth.lines[{words[2], atoi(words[3].c_str())}] = value;
    if (kind == "state") truth.states[words[2]] = value;
    if (kind == "region" || kind == "wall") truth.elapsed[words[2]] = value;
    if (kind == "count") truth.counts[words[2]] = value;
    if (kind == "process") truth.process = value;
  }
  return truth;
}

double Truth::Work() const {
  double sum = 0;
  for (const auto& [name, ns] : functions) sum += ns;
  for (const auto& [path, ns] : paths) sum += ns;
  for (const auto& [line, ns] : lines) sum += ns;
  for (const auto& [name, ns] : states) sum += ns;
  return sum;
}

Profile::Profile(const std::string& path) : path_(path) {
  const Outcome report = RunCommand({OmpprofPath(), "report", "--format=json", path});
  if (!report.Exited(0)) {
    error_ = "ompprof report --format=json: " + report.Describe();
    return;
  }
  report_ = nlohmann::json::parse(report.out, nullptr, /*allow_exceptions=*/false);
  if (report_.is_discarded() || !report_.is_object()) {
    error_ = "ompprof report --format=json wrote no JSON object: " + report.Describe();
    report_ = nlohmann::json::object();
  }
}

const std::vector<Profile::Stack>& Profile::stacks() const {
  if (has_stacks_ || !error_.empty()) return stacks_;
  has_stacks_ = true;
  pprof::Profile decoded;
  std::string error;
  if (!ExportPprof(path_, {}, &decoded, &error)) {
    fprintf(stderr, "the stacks of %s cannot be read: %s\n", path_.c_str(), error.c_str());
    abort();
  }
  ReadStacks(decoded);
  return stacks_;
}

void Profile::ReadStacks(const pprof::Profile& decoded) const {
  const int value = NanosecondsValue(decoded);
  std::map<uint64_t, std::string> names;
  std::map<uint64_t, std::vector<Frame>> locations;
  for (const auto& entry : decoded.function()) names[entry.id()] = FullName(decoded, entry);
  for (const auto& location : decoded.location()) {
    for (const auto& line : location.line()) {
      locations[location.id()].push_back({names[line.function_id()], static_cast<int>(line.line())});
    }
  }
  for (const auto& sample : decoded.sample()) {
    Stack stack{{}, static_cast<double>(sample.value(value))};
    for (const uint64_t id : sample.location_id()) {
      const std::vector<Frame>& frames = locations[id];
      stack.frames.insert(stack.frames.end(), frames.begin(), frames.end());
    }
    std::reverse(stack.frames.begin(), stack.frames.end());
    stacks_.push_back(std::move(stack));
  }
}

double Profile::CpuNs() const { return Number(report_, "sampled_cpu_ns"); }
double Profile::Samples() const { return Number(report_, "samples"); }
double Profile::Lost() const { return Number(report_.value("lost", nlohmann::json::object()), "samples"); }
double Profile::LostNs() const { return Number(report_.value("lost", nlohmann::json::object()), "cpu_ns"); }
bool Profile::Complete() const { return report_.value("complete", false); }

double Profile::SumFunctions(const std::string& name, const char* field) const {
  double sum = 0;
  for (const nlohmann::json& function : report_.value("functions", nlohmann::json::array())) {
    if (function.value("name", "") == name) sum += Number(function, field);
  }
  return sum;
}

double Profile::FunctionSelfNs(const std::string& name) const { return SumFunctions(name, "self_cpu_ns"); }
double Profile::FunctionTotalNs(const std::string& name) const { return SumFunctions(name, "total_cpu_ns"); }

double Profile::StateNs(const std::string& name) const {
  const nlohmann::json states = report_.value("states", nlohmann::json::object());
  const auto found = states.find(name);
  if (found == states.end()) return 0;
  return found->is_object() ? Number(*found, "cpu_ns") : found->get<double>();
}

double Profile::StackTotal() const {
  double sum = 0;
  for (const Stack& stack : stacks()) sum += stack.ns;
  return sum;
}

bool FrameIs(const std::string& frame, const std::string& function) {
  return frame == function || frame.rfind(function + " [omp ", 0) == 0;
}

double Profile::PathNs(const std::vector<std::string>& path) const {
  double sum = 0;
  for (const Stack& stack : stacks()) {
    size_t matched = 0;
    for (const Frame& frame : stack.frames) {
      if (matched < path.size() && FrameIs(frame.function, path[matched])) matched++;
    }
    if (matched == path.size()) sum += stack.ns;
  }
  return sum;
}

double Profile::DetachedShare(const std::string& function) const {
  double with_main = PathNs({"main", function});
  double all = PathNs({function});
  return StackTotal() > 0 ? (all - with_main) / StackTotal() : 1;
}

std::map<std::string, double> Profile::FramesStartingWith(const std::string& prefix) const {
  std::map<std::string, double> found;
  for (const Stack& stack : stacks()) {
    std::set<std::string> seen;
    for (const Frame& frame : stack.frames) {
      const std::string& name = frame.function;
      if (name.rfind(prefix, 0) == 0 && seen.insert(name).second) found[name] += stack.ns;
    }
  }
  return found;
}

std::map<int, double> Profile::CallLines(const std::string& function) const {
  std::map<int, double> by_line;
  for (const Stack& stack : stacks()) {
    std::set<int> seen;
    if (!stack.frames.empty() && stack.frames.back().function.rfind("<omp ", 0) == 0) continue;
    for (size_t i = 0; i + 1 < stack.frames.size(); i++) {
      const Frame& frame = stack.frames[i];
      if (frame.function == function && seen.insert(frame.line).second) by_line[frame.line] += stack.ns;
    }
  }
  return by_line;
}

}  // namespace ompprof::testing
