// Writes profiles that no real program has, to try the web page.
//   made_up_run hostile OUT LIBRARY        every text in it is markup; LIBRARY has functions named so
//   made_up_run large OUT LIBRARY...       1,000 threads, 1,000,000 nodes
//   made_up_run rank OUT RANK [untimed]    one rank of a job, with a timeline or without. The host of rank 7 is markup
//   made_up_run devices OUT PROGRAM        two devices for 1 s, with a timeline; PROGRAM is tests/programs/devices_gcc
// Equal arguments give equal bytes.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace {

using namespace ompprof;

constexpr uint64_t kSpacing = uint64_t{1} << 32;
constexpr char kMarkup[] = "</script><img src=x onerror=window.hostile=9>\"'`\x01\x1b[31m\xff\xe2\x80\xae&lt;";
constexpr uint32_t kThreads = 1000;
constexpr uint32_t kNodesEach = 1000;
constexpr uint32_t kDeepest = 40;

// Addresses of the libraries' functions, in memory.
std::vector<uint64_t> AddLibraries(char** first, char** last, test::ProfileBuilder* builder) {
  std::vector<uint64_t> places;
  for (uint32_t id = 1; first != last; ++first, ++id) {
    const uint64_t bias = id * kSpacing;
    builder->AddModule(id, *first, bias, kSpacing);
    for (const auto& [name, address] : test::SymbolAddresses(*first)) {
      if (address < kSpacing / 2) places.push_back(bias + address);
    }
  }
  return places;
}

void AddRegion(uint64_t codeptr, uint32_t team, test::ProfileBuilder* builder) {
  Record record;
  RegionStats* stats = record.mutable_region_stats();
  stats->set_thread(1);
  stats->set_codeptr_ra(codeptr);
  stats->set_invocations(10);
  stats->set_ended(10);
  stats->set_elapsed_ns(900000000);
  stats->set_actual_sum(uint64_t{10} * team);
  stats->set_actual_min(team);
  stats->set_actual_max(team);
  stats->set_useful_ns(uint64_t{500000000} * team);
  stats->set_useful_max_ns(800000000);
  stats->set_useful_min_ns(300000000);
  stats->set_end_wait_ns(uint64_t{400000000} * team);
  stats->set_team_ns(uint64_t{900000000} * team);
  builder->Append(record);
}

void AddWait(uint32_t thread, OmptState state, uint64_t codeptr, uint64_t region, uint64_t wait_id, uint64_t ns,
             test::ProfileBuilder* builder) {
  Record record;
  WaitStats* wait = record.mutable_wait_stats();
  wait->set_thread(thread);
  wait->set_state(StateToWire(state));
  wait->set_codeptr_ra(codeptr);
  wait->set_region_codeptr_ra(region);
  wait->set_wait_id(wait_id);
  wait->set_count(10);
  wait->set_total_ns(ns);
  wait->set_max_ns(ns / 5);
  wait->set_last_count(thread % 10);
  wait->set_last_by_ns(ns / 20);
  builder->Append(record);
}

void AddRuntime(const std::string& version, test::ProfileBuilder* builder) {
  Record record;
  record.mutable_runtime()->set_version(version);
  builder->Append(record);
}

void AddHostileDevice(uint64_t codeptr, uint32_t node, test::ProfileBuilder* builder) {
  builder->AddDevice(1, kMarkup);
  for (const uint32_t id : {1, 2}) {
    test::TestDeviceStats stats;
    stats.id = id;
    stats.work = id == 1 ? DEVICE_LAUNCH : DEVICE_TARGET;
    stats.codeptr = codeptr;
    stats.host_ns = 1000000;
    stats.tree = 1;
    stats.node = node;
    builder->AddDeviceStats(stats);
  }
  builder->AddDeviceOperations(1, {{1, 1000, 1000}});
}

