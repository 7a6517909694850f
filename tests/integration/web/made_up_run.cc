// Writes profiles that no real program has, to try the web page.
//   made_up_run hostile OUT LIBRARY        every text in it is markup; LIBRARY has functions named so
//   made_up_run large OUT LIBRARY...       1,000 threads, 1,000,000 nodes
// Equal arguments give equal bytes.
#include <cstdio>
#include <cstring>
#include <fstream>
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
  for (const uint32_t thread : {1, 2}) {
    AddWait(thread, OmptState::kWaitBarrierImplicitParallel, places[1] + 1, places[0] + 1, 0, 40000000, builder);
    AddWait(thread, OmptState::kWaitCritical, places[2] + 1, places[0] + 1, 0x1234, 20000000, builder);
  }
  builder->AddFooter(40, 900000000);
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
    std::fprintf(stderr, "made_up_run hostile|large OUT LIBRARY...\n");
    return 2;
  }
  test::ProfileBuilder builder;
  if (std::strcmp(argv[1], "hostile") == 0)
    Hostile(argv + 3, argv + argc, &builder);
  else
    Large(argv + 3, argv + argc, &builder);
  std::ofstream out(argv[2], std::ios::binary);
  out << builder.Bytes();
  return out.good() ? 0 : 1;
}
