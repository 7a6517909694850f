#include "profiler/model/profile_writer.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "proto/ompt_state.h"

namespace ompprof::model {
namespace {

// Entries of one batch.
constexpr size_t kBatch = 4096;

template <class Map>
std::vector<typename Map::key_type> SortedKeys(const Map& map) {
  std::vector<typename Map::key_type> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The number without its fraction, at most the largest that the column holds. A larger one has no defined conversion.
uint64_t Whole(double number) {
  constexpr double kBehindLargest = 18446744073709551616.0;  // 2^64
  return number < kBehindLargest ? static_cast<uint64_t>(number) : UINT64_MAX;
}

class Writer {
 public:
  Writer(const ProcessProfile& process, const ByteSink& sink) : process_(process), sink_(sink) {}

  Status Run() {
    Put([&](Record* record) { *record->mutable_header() = process_.header; });
    PutEach(process_.modules, &Record::mutable_module);
    PutEach(process_.threads, &Record::mutable_thread);
    PutEach(process_.runtimes, &Record::mutable_runtime);
    PutEach(process_.labels, &Record::mutable_label);
    if (!process_.code_map.empty())
      Put([&](Record* record) { record->mutable_code_map()->set_text(process_.code_map); });
    for (const uint32_t id : SortedKeys(process_.trees)) PutTree(id, process_.trees.at(id).nodes);
    for (const uint32_t id : SortedKeys(process_.contexts))
      Put([&](Record* record) { *record->mutable_region_context() = process_.contexts.at(id); });
    PutSamples();
    PutStatistics();
    PutEnd();
    return status_;
  }

 private:
  template <class Fill>
  void Put(Fill fill) {
    if (!status_.ok()) return;
    Record record;
    fill(&record);
    PutRecord(record);
  }

  // A record for each message of a container; `field` gives its place in the record.
  template <class Messages, class Message>
  void PutEach(const Messages& messages, Message* (Record::*field)()) {
    for (const auto& entry : messages) Put([&](Record* record) { *(record->*field)() = MessageOf(entry); });
  }
  template <class Key, class Message>
  static const Message& MessageOf(const std::pair<const Key, Message>& entry) {
    return entry.second;
  }
  template <class Message>
  static const Message& MessageOf(const Message& message) {
    return message;
  }

  void PutRecord(const Record& record) {
    const size_t size = record.ByteSizeLong();
    bytes_.clear();
    {
      google::protobuf::io::StringOutputStream stream(&bytes_);
      google::protobuf::io::CodedOutputStream out(&stream);
      out.WriteVarint32(static_cast<uint32_t>(size));
      record.SerializeWithCachedSizes(&out);
    }
    status_ = sink_(bytes_);
  }

  void PutTree(uint32_t id, const std::vector<Node>& nodes) {
    for (size_t first = 0; first < nodes.size() && status_.ok(); first += kBatch) {
      Record record;
      NodeBatch* batch = record.mutable_nodes();
      batch->set_tree(id);
      batch->set_first_id(static_cast<uint32_t>(first + 1));
      uint64_t value = 0;
      for (size_t i = first; i < std::min(first + kBatch, nodes.size()); ++i) {
        const Node& node = nodes[i];
        batch->add_parent_distance(node.parent == 0 ? 0 : static_cast<uint32_t>(i + 1 - node.parent));
        batch->add_value_delta(static_cast<int64_t>(node.value - value));
        batch->add_kind(node.kind | (node.runtime ? static_cast<uint32_t>(NODE_RUNTIME) : 0) |
                        (node.return_address ? static_cast<uint32_t>(NODE_RETURN_ADDRESS) : 0));
        value = node.value;
      }
      PutRecord(record);
    }
  }

  // A batch has rows of one tree and one thread.
  void PutSamples() {
    std::vector<const SampleRow*> rows;
    for (const SampleRow& row : process_.samples) rows.push_back(&row);
    const auto batch_of = [](const SampleRow& row) { return std::tie(row.tree, row.thread); };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const SampleRow* a, const SampleRow* b) { return batch_of(*a) < batch_of(*b); });
    for (size_t first = 0; first < rows.size() && status_.ok();) {
      Record record;
      SampleBatch* batch = record.mutable_samples();
      batch->set_tree(rows[first]->tree);
      batch->set_thread(rows[first]->thread);
      size_t next = first;
      for (; next < rows.size() && next < first + kBatch && batch_of(*rows[next]) == batch_of(*rows[first]); ++next)
        AddRow(*rows[next], batch);
      DropEmptyColumns(batch);
      PutRecord(record);
      first = next;
    }
  }

