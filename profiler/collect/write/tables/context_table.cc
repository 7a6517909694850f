#include "profiler/collect/write/tables/context_table.h"

namespace ompprof::collect {
namespace {

// Regions nest a few levels deep; the bound keeps a damaged chain from looping.
constexpr int kMaxNesting = 64;

}  // namespace

bool ContextTable::Grow() {
  const uint32_t count = slot_count_ == 0 ? 1024 : slot_count_ * 2;
  auto* slots = static_cast<Entry*>(MapFixed(sizeof(Entry) * count));
  if (slots == nullptr) return false;
  for (uint32_t i = 0; i < slot_count_; ++i) {
    if (slots_[i].id == 0) continue;
    uint32_t at =
        static_cast<uint32_t>((slots_[i].codeptr_ra * 31 + slots_[i].node) * 0x9e3779b97f4a7c15ull >> 32) & (count - 1);
    while (slots[at].id != 0) at = (at + 1) & (count - 1);
    slots[at] = slots_[i];
  }
  UnmapFixed(slots_, sizeof(Entry) * slot_count_);
  slots_ = slots;
  slot_count_ = count;
  return true;
}

uint32_t ContextTable::Intern(uint32_t tree, uint32_t node, uint32_t splice, const RegionRecord& record,
                              uint32_t parent) {
  if (used_ * 2 >= slot_count_ && !Grow()) return 0;
  uint32_t at =
      static_cast<uint32_t>((record.codeptr_ra * 31 + node) * 0x9e3779b97f4a7c15ull >> 32) & (slot_count_ - 1);
  for (; slots_[at].id != 0; at = (at + 1) & (slot_count_ - 1)) {
    const Entry& entry = slots_[at];
    if (entry.tree == tree && entry.node == node && entry.splice == splice && entry.codeptr_ra == record.codeptr_ra)
      return entry.id;
  }
  const uint32_t id = ++last_id_;
  slots_[at] = {tree, node, splice, id, record.codeptr_ra};
  ++used_;
  fresh_.Add({id, record.codeptr_ra, /*resolved=*/true, tree, node, splice, record.requested_team_size, parent});
  return id;
}

uint32_t ContextTable::IdOf(RegionRef ref, int depth) {
  if (!IsCurrent(ref) || depth > kMaxNesting) return 0;
  RegionRecord* record = RegionOf(ref);
  if (record->context_id != 0) return record->context_id;
  const uint64_t context = record->context.load(std::memory_order_acquire);
  const uint32_t parent = record->parent != 0 ? IdOf(record->parent, depth + 1) : 0;
  if (context != 0) {
    const uint32_t splice = record->splice != 0 ? IdOf(record->splice, depth + 1) : 0;
    return record->context_id =
               Intern(static_cast<uint32_t>(context >> 32), static_cast<uint32_t>(context), splice, *record, parent);
  }
  record->context_id = ++last_id_;
  fresh_.Add({record->context_id, record->codeptr_ra, /*resolved=*/false, /*tree=*/0, /*node=*/0, /*splice=*/0,
              record->requested_team_size, parent});
  pending_.Add(record);
  return record->context_id;
}

uint32_t ContextTable::IdOfEnded(RegionRef ref) {
  if (!IsCurrent(ref)) return 0;
  RegionRecord* record = RegionOf(ref);
  const uint32_t known = record->context_id;
  // A record without references from samples has returned to its owner.
  if (known == 0 && !record->sampled.load(std::memory_order_acquire)) return 0;
  const uint32_t id = known != 0 ? known : IdOf(ref, 0);
  if (IsCurrent(ref)) return id;
  // The owner has meanwhile used the record for another region. The number does not belong to that region.
  if (known == 0) {
    record->context_id = 0;
    Forget(record);
  }
  return 0;
}

void ContextTable::ResolvePending() {
  for (uint32_t i = 0; i < pending_.size();) {
    RegionRecord* record = pending_[i];
    const uint64_t context = record->context.load(std::memory_order_acquire);
    if (context == 0) {
      ++i;
      continue;
    }
    if (record->context_id == 0) {  // see IdOfEnded
      pending_.RemoveBySwap(i);
      continue;
    }
    const uint32_t parent = record->parent != 0 ? IdOf(record->parent, 1) : 0;
    const uint32_t splice = record->splice != 0 ? IdOf(record->splice, 1) : 0;
    fresh_.Add({record->context_id, record->codeptr_ra, /*resolved=*/true, static_cast<uint32_t>(context >> 32),
                static_cast<uint32_t>(context), splice, record->requested_team_size, parent});
    pending_.RemoveBySwap(i);
  }
}

void ContextTable::AddRun(RegionRecord* record) {
  const RegionRef ref = MakeRef(record);
  const uint64_t end_ns = EndOf(ref);
  const uint32_t id = IdOf(ref);
  if (id == 0 || end_ns < record->begin_ns) return;
  while (run_of_id_.size() <= id) {
    if (!run_of_id_.Add(0)) return;
  }
  if (run_of_id_[id] == 0) {
    if (!runs_.Add({id, 0, 0, {}})) return;
    run_of_id_[id] = runs_.size();
  }
  ContextRuns& runs = runs_[run_of_id_[id] - 1];
  ++runs.ended;
  runs.elapsed_ns += end_ns - record->begin_ns;
  runs.sums.end_wait_ns += record->run.end_wait_ns;
  runs.sums.useful_ns += record->run.useful_ns;
  runs.sums.useful_max_ns += record->run.useful_max_ns;
  runs.sums.useful_min_ns += record->run.useful_min_ns;
  runs.sums.team_ns += record->run.team_ns;
  runs.sums.estimated += record->run.estimated;
}

void ContextTable::ClearRuns() {
  for (uint32_t i = 0; i < runs_.size(); ++i) run_of_id_[runs_[i].id] = 0;
  runs_.Clear();
}

void ContextTable::Forget(RegionRecord* record) {
  for (uint32_t i = 0; i < pending_.size(); ++i) {
    if (pending_[i] == record) {
      pending_.RemoveBySwap(i);
      return;
    }
  }
}

}  // namespace ompprof::collect
