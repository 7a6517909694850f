#include "profiler/model/profile_reader.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <utility>

#include "profiler/model/file_source.h"
#include "profiler/model/job_records.h"
#include "profiler/model/region_runs.h"
#include "profiler/model/sample_index.h"
#include "profiler/model/timeline_keeper.h"
#include "proto/ompt_state.h"

namespace ompprof::model {
namespace {

// The buckets of WaitStats.length_bucket.
constexpr uint64_t kLengthBuckets = 128;

// Whether a column of differences never leaves 0 to `most`.
bool StaysInRange(const google::protobuf::RepeatedField<int64_t>& deltas, int64_t most) {
  int64_t value = 0;
  for (const int64_t delta : deltas) {
    if (__builtin_add_overflow(value, delta, &value) || value < 0 || value > most) return false;
  }
  return true;
}

// Entry `i` of a batch's column, 0 where the column is absent.
template <class Column>
auto At(const Column& column, int i) {
  return i < column.size() ? column.Get(i) : 0;
}

// `events`: the number of Header.counted_events. Names behind the last that a profile can have are a newer collector's.
SampleRow RowOf(const SampleBatch& batch, int i, int events) {
  SampleRow row{};
  row.tree = batch.tree();
  row.node = At(batch.node(), i);
  row.thread = batch.thread();
  row.state = StateFromWire(At(batch.state(), i));
  row.splice = At(batch.splice(), i);
  row.region = At(batch.region(), i);
  row.wait_id = At(batch.wait_id(), i);
  row.cost.samples = At(batch.samples(), i);
  row.cost.weight = At(batch.weight(), i);
  row.cost.wait = At(batch.wait(), i);
  row.cost.blame = At(batch.blame(), i);
  row.cost.lock_blame = At(batch.lock_blame(), i);
  row.cost.wait_variance = static_cast<double>(At(batch.wait_variance(), i));
  row.cost.blame_variance = static_cast<double>(At(batch.blame_variance(), i));
  row.cost.lock_blame_variance = static_cast<double>(At(batch.lock_blame_variance(), i));
  row.cost.faults = At(batch.faults(), i);
  row.cost.kernel_ns = At(batch.kernel_us(), i) * 1000;
  row.cost.ready_blame = std::min<uint64_t>(At(batch.ready_blame(), i), row.cost.blame);
  row.cost.off_processor_blame =
      std::min<uint64_t>(At(batch.off_processor_blame(), i), row.cost.blame - row.cost.ready_blame);
  row.phase = At(batch.phase(), i);
  for (int event = 0; event < events && event < static_cast<int>(kMostCountedEvents); ++event)
    row.cost.counts[static_cast<size_t>(event)] = At(batch.counts(), i * events + event);
  return row;
}

// Applies records to a profile. Each function returns the fault of its record, or an empty string. A record with a
// fault has changed nothing.
class Assembler {
 public:
  Assembler(ProcessProfile* profile, const ReadOptions& options)
      : profile_(*profile), options_(options), timeline_(profile, options) {}

  // Takes messages out of `record`, which may be used for the next record.
  std::string Apply(Record& record) {
    switch (record.kind_case()) {
      case Record::kHeader:
        return Apply(record.header());
      case Record::kModule:
        return Apply(record.mutable_module());
      case Record::kThread:
        return Apply(record.mutable_thread());
      case Record::kNodes:
        return Apply(record.nodes());
      case Record::kSamples:
        return Apply(record.samples());
      case Record::kRegionContext:
        return Apply(record.mutable_region_context());
      case Record::kRegionRuns:
        return Apply(record.region_runs());
      case Record::kRegionStats:
        return Apply(record.region_stats());
      case Record::kWaitStats:
        return Apply(record.wait_stats());
      case Record::kWorkStats:
        return Apply(record.work_stats());
      case Record::kDevice:
      case Record::kDeviceStats:
      case Record::kDeviceOperations:
        return ApplyOfDevice(record);
      case Record::kLockInit:
        return Apply(record.lock_init());
      case Record::kLabel:
        return Apply(record.label());
      case Record::kCodeMap:
        return Apply(record.code_map());
      case Record::kCodeDump:
        return Apply(record.code_dump());
      case Record::kGoverned:
        return Apply(record.governed());
      case Record::kProcessorLoad:
        return Apply(record.processor_load());
      case Record::kTopology:
        return Apply(record.topology());
      case Record::kRuntime:
        return Apply(record.mutable_runtime());
      case Record::kLost:
        return Apply(record.lost());
      case Record::kNote:
        return Apply(record.note());
      case Record::kFooter:
        profile_.complete = true;
        profile_.footer = record.footer();
        return "";
      case Record::kEvents:
        return Apply(record.events());
      case Record::kMembers:
      case Record::kSpreads:
        return ApplyOfJob(record);
      case Record::KIND_NOT_SET:
        return "";  // from a newer collector
    }
    return "";
  }

