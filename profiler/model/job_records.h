// What the reader demands of a unified process's own records.
#ifndef OMPPROF_PROFILER_MODEL_JOB_RECORDS_H_
#define OMPPROF_PROFILER_MODEL_JOB_RECORDS_H_

#include <cstdint>
#include <string>

#include "proto/callpath_profile.pb.h"

namespace ompprof::model {

// The fault of a batch, a phrase; empty: it is fine. `unified` is of the process's header.
std::string CheckMembers(const MemberBatch& members, const Unified& unified);

// The batches of one process in their order.
class SpreadCheck {
 public:
  // The fault of the next batch; empty: it is fine.
  std::string Check(const SpreadBatch& spreads);

 private:
  uint64_t texts_ = 0;  // of the batches so far
  uint64_t figures_ = 0;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_JOB_RECORDS_H_