void Hostile(char** libraries, char** end, test::ProfileBuilder* builder) {
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_program(std::string("/tmp/") + kMarkup);
  header->add_argv(kMarkup);
  header->set_host(kMarkup);
  header->set_pid(42);
  header->set_start_mono_ns(1000);
  header->set_clock("cpu");
  header->set_source("cpu-timer");
  header->set_weight_unit("nanoseconds");
  header->set_unwinder("cfi");
  *builder = test::ProfileBuilder(record);
  const std::vector<uint64_t> places = AddLibraries(libraries, end, builder);
  builder->AddModule(9, std::string("/tmp/") + kMarkup + ".so", 9 * kSpacing, 1 << 20);
  builder->AddThread(1, Thread::INITIAL, 500000000);
  AddRuntime("LLVM", builder);
  record.Clear();
  record.mutable_thread()->set_id(2);
  record.mutable_thread()->set_tid(2);
  record.mutable_thread()->set_name(kMarkup);
  record.mutable_thread()->set_kind(Thread::WORKER);
  record.mutable_thread()->set_start_mono_ns(1000);
  record.mutable_thread()->set_cpu_ns(400000000);
  builder->Append(record);
  record.Clear();
  record.mutable_note()->set_text(kMarkup);
  builder->Append(record);
  uint32_t node = builder->AddNode(1, 0, NODE_ROOT);
  for (const uint64_t place : places) {
    node = builder->AddNode(1, node, NODE_FRAME | NODE_RETURN_ADDRESS, place + 1);
    builder->AddSample({.tree = 1,
                        .node = node,
                        .thread = 1,
                        .state = OmptState::kWorkParallel,
                        .splice = 0,
                        .region = 0,
                        .wait_id = 0,
                        .samples = 10,
                        .weight = 100000000});
  }
  node = builder->AddNode(1, node, NODE_FRAME | NODE_RETURN_ADDRESS, 9 * kSpacing + 0x123);
  builder->AddSample({.tree = 1,
                      .node = node,
                      .thread = 2,
                      .state = OmptState::kWaitBarrierImplicit,
                      .splice = 0,
                      .region = 0,
                      .wait_id = 0,
                      .samples = 10,
                      .weight = 100000000});
  AddRegion(places[0] + 1, 2, builder);
  AddHostileDevice(places[0] + 1, node, builder);
  for (const uint32_t thread : {1, 2}) {
    AddWait(thread, OmptState::kWaitBarrierImplicitParallel, places[1] + 1, places[0] + 1, 0, 40000000, builder);
    AddWait(thread, OmptState::kWaitCritical, places[2] + 1, places[0] + 1, 0x1234, 20000000, builder);
  }
  builder->AddFooter(40, 900000000);
}

constexpr uint32_t kRounds = 40;

// In each round of 25 ms, the first device gets 4 MB in 4 ms, works for 15 ms and gives 2 MB back in 4 ms. Its
// allocation takes 0.1 ms. The second device works for 5 ms at the same time, in one of four rounds.
void AddRounds(test::ProfileBuilder* builder) {
  std::vector<test::TestOperation> host;
  std::vector<test::TestOperation> traced;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const uint64_t begin = 25000 * uint64_t{round};
    host.push_back({4, begin, 100, 4000000});
    host.push_back({2, begin + 200, 4000, 4000000});
    host.push_back({3, begin + 20000, 4000, 2000000});
    traced.push_back({1, begin + 4500, 15000});
    if (round % 4 == 0) traced.push_back({5, begin + 6000, 5000});
  }
  builder->AddDeviceOperations(1, host);
  builder->AddDeviceOperations(0, traced);
}

void AddDeviceRecords(const std::vector<uint64_t>& callers, uint32_t node, test::ProfileBuilder* builder) {
  builder->AddDevice(1, "reference");
  builder->AddDevice(2, "other");
  const auto add = [&](uint32_t id, uint32_t device, DeviceWork work, uint64_t codeptr, uint64_t count,
                       uint64_t each_ns, uint64_t bytes) {
    test::TestDeviceStats stats;
    stats.id = id;
    stats.device = device;
    stats.work = work;
    stats.codeptr = codeptr;
    stats.count = count;
    stats.host_ns = count * each_ns;
    stats.bytes = count * bytes;
    if (work == DEVICE_LAUNCH) {
      stats.traced = count;
      stats.traced_ns = count * each_ns;
      stats.waited_ns = count * each_ns;
    }
    stats.tree = 1;
    stats.node = node;
    builder->AddDeviceStats(stats);
  };
  add(1, 1, DEVICE_LAUNCH, callers[0], kRounds, 15000000, 0);
  add(2, 1, DEVICE_TO_DEVICE, callers[0], kRounds, 4000000, 4000000);
  add(3, 1, DEVICE_FROM_DEVICE, callers[0], kRounds, 4000000, 2000000);
  add(4, 1, DEVICE_ALLOC, callers[0], kRounds, 100000, 4000000);
  add(5, 2, DEVICE_LAUNCH, callers[1], kRounds / 4, 5000000, 0);
  add(0, 1, DEVICE_TARGET, callers[0], kRounds, 24000000, 0);
  add(0, 2, DEVICE_TARGET, callers[1], kRounds / 4, 5000000, 0);
}