  bool has_header() const { return has_header_; }

  // Finishes the rows. More records may follow.
  void FinishRows() {
    timeline_.Finish();
    if (!options_.sorted) return;
    profile_.SortSamples();
    rows_.Forget();
  }

 private:
  std::string ApplyOfDevice(const Record& record) {
    if (record.has_device()) return Apply(record.device());
    return record.has_device_stats() ? Apply(record.device_stats()) : Apply(record.device_operations());
  }

  std::string ApplyOfJob(const Record& record) {
    return record.has_members() ? Apply(record.members()) : Apply(record.spreads());
  }

  void SawTime(uint64_t mono_ns) { profile_.last_mono_ns = std::max(profile_.last_mono_ns, mono_ns); }

  std::string Apply(const Header& header) {
    if (has_header_) return "a second header";
    has_header_ = true;
    profile_.header = header;
    timeline_.Begin();
    return "";
  }

  std::string Apply(Module* module) {
    if (module->id() == 0) return "a module without an id";
    profile_.modules[module->id()].Swap(module);
    return "";
  }

  std::string Apply(Thread* thread) {
    if (thread->id() == 0) return "a thread without an id";
    if (thread->ran_on_size() != 0 && thread->ran_on_size() != thread->ran_on_weight_size())
      return "a thread with columns of different lengths";
    if (thread->may_use_size() % 2 != 0) return "a thread with half a range of processors";
    SawTime(thread->start_mono_ns());
    SawTime(thread->end_mono_ns());
    profile_.threads[thread->id()].Swap(thread);
    return "";
  }

  std::string Apply(const NodeBatch& batch) {
    const int count = std::max({batch.parent_distance_size(), batch.value_delta_size(), batch.kind_size()});
    for (const int size : {batch.parent_distance_size(), batch.value_delta_size(), batch.kind_size()}) {
      if (size != 0 && size != count) return "a batch of nodes with columns of different lengths";
    }
    if (batch.tree() == 0) return "nodes without a tree";
    const auto found = profile_.trees.find(batch.tree());
    const uint64_t known = found == profile_.trees.end() ? 0 : found->second.nodes.size();
    if (batch.first_id() != known + 1) return "a batch of nodes that does not follow the one before";
    for (int i = 0; i < batch.parent_distance_size(); ++i) {
      if (batch.parent_distance(i) > known + static_cast<uint64_t>(i)) return "a node whose parent is not known";
    }

    std::vector<Node>& nodes = profile_.trees[batch.tree()].nodes;
    uint64_t value = 0;
    for (int i = 0; i < count; ++i) {
      const uint32_t distance = i < batch.parent_distance_size() ? batch.parent_distance(i) : 0;
      const uint32_t kind = i < batch.kind_size() ? batch.kind(i) : 0;
      value += i < batch.value_delta_size() ? static_cast<uint64_t>(batch.value_delta(i)) : 0;
      Node node;
      node.value = value;
      node.parent = distance == 0 ? 0 : static_cast<uint32_t>(nodes.size() + 1 - distance);
      node.kind = kind & 0x0f;
      node.runtime = (kind & NODE_RUNTIME) != 0;
      node.return_address = (kind & NODE_RETURN_ADDRESS) != 0;
      node.in_implicit_task =
          node.kind == NODE_IMPLICIT_TASK || (node.parent != 0 && nodes[node.parent - 1].in_implicit_task);
      nodes.push_back(node);
    }
    return "";
  }

