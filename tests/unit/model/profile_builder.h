// A profile made up for a test: records appended one by one, as libprotobuf encodes them.
#ifndef OMPPROF_TESTS_UNIT_MODEL_PROFILE_BUILDER_H_
#define OMPPROF_TESTS_UNIT_MODEL_PROFILE_BUILDER_H_

#include <google/protobuf/util/delimited_message_util.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "profiler/model/profile_reader.h"
#include "profiler/model/record_log.h"
#include "proto/callpath_profile.pb.h"
#include "proto/ompt_state.h"

namespace ompprof::test {

// One row of a SampleBatch; `state` is the OMPT state itself, -1 for none.
struct TestSample {
  uint32_t tree = 1;
  uint32_t node = 0;
  uint32_t thread = 1;
  OmptState state = OmptState::kNone;
  uint32_t splice = 0;
  uint32_t region = 0;
  uint64_t wait_id = 0;
  uint32_t samples = 1;
  uint64_t weight = 1000;
  uint64_t end_us = 0;       // for the timeline, since the profile's start; 0: not in it
  uint64_t interval_ns = 0;  // a stretch of waiting of that length: set samples and weight to 0
  uint64_t wait_ns = 0;
};

// A DeviceStats record.
struct TestDeviceStats {
  uint32_t device = 1;
  DeviceWork work = DEVICE_LAUNCH;
  uint64_t codeptr = 0;
  uint64_t count = 1;
  uint64_t bytes = 0;
  uint64_t host_ns = 0;
  uint64_t waited_ns = 0;
  uint64_t traced = 0;
  uint64_t traced_ns = 0;
  uint32_t tree = 0;
  uint32_t node = 0;
  uint32_t splice = 0;
  uint32_t id = 0;
};

// An operation in the timeline of devices; times since the profile's start.
struct TestOperation {
  uint32_t stats = 1;
  uint64_t begin_us = 0;
  uint64_t duration_us = 0;
  uint64_t bytes = 0;
};

class ProfileBuilder {
 public:
  // An empty file, without the magic.
  struct Empty {};
  explicit ProfileBuilder(Empty) {}

  // The magic, and a header of the test.
  explicit ProfileBuilder(const Record& header) {
    bytes_.write(model::kMagic, model::kMagicSize);
    Append(header);
  }

  // The magic and a header.
  explicit ProfileBuilder(uint64_t pid = 42) {
    bytes_.write(model::kMagic, model::kMagicSize);
    Record record;
    Header* header = record.mutable_header();
    header->set_format_version(FORMAT_CURRENT);
    header->set_program("/bin/team");
    header->add_argv("./team");
    header->set_host("host");
    header->set_pid(pid);
    header->set_start_unix_ns(1700000000000000000);
    header->set_start_mono_ns(1000);
    header->set_clock("cpu");
    header->set_source("cpu-timer");
    header->set_weight_unit("nanoseconds");
    header->set_period(1000);
    header->set_frequency(199);
    header->set_unwinder("cfi");
    Append(record);
  }

  void Append(const Record& record) { google::protobuf::util::SerializeDelimitedToOstream(record, &bytes_); }

  // An object with one segment, mapped at `bias`.
  void AddModule(uint32_t id, const std::string& path, uint64_t bias, uint64_t size, bool runtime = false,
                 const std::string& build_id = "", bool own = false) {
    Record record;
    Module* module = record.mutable_module();
    module->set_id(id);
    module->set_path(path);
    module->set_build_id(build_id);
    module->set_load_bias(bias);
    module->set_openmp_runtime(runtime);
    module->set_profilers_own(own);
    Segment* segment = module->add_segments();
    segment->set_memsz(size);
    segment->set_flags(5);
    Append(record);
  }

  void AddThread(uint32_t id, Thread::Kind kind, uint64_t cpu_ns) {
    Record record;
    Thread* thread = record.mutable_thread();
    thread->set_id(id);
    thread->set_tid(4200 + id);
    thread->set_name("team");
    thread->set_kind(kind);
    thread->set_start_mono_ns(1000);
    thread->set_cpu_ns(cpu_ns);
    thread->set_sampled(true);
    Append(record);
  }

  // Adds a node and returns its id.
  uint32_t AddNode(uint32_t tree, uint32_t parent, uint32_t kind, uint64_t value = 0) {
    Record record;
    NodeBatch* nodes = record.mutable_nodes();
    const uint32_t id = ++nodes_[tree];
    nodes->set_tree(tree);
    nodes->set_first_id(id);
    nodes->add_parent_distance(parent == 0 ? 0 : id - parent);
    nodes->add_value_delta(static_cast<int64_t>(value));
    nodes->add_kind(kind);
    Append(record);
    return id;
  }