  void AddRow(SampleRow row, SampleBatch* batch) const {
    // SampleBatch.samples has 32 bits, and a sum may need more. Rows with equal keys add up.
    while (row.cost.samples > UINT32_MAX) {
      SampleRow part = row;
      part.cost = {};
      part.cost.samples = UINT32_MAX;
      AddRow(part, batch);
      row.cost.samples -= UINT32_MAX;
    }
    batch->add_node(row.node);
    batch->add_state(StateToWire(row.state));
    batch->add_wait_id(row.wait_id);
    batch->add_splice(row.splice);
    batch->add_region(row.region);
    batch->add_samples(static_cast<uint32_t>(row.cost.samples));
    batch->add_weight(row.cost.weight);
    batch->add_wait(row.cost.wait);
    batch->add_blame(row.cost.blame);
    batch->add_lock_blame(row.cost.lock_blame);
    batch->add_phase(row.phase);
    batch->add_wait_variance(Whole(row.cost.wait_variance));
    batch->add_blame_variance(Whole(row.cost.blame_variance));
    batch->add_lock_blame_variance(Whole(row.cost.lock_blame_variance));
    batch->add_faults(row.cost.faults);
    batch->add_kernel_us(row.cost.kernel_ns / 1000);
    batch->add_ready_blame(row.cost.ready_blame);
    batch->add_off_processor_blame(row.cost.off_processor_blame);
    for (int event = 0; event < process_.header.counted_events_size(); ++event)
      batch->add_counts(event < static_cast<int>(kMostCountedEvents) ? row.cost.counts[static_cast<size_t>(event)] : 0);
  }

  // A column of zeros is written as no column.
  static void DropEmptyColumns(SampleBatch* batch) {
    const auto drop = [](auto* column) {
      if (std::all_of(column->begin(), column->end(), [](auto value) { return value == 0; })) column->Clear();
    };
    drop(batch->mutable_state());
    drop(batch->mutable_wait_id());
    drop(batch->mutable_splice());
    drop(batch->mutable_region());
    drop(batch->mutable_samples());
    drop(batch->mutable_weight());
    drop(batch->mutable_wait());
    drop(batch->mutable_blame());
    drop(batch->mutable_lock_blame());
    drop(batch->mutable_phase());
    drop(batch->mutable_wait_variance());
    drop(batch->mutable_blame_variance());
    drop(batch->mutable_lock_blame_variance());
    drop(batch->mutable_faults());
    drop(batch->mutable_kernel_us());
    drop(batch->mutable_ready_blame());
    drop(batch->mutable_off_processor_blame());
    drop(batch->mutable_counts());
  }

  void PutStatistics() {
    PutEach(process_.region_runs, &Record::mutable_region_runs);
    PutEach(process_.regions, &Record::mutable_region_stats);
    PutEach(process_.waits, &Record::mutable_wait_stats);
    PutEach(process_.works, &Record::mutable_work_stats);
    PutEach(process_.locks, &Record::mutable_lock_init);
    PutEach(process_.devices, &Record::mutable_device);
    PutEach(process_.device_stats, &Record::mutable_device_stats);
    PutEach(process_.governed, &Record::mutable_governed);
  }

  void PutEnd() {
    if (process_.load.until_mono_ns() != 0)
      Put([&](Record* record) { *record->mutable_processor_load() = process_.load; });
    if (process_.topology.processor_size() > 0)
      Put([&](Record* record) { *record->mutable_topology() = process_.topology; });
    if (process_.lost.reason_size() > 0) Put([&](Record* record) { *record->mutable_lost() = process_.lost; });
    for (const std::string& note : process_.notes) Put([&](Record* record) { record->mutable_note()->set_text(note); });
    if (!process_.event_counts.empty()) {
      Put([&](Record* record) {
        for (const auto& [event, count] : process_.event_counts) {
          record->mutable_events()->add_event(event);
          record->mutable_events()->add_count(count);
        }
      });
    }
    PutEach(process_.members, &Record::mutable_members);
    PutEach(process_.spreads, &Record::mutable_spreads);
    if (process_.complete) Put([&](Record* record) { *record->mutable_footer() = process_.footer; });
  }

  const ProcessProfile& process_;
  const ByteSink& sink_;
  std::string bytes_;
  Status status_;
};

}  // namespace

Status WriteProfile(const ProcessProfile& process, const ByteSink& sink) { return Writer(process, sink).Run(); }

}  // namespace ompprof::model
