// Writes a made-up log that is large in one of the ways in which real logs are. Equal arguments give equal bytes.
//   large_log OUT long MIB LIBRARY           one process that writes the same rows at every flush, until it has MIB
//   large_log OUT timeline MIB LIBRARY       as `long`, with the times of samples
//   large_log OUT threads NUMBER LIBRARY     one process whose NUMBER threads have the same call paths
//   large_log OUT processes NUMBER LIBRARY   NUMBER ranks of one program, merged, at addresses of their own
// Frames lie at addresses of the library's functions.
#include <google/protobuf/util/delimited_message_util.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "profiler/model/record_log.h"
#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof {
namespace {

constexpr uint64_t kBias = uint64_t{1} << 44;
constexpr uint32_t kRegions = 20;
constexpr uint64_t kFlushUs = 1000000;

struct Shape {
  uint32_t threads;
  uint32_t nodes;   // of each thread's tree
  uint32_t places;  // distinct addresses
  uint32_t rows;    // of a thread, at each flush
  uint64_t flushes;
  bool timeline;
};

// The functions of the library, of which a process uses the first few.
std::vector<uint64_t> Places(const std::string& library, uint32_t count) {
  std::vector<uint64_t> places;
  for (const auto& [name, address] : test::SymbolAddresses(library)) {
    for (uint64_t offset = 0; offset < 32; offset += 8) places.push_back(address + offset);
  }
  if (places.empty()) std::exit(2);
  std::mt19937 random(3);
  std::vector<uint64_t> used;
  for (uint32_t i = 0; i < count; ++i) used.push_back(places[random() % places.size()]);
  return used;
}

class Process {
 public:
  Process(std::ofstream* out, const Shape& shape, const std::vector<uint64_t>& places, const std::string& library,
          uint64_t number)
      : out_(*out), shape_(shape), places_(places), bias_(kBias + number * 4096) {
    Record record;
    Header* header = record.mutable_header();
    header->set_format_version(FORMAT_CURRENT);
    header->set_program("/bin/made-up");
    header->add_argv("made-up");
    header->set_host("host");
    header->set_pid(1000 + number);
    header->set_rank(std::to_string(number));
    header->set_start_unix_ns(1700000000000000000);
    header->set_start_mono_ns(1000);
    header->set_clock("cpu");
    header->set_source("cpu-timer");
    header->set_weight_unit("nanoseconds");
    header->set_period(5000000);
    header->set_frequency(199);
    header->set_unwinder("cfi");
    header->set_timeline(shape.timeline);
    Write(record);
    record.Clear();
    Module* module = record.mutable_module();
    module->set_id(1);
    module->set_path(library);
    module->set_load_bias(bias_);
    Segment* segment = module->add_segments();
    segment->set_memsz(uint64_t{1} << 32);
    segment->set_flags(5);
    Write(record);
  }

  // No flush begins after `limit` bytes of the file.
  void Run(uint64_t limit) {
    for (uint32_t thread = 1; thread <= shape_.threads; ++thread) WriteThread(thread);
    for (uint32_t thread = 1; thread <= shape_.threads; ++thread) WriteTree(thread);
    for (uint32_t region = 1; region <= kRegions; ++region) WriteContext(region);
    for (uint64_t flush = 0; flush < shape_.flushes && static_cast<uint64_t>(out_.tellp()) < limit; ++flush) {
      for (uint32_t thread = 1; thread <= shape_.threads; ++thread) WriteSamples(thread, flush);
      for (uint32_t thread = 1; thread <= shape_.threads; ++thread) WriteWaits(thread, flush);
      for (uint32_t region = 1; region <= kRegions; ++region) WriteRuns(region, flush);
      flushes_ = flush + 1;
    }
    Record record;
    record.mutable_footer()->set_end_mono_ns(1000 + flushes_ * kFlushUs * 1000);
    record.mutable_footer()->set_process_cpu_ns(flushes_ * kFlushUs * 1000 * shape_.threads);
    record.mutable_footer()->set_reason("exit");
    record.mutable_footer()->set_samples(samples_);
    Write(record);
  }

 private:
  void Write(const Record& record) { google::protobuf::util::SerializeDelimitedToOstream(record, &out_); }

  uint64_t Place(uint64_t index) const { return bias_ + places_[index % places_.size()]; }

  void WriteThread(uint32_t id) {
    Record record;
    Thread* thread = record.mutable_thread();
    thread->set_id(id);
    thread->set_tid(1000 + id);
    thread->set_name("made-up");
    thread->set_kind(id == 1 ? Thread::INITIAL : Thread::WORKER);
    thread->set_start_mono_ns(1000);
    thread->set_cpu_ns(1000000000);
    thread->set_sampled(true);
    Write(record);
  }

  // The root, a frame, a region's implicit task, and frames below: the same in each thread.
  void WriteTree(uint32_t tree) {
    std::mt19937 random(1);
    Record record;
    uint64_t before = 0;
    for (uint32_t id = 1; id <= shape_.nodes; ++id) {
      NodeBatch* nodes = record.mutable_nodes();
      if (nodes->kind_size() == 0) {
        nodes->set_tree(tree);
        nodes->set_first_id(id);
        before = 0;
      }
      uint32_t kind = NODE_FRAME | NODE_RETURN_ADDRESS;
      uint64_t value = Place(random());
      uint32_t distance = 1 + random() % std::min<uint32_t>(std::max<uint32_t>(id, 4) - 3, 40);
      if (id <= 3) {
        kind = id == 1 ? NODE_ROOT : id == 2 ? NODE_FRAME : NODE_IMPLICIT_TASK;
        value = id == 1 ? 0 : Place(id - 2);
        distance = id == 1 ? 0 : 1;
      }
      nodes->add_parent_distance(distance);
      nodes->add_value_delta(static_cast<int64_t>(value - before));
      nodes->add_kind(kind);
      before = value;
      if (nodes->kind_size() < 4096 && id < shape_.nodes) continue;
      Write(record);
      record.Clear();
    }
  }

