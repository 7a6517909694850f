#include "profiler/analyze/compare/jobs.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "profiler/analyze/view/concurrency.h"
#include "profiler/config/launchers.h"

namespace ompprof::analyze {
namespace {

// A process with less of the largest process's CPU time is no part of the work.
constexpr double kNoticeable = 0.01;

// Shells, and commands that only start another command.
bool IsShell(const std::string& program) {
  static const std::set<std::string> kShells = {"sh",  "bash", "dash", "ash",  "ksh", "ksh93",   "mksh",
                                                "zsh", "csh",  "tcsh", "fish", "env", "busybox", "time"};
  return kShells.count(program) != 0;
}

// Orders ranks as numbers, "2" before "10". Names without a number come last.
bool RankLess(const std::string& a, const std::string& b) {
  char* end_a;
  char* end_b;
  const unsigned long long number_a = std::strtoull(a.c_str(), &end_a, 10);
  const unsigned long long number_b = std::strtoull(b.c_str(), &end_b, 10);
  const bool is_a = !a.empty() && *end_a == '\0';
  const bool is_b = !b.empty() && *end_b == '\0';
  if (is_a && is_b) return number_a < number_b;
  if (is_a != is_b) return is_a;
  return a.empty() != b.empty() ? b.empty() : a < b;
}

bool Overlap(const Span& a, const Span& b) {
  // A process without a duration is a moment.
  return a.begin_ns < std::max(b.end_ns, b.begin_ns + 1) && b.begin_ns < std::max(a.end_ns, a.begin_ns + 1);
}

class JobFinder {
 public:
  explicit JobFinder(const RunFacts& run) : run_(run) {
    for (uint32_t i = 0; i < run.processes.size(); ++i) {
      const ProcessFacts& process = run.process(i);
      by_pid_[{process.host, process.pid}].push_back(i);
      largest_cpu_ns_ = std::max(largest_cpu_ns_, process.cpu_ns);
    }
  }

  Jobs Find() {
    std::vector<uint32_t> by_start(run_.processes.size());
    std::iota(by_start.begin(), by_start.end(), 0);
    std::stable_sort(by_start.begin(), by_start.end(), [this](uint32_t a, uint32_t b) {
      return run_.process(a).start_unix_ns < run_.process(b).start_unix_ns;
    });
    for (const uint32_t process : by_start) {
      if (run_.several() && IsApart(process))
        others_.push_back(process);
      else
        Add(process);
    }
    return Sorted();
  }

 private:
  struct Open {
    std::string program;  // with its folder
    bool ranked;
    Span common;  // in which all members run
    std::vector<Job::Member> members;
  };

  const ProcessFacts& Process(uint32_t number) const { return run_.process(number); }

  bool IsStarter(uint32_t number) const {
    const std::string program = ProgramName(Process(number));
    return IsShell(program) || config::IsLauncher(program.c_str());
  }

  bool IsApart(uint32_t number) const {
    if (IsStarter(number)) return true;
    return IsSmall(number) && (Process(number).rank.empty() || ServesRank(number));
  }

  // Whether the process has no OpenMP and used no noticeable CPU time.
  bool IsSmall(uint32_t number) const {
    const ProcessFacts& process = Process(number);
    return process.runtimes.empty() &&
           static_cast<double>(process.cpu_ns) < kNoticeable * static_cast<double>(largest_cpu_ns_);
  }

  // The recorded processes with the pid of the process's parent. A process that calls exec is several of them.
  std::vector<uint32_t> ParentsOf(uint32_t number) const {
    const ProcessFacts& process = Process(number);
    const auto found = by_pid_.find({process.host, process.parent_pid});
    return found == by_pid_.end() ? std::vector<uint32_t>() : found->second;
  }

  bool StartedBy(uint32_t number, uint32_t ancestor) const {
    return AnyAncestor(number, [ancestor](uint32_t other) { return other == ancestor; });
  }

  // Whether an ancestor of the process meets the condition.
  template <class Condition>
  bool AnyAncestor(uint32_t number, Condition condition) const {
    std::vector<uint32_t> open = {number};
    std::set<uint32_t> seen = {number};
    while (!open.empty()) {
      const uint32_t child = open.back();
      open.pop_back();
      for (const uint32_t parent : ParentsOf(child)) {
        if (!seen.insert(parent).second) continue;
        if (condition(parent)) return true;
        open.push_back(parent);
      }
    }
    return false;
  }

  // Whether the process only serves another process of its rank: the other process started it, as a helper, or it
  // started the other process, as a wrapper. Both have the rank in their environment.
  bool ServesRank(uint32_t number) const {
    const ProcessFacts& process = Process(number);
    for (uint32_t i = 0; i < run_.processes.size(); ++i) {
      const ProcessFacts& other = Process(i);
      if (other.rank != process.rank || other.host != process.host || other.program == process.program) continue;
      if (IsStarter(i) || IsSmall(i)) continue;
      if (other.pid == process.pid || StartedBy(number, i) || StartedBy(i, number)) return true;
    }
    return false;
  }

  // Whether the process belongs to a rank of its job: a process of the rank started it and still ran then.
  bool IsOfMember(uint32_t number, const Job::Member& member) const {
    if (!Overlap(SpanOf(Process(number)), SpanOf(Process(member.front())))) return false;
    if (Process(number).parent_pid == 0) return true;  // not known
    return AnyAncestor(
        number, [&](uint32_t ancestor) { return std::find(member.begin(), member.end(), ancestor) != member.end(); });
  }

  Job::Member* MemberOfRank(Open* job, const std::string& rank) const {
    for (Job::Member& member : job->members) {
      if (Process(member.front()).rank == rank) return &member;
    }
    return nullptr;
  }

  void Add(uint32_t number) {
    const ProcessFacts& process = Process(number);
    const Span span = SpanOf(process);
    for (Open& job : jobs_) {
      if (job.program != process.program || job.ranked == process.rank.empty()) continue;
      Job::Member* member = job.ranked ? MemberOfRank(&job, process.rank) : nullptr;
      if (member != nullptr) {
        if (!IsOfMember(number, *member)) continue;
        member->push_back(number);
        return;
      }
      if (!Overlap(job.common, span)) continue;
      job.common = {std::max(job.common.begin_ns, span.begin_ns), std::min(job.common.end_ns, span.end_ns)};
      job.members.push_back({number});
      return;
    }
    jobs_.push_back({process.program, !process.rank.empty(), span, {Job::Member{number}}});
  }

  Jobs Sorted() {
    std::stable_partition(jobs_.begin(), jobs_.end(), [](const Open& job) { return job.ranked; });
    Jobs all;
    for (Open& job : jobs_) {
      std::stable_sort(job.members.begin(), job.members.end(), [this](const Job::Member& a, const Job::Member& b) {
        return RankLess(Process(a.front()).rank, Process(b.front()).rank);
      });
      all.jobs.push_back({ProgramName(Process(job.members.front().front())), std::move(job.members)});
    }
    all.others = std::move(others_);
    return all;
  }

  const RunFacts& run_;
  std::map<std::pair<std::string, uint64_t>, std::vector<uint32_t>> by_pid_;  // by host and pid
  uint64_t largest_cpu_ns_ = 0;
  std::vector<Open> jobs_;
  std::vector<uint32_t> others_;
};

}  // namespace

std::string ProgramName(const ProcessFacts& process) { return process.program.substr(process.program.rfind('/') + 1); }

Jobs FindJobs(const RunFacts& run) { return JobFinder(run).Find(); }

}  // namespace ompprof::analyze
