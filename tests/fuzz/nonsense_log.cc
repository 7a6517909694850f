#include "tests/fuzz/nonsense_log.h"

#include <cstring>

#include "proto/ompt_state.h"
#include "tests/fuzz/decisions.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::fuzz {
namespace {

void AddLocks(Decisions* decide, test::ProfileBuilder* builder) {
  Record record;
  for (uint32_t i = decide->UpTo(10); i > 0; --i) {
    LockInit* lock = record.mutable_lock_init();
    lock->set_id(1 + decide->UpTo(3));
    lock->set_wait_id(0x400000 + decide->UpTo(0x2fff));
    lock->set_codeptr_ra(0x400000 + decide->UpTo(0x1fff));
    lock->set_tree(decide->UpTo(3));
    lock->set_node(decide->UpTo(35));
    lock->set_splice(decide->UpTo(7));
    builder->Append(record);
    WaitStats* waits = record.mutable_wait_stats();
    waits->set_thread(decide->UpTo(4));
    waits->set_state(0x10 + decide->UpTo(0x40));
    waits->set_wait_id(0x400000 + decide->UpTo(0x2fff));
    waits->set_codeptr_ra(0x400000 + decide->UpTo(0x1fff));
    waits->set_region_codeptr_ra(0x400000 + decide->UpTo(0x1fff));
    waits->set_acquired_at(decide->UpTo(1) * (0x400000 + decide->UpTo(0x1fff)));
    waits->set_lock(decide->UpTo(4));
    waits->set_count(decide->UpTo(2));
    waits->set_total_ns(decide->UpTo(1000));
    waits->clear_length_bucket();
    waits->clear_length_count();
    for (uint32_t k = decide->UpTo(3); k > 0; --k) {
      waits->add_length_bucket(1 + decide->UpTo(60));
      waits->add_length_count(decide->UpTo(100));
    }
    builder->Append(record);
  }
}

void AddDevices(Decisions* decide, test::ProfileBuilder* builder) {
  Record record;
  for (uint32_t i = decide->UpTo(3); i > 0; --i) builder->AddDevice(1 + decide->UpTo(2), decide->Text());
  for (uint32_t i = decide->UpTo(10); i > 0; --i) {
    test::TestDeviceStats stats;
    stats.device = decide->UpTo(3);
    stats.work = static_cast<DeviceWork>(decide->UpTo(11));
    stats.codeptr = decide->UpTo(1) * (0x400000 + decide->UpTo(0x1fff));
    stats.count = decide->UpTo(20);
    stats.bytes = uint64_t{decide->UpTo(60000)} << decide->UpTo(40);
    stats.host_ns = uint64_t{decide->UpTo(60000)} << decide->UpTo(20);
    stats.waited_ns = uint64_t{decide->UpTo(60000)} << decide->UpTo(20);
    stats.traced = decide->UpTo(20);
    stats.traced_ns = uint64_t{decide->UpTo(60000)} << decide->UpTo(20);
    stats.tree = decide->UpTo(3);
    stats.node = decide->UpTo(35);
    stats.splice = decide->UpTo(7);
    stats.id = decide->UpTo(6);
    builder->AddDeviceStats(stats);
  }
  for (uint32_t i = decide->UpTo(4); i > 0; --i) {
    DeviceOperations* operations = record.mutable_device_operations();
    operations->Clear();
    operations->set_thread(decide->UpTo(3));
    for (uint32_t k = decide->UpTo(6); k > 0; --k) {
      operations->add_stats(1 + decide->UpTo(7));
      operations->add_begin_delta_ns((int64_t{decide->UpTo(60000)} - decide->UpTo(2) * 10000) * 1000);
      operations->add_duration_ns(uint64_t{decide->UpTo(60000)} << decide->UpTo(30));
    }
    builder->Append(record);
  }
}

void AddRest(Decisions* decide, test::ProfileBuilder* builder) {
  Record record;
  for (uint32_t i = decide->UpTo(3); i > 0; --i) {
    RegionStats* region = record.mutable_region_stats();
    region->set_codeptr_ra(0x400010 + decide->UpTo(0x1000));
    region->set_invocations(decide->UpTo(9));
    region->set_elapsed_ns(decide->UpTo(60000));
    region->set_thread(decide->UpTo(4));
    builder->Append(record);
    RegionRuns* runs = record.mutable_region_runs();
    runs->set_context(1 + decide->UpTo(7));
    runs->set_ended(decide->UpTo(9));
    runs->set_elapsed_ns(decide->UpTo(60000));
    runs->set_useful_ns(decide->UpTo(60000));
    runs->set_team_ns(decide->UpTo(60000));
    builder->Append(record);
    WorkStats* work = record.mutable_work_stats();
    work->set_type(decide->UpTo(12));
    work->set_codeptr_ra(0x400000 + decide->UpTo(0x1fff));
    builder->Append(record);
    Label* label = record.mutable_label();
    label->set_parent(decide->UpTo(3));
    label->set_id(label->parent() + 1 + decide->UpTo(3));
    label->set_name(decide->Text());
    builder->Append(record);
    Governed* governed = record.mutable_governed();
    governed->set_event_class(static_cast<EventClass>(decide->UpTo(9)));
    governed->set_events(decide->UpTo(60000));
    governed->set_observed(decide->UpTo(60000));
    builder->Append(record);
  }
  record.mutable_runtime()->set_version("runtime");
  builder->Append(record);
  record.mutable_lost()->add_reason(decide->UpTo(9));
  record.mutable_lost()->add_samples(1);
  builder->Append(record);
  record.mutable_note()->set_text(decide->Text());
  builder->Append(record);
  record.mutable_events()->add_event(decide->UpTo(40));
  record.mutable_events()->add_count(1);
  builder->Append(record);
}

std::string Nonsense(Decisions* decide) {
  test::ProfileBuilder builder(decide->UpTo(3));
  builder.AddModule(1, "/nowhere/a.out", 0x400000, 0x1000);
  builder.AddModule(2, "/nowhere/libomp.so", 0x500000, 0x1000, true);
  for (uint32_t id = 1; id <= 3; ++id)
    builder.AddThread(id, static_cast<Thread::Kind>(decide->UpTo(4)), decide->UpTo(1000));
  uint32_t count[3] = {};
  for (uint32_t i = decide->UpTo(60); i > 0; --i) {
    const uint32_t tree = 1 + decide->UpTo(1), kind = decide->UpTo(8);
    uint64_t value = 0x400000 + decide->UpTo(0x1fff);
    if (kind == NODE_TASK_CONTEXT) value = uint64_t{1 + decide->UpTo(1)} << 32 | decide->UpTo(30);
    builder.AddNode(tree, decide->UpTo(count[tree]), kind | (decide->UpTo(1) != 0 ? NODE_RUNTIME : 0), value);
    ++count[tree];
  }
  for (uint32_t id = 1; id <= 6; ++id) {
    builder.AddContext(id, 0x400000 + decide->UpTo(0xfff), 1 + decide->UpTo(2), decide->UpTo(30), decide->UpTo(7),
                       decide->UpTo(7));
  }
  for (uint32_t i = decide->UpTo(60); i > 0; --i) {
    test::TestSample sample;
    sample.tree = 1 + decide->UpTo(2);
    sample.node = decide->UpTo(35);
    sample.thread = decide->UpTo(4);
    sample.state = StateFromWire(decide->UpTo(0x110));
    sample.splice = decide->UpTo(7);
    sample.region = decide->UpTo(7);
    sample.wait_id = decide->UpTo(2);
    sample.weight = decide->UpTo(1000);
    sample.end_us = decide->UpTo(3) * decide->UpTo(2000);
    if (sample.end_us != 0 && decide->UpTo(2) == 0) sample.interval_ns = 1 + decide->UpTo(60000), sample.samples = 0;
    builder.AddSample(sample);
  }
  AddLocks(decide, &builder);
  AddRest(decide, &builder);
  AddDevices(decide, &builder);
  builder.AddFooter(decide->UpTo(60), 1000);
  return builder.Bytes();
}

}  // namespace

std::string LogOf(const uint8_t* data, size_t size) {
  if (size >= model::kMagicSize && std::memcmp(data, model::kMagic, model::kMagicSize) == 0)
    return std::string(reinterpret_cast<const char*>(data), size);
  Decisions decide(data, size);
  std::string bytes = Nonsense(&decide);
  if (decide.UpTo(3) == 0) bytes += Nonsense(&decide).substr(model::kMagicSize);
  return bytes;
}

}  // namespace ompprof::fuzz