  std::string Apply(const SampleBatch& batch) {
    const std::initializer_list<int> columns = {batch.node_size(),           batch.state_size(),
                                                batch.wait_id_size(),        batch.splice_size(),
                                                batch.region_size(),         batch.samples_size(),
                                                batch.weight_size(),         batch.wait_size(),
                                                batch.blame_size(),          batch.lock_blame_size(),
                                                batch.phase_size(),          batch.wait_variance_size(),
                                                batch.blame_variance_size(), batch.lock_blame_variance_size(),
                                                batch.faults_size(),         batch.kernel_us_size(),
                                                batch.ready_blame_size(),    batch.off_processor_blame_size()};
    const int count = std::max(columns);
    for (const int size : columns) {
      if (size != 0 && size != count) return "a batch of samples with columns of different lengths";
    }
    if (batch.counts_size() != 0 && batch.counts_size() != int64_t{count} * profile_.header.counted_events_size())
      return "a batch of samples with counts of other rows or events";
    const int timed =
        std::max({batch.timed_row_size(), batch.timed_end_delta_us_size(), batch.timed_weight_delta_size()});
    for (const int size : {batch.timed_row_size(), batch.timed_end_delta_us_size(), batch.timed_weight_delta_size()}) {
      if (size != 0 && size != timed) return "a batch of samples with times of different numbers";
    }
    for (const uint32_t row : batch.timed_row()) {
      if (row >= static_cast<uint32_t>(count)) return "a time of a sample that is not in its batch";
    }
    if (timed > 0 && count == 0) return "times of samples without the samples";
    if (!StaysInRange(batch.timed_end_delta_us(), kLatestUs) || !StaysInRange(batch.timed_weight_delta(), INT64_MAX))
      return "a time of a sample that is out of range";
    SawTime(batch.end_mono_ns());
    AddRows(batch, count);
    return "";
  }

  // A long run repeats its rows at every interval, so that each row is added to its like at once.
  void AddRows(const SampleBatch& batch, int count) {
    const int timed =
        std::max({batch.timed_row_size(), batch.timed_end_delta_us_size(), batch.timed_weight_delta_size()});
    rows_of_batch_.assign(static_cast<size_t>(count), 0);
    for (int i = 0; i < timed; ++i) rows_of_batch_[At(batch.timed_row(), i)] = 1;
    for (int i = 0; i < count; ++i) {
      SampleRow row = RowOf(batch, i, batch.counts_size() == 0 ? 0 : profile_.header.counted_events_size());
      uint32_t& index = rows_of_batch_[static_cast<size_t>(i)];
      row.interval = index != 0 && row.cost.is_unsampled() && !row.cost.has_waits_or_blame();
      index = rows_.Add(row, &profile_.samples);
    }
    if (options_.timeline == Timeline::kDrop) return;
    uint64_t end_us = 0;
    uint64_t weight = 0;
    for (int i = 0; i < timed; ++i) {
      end_us += static_cast<uint64_t>(At(batch.timed_end_delta_us(), i));
      weight += static_cast<uint64_t>(At(batch.timed_weight_delta(), i));
      timeline_.Add(rows_of_batch_[At(batch.timed_row(), i)], end_us, weight);
    }
  }

  std::string Apply(const CodeMap& piece) {
    profile_.code_map += piece.text();
    return "";
  }

  std::string Apply(const CodeDump& piece) {
    if (piece.file() == 0) return "a jitdump without a number";
    JitDump& dump = profile_.code_dumps[piece.file()];
    if (!piece.path().empty()) dump.path = piece.path();
    dump.content += piece.content();
    return "";
  }

  std::string Apply(RegionContext* context) {
    if (context->id() == 0) return "a region context without an id";
    profile_.contexts[context->id()].Swap(context);
    return "";
  }

  std::string Apply(const RegionRuns& runs) {
    if (runs.context() == 0) return "runs of a region without a context";
    RegionRuns& sum = profile_.region_runs[runs.context()];
    sum.set_context(runs.context());
    AddRuns(runs, &sum);
    return "";
  }

