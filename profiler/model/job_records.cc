#include "profiler/model/job_records.h"

namespace ompprof::model {

std::string CheckMembers(const MemberBatch& members, const Unified& unified) {
  constexpr char kLengths[] = "members of a job with columns of different lengths";
  for (const int size :
       {members.host_size(), members.pid_size(), members.threads_size(), members.duration_ns_size(),
        members.cpu_ns_size(), members.useful_size(), members.mpi_size(), members.wait_ns_size(),
        members.useful_max_size(), members.deviation_size(), members.reason_size(), members.kept_size()}) {
    if (size != members.rank_size()) return kLengths;
  }
  for (const auto* times : {&members.work_time(), &members.mpi_time(), &members.wait_time()}) {
    if (times->size() != 0 && times->size() != members.rank_size()) return kLengths;
    for (const std::string& shares : *times) {
      if (!shares.empty() && shares.size() != unified.columns())
        return "a member of a job with times of a wrong length";
    }
  }
  return "";
}

std::string SpreadCheck::Check(const SpreadBatch& spreads) {
  for (const int size :
       {spreads.name_size(), spreads.file_size(), spreads.line_size(), spreads.parent_size(), spreads.metric_size(),
        spreads.sum_size(), spreads.min_size(), spreads.max_size(), spreads.deviation_size(), spreads.members_size(),
        spreads.min_member_size(), spreads.max_member_size(), spreads.buckets_size()}) {
    if (size != spreads.of_size()) return "figures of a job with columns of different lengths";
  }
  uint64_t buckets = 0;
  for (const uint32_t count : spreads.buckets()) buckets += count;
  if (buckets != static_cast<uint64_t>(spreads.bucket_size()) || spreads.bucket_size() != spreads.bucket_members_size())
    return "a histogram over ranks with columns of different lengths";
  const uint64_t texts = texts_ + static_cast<uint64_t>(spreads.text_size());
  for (const auto* column : {&spreads.name(), &spreads.file(), &spreads.min_member(), &spreads.max_member()}) {
    for (const uint32_t text : *column) {
      if (text > texts) return "a figure of a job with a text that is not known";
    }
  }
  for (int i = 0; i < spreads.parent_size(); ++i) {
    if (spreads.parent(i) > figures_ + static_cast<uint64_t>(i))
      return "a figure of a job within one that is not before it";
  }
  texts_ = texts;
  figures_ += static_cast<uint64_t>(spreads.of_size());
  return "";
}

}  // namespace ompprof::model
