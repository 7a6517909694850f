// Writes a made-up profile of a team of threads in one region, with a tree of call paths each.
//   made_up_profile OUT NODES THREADS LIBRARY...      NODES: of all trees together; THREADS: 2 to 1000
// Frames are at addresses of the libraries' functions, spread evenly over them; the first is the program's own. The
// same arguments give the same bytes.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace {

constexpr uint64_t kSpacing = uint64_t{1} << 32;
constexpr uint32_t kBatch = 4096;
constexpr uint32_t kDeepest = 60;  // frames, as in most programs

}  // namespace

int main(int argc, char** argv) {
  using namespace ompprof;
  const auto number = [&](int at) {
    return at < argc ? static_cast<uint32_t>(std::strtoul(argv[at], nullptr, 10)) : 0;
  };
  const uint32_t wanted = number(2);
  const uint32_t threads = number(3);
  if (argc < 5 || threads < 2 || threads > 1000) {
    std::fprintf(stderr, "made_up_profile OUT NODES THREADS LIBRARY...\n");
    return 2;
  }
  std::mt19937 random(1);
  test::ProfileBuilder builder(wanted);  // of a process of its own
  std::vector<uint64_t> places;
  for (int i = 4; i < argc; ++i) {
    const uint64_t bias = static_cast<uint64_t>(i) * kSpacing;
    builder.AddModule(static_cast<uint32_t>(i - 3), argv[i], bias, kSpacing);
    for (const auto& [name, address] : test::SymbolAddresses(argv[i])) {
      if (address < kSpacing / 2) places.push_back(bias + address);
    }
  }
  for (uint32_t id = 1; id <= threads; ++id)
    builder.AddThread(id, id == 1 ? Thread::INITIAL : Thread::WORKER, 1000000000);

  for (uint32_t id = 1; id <= 2; ++id) {
    Record label;
    label.mutable_label()->set_id(id);
    label.mutable_label()->set_parent(id - 1);
    label.mutable_label()->set_name(id == 1 ? "solve" : "assemble");
    builder.Append(label);
  }
  uint64_t total = 0;
  for (uint32_t tree = 1; tree <= threads; ++tree) {
    const uint32_t root = builder.AddNode(tree, 0, NODE_ROOT);
    const uint32_t first = builder.AddNode(tree, root, NODE_FRAME, places[0]);
    if (tree == 1) builder.AddContext(1, places[0] + 1, 1, first);
    uint32_t count = builder.AddNode(tree, first, NODE_IMPLICIT_TASK, places[0] + 1);
    std::vector<uint32_t> depth = {0, 1, 2, 3};  // by id
    while (count < wanted / threads) {
      Record nodes;
      nodes.mutable_nodes()->set_tree(tree);
      nodes.mutable_nodes()->set_first_id(count + 1);
      Record samples;
      samples.mutable_samples()->set_tree(tree);
      samples.mutable_samples()->set_thread(tree);
      uint64_t before = 0;
      for (uint32_t i = 0; i < kBatch && count < wanted / threads; ++i) {
        ++count;
        // Near parents make deep stacks, far ones wide ones.
        uint32_t distance = 1 + random() % std::min<uint32_t>(count - 3, 40);
        while (depth[count - distance] >= kDeepest) distance = 1 + random() % (count - 3);
        depth.push_back(depth[count - distance] + 1);
        const uint64_t value = places[random() % places.size()] + random() % 32;
        nodes.mutable_nodes()->add_parent_distance(distance);
        nodes.mutable_nodes()->add_value_delta(static_cast<int64_t>(value - before));
        nodes.mutable_nodes()->add_kind(NODE_FRAME | NODE_RETURN_ADDRESS);
        before = value;
        const uint32_t weight = 1 + random() % 5000000;
        samples.mutable_samples()->add_node(count);
        constexpr OmptState kStates[] = {OmptState::kWorkSerial, OmptState::kWorkParallel, OmptState::kWaitCritical};
        samples.mutable_samples()->add_state(StateToWire(kStates[random() % 3]));
        samples.mutable_samples()->add_wait_id(random() % 50 == 0 ? 0xabc : 0);
        samples.mutable_samples()->add_splice(tree == 1 ? 0 : 1);
        samples.mutable_samples()->add_region(1);
        samples.mutable_samples()->add_samples(1);
        samples.mutable_samples()->add_weight(weight);
        samples.mutable_samples()->add_wait(random() % 10 == 0 ? random() % 9000000 : 0);
        samples.mutable_samples()->add_blame(random() % 5 == 0 ? random() % 3000000 : 0);
        samples.mutable_samples()->add_phase(random() % 4 == 0 ? 2 : 0);
        samples.mutable_samples()->add_lock_blame(random() % 20 == 0 ? random() % 4000000 : 0);
        ++total;
      }
      builder.Append(nodes);
      builder.Append(samples);
    }
  }
  builder.AddFooter(total, uint64_t{1000000000} * threads);
  std::ofstream out(argv[1], std::ios::binary);
  out << builder.Bytes();
  return out.good() ? 0 : 1;
}