  // The last record of a key holds the key's totals.
  template <class Stats, class Key>
  static std::string Replace(const Stats& stats, const Key& key, std::map<Key, size_t>* index,
                             std::vector<Stats>* all) {
    const auto [entry, added] = index->emplace(key, all->size());
    if (added)
      all->push_back(stats);
    else
      (*all)[entry->second] = stats;
    return "";
  }

  std::string Apply(const RegionStats& stats) {
    return Replace(stats, std::make_tuple(stats.thread(), stats.codeptr_ra(), stats.nesting_level()), &region_index_,
                   &profile_.regions);
  }

  std::string Apply(const WaitStats& stats) {
    if (stats.length_bucket_size() != stats.length_count_size())
      return "lengths of waits with columns of different lengths";
    uint64_t bucket = 0;
    for (const uint32_t distance : stats.length_bucket()) {
      bucket += distance;
      if (distance == 0 || bucket > kLengthBuckets) return "lengths of waits out of order";
    }
    return Replace(stats,
                   std::make_tuple(stats.thread(), stats.state(), stats.codeptr_ra(), stats.region_codeptr_ra(),
                                   stats.wait_id(), stats.acquired_at(), stats.module_epoch(), stats.lock()),
                   &wait_index_, &profile_.waits);
  }

  std::string Apply(const WorkStats& stats) {
    return Replace(stats,
                   std::make_tuple(stats.thread(), stats.type(), stats.codeptr_ra(), stats.region_codeptr_ra(),
                                   stats.module_epoch()),
                   &work_index_, &profile_.works);
  }

  std::string Apply(const LockInit& lock) {
    if (lock.id() == 0) return "a lock without an id";
    profile_.locks[lock.id()] = lock;
    return "";
  }

  std::string Apply(const Label& label) {
    // A parent has a smaller number, so the chain of parents ends.
    if (label.id() <= label.parent()) return "a label inside of one that is not before it";
    profile_.labels[label.id()] = label;
    return "";
  }

  std::string Apply(const Device& device) {
    if (device.id() == 0) return "a device without an id";
    profile_.devices[device.id()] = device;
    return "";
  }

  std::string Apply(const DeviceStats& stats) {
    return Replace(stats,
                   std::make_tuple(stats.device(), static_cast<uint32_t>(stats.work()), stats.codeptr_ra(),
                                   stats.region_codeptr_ra(), stats.module_epoch(), stats.tree(), stats.node(),
                                   stats.splice(), stats.id()),
                   &device_index_, &profile_.device_stats);
  }

  // The times of kernels are what the device's runtime translates, so a wrong time is no damage of the file.
  std::string Apply(const DeviceOperations& operations) {
    const int count = operations.stats_size();
    for (const int size : {operations.begin_delta_ns_size(), operations.duration_ns_size(), operations.bytes_size()}) {
      if (size != 0 && size != count) return "operations of devices with columns of different lengths";
    }
    for (const uint32_t stats : operations.stats()) {
      if (stats == 0) return "an operation of a device without its kind";
    }
    constexpr uint64_t kLatestNs = static_cast<uint64_t>(kLatestUs) * 1000;
    uint64_t begin_ns = 0;  // modulo 2^64
    for (int i = 0; i < count; ++i) {
      begin_ns += static_cast<uint64_t>(At(operations.begin_delta_ns(), i));
      const uint64_t duration_ns = At(operations.duration_ns(), i);
      if (begin_ns > kLatestNs || duration_ns > kLatestNs) {
        ++profile_.misplaced_operations;
        continue;
      }
      if (options_.timeline != Timeline::kKeep) continue;
      profile_.device_operations.push_back(
          {operations.stats(i), operations.thread(), begin_ns, duration_ns, At(operations.bytes(), i)});
    }
    return "";
  }

  std::string Apply(const Note& note) {
    SawTime(note.mono_ns());
    profile_.notes.push_back(note.text());
    return "";
  }

  std::string Apply(const ProcessorLoad& load) {
    SawTime(load.until_mono_ns());
    profile_.load = load;
    return "";
  }

  std::string Apply(Runtime* runtime) {
    profile_.runtimes.emplace_back();
    profile_.runtimes.back().Swap(runtime);
    return "";
  }

