// Writes a made-up profile of a team of threads in one region. Each thread has a calling-context tree.
//   made_up_profile OUT NODES THREADS LIBRARY...      NODES: of all trees together; THREADS: 2 to 1000
// Frames lie at addresses of the libraries' functions, spread evenly over them; the first is the program's own. Equal
// arguments give equal bytes.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof {
namespace {

constexpr uint64_t kSpacing = uint64_t{1} << 32;
constexpr uint32_t kBatch = 4096;
constexpr uint32_t kDeepest = 60;  // frames, as in most programs

class MadeUpProfile {
 public:
  MadeUpProfile(uint32_t nodes, uint32_t threads) : builder_(nodes), nodes_(nodes), threads_(threads) {}

  void AddModule(uint32_t id, const char* library) {
    const uint64_t bias = (id + 3) * kSpacing;
    builder_.AddModule(id, library, bias, kSpacing);
    for (const auto& [name, address] : test::SymbolAddresses(library)) {
      if (address < kSpacing / 2) places_.push_back(bias + address);
    }
  }

  void AddThreads() {
    for (uint32_t id = 1; id <= threads_; ++id)
      builder_.AddThread(id, id == 1 ? Thread::INITIAL : Thread::WORKER, 1000000000);
  }

  void AddLabels() {
    for (uint32_t id = 1; id <= 2; ++id) {
      Record label;
      label.mutable_label()->set_id(id);
      label.mutable_label()->set_parent(id - 1);
      label.mutable_label()->set_name(id == 1 ? "solve" : "assemble");
      builder_.Append(label);
    }
  }

  // Adds the tree of the thread with that number: a frame, the implicit task, and frames below it.
  void AddTree(uint32_t tree) {
    const uint32_t root = builder_.AddNode(tree, 0, NODE_ROOT);
    const uint32_t first = builder_.AddNode(tree, root, NODE_FRAME, places_[0]);
    if (tree == 1) builder_.AddContext(1, places_[0] + 1, 1, first);
    uint32_t count = builder_.AddNode(tree, first, NODE_IMPLICIT_TASK, places_[0] + 1);
    std::vector<uint32_t> depth = {0, 1, 2, 3};  // by id
    while (count < nodes_ / threads_) {
      Record nodes;
      nodes.mutable_nodes()->set_tree(tree);
      nodes.mutable_nodes()->set_first_id(count + 1);
      Record samples;
      samples.mutable_samples()->set_tree(tree);
      samples.mutable_samples()->set_thread(tree);
      uint64_t before = 0;
      for (uint32_t i = 0; i < kBatch && count < nodes_ / threads_; ++i) {
        ++count;
        before = DrawNode(count, before, &depth, nodes.mutable_nodes());
        DrawSample(tree, count, samples.mutable_samples());
      }
      builder_.Append(nodes);
      builder_.Append(samples);
    }
  }

  std::string Finish() {
    builder_.AddFooter(samples_, uint64_t{1000000000} * threads_);
    return builder_.Bytes();
  }

 private:
  // Adds the node `id` and its depth, and returns its address. `before` is the address of the node before it.
  uint64_t DrawNode(uint32_t id, uint64_t before, std::vector<uint32_t>* depth, NodeBatch* nodes) {
    // Near parents make deep stacks, far parents wide ones.
    uint32_t distance = 1 + random_() % std::min<uint32_t>(id - 3, 40);
    while ((*depth)[id - distance] >= kDeepest) distance = 1 + random_() % (id - 3);
    depth->push_back((*depth)[id - distance] + 1);
    const uint64_t value = places_[random_() % places_.size()] + random_() % 32;
    nodes->add_parent_distance(distance);
    nodes->add_value_delta(static_cast<int64_t>(value - before));
    nodes->add_kind(NODE_FRAME | NODE_RETURN_ADDRESS);
    return value;
  }

  void DrawSample(uint32_t tree, uint32_t node, SampleBatch* samples) {
    const uint32_t weight = 1 + random_() % 5000000;
    samples->add_node(node);
    constexpr OmptState kStates[] = {OmptState::kWorkSerial, OmptState::kWorkParallel, OmptState::kWaitCritical};
    samples->add_state(StateToWire(kStates[random_() % 3]));
    samples->add_wait_id(random_() % 50 == 0 ? 0xabc : 0);
    samples->add_splice(tree == 1 ? 0 : 1);
    samples->add_region(1);
    samples->add_samples(1);
    samples->add_weight(weight);
    samples->add_wait(random_() % 10 == 0 ? random_() % 9000000 : 0);
    samples->add_blame(random_() % 5 == 0 ? random_() % 3000000 : 0);
    samples->add_phase(random_() % 4 == 0 ? 2 : 0);
    samples->add_lock_blame(random_() % 20 == 0 ? random_() % 4000000 : 0);
    ++samples_;
  }

  std::mt19937 random_{1};
  test::ProfileBuilder builder_;  // the process's id is the number of nodes
  const uint32_t nodes_, threads_;
  std::vector<uint64_t> places_;
  uint64_t samples_ = 0;
};

}  // namespace
}  // namespace ompprof

int main(int argc, char** argv) {
  const auto number = [&](int at) {
    return at < argc ? static_cast<uint32_t>(std::strtoul(argv[at], nullptr, 10)) : 0;
  };
  const uint32_t threads = number(3);
  if (argc < 5 || threads < 2 || threads > 1000) {
    std::fprintf(stderr, "made_up_profile OUT NODES THREADS LIBRARY...\n");
    return 2;
  }
  ompprof::MadeUpProfile profile(number(2), threads);
  for (int i = 4; i < argc; ++i) profile.AddModule(static_cast<uint32_t>(i - 3), argv[i]);
  profile.AddThreads();
  profile.AddLabels();
  for (uint32_t tree = 1; tree <= threads; ++tree) profile.AddTree(tree);
  std::ofstream out(argv[1], std::ios::binary);
  out << profile.Finish();
  return out.good() ? 0 : 1;
}
