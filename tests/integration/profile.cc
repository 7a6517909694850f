#include "tests/integration/profile.h"

#include <gtest/gtest.h>
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
  if (!object.is_object()) return 0;
  const auto found = object.find(field);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

// The member; null if it is missing.
nlohmann::json Member(const nlohmann::json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() ? *found : nlohmann::json();
}

// The sentences that say which figures of a report are impossible, whatever the program did.
class Impossible {
 public:
  explicit Impossible(const nlohmann::json& report) {
    for (const nlohmann::json& region : Member(report, "regions")) {
      if (region.value("kind", "") == "parallel") Region(region, Number(report, "duration_ns"));
    }
    const bool exact = report.value("complete", false) && report.value("weight_unit", "") == "nanoseconds" &&
                       report.value("clock", "") != "wall";
    for (const nlohmann::json& thread : Member(report, "threads")) Thread(thread, exact);
    Functions(report);
    const nlohmann::json efficiency = Member(report, "efficiency");
    for (const char* share : {"parallel", "load_balance", "communication", "serial_fraction"})
      AtMost(std::string("efficiency: ") + share, Number(efficiency, share), 1, 1e-6);
    for (const nlohmann::json& advice : Member(report, "advice"))
      AtMost(advice.value("kind", "") + ": gain_ns", Number(advice, "gain_ns"), Number(report, "duration_ns"));
  }

  const std::string& text() const { return text_; }

 private:
  void AtMost(const std::string& what, double part, double whole, double rounding = 8) {
    if (part > whole * (1 + 1e-9) + rounding)
      text_ += what + ": " + std::to_string(part) + " of " + std::to_string(whole) + "\n";
  }

  void Region(const nlohmann::json& region, double duration) {
    const std::string name = region.value("name", "");
    const nlohmann::json useful = Member(region, "useful_ns");
    const double min = Number(useful, "min");
    const double mean = Number(useful, "mean");
    const double max = Number(useful, "max");
    AtMost(name + ": least useful time, of the mean", min, mean);
    AtMost(name + ": mean useful time, of the busiest thread's", mean, max);
    AtMost(name + ": busiest thread's useful time, of elapsed", max, Number(region, "elapsed_ns"));
    const double team = Number(region, "team_size_min");
    if (team == Number(region, "team_size_max"))
      AtMost(name + ": useful time of the team, of what its busiest and least busy threads leave", team * mean,
             (team - 1) * max + min, 8 * team);
    for (const nlohmann::json& path : Member(region, "paths"))
      AtMost(name + ": busiest thread's useful time on a path, of elapsed", Number(Member(path, "useful_ns"), "max"),
             Number(path, "elapsed_ns"));
    AtMost(name + ": imbalance below 0", -Number(region, "imbalance"), 0, 1e-6);
    const nlohmann::json gains = Member(region, "potential_gain_ns");
    for (auto gain = gains.begin(); gain != gains.end(); ++gain)
      AtMost(name + ": gain of " + gain.key(), gain->is_number() ? gain->get<double>() : 0, duration);
    AtMost(name + ": time with threads waiting, of elapsed", Number(region, "partial_ns"),
           Number(region, "elapsed_ns"));
    AtMost(name + ": smallest team", Number(region, "team_size_min"), Number(region, "team_size_max"));
  }

  // `exact`: the threads' CPU clocks are known to the end, and what they do is CPU time.
  void Thread(const nlohmann::json& thread, bool exact) {
    if (const double cpu = Number(thread, "cpu_ns"); exact && cpu > 0)
      AtMost("useful time of thread " + Member(thread, "id").dump() + ", of its CPU time", Number(thread, "on_cpu_ns"),
             cpu);
    double parts = 0;
    for (const char* part : {"on_cpu_ns", "wait_ns", "ready_ns", "blocked_ns"}) parts += Number(thread, part);
    AtMost("parts of thread " + Member(thread, "id").dump(), parts, Number(thread, "lifetime_ns"));
  }

  void Functions(const nlohmann::json& report) {
    double self = 0;
    const double all = Number(report, "sampled_cpu_ns");
    for (const nlohmann::json& function : Member(report, "functions")) {
      const std::string name = function.value("name", "");
      self += Number(function, "self_cpu_ns");
      AtMost(name + ": own CPU time, of its total", Number(function, "self_cpu_ns"), Number(function, "total_cpu_ns"));
      AtMost(name + ": total CPU time, of all", Number(function, "total_cpu_ns"), all);
    }
    AtMost("CPU time of all functions", self, all);
  }

  std::string text_;
};

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
    return;
  }
  const std::string impossible = Impossible(report_).text();
  EXPECT_EQ(impossible, "") << "figures in the report of " << path;
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
    if (sample.value(value) == 0) continue;  // of waits and blame alone
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
