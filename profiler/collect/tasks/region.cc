#include "profiler/collect/tasks/region.h"

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

std::atomic<uint16_t> region_session{1};

namespace {

constexpr uint32_t kRecordsPerBlock = 128;

void PushList(std::atomic<RegionRecord*>* list, RegionRecord* record) {
  RegionRecord* head = list->load(std::memory_order_relaxed);
  do {
    record->next = head;
  } while (!list->compare_exchange_weak(head, record, std::memory_order_release, std::memory_order_relaxed));
}

}  // namespace

void MarkEnd(RegionRecord* record, uint64_t now_ns) {
  const uint16_t generation = record->generation.load(std::memory_order_relaxed);
  RegionRecord::End* end = &record->ends[generation % RegionRecord::kEnds];
  end->generation.store(static_cast<uint16_t>(generation - 1), std::memory_order_relaxed);
  end->ns.store(now_ns, std::memory_order_release);
  end->generation.store(generation, std::memory_order_release);
}

uint64_t EndOf(RegionRef ref) {
  const RegionRecord* record = RegionOf(ref);
  if (record == nullptr) return 0;
  const auto generation = static_cast<uint16_t>(ref >> 48);
  const RegionRecord::End& end = record->ends[generation % RegionRecord::kEnds];
  const uint64_t ns = end.ns.load(std::memory_order_acquire);
  return end.generation.load(std::memory_order_acquire) == generation ? ns : 0;
}

RegionRecord* RegionPool::Allocate(uint32_t team_size) {
  if (free_ == nullptr) free_ = given_back_.exchange(nullptr, std::memory_order_acquire);
  while (free_ != nullptr && free_->actual_team_size.load(std::memory_order_relaxed) > team_size) {
    RegionRecord* larger = free_;
    free_ = larger->next;
    larger->next = kept_;
    kept_ = larger;
    const uint32_t size = larger->actual_team_size.load(std::memory_order_relaxed);
    if (kept_least_ == 0 || size < kept_least_) kept_least_ = size;
    if (free_ == nullptr) free_ = given_back_.exchange(nullptr, std::memory_order_acquire);
  }
  if (free_ == nullptr) {
    // These blocks are never unmapped: a runtime may show parallel_data of a region that ended long ago.
    auto* block = static_cast<RegionRecord*>(MapMemory(sizeof(RegionRecord) * kRecordsPerBlock));
    if (block == nullptr) return nullptr;
    for (uint32_t i = 0; i < kRecordsPerBlock; ++i) {
      block[i].next = free_;
      free_ = &block[i];
    }
  }
  RegionRecord* record = free_;
  free_ = record->next;
  record->generation.store(static_cast<uint16_t>(record->generation.load(std::memory_order_relaxed) + 1),
                           std::memory_order_release);
  record->team.Reset(team_size);
  record->session.store(region_session.load(std::memory_order_relaxed), std::memory_order_relaxed);
  record->sampled.store(false, std::memory_order_relaxed);
  record->actual_team_size.store(0, std::memory_order_relaxed);
  record->context.store(0, std::memory_order_relaxed);
  record->splice = 0;
  record->counts = nullptr;
  record->context_id = 0;
  record->live.store(true, std::memory_order_release);
  return record;
}

void RegionPool::TakeBackKept(uint32_t team_size) {
  if (team_size < kept_least_) return;
  // Bounded, because each region comes here, and thousands of records may be kept.
  constexpr int kMostTried = 16;
  RegionRecord** link = &kept_;
  for (int tried = 0; *link != nullptr && tried < kMostTried; ++tried) {
    RegionRecord* record = *link;
    if (record->actual_team_size.load(std::memory_order_relaxed) > team_size) {
      link = &record->next;
      continue;
    }
    *link = record->next;
    record->actual_team_size.store(0, std::memory_order_relaxed);
    record->next = free_;
    free_ = record;
  }
  if (kept_ == nullptr) kept_least_ = 0;
}

void RegionPool::FreeOwn(RegionRecord* record) {
  if (kept_ != nullptr) TakeBackKept(record->actual_team_size.load(std::memory_order_relaxed));
  record->next = free_;
  free_ = record;
}

void RegionPool::Retire(RegionRecord* record) {
  if (kept_ != nullptr) TakeBackKept(record->actual_team_size.load(std::memory_order_relaxed));
  PushList(&retired_, record);
}

void RegionPool::GiveBack(RegionRecord* record) { PushList(&given_back_, record); }

}  // namespace ompprof::collect