void Devices(char** programs, char** /*end*/, test::ProfileBuilder* builder) {
  std::vector<uint64_t> callers;  // behind the first instructions of the two functions with constructs
  builder->AddModule(1, *programs, kSpacing, kSpacing);
  const std::map<std::string, uint64_t> symbols = test::SymbolAddresses(*programs);
  for (const char* function : {"both_ways", "kept_there", "main"})
    callers.push_back(kSpacing + symbols.at(function) + 4);
  AddRuntime("libgomp", builder);
  builder->AddThread(1, Thread::INITIAL, 200000000);
  builder->AddThread(2, Thread::WORKER, 600000000);
  const uint32_t root = builder->AddNode(1, 0, NODE_ROOT);
  const uint32_t main = builder->AddNode(1, root, NODE_FRAME | NODE_RETURN_ADDRESS, callers[2]);
  const uint32_t caller = builder->AddNode(1, main, NODE_FRAME | NODE_RETURN_ADDRESS, callers[0]);
  for (uint32_t round = 0; round < kRounds; ++round) {
    const uint64_t end_us = 25000 * uint64_t{round + 1};
    builder->AddSample(
        {.node = main, .thread = 1, .state = OmptState::kWorkSerial, .weight = 1000000, .end_us = end_us - 500});
    builder->AddSample({.node = caller,
                        .thread = 1,
                        .state = OmptState::kWaitTarget,
                        .samples = 0,
                        .weight = 0,
                        .end_us = end_us - 5000,
                        .interval_ns = 15000000});
    builder->AddSample(
        {.node = main, .thread = 2, .state = OmptState::kWorkParallel, .weight = 15000000, .end_us = end_us - 1000});
  }
  AddWait(1, OmptState::kWaitTarget, callers[0], 0, 0, uint64_t{kRounds} * 15000000, builder);
  AddDeviceRecords(callers, caller, builder);
  AddRounds(builder);
  builder->AddFooter(2 * kRounds, 800000000);
}

// Rank 5 works for 2 s, the other ranks for 1 s, in samples of 10 ms. Then its second thread waits for as long.
Record RankHeader(const std::string& rank) {
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_program("/bin/team");
  header->add_argv("./team");
  header->set_host(rank == "7" ? kMarkup : "node" + std::to_string(std::stoi(rank) / 4));
  header->set_rank(rank);
  header->set_pid(100 + std::stoul(rank));
  header->set_start_unix_ns(int64_t{1700000000} * (1 << 20) * 1000);  // a column of any width begins
  header->set_start_mono_ns(1000);
  header->set_clock("cpu");
  header->set_source("cpu-timer");
  header->set_weight_unit("nanoseconds");
  header->set_timeline(true);
  return record;
}

void Rank(const std::string& rank, bool timed, test::ProfileBuilder* builder) {
  constexpr uint64_t kSampleUs = 10000;
  const uint64_t work_us = rank == "5" ? 2000000 : 1000000;
  AddRuntime("LLVM", builder);
  builder->AddModule(9, "/bin/team", kSpacing, kSpacing);
  builder->AddThread(1, Thread::INITIAL, 2 * work_us * 1000);
  builder->AddThread(2, Thread::WORKER, work_us * 1000);
  for (uint32_t thread = 1; thread <= 2; ++thread) {
    const uint32_t root = builder->AddNode(thread, 0, NODE_ROOT);
    const uint32_t leaf = builder->AddNode(thread, root, NODE_FRAME, kSpacing + 0x100);
    const uint64_t works_us = thread == 1 ? 2 * work_us : work_us;
    for (uint64_t end_us = kSampleUs; end_us <= works_us; end_us += kSampleUs)
      builder->AddSample({.tree = thread,
                          .node = leaf,
                          .thread = thread,
                          .state = OmptState::kWorkParallel,
                          .weight = kSampleUs * 1000,
                          .end_us = timed ? end_us : 0});
  }
  if (timed)
    builder->AddSample({.tree = 2,
                        .node = 1,
                        .thread = 2,
                        .state = OmptState::kWaitBarrierImplicitParallel,
                        .samples = 0,
                        .weight = 0,
                        .end_us = 2 * work_us,
                        .interval_ns = work_us * 1000});
  AddWait(2, OmptState::kWaitBarrierImplicitParallel, 0, 0, 0, work_us * 1000, builder);
  Record record;
  Footer* footer = record.mutable_footer();
  footer->set_end_mono_ns(1000 + 2 * work_us * 1000);
  footer->set_process_cpu_ns(3 * work_us * 1000);
  footer->set_reason("exit");
  builder->Append(record);
}

