#include "profiler/collect/ompt/lock_table.h"

#include <sched.h>

namespace ompprof::collect {

LockTable lock_table;

uint32_t LockTable::Find(uint64_t wait_id, bool insert) {
  uint32_t slot = static_cast<uint32_t>((wait_id * 0x9e3779b97f4a7c15ull) >> 40) & (kSlots - 1);
  for (uint32_t tries = 0; tries < 64; ++tries, slot = (slot + 1) & (kSlots - 1)) {
    if (slot == 0) continue;
    uint64_t there = entries_[slot].wait_id.load(std::memory_order_acquire);
    if (there == wait_id) return slot;
    if (there != 0) continue;
    if (!insert) return 0;
    if (entries_[slot].wait_id.compare_exchange_strong(there, wait_id, std::memory_order_acq_rel) || there == wait_id)
      return slot;
  }
  return 0;
}

void LockTable::Lock(Entry* entry) {
  for (int spins = 0; entry->busy.exchange(1, std::memory_order_acquire) != 0; ++spins) {
    if (spins > 200) sched_yield();  // its owner lost its processor
  }
}

LockTable::Ticket LockTable::Acquire(uint64_t wait_id, uint64_t now_ns) {
  Ticket ticket{Find(wait_id, true), false, 0, now_ns};
  if (ticket.slot == 0) return ticket;
  Entry* entry = &entries_[ticket.slot];
  Lock(entry);
  ticket.contended = entry->held != 0 || entry->waiting != 0;
  ticket.taken = entry->taken;
  ++entry->waiting;
  entry->since_sum_ns += now_ns;
  Unlock(entry);
  return ticket;
}

uint64_t LockTable::Acquired(const Ticket& ticket, uint64_t now_ns, uint32_t* turn) {
  if (ticket.slot == 0) return 0;
  Entry* entry = &entries_[ticket.slot];
  Lock(entry);
  const uint64_t since = entry->charged_at_ns > ticket.since_ns ? entry->charged_at_ns : ticket.since_ns;
  if (entry->waiting > 0) {
    --entry->waiting;
    entry->since_sum_ns -= since;
  }
  // mutex_released comes after the release: the holder before may still owe what this thread waited for it.
  // And what was free may have gone to another first (an ordered region goes by iterations).
  const bool contended = ticket.contended || entry->taken != ticket.taken;
  ++entry->taken;
  if (turn != nullptr) *turn = entry->taken;
  uint64_t lost = 0;  // of a holder of long ago that has not reported yet
  const uint64_t rest = contended && now_ns > since ? now_ns - since : 0;
  const bool owed = entry->held > 0 && entry->reported != entry->taken - 1;
  if (owed) {
    // As may what others have waited by now, who go on waiting, for this thread.
    Debt* debt = &entry->debts[(entry->taken - 1) % kDebts];
    lost = debt->ns;
    *debt = {entry->taken - 1, rest};
    const uint64_t reach = entry->waiting * now_ns;
    if (entry->waiting > 0 && reach > entry->since_sum_ns) {
      debt->ns += reach - entry->since_sum_ns;
      entry->since_sum_ns = reach;
      entry->charged_at_ns = now_ns;
    }
  }
  ++entry->held;
  Unlock(entry);
  if (lost != 0) handoff_ns_.fetch_add(lost, std::memory_order_relaxed);
  if (!contended || now_ns < ticket.since_ns) return 0;
  if (!owed && rest != 0) handoff_ns_.fetch_add(rest, std::memory_order_relaxed);
  return now_ns - ticket.since_ns;
}

uint64_t LockTable::Release(uint64_t wait_id, uint64_t now_ns, uint32_t turn) {
  const uint32_t slot = Find(wait_id, false);
  if (slot == 0) return 0;
  Entry* entry = &entries_[slot];
  Lock(entry);
  if (entry->held > 0) --entry->held;
  // A holder that lost its processor before it could report its release may be overtaken by those that waited for it:
  // each pays for its own time.
  uint64_t charge = 0;
  for (Debt& debt : entry->debts) {
    if (debt.turn != turn && turn != 0) continue;
    charge += debt.ns;
    debt.ns = 0;
  }
  if (turn == 0) turn = entry->taken;
  if (turn == entry->taken) {
    entry->reported = turn;
    const uint64_t reach = entry->waiting * now_ns;
    if (entry->waiting > 0 && reach > entry->since_sum_ns) {
      charge += reach - entry->since_sum_ns;
      entry->since_sum_ns = reach;
    }
    entry->charged_at_ns = now_ns;
  }
  Unlock(entry);
  return charge;
}

void LockTable::GiveUp(const Ticket& ticket) {
  if (ticket.slot == 0) return;
  Entry* entry = &entries_[ticket.slot];
  Lock(entry);
  const uint64_t since = entry->charged_at_ns > ticket.since_ns ? entry->charged_at_ns : ticket.since_ns;
  if (entry->waiting > 0) {
    --entry->waiting;
    entry->since_sum_ns -= since;
  }
  Unlock(entry);
}

}  // namespace ompprof::collect
