// What each member did in each piece of the job's time: the columns of Unified.columns.
#ifndef OMPPROF_PROFILER_UNIFY_MEMBER_TIMES_H_
#define OMPPROF_PROFILER_UNIFY_MEMBER_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/unify/figures.h"
#include "profiler/unify/member_log.h"
#include "profiler/unify/packer.h"

namespace ompprof::unify {

inline constexpr uint32_t kMostColumns = 200;

// Column c is the time piece number `first` + c; see model::TimeBin.
struct TimeColumns {
  uint32_t log2_us = 0;  // 0: no member has a timeline, and there are no columns
  uint32_t count = 0;
  uint64_t first = 0;           // not with from_own_start
  bool from_own_start = false;  // column 0 begins with each member's own start

  void Pack(Packer* to) const;
  void Unpack(Unpacker* from);
};

// The finest columns that hold all members, at most kMostColumns. Members whose starts are further apart than the
// longest of them is long did not run together, or a host's clock is wrong: then the columns begin at each start.
TimeColumns ColumnsFor(const std::vector<const Member*>& members);

// A member's shares in 1/255 of its threads' time, a byte for each column; see MemberBatch.work_time. Empty: the member
// has no timeline.
struct MemberTimes {
  std::string work;
  std::string mpi;
  std::string wait;
};

// `rows` have indexes in the unified profile.
MemberTimes TimesOf(const Member& member, const AddedRows& rows, const Plan& plan, const TimeColumns& columns);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_MEMBER_TIMES_H_
