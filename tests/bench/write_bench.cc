// The writer thread's work with samples and nodes: adding up, and encoding. On a machine with all processors busy, its
// time is taken from the program.
//
//   scripts/bench structures         or: bazel run //tests/bench:write_bench
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <vector>

#include "profiler/collect/cct/tree.h"
#include "profiler/collect/write/encoding/encoder.h"
#include "profiler/collect/write/encoding/records.h"
#include "profiler/collect/write/encoding/sample_batch.h"
#include "proto/ompt_state.h"

namespace ompprof::bench {
namespace {

using collect::Encoder;
using collect::MakeKey;
using collect::SampleBatch;
using collect::Tree;

// The largest batch of nodes. Addresses are like code's: near each other on a path, far apart between libraries.
void EncodeNodes(benchmark::State& state) {
  auto tree = std::make_unique<Tree>();
  tree->Init(1);
  std::mt19937 random(7);
  while (tree->size() < collect::kMaxNodesPerBatch) {
    const uint64_t library = random() % 4 * 0x1000000;
    tree->Child(random() % 8 == 0 ? static_cast<uint32_t>(random() % (tree->size() + 1)) : tree->size(),
                MakeKey(0x7f1200000000 + library + random() % 0x40000, fields::kNodeFrame));
  }
  std::vector<uint8_t> buffer(collect::kMaxRecordBytes);
  Encoder out(buffer.data(), buffer.size());
  for (auto _ : state) {
    out.Clear();
    collect::EncodeNodes(*tree, 1, collect::kMaxNodesPerBatch, &out);
  }
  if (out.overflowed()) state.SkipWithError("the batch does not fit");
  state.SetItemsProcessed(state.iterations() * collect::kMaxNodesPerBatch);
  state.counters["bytes_per_node"] = static_cast<double>(out.size()) / collect::kMaxNodesPerBatch;
  tree->Destroy();
}
BENCHMARK(EncodeNodes);

collect::SampleRow Row(uint64_t weight, uint32_t node) {
  collect::SampleRow row{};
  row.weight = weight;
  row.node = node;
  row.state = OmptState::kWorkParallel;
  row.splice = row.region = 3;
  row.samples = 1;
  return row;
}

// Samples in `places` different places, in the ring's order.
std::vector<collect::SampleRow> Rows(uint32_t places) {
  std::mt19937 random(7);
  std::vector<collect::SampleRow> rows(4096);
  for (collect::SampleRow& row : rows) {
    const uint64_t weight = 1000000 + random() % 4096;
    row = Row(weight, static_cast<uint32_t>(random() % places + 1));
  }
  return rows;
}

void AddSamples(benchmark::State& state) {
  const auto rows = Rows(static_cast<uint32_t>(state.range(0)));
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  size_t at = 0;
  for (auto _ : state) {
    if (batch->full()) batch->Clear();
    batch->Add(rows[at]);
    if (++at == rows.size()) at = 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(AddSamples)->Arg(10)->Arg(1000);

// A batch of as many rows as there are places.
void EncodeSamples(benchmark::State& state) {
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  for (const collect::SampleRow& row : Rows(static_cast<uint32_t>(state.range(0)))) {
    if (!batch->full()) batch->Add(row);
  }
  std::vector<uint8_t> buffer(collect::kMaxRecordBytes);
  Encoder out(buffer.data(), buffer.size());
  for (auto _ : state) {
    out.Clear();
    collect::EncodeSamples(*batch, 1, 1, 123456789, &out);
  }
  state.SetItemsProcessed(state.iterations() * batch->size());
  state.counters["bytes_per_row"] = static_cast<double>(out.size()) / batch->size();
}
BENCHMARK(EncodeSamples)->Arg(10)->Arg(1000);

// One second of a thread that is sampled at the usual rate, in that many places, with its timeline. bytes_per_sample is
// the timeline's cost beside the samples themselves.
void EncodeTimeline(benchmark::State& state) {
  constexpr uint64_t kPeriodNs = 1000000000 / 199;
  constexpr uint64_t kTickUs = 4000;  // timers go off at the kernel's ticks
  const auto places = static_cast<uint32_t>(state.range(0));
  std::vector<uint8_t> buffer(collect::kMaxRecordBytes);
  Encoder out(buffer.data(), buffer.size());
  const auto encode = [&](SampleBatch* batch) {
    out.Clear();
    collect::EncodeSamples(*batch, 1, 1, 123456789, &out);
    return static_cast<double>(out.size());
  };
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  std::mt19937 random(7);
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < 199; ++i)
    rows.push_back(batch->Add(Row(kPeriodNs, static_cast<uint32_t>(random() % places + 1))));
  const double without = encode(batch.get());
  for (uint64_t i = 0; i < 199; ++i)
    batch->AddTimed({rows[i], (i + 1) * kPeriodNs / 1000 / kTickUs * kTickUs + random() % 300, kPeriodNs});
  const double with = encode(batch.get());
  for (auto _ : state) encode(batch.get());
  state.SetItemsProcessed(state.iterations() * 199);
  state.counters["bytes_per_sample"] = (with - without) / 199;
}
BENCHMARK(EncodeTimeline)->Arg(10)->Arg(150);

}  // namespace
}  // namespace ompprof::bench

BENCHMARK_MAIN();