  void AddSample(const TestSample& sample) {
    Record record;
    SampleBatch* batch = record.mutable_samples();
    batch->set_tree(sample.tree);
    batch->set_thread(sample.thread);
    batch->set_end_mono_ns(2000);
    batch->add_node(sample.node);
    batch->add_state(StateToWire(sample.state));
    batch->add_wait_id(sample.wait_id);
    batch->add_splice(sample.splice);
    batch->add_region(sample.region);
    batch->add_samples(sample.samples);
    batch->add_weight(sample.weight);
    if (sample.wait_ns != 0) batch->add_wait(sample.wait_ns);
    if (sample.end_us != 0) {
      batch->add_timed_row(0);
      batch->add_timed_end_delta_us(static_cast<int64_t>(sample.end_us));
      batch->add_timed_weight_delta(static_cast<int64_t>(sample.interval_ns != 0 ? sample.interval_ns : sample.weight));
    }
    Append(record);
  }

  void AddContext(uint32_t id, uint64_t codeptr, uint32_t tree, uint32_t node, uint32_t splice = 0,
                  uint32_t parent = 0) {
    Record record;
    RegionContext* context = record.mutable_region_context();
    context->set_id(id);
    context->set_codeptr_ra(codeptr);
    context->set_resolved(node != 0);
    context->set_tree(tree);
    context->set_node(node);
    context->set_splice(splice);
    context->set_parent(parent);
    Append(record);
  }

  void AddDevice(uint32_t id, const std::string& type) {
    Record record;
    record.mutable_device()->set_id(id);
    record.mutable_device()->set_type(type);
    Append(record);
  }

  void AddDeviceStats(const TestDeviceStats& made_up) {
    Record record;
    DeviceStats* stats = record.mutable_device_stats();
    stats->set_device(made_up.device);
    stats->set_work(made_up.work);
    stats->set_codeptr_ra(made_up.codeptr);
    stats->set_count(made_up.count);
    stats->set_bytes(made_up.bytes);
    stats->set_host_ns(made_up.host_ns);
    stats->set_longest_ns(made_up.host_ns);
    stats->set_waited_ns(made_up.waited_ns);
    stats->set_traced(made_up.traced);
    stats->set_traced_ns(made_up.traced_ns);
    stats->set_tree(made_up.tree);
    stats->set_node(made_up.node);
    stats->set_splice(made_up.splice);
    stats->set_id(made_up.id);
    Append(record);
  }

  // `thread` 0: of the device's trace.
  void AddDeviceOperations(uint32_t thread, const std::vector<TestOperation>& operations) {
    Record record;
    DeviceOperations* batch = record.mutable_device_operations();
    batch->set_thread(thread);
    uint64_t before = 0;
    for (const TestOperation& operation : operations) {
      batch->add_stats(operation.stats);
      batch->add_begin_delta_ns(static_cast<int64_t>(1000 * (operation.begin_us - before)));
      batch->add_duration_ns(1000 * operation.duration_us);
      batch->add_bytes(operation.bytes);
      before = operation.begin_us;
    }
    Append(record);
  }

  void AddUnresolvedContext(uint32_t id, uint64_t codeptr) { AddContext(id, codeptr, 0, 0); }

  void AddFooter(uint64_t samples, uint64_t cpu_ns) {
    Record record;
    Footer* footer = record.mutable_footer();
    footer->set_end_mono_ns(1000001000);
    footer->set_process_cpu_ns(cpu_ns);
    footer->set_reason("exit");
    footer->set_samples(samples);
    Append(record);
  }

  std::string Bytes() const { return bytes_.str(); }

 private:
  std::ostringstream bytes_;
  std::map<uint32_t, uint32_t> nodes_;
};

// Bytes in memory as a source for the reader.
inline model::ByteSource FromMemory(std::string bytes) {
  return [bytes = std::move(bytes), at = size_t{0}](char* buffer, size_t size) mutable -> long {
    const size_t count = std::min(size, bytes.size() - at);
    std::memcpy(buffer, bytes.data() + at, count);
    at += count;
    return static_cast<long>(count);
  };
}

inline model::ReadResult Read(const ProfileBuilder& builder) {
  return model::ReadProfile("test.ompprof", FromMemory(builder.Bytes()));
}

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_MODEL_PROFILE_BUILDER_H_
