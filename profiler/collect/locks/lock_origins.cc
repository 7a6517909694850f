#include "profiler/collect/locks/lock_origins.h"

namespace ompprof::collect {

LockOrigins lock_origins;

namespace {

uint32_t Hash(uint64_t value) { return static_cast<uint32_t>((value * 0x9e3779b97f4a7c15ull) >> 40); }

}  // namespace

LockOrigins::Slot* LockOrigins::FindSlot(uint64_t wait_id, bool insert) {
  if (wait_id == 0) return nullptr;
  uint32_t at = Hash(wait_id) & (kSlots - 1);
  for (uint32_t tries = 0; tries < kTries; ++tries, at = (at + 1) & (kSlots - 1)) {
    uint64_t there = slots_[at].wait_id.load(std::memory_order_acquire);
    if (there == wait_id) return &slots_[at];
    if (there != 0) continue;
    if (!insert) return nullptr;
    if (slots_[at].wait_id.compare_exchange_strong(there, wait_id, std::memory_order_acq_rel) || there == wait_id)
      return &slots_[at];
  }
  return nullptr;
}

bool LockOrigins::TakePath(uint64_t codeptr_ra) {
  if (codeptr_ra == 0) return false;
  uint32_t at = Hash(codeptr_ra) & (kPlaces - 1);
  for (uint32_t tries = 0; tries < kTries; ++tries, at = (at + 1) & (kPlaces - 1)) {
    uint64_t there = places_[at].codeptr_ra.load(std::memory_order_acquire);
    if (there == 0 && places_[at].codeptr_ra.compare_exchange_strong(there, codeptr_ra, std::memory_order_acq_rel))
      there = codeptr_ra;
    if (there != codeptr_ra) continue;
    return places_[at].paths.load(std::memory_order_relaxed) < kPathsPerPlace &&
           places_[at].paths.fetch_add(1, std::memory_order_relaxed) < kPathsPerPlace;
  }
  return false;
}

LockOrigins::Made LockOrigins::Init(uint64_t wait_id, uint64_t codeptr_ra, uint32_t kind, uint32_t epoch) {
  // Once all numbers are given away, no slot is given away either: existing locks must stay findable.
  const bool full = size_.load(std::memory_order_relaxed) >= kMaxLocks;
  Slot* slot = FindSlot(wait_id, !full);
  if (slot != nullptr) {
    const uint32_t number = slot->number.load(std::memory_order_acquire) & ~kDestroyed;
    const LockOrigin* known = At(number);
    if (known != nullptr && known->codeptr_ra == codeptr_ra && known->kind == kind && known->epoch == epoch) {
      slot->number.store(number, std::memory_order_release);
      return {nullptr, false, false};
    }
  }
  const uint32_t index = slot == nullptr || full ? kMaxLocks : size_.fetch_add(1, std::memory_order_relaxed);
  if (index >= kMaxLocks) {
    if (slot != nullptr) slot->number.store(0, std::memory_order_release);  // not the lock that was there before
    return {nullptr, false, !overflowed_.exchange(true, std::memory_order_relaxed)};
  }
  LockOrigin* origin = &origins_[index];
  origin->wait_id = wait_id;
  origin->codeptr_ra = codeptr_ra;
  origin->kind = kind;
  origin->epoch = epoch;
  slot->number.store(index + 1, std::memory_order_release);
  return {origin, TakePath(codeptr_ra), false};
}

void LockOrigins::Destroy(uint64_t wait_id) {
  Slot* slot = FindSlot(wait_id, false);
  if (slot != nullptr && slot->number.load(std::memory_order_relaxed) != 0)
    slot->number.fetch_or(kDestroyed, std::memory_order_relaxed);
}

uint32_t LockOrigins::Find(uint64_t wait_id) const {
  const Slot* slot = const_cast<LockOrigins*>(this)->FindSlot(wait_id, false);
  const uint32_t number = slot != nullptr ? slot->number.load(std::memory_order_acquire) : 0;
  return (number & kDestroyed) == 0 ? number : 0;
}

void LockOrigins::ForgetPaths() {
  const uint32_t size = size_.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < size && i < kMaxLocks; ++i) {
    LockOrigin& origin = origins_[i];
    if (!origin.complete.load(std::memory_order_relaxed)) continue;
    origin.tree = 0;
    origin.node = 0;
    origin.splice = 0;
  }
}

}  // namespace ompprof::collect
