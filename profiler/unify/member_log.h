// The figures of each member, by the rows of the unified program, from the reading of the files to the moment when all
// rows are known. They wait in a file without a name, so memory does not grow with the members.
#ifndef OMPPROF_PROFILER_UNIFY_MEMBER_LOG_H_
#define OMPPROF_PROFILER_UNIFY_MEMBER_LOG_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>

#include "profiler/model/status.h"
#include "profiler/unify/packer.h"
#include "profiler/unify/rank_order.h"
#include "profiler/unify/unified_program.h"

namespace ompprof::unify {

// A member, and what no row tells.
struct Member {
  uint32_t program = 0;  // the worker's number of the program
  std::string file;      // where its records are
  std::string rank;      // empty: none
  std::string host;
  uint64_t pid = 0;
  int64_t start_unix_ns = 0;
  uint32_t threads = 0;
  uint64_t duration_ns = 0;
  uint64_t cpu_ns = 0;
  uint32_t log2_us = 0;  // of AddedRows::times, see model::TimeBins; 0: there are none

  // The order of members: by the rank's number, then by host, process id and start.
  auto Order() const { return std::make_tuple(RankOrder(rank), host, pid, start_unix_ns); }

  // "17", or "host:42" without a rank.
  std::string Name() const { return rank.empty() ? host + ":" + std::to_string(pid) : rank; }
};

// Without the rows, for a message to another worker.
void Pack(const Member& member, Packer* to);
Member UnpackMember(Unpacker* from);

class MemberLog {
 public:
  MemberLog() = default;
  MemberLog(const MemberLog&) = delete;
  MemberLog& operator=(const MemberLog&) = delete;
  ~MemberLog();

  // Makes the file in `folder`.
  model::Status Open(const std::string& folder);

  // `rows` may be sorted and added together.
  model::Status Append(AddedRows rows);

  // Reads the members' rows again, in the order in which they were appended.
  void Rewind();
  model::Status Read(AddedRows* rows);

 private:
  void Put(uint64_t number);
  uint64_t Get();

  FILE* file_ = nullptr;
};

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_MEMBER_LOG_H_