void Large(char** libraries, char** end, test::ProfileBuilder* builder) {
  const std::vector<uint64_t> places = AddLibraries(libraries, end, builder);
  AddRuntime("LLVM", builder);
  std::mt19937 random(1);
  for (uint32_t thread = 1; thread <= kThreads; ++thread) {
    builder->AddThread(thread, thread == 1 ? Thread::INITIAL : Thread::WORKER, 1000000000);
    uint32_t count = builder->AddNode(thread, 0, NODE_ROOT);
    std::vector<uint32_t> depth = {0, 0};  // by id
    Record nodes;
    nodes.mutable_nodes()->set_tree(thread);
    nodes.mutable_nodes()->set_first_id(count + 1);
    Record samples;
    samples.mutable_samples()->set_tree(thread);
    samples.mutable_samples()->set_thread(thread);
    uint64_t before = 0;
    while (count < kNodesEach + 1) {
      ++count;
      uint32_t distance = 1 + random() % std::min<uint32_t>(count - 1, 30);
      while (depth[count - distance] >= kDeepest) distance = 1 + random() % (count - 1);
      depth.push_back(depth[count - distance] + 1);
      // All paths begin alike, as in programs, and then go different ways.
      const uint64_t value = places[depth.back() < 4 ? depth.back() : random() % places.size()] + 1;
      nodes.mutable_nodes()->add_parent_distance(distance);
      nodes.mutable_nodes()->add_value_delta(static_cast<int64_t>(value - before));
      nodes.mutable_nodes()->add_kind(NODE_FRAME | NODE_RETURN_ADDRESS);
      before = value;
      const OmptState states[] = {OmptState::kWorkParallel,        OmptState::kWorkParallel, OmptState::kWorkParallel,
                                  OmptState::kWaitBarrierImplicit, OmptState::kWaitCritical, OmptState::kOverhead};
      samples.mutable_samples()->add_node(count);
      samples.mutable_samples()->add_state(StateToWire(states[random() % 6]));
      samples.mutable_samples()->add_wait_id(0);
      samples.mutable_samples()->add_splice(0);
      samples.mutable_samples()->add_region(0);
      samples.mutable_samples()->add_samples(1);
      samples.mutable_samples()->add_weight(500000 + random() % 1000000);
      samples.mutable_samples()->add_wait(random() % 10 == 0 ? random() % 9000000 : 0);
      samples.mutable_samples()->add_blame(random() % 5 == 0 ? random() % 3000000 : 0);
    }
    builder->Append(nodes);
    builder->Append(samples);
    for (uint32_t region = 0; region < 20; ++region)
      AddWait(thread, region % 4 == 0 ? OmptState::kWaitCritical : OmptState::kWaitBarrierImplicitParallel,
              places[100 + region] + 1, places[50 + region] + 1, region % 4 == 0 ? 0x1000 + region : 0,
              random() % 30000000, builder);
  }
  for (uint32_t region = 0; region < 20; ++region) AddRegion(places[50 + region] + 1, kThreads, builder);
  builder->AddFooter(uint64_t{kThreads} * kNodesEach, uint64_t{kThreads} * 1000000000);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "made_up_run hostile|large|devices|rank OUT LIBRARY...\n");
    return 2;
  }
  const bool is_rank = std::strcmp(argv[1], "rank") == 0;
  test::ProfileBuilder builder = is_rank ? test::ProfileBuilder(RankHeader(argv[3])) : test::ProfileBuilder();
  if (is_rank)
    Rank(argv[3], argc == 4, &builder);
  else if (std::strcmp(argv[1], "hostile") == 0)
    Hostile(argv + 3, argv + argc, &builder);
  else if (std::strcmp(argv[1], "devices") == 0)
    Devices(argv + 3, argv + argc, &builder);
  else
    Large(argv + 3, argv + argc, &builder);
  std::ofstream out(argv[2], std::ios::binary);
  out << builder.Bytes();
  return out.good() ? 0 : 1;
}
