#include "tests/bench/job_maker.h"

#include <google/protobuf/util/delimited_message_util.h>

#include <sstream>

#include "profiler/model/file_source.h"
#include "profiler/model/record_log.h"

namespace ompprof::bench {
namespace {

constexpr uint32_t kRanksOfHost = 64;
constexpr uint64_t kPage = 4096;

// Changes records of a profile into those of a rank.
class Changer {
 public:
  // All memory of the process moves by `distance`, as the kernel moves modules from one process to the next.
  Changer(uint32_t rank, uint64_t factor, uint64_t start_mono_ns)
      : rank_(rank), factor_(factor), distance_(rank * kPage), start_ns_(start_mono_ns) {}

  void Change(Record* record) const {
    switch (record->kind_case()) {
      case Record::kHeader:
        return Change(record->mutable_header());
      case Record::kModule:
        return record->mutable_module()->set_load_bias(record->module().load_bias() + distance_);
      case Record::kThread:
        return Change(record->mutable_thread());
      case Record::kNodes:
        return Change(record->mutable_nodes());
      case Record::kSamples:
        return Change(record->mutable_samples());
      case Record::kRegionContext:
        return record->mutable_region_context()->set_codeptr_ra(Moved(record->region_context().codeptr_ra()));
      case Record::kRegionStats:
        return Change(record->mutable_region_stats());
      case Record::kWaitStats:
        return Change(record->mutable_wait_stats());
      case Record::kWorkStats:
        record->mutable_work_stats()->set_codeptr_ra(Moved(record->work_stats().codeptr_ra()));
        return record->mutable_work_stats()->set_region_codeptr_ra(Moved(record->work_stats().region_codeptr_ra()));
      case Record::kLockInit:
        record->mutable_lock_init()->set_wait_id(Moved(record->lock_init().wait_id()));
        return record->mutable_lock_init()->set_codeptr_ra(Moved(record->lock_init().codeptr_ra()));
      case Record::kFooter:
        return Change(record->mutable_footer());
      default:
        return;
    }
  }

 private:
  uint64_t Moved(uint64_t address) const { return address == 0 ? 0 : address + distance_; }

  void Change(Header* header) const {
    header->set_rank(std::to_string(rank_));
    header->set_host("node" + std::to_string(rank_ / kRanksOfHost));
    header->set_pid(1000 + rank_);
  }

  // Times are counted from the process's start.
  uint64_t Later(uint64_t mono_ns) const { return mono_ns == 0 ? 0 : start_ns_ + (mono_ns - start_ns_) * factor_; }

  void Change(Thread* thread) const {
    thread->set_cpu_ns(thread->cpu_ns() * factor_);
    thread->set_ready_ns(thread->ready_ns() * factor_);
    thread->set_start_mono_ns(Later(thread->start_mono_ns()));
    thread->set_end_mono_ns(Later(thread->end_mono_ns()));
    thread->set_ready_until_mono_ns(Later(thread->ready_until_mono_ns()));
  }

  void Change(NodeBatch* batch) const {
    uint64_t before = 0;        // of the profile
    uint64_t moved_before = 0;  // of the rank
    for (int i = 0; i < batch->value_delta_size(); ++i) {
      const uint64_t value = before + static_cast<uint64_t>(batch->value_delta(i));
      const uint32_t kind = (i < batch->kind_size() ? batch->kind(i) : 0) & 0x0f;
      const uint64_t moved = kind == NODE_ROOT || kind == NODE_TASK_CONTEXT ? value : Moved(value);
      batch->set_value_delta(i, static_cast<int64_t>(moved - moved_before));
      before = value;
      moved_before = moved;
    }
  }

  void Change(SampleBatch* batch) const {
    for (int i = 0; i < batch->wait_id_size(); ++i) batch->set_wait_id(i, Moved(batch->wait_id(i)));
    for (int i = 0; i < batch->samples_size(); ++i)
      batch->set_samples(i, static_cast<uint32_t>(batch->samples(i) * factor_));
    for (auto* column :
         {batch->mutable_weight(), batch->mutable_wait(), batch->mutable_blame(), batch->mutable_lock_blame()}) {
      for (uint64_t& value : *column) value *= factor_;
    }
    for (auto* column : {batch->mutable_timed_end_delta_us(), batch->mutable_timed_weight_delta()}) {
      for (int64_t& value : *column) value *= static_cast<int64_t>(factor_);
    }
  }

  void Change(RegionStats* stats) const {
    stats->set_codeptr_ra(Moved(stats->codeptr_ra()));
    stats->set_ended(stats->ended() * factor_);
    stats->set_invocations(stats->invocations() * factor_);
    stats->set_elapsed_ns(stats->elapsed_ns() * factor_);
    stats->set_useful_ns(stats->useful_ns() * factor_);
    stats->set_team_ns(stats->team_ns() * factor_);
  }

  void Change(WaitStats* stats) const {
    stats->set_codeptr_ra(Moved(stats->codeptr_ra()));
    stats->set_region_codeptr_ra(Moved(stats->region_codeptr_ra()));
    stats->set_wait_id(Moved(stats->wait_id()));
    stats->set_acquired_at(Moved(stats->acquired_at()));
    stats->set_count(stats->count() * factor_);
    stats->set_total_ns(stats->total_ns() * factor_);
    stats->set_estimated_ns(stats->estimated_ns() * factor_);
  }

  void Change(Footer* footer) const {
    footer->set_process_cpu_ns(footer->process_cpu_ns() * factor_);
    footer->set_samples(footer->samples() * factor_);
    footer->set_weight(footer->weight() * factor_);
    footer->set_helper_cpu_ns(footer->helper_cpu_ns() * factor_);
    footer->set_end_mono_ns(Later(footer->end_mono_ns()));
  }

  const uint32_t rank_;
  const uint64_t factor_;
  const uint64_t distance_;
  const uint64_t start_ns_;
};

}  // namespace

std::vector<Record> ReadRecords(const std::string& path) {
  std::vector<Record> records;
  model::ByteSource source;
  if (!model::OpenFileSource(path, &source).ok()) return records;
  model::RecordLog log(std::move(source));
  if (!log.Open(path).ok()) return records;
  Record record;
  while (log.Read(&record) == model::RecordLog::Next::kRecord) records.push_back(record);
  return records;
}

std::string MakeRank(const std::vector<Record>& profile, uint32_t rank, bool late) {
  std::ostringstream file;
  file.write(model::kMagic, model::kMagicSize);
  const Changer changer(rank, Factor(rank) * (late ? kLateness : 1), profile.front().header().start_mono_ns());
  for (Record record : profile) {
    changer.Change(&record);
    google::protobuf::util::SerializeDelimitedToOstream(record, &file);
  }
  return file.str();
}

}  // namespace ompprof::bench
