#include "profiler/report/html/page_ranks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/compare/jobs.h"
#include "profiler/report/html/base64.h"

namespace ompprof::report {
namespace {

using Json = nlohmann::ordered_json;
using Members = std::vector<const analyze::JobMember*>;

std::string NameOf(const analyze::JobMember& member) {
  return member.rank.empty() ? member.host + ":" + std::to_string(member.pid) : member.rank;
}

// The means of members that are neighbours.
class Group {
 public:
  Group(Members::const_iterator begin, Members::const_iterator end) : begin_(begin), end_(end) {}

  const analyze::JobMember& first() const { return **begin_; }
  uint64_t size() const { return static_cast<uint64_t>(end_ - begin_); }

  std::string Label() const { return size() == 1 ? NameOf(first()) : NameOf(first()) + " to " + NameOf(**(end_ - 1)); }

  template <class Number>
  double Mean(Number analyze::JobMember::*number) const {
    double sum = 0;
    for (auto at = begin_; at != end_; ++at) sum += static_cast<double>((*at)->*number);
    return sum / static_cast<double>(size());
  }

  bool HasTimes() const {
    return std::any_of(begin_, end_, [](const auto* member) { return !member->work_time.empty(); });
  }

  // Of the members that have shares; 0 in all columns if none has.
  std::string Shares(std::string analyze::JobMember::*shares, uint32_t columns) const {
    std::vector<uint64_t> sums(columns);
    uint64_t members = 0;
    for (auto at = begin_; at != end_; ++at) {
      const std::string& of_member = (*at)->*shares;
      if (of_member.size() != columns) continue;
      ++members;
      for (uint32_t i = 0; i < columns; ++i) sums[i] += static_cast<uint8_t>(of_member[i]);
    }
    std::string means;
    for (const uint64_t sum : sums) means += static_cast<char>(members == 0 ? 0 : (sum + members / 2) / members);
    return means;
  }

 private:
  const Members::const_iterator begin_;
  const Members::const_iterator end_;
};

Json Program(const analyze::ProcessFacts& process, const Members& members, size_t most_rows) {
  Json program = {{"program", analyze::ProgramName(process)},
                  {"column_ns", process.job_time.column_ns},
                  {"columns", process.job_time.columns},
                  {"from_own_start", process.job_time.from_own_start}};
  const size_t each = (members.size() + most_rows - 1) / most_rows;
  std::string work;
  std::string mpi;
  std::string wait;
  const uint32_t columns = process.job_time.columns;
  for (size_t at = 0; at < members.size(); at += each) {
    const auto begin = members.begin() + static_cast<std::ptrdiff_t>(at);
    const Group group(begin, begin + static_cast<std::ptrdiff_t>(std::min(each, members.size() - at)));
    program["label"].push_back(group.Label());
    program["ranks"].push_back(group.size());
    program["host"].push_back(group.first().host);
    program["pid"].push_back(group.first().pid);
    const auto add = [&](const char* name, auto number) {
      program[name].push_back(static_cast<uint64_t>(group.Mean(number) + .5));
    };
    add("threads", &analyze::JobMember::threads);
    add("duration_ns", &analyze::JobMember::duration_ns);
    add("cpu_ns", &analyze::JobMember::cpu_ns);
    add("work", &analyze::JobMember::useful);
    add("mpi", &analyze::JobMember::mpi);
    add("wait_ns", &analyze::JobMember::wait_ns);
    program["distance"].push_back(group.Mean(&analyze::JobMember::deviation));
    program["timed"].push_back(group.HasTimes() ? 1 : 0);
    program["kept"].push_back(group.size() == 1 && group.first().kept ? 1 : 0);
    program["reason"].push_back(group.size() == 1 ? group.first().reason : "");
    work += group.Shares(&analyze::JobMember::work_time, columns);
    mpi += group.Shares(&analyze::JobMember::mpi_time, columns);
    wait += group.Shares(&analyze::JobMember::wait_time, columns);
  }
  program["work_time"] = Base64(work);
  program["mpi_time"] = Base64(mpi);
  program["wait_time"] = Base64(wait);
  return program;
}

}  // namespace

Json RankData(const analyze::View& view, size_t most_rows) {
  Json programs = Json::array();
  for (uint32_t number = 0; number < view.run.processes.size(); ++number) {
    Members members;
    for (const analyze::JobMember& member : view.job_members) {
      if (member.process == number) members.push_back(&member);
    }
    if (!members.empty()) programs.push_back(Program(view.run.process(number), members, most_rows));
  }
  return programs.empty() ? Json(nullptr) : programs;
}

}  // namespace ompprof::report