  std::string Apply(const Topology& topology) {
    for (const int size : {topology.package_size(), topology.node_size(), topology.core_size()}) {
      if (size != 0 && size != topology.processor_size()) return "processors with columns of different lengths";
    }
    profile_.topology = topology;
    return "";
  }

  std::string Apply(const Governed& governed) {
    if (governed.event_class() == CLASS_NONE) return "governed events without a class";
    if (governed.observed() > governed.events()) return "more events observed than there were";
    profile_.governed[governed.event_class()] = governed;
    return "";
  }

  std::string Apply(const Lost& lost) {
    if (lost.samples_size() > lost.reason_size() || lost.weight_size() > lost.reason_size()) {
      return "losses with columns of different lengths";
    }
    profile_.lost = lost;
    return "";
  }

  std::string Apply(const EventCounts& events) {
    if (events.event_size() != events.count_size()) return "event counts with columns of different lengths";
    for (int i = 0; i < events.event_size(); ++i) profile_.event_counts[events.event(i)] = events.count(i);
    return "";
  }

  std::string Apply(const MemberBatch& members) {
    std::string fault = CheckMembers(members, profile_.header.unified());
    if (fault.empty()) profile_.members.push_back(members);
    return fault;
  }

  std::string Apply(const SpreadBatch& spreads) {
    std::string fault = spread_check_.Check(spreads);
    if (fault.empty()) profile_.spreads.push_back(spreads);
    return fault;
  }

  ProcessProfile& profile_;
  const ReadOptions options_;
  bool has_header_ = false;
  SpreadCheck spread_check_;
  SampleIndex rows_;
  std::vector<uint32_t> rows_of_batch_;
  TimelineKeeper timeline_;
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, size_t> region_index_;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, uint32_t>, size_t> work_index_;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>, size_t>
      device_index_;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>, size_t>
      wait_index_;
};

// The text that tells the processes of a merged file apart.
std::string ProcessLabel(const Header& header) {
  if (header.has_unified())
    return std::to_string(header.unified().members()) + " processes of " +
           header.program().substr(header.program().rfind('/') + 1);
  return (header.rank().empty() ? "" : "rank " + header.rank() + ", ") + "process " + std::to_string(header.pid()) +
         " on " + header.host();
}

bool IsNewer(const Header& header) { return header.format_version() / 1000 > FORMAT_CURRENT / 1000; }

std::string NewerSentence(const Header& header) {
  return "was written by a newer ompprof (format " + std::to_string(header.format_version() / 1000) +
         "; this one reads up to " + std::to_string(FORMAT_CURRENT / 1000) + "): use that one to read it";
}

constexpr char kNoHeaderFirst[] = "is damaged: it does not begin with a header";

void Count(const RecordLog& log, const Record& record, ProcessProfile* profile) {
  RecordCount& count = profile->records[record.kind_case()];
  ++count.records;
  count.bytes += log.bytes().size();
}

// Reads the processes of one file.
class FileReader {
 public:
  FileReader(std::string name, const ReadOptions& options, const std::function<void(ReadResult)>& take)
      : name_(std::move(name)), options_(options), take_(take) {
    Begin();
  }

  void Run(ByteSource source) {
    RecordLog log(std::move(source));
    Status opened = log.Open(name_);
    if (!opened.ok()) {
      Failed(opened.sentence());
      return Finish();
    }
    Record record;
    for (;;) {
      const RecordLog::Next next = log.Read(&record);
      if (next != RecordLog::Next::kRecord) {
        if (next != RecordLog::Next::kEnd) Failed(log.status().sentence() + "; what comes before it is shown");
        break;
      }
      const bool header = record.kind_case() == Record::kHeader;
      if (header && assembler_->has_header()) {
        several_ = true;
        Finish();
        Begin();
      }
      if (skipping_) continue;
      if (!assembler_->has_header() && !header) {
        Failed(kNoHeaderFirst);
        return Finish();
      }
      Count(log, record, &result_.profile);
      if (header && IsNewer(record.header())) {
        Failed(NewerSentence(record.header()));
        return Finish();
      }
      if (const std::string wrong = assembler_->Apply(record); !wrong.empty()) {
        Failed("is damaged: " + wrong + " at byte " + std::to_string(log.offset()) + "; what comes before it is shown");
        skipping_ = true;  // the lengths are still right, so another process's header can be found
      }
    }
    if (!assembler_->has_header() && result_.status.ok())
      Failed("has no header: the program ended before anything was recorded");
    Finish();
  }

