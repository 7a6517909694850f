#include "profiler/model/sample_index.h"

#include "profiler/model/merge_equal.h"

namespace ompprof::model {
namespace {

constexpr size_t kFewestSlots = 1024;

uint64_t Mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

uint64_t HashOf(const SampleRow& row) {
  // Mixed one after the other, because a thread's tree often has the thread's number.
  uint64_t hash = Mixed(0, uint64_t{row.tree} << 32 | row.node);
  hash = Mixed(hash, uint64_t{row.thread} << 32 | row.region);
  hash = Mixed(hash, uint64_t{row.splice} << 32 | static_cast<uint32_t>(row.state));
  return Mixed(hash, row.wait_id ^ (uint64_t{row.phase} << 1 | (row.interval ? 1 : 0)));
}

}  // namespace

size_t SampleIndex::Slot(const SampleRow& row, const std::vector<SampleRow>& rows) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = HashOf(row) & mask;
  while (slots_[slot] != 0 && KeyOf(rows[slots_[slot] - 1]) != KeyOf(row)) slot = (slot + 1) & mask;
  return slot;
}

// At most half of the slots are used.
void SampleIndex::Fill(const std::vector<SampleRow>& rows) {
  size_t size = kFewestSlots;
  while (size < 4 * rows.size()) size *= 2;
  slots_.assign(size, 0);
  for (size_t i = 0; i < rows.size(); ++i) slots_[Slot(rows[i], rows)] = static_cast<uint32_t>(i + 1);
}

uint32_t SampleIndex::Add(const SampleRow& row, std::vector<SampleRow>* rows) {
  if (2 * rows->size() >= slots_.size()) Fill(*rows);
  uint32_t& entry = slots_[Slot(row, *rows)];
  if (entry != 0) {
    (*rows)[entry - 1].cost.Add(row.cost);
  } else {
    rows->push_back(row);
    entry = static_cast<uint32_t>(rows->size());
  }
  return entry - 1;
}

// Stands here because of the key.
void ProcessProfile::SortSamples() {
  const auto add = [](SampleRow* row, const SampleRow& more) { row->cost.Add(more.cost); };
  const std::vector<uint32_t> moved = MergeEqual(
      &samples, 0, !timed.empty() || !time_bins.bins.empty(),
      [](const SampleRow& a, const SampleRow& b) { return KeyOf(a) < KeyOf(b); }, add);
  for (TimedRow& entry : timed) entry.row = moved[entry.row];
  for (TimeBin& bin : time_bins.bins) bin.row = moved[bin.row];
}

}  // namespace ompprof::model
