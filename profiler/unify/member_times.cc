#include "profiler/unify/member_times.h"

#include <algorithm>

namespace ompprof::unify {
namespace {

uint64_t StartUs(const Member& member) {
  return static_cast<uint64_t>(std::max<int64_t>(0, member.start_unix_ns)) / 1000;
}

// Nanoseconds by column.
struct Sums {
  explicit Sums(uint32_t columns) : work(columns), mpi(columns), sampled_wait(columns), exact_wait(columns) {}

  std::vector<uint64_t>* Of(uint32_t use) {
    if (use == Plan::kWork) return &work;
    if (use == Plan::kMpi) return &mpi;
    return use == Plan::kWait ? &sampled_wait : nullptr;
  }

  std::vector<uint64_t> work;
  std::vector<uint64_t> mpi;
  std::vector<uint64_t> sampled_wait;
  std::vector<uint64_t> exact_wait;
};

std::string SharesOf(const std::vector<uint64_t>& sums, uint64_t whole) {
  constexpr uint64_t kMostShare = 255;
  std::string shares;
  for (const uint64_t sum : sums) {
    const auto share = static_cast<double>(sum) / static_cast<double>(whole) * kMostShare + .5;
    shares += static_cast<char>(static_cast<uint8_t>(std::min<double>(share, kMostShare)));
  }
  return shares;
}

}  // namespace

void TimeColumns::Pack(Packer* to) const {
  for (const uint64_t number : {uint64_t{log2_us}, uint64_t{count}, first, uint64_t{from_own_start}}) to->Put(number);
}

void TimeColumns::Unpack(Unpacker* from) {
  log2_us = static_cast<uint32_t>(from->Number());
  count = static_cast<uint32_t>(from->Number());
  first = from->Number();
  from_own_start = from->Number() != 0;
}

TimeColumns ColumnsFor(const std::vector<const Member*>& members) {
  TimeColumns columns;
  uint64_t earliest = UINT64_MAX;
  uint64_t latest = 0;  // start
  uint64_t longest_us = 0;
  uint64_t end = 0;
  for (const Member* member : members) {
    const uint64_t start = StartUs(*member);
    const uint64_t duration_us = member->duration_ns / 1000;
    columns.log2_us = std::max(columns.log2_us, member->log2_us);
    earliest = std::min(earliest, start);
    latest = std::max(latest, start);
    longest_us = std::max(longest_us, duration_us);
    end = std::max(end, start + duration_us);
  }
  if (columns.log2_us == 0) return columns;
  columns.from_own_start = latest - earliest > longest_us;
  const auto count = [&] {
    // A member's own start lies somewhere in its column.
    if (columns.from_own_start) return (longest_us >> columns.log2_us) + 2;
    return (end >> columns.log2_us) - (earliest >> columns.log2_us) + 1;
  };
  while (count() > kMostColumns) ++columns.log2_us;
  columns.count = static_cast<uint32_t>(count());
  columns.first = columns.from_own_start ? 0 : earliest >> columns.log2_us;
  return columns;
}

MemberTimes TimesOf(const Member& member, const AddedRows& rows, const Plan& plan, const TimeColumns& columns) {
  MemberTimes times;
  if (member.log2_us == 0 || columns.count == 0) return times;
  const uint32_t narrower = columns.log2_us - member.log2_us;
  const uint64_t first = columns.from_own_start ? StartUs(member) >> columns.log2_us : columns.first;
  Sums sums(columns.count);
  for (const AddedRows::Time& time : rows.times) {
    const uint64_t number = std::max(time.number >> narrower, first);
    const uint64_t column = std::min<uint64_t>(number - first, columns.count - 1);
    auto* sum = time.row == AddedRows::kNoRow ? &sums.exact_wait : sums.Of(plan.sample_uses[time.row]);
    if (sum != nullptr) (*sum)[column] += time.ns;
  }
  // A thread that waits without sleeping is sampled during its exact waits, and one that sleeps is not.
  for (size_t i = 0; i < columns.count; ++i) sums.exact_wait[i] = std::max(sums.exact_wait[i], sums.sampled_wait[i]);
  const uint64_t whole_ns = (uint64_t{1000} << columns.log2_us) * std::max<uint64_t>(1, member.threads);
  times.work = SharesOf(sums.work, whole_ns);
  times.mpi = SharesOf(sums.mpi, whole_ns);
  times.wait = SharesOf(sums.exact_wait, whole_ns);
  return times;
}

}  // namespace ompprof::unify