 private:
  void Begin() {
    result_ = ReadResult();
    result_.profile.file = name_;
    assembler_ = std::make_unique<Assembler>(&result_.profile, options_);
    skipping_ = false;
  }

  void Failed(const std::string& what) {
    if (result_.status.ok()) result_.status = Status(name_ + ": " + what);
  }

  void Finish() {
    result_.usable = assembler_->has_header();
    if (several_ && result_.usable) result_.profile.file += " (" + ProcessLabel(result_.profile.header) + ")";
    assembler_->FinishRows();
    take_(std::move(result_));
  }

  const std::string name_;
  const ReadOptions options_;
  const std::function<void(ReadResult)>& take_;
  ReadResult result_;
  std::unique_ptr<Assembler> assembler_;
  bool several_ = false;
  bool skipping_ = false;
};

ReadResult First(const std::function<void(const std::function<void(ReadResult)>&)>& read) {
  ReadResult first;
  bool taken = false;
  read([&](ReadResult result) {
    if (!std::exchange(taken, true)) first = std::move(result);
  });
  return first;
}

}  // namespace

void ReadProfiles(const std::string& name, ByteSource source, const std::function<void(ReadResult)>& take,
                  const ReadOptions& options) {
  FileReader(name, options, take).Run(std::move(source));
}

void ReadProfiles(const std::string& path, const std::function<void(ReadResult)>& take, const ReadOptions& options) {
  ByteSource source;
  if (Status opened = OpenFileSource(path, &source); !opened.ok()) {
    ReadResult result;
    result.status = std::move(opened);
    return take(std::move(result));
  }
  ReadProfiles(path, std::move(source), take, options);
}

ReadResult ReadProfile(const std::string& name, ByteSource source, const ReadOptions& options) {
  return First([&](const auto& take) { ReadProfiles(name, std::move(source), take, options); });
}

ReadResult ReadProfile(const std::string& path, const ReadOptions& options) {
  return First([&](const auto& take) { ReadProfiles(path, take, options); });
}

struct LiveProfile::State {
  State(std::string name, ByteSource source) : log(std::move(source)), assembler(&profile, Timeline::kDrop) {
    profile.file = std::move(name);
  }
  ProcessProfile profile;
  RecordLog log;
  Assembler assembler;
  Record record;
  bool opened = false;
};

LiveProfile::LiveProfile(std::string name, ByteSource source)
    : state_(std::make_unique<State>(std::move(name), std::move(source))) {}

LiveProfile::~LiveProfile() = default;

const ProcessProfile& LiveProfile::profile() const { return state_->profile; }
bool LiveProfile::has_header() const { return state_->assembler.has_header(); }

Status LiveProfile::Read() {
  State& state = *state_;
  const auto failed = [&](const std::string& what) { return Status(state.profile.file + ": " + what); };
  if (!state.opened) {
    const Status opened = state.log.Open(state.profile.file);
    if (!opened.ok()) return state.log.unread() < kMagicSize ? Status() : failed(opened.sentence());
    state.opened = true;
  }
  for (;;) {
    const RecordLog::Next next = state.log.Read(&state.record);
    if (next == RecordLog::Next::kEnd || next == RecordLog::Next::kCut) break;
    if (next != RecordLog::Next::kRecord) return failed(state.log.status().sentence());
    const bool header = state.record.kind_case() == Record::kHeader;
    if (!has_header() && !header) return failed(kNoHeaderFirst);
    if (header && IsNewer(state.record.header())) return failed(NewerSentence(state.record.header()));
    if (header && has_header()) return failed("holds several processes: they have ended, `ompprof report` shows them");
    Count(state.log, state.record, &state.profile);
    if (const std::string wrong = state.assembler.Apply(state.record); !wrong.empty())
      return failed("is damaged: " + wrong + " at byte " + std::to_string(state.log.offset()));
  }
  state.assembler.FinishRows();
  return Status();
}

}  // namespace ompprof::model