  void WriteContext(uint32_t id) {
    Record record;
    RegionContext* context = record.mutable_region_context();
    context->set_id(id);
    context->set_codeptr_ra(Place(id));
    context->set_resolved(true);
    context->set_tree(1);
    context->set_node(2);
    Write(record);
  }

  void WriteSamples(uint32_t thread, uint64_t flush) {
    Record record;
    SampleBatch* batch = record.mutable_samples();
    batch->set_tree(thread);
    batch->set_thread(thread);
    batch->set_end_mono_ns(1000 + (flush + 1) * kFlushUs * 1000);
    for (uint32_t i = 0; i < shape_.rows; ++i) {
      const auto node = static_cast<uint32_t>(4 + random_() % (shape_.nodes - 3));
      const bool waits = node % 8 == 0;
      batch->add_node(node);
      batch->add_state(StateToWire(waits ? OmptState::kWaitCritical : OmptState::kWorkParallel));
      batch->add_splice(thread == 1 ? 0 : 1);
      batch->add_region(1 + node % kRegions);
      batch->add_samples(1);
      batch->add_weight(5000000 + random_() % 1000);
      batch->add_wait(waits ? 6000000 + random_() % 1000000 : 0);
      batch->add_blame(random_() % 5 == 0 ? random_() % 3000000 : 0);
      if (!shape_.timeline) continue;
      batch->add_timed_row(i);
      const uint64_t step = kFlushUs / shape_.rows;
      batch->add_timed_end_delta_us(static_cast<int64_t>(i == 0 ? flush * kFlushUs + step : step));
      batch->add_timed_weight_delta(i == 0 ? 5000000 : 0);
    }
    samples_ += shape_.rows;
    Write(record);
  }

  void WriteWaits(uint32_t thread, uint64_t flush) {
    for (uint32_t place = 0; place < 4; ++place) {
      Record record;
      WaitStats* wait = record.mutable_wait_stats();
      wait->set_thread(thread);
      wait->set_state(StateToWire(OmptState::kWaitCritical));
      wait->set_codeptr_ra(Place(40 + place));
      wait->set_region_codeptr_ra(Place(1 + place));
      wait->set_wait_id(0x1000 + place);
      wait->set_module_epoch(1);
      wait->set_count(100 * (flush + 1));
      wait->set_total_ns(3000000 * (flush + 1));
      wait->set_max_ns(40000);
      for (uint32_t bucket = 0; bucket < 12; ++bucket) {
        wait->add_length_bucket(bucket == 0 ? 20 : 1);
        wait->add_length_count(8 * (flush + 1));
      }
      Write(record);
    }
  }

  void WriteRuns(uint32_t region, uint64_t flush) {
    Record record;
    RegionRuns* runs = record.mutable_region_runs();
    runs->set_context(region);
    runs->set_ended(10);
    runs->set_elapsed_ns(40000000);
    runs->set_useful_ns(30000000 * shape_.threads);
    runs->set_useful_max_ns(39000000);
    runs->set_useful_min_ns(20000000);
    runs->set_end_wait_ns(10000000 * shape_.threads);
    runs->set_team_ns(40000000 * shape_.threads);
    Write(record);
    record.Clear();
    RegionStats* stats = record.mutable_region_stats();
    stats->set_thread(1);
    stats->set_codeptr_ra(Place(region));
    stats->set_module_epoch(1);
    stats->set_invocations(10 * (flush + 1));
    stats->set_ended(10 * (flush + 1));
    stats->set_elapsed_ns(40000000 * (flush + 1));
    Write(record);
  }

  std::ofstream& out_;
  const Shape shape_;
  const std::vector<uint64_t>& places_;
  const uint64_t bias_;
  std::mt19937 random_{5};
  uint64_t samples_ = 0;
  uint64_t flushes_ = 0;
};

int Make(std::ofstream* out, const std::string& kind, uint64_t number, const std::string& library) {
  out->write(model::kMagic, model::kMagicSize);
  const bool is_long = kind == "long";
  if (is_long || kind == "timeline") {
    Process(out, {16, 2000, 1500, 150, UINT64_MAX, !is_long}, Places(library, 1500), library, 1).Run(number << 20);
  } else if (kind == "threads") {
    const auto threads = static_cast<uint32_t>(number);
    Process(out, {threads, 4000, 1500, 1000, 20, false}, Places(library, 1500), library, 1).Run(UINT64_MAX);
  } else if (kind == "processes") {
    const std::vector<uint64_t> places = Places(library, 1500);
    for (uint64_t i = 0; i < number; ++i)
      Process(out, {8, 400, 1500, 100, 3, false}, places, library, i).Run(UINT64_MAX);
  } else {
    return 2;
  }
  out->flush();
  return out->good() ? 0 : 1;
}

}  // namespace
}  // namespace ompprof

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "large_log OUT long|timeline|threads|processes NUMBER LIBRARY\n");
    return 2;
  }
  std::ofstream out(argv[1], std::ios::binary);
  return ompprof::Make(&out, argv[2], std::strtoull(argv[3], nullptr, 10), argv[4]);
}
