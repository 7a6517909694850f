#include "profiler/collect/locks/lock_table.h"

#include "profiler/collect/base/spin.h"

namespace ompprof::collect {

LockTable lock_table;

// A counted user leaves. A program may cause an event without its counterpart, for example when it unlocks twice. The
// count must not run into the bits above it, because threads would then wait for the entry forever.
uint32_t LockTable::Without(uint32_t users) { return (users & (kAlone - 1)) != 0 ? users - 1 : users; }

uint32_t LockTable::Lock(Entry* entry) {
  // Sets the bit first. A look before would send the line twice.
  Spin spin;
  while ((entry->users.fetch_or(kBusy, std::memory_order_acquire) & kBusy) != 0 && spin.Again()) {
  }
  return entry->users.load(std::memory_order_relaxed);
}

void LockTable::Unlock(Entry* entry, uint32_t before, uint32_t after) {
  // While the entry is busy, a thread that came alone may still report that it has the lock. No other thread changes
  // the word.
  if ((before & (kAlone | kAloneHolds)) == kAlone)
    entry->users.fetch_add(after - before, std::memory_order_release);
  else
    entry->users.store(after, std::memory_order_release);
}

uint64_t LockTable::LeaveQueue(Entry* entry, uint64_t since_ns) {
  const uint64_t since = entry->charged_at_ns > since_ns ? entry->charged_at_ns : since_ns;
  if (entry->waiting > 0) {
    --entry->waiting;
    entry->since_sum_ns -= since;
  }
  return since;
}

uint64_t LockTable::ChargeQueue(Entry* entry, uint64_t now_ns) {
  entry->charged_at_ns = now_ns;
  const uint64_t reach = entry->waiting * now_ns;
  const auto charge = static_cast<int64_t>(reach - entry->since_sum_ns);
  if (entry->waiting == 0 || charge <= 0) return 0;
  entry->since_sum_ns = reach;
  return static_cast<uint64_t>(charge);
}

void LockTable::AddDebt(uint32_t slot, uint32_t turn, uint64_t ns) {
  uint32_t debt = 0;
  while (debt < kDebts - 1 && (entries_[slot].used_debts & 1u << debt) != 0 && debts_[slot][debt].turn != turn) ++debt;
  if ((entries_[slot].used_debts & 1u << debt) == 0) debts_[slot][debt] = {turn, 0};
  entries_[slot].used_debts |= static_cast<uint8_t>(1u << debt);
  debts_[slot][debt].ns += ns;
}

uint64_t LockTable::TakeDebts(uint32_t slot, bool all, uint32_t turn) {
  uint64_t ns = 0;
  for (uint32_t debt = 0; debt < kDebts; ++debt) {
    if ((entries_[slot].used_debts & 1u << debt) == 0 || !(all || debts_[slot][debt].turn == turn)) continue;
    entries_[slot].used_debts &= static_cast<uint8_t>(~(1u << debt));
    ns += debts_[slot][debt].ns;
  }
  return ns;
}

bool LockTable::Vacate(uint32_t slot) {
  Entry* entry = &entries_[slot];
  uint32_t nobody = 0;
  // Looks first, so that the line of a used entry stays with its users.
  if (entry->users.load(std::memory_order_relaxed) != 0 ||
      !entry->users.compare_exchange_strong(nobody, kBusy, std::memory_order_acq_rel))
    return false;
  // Some waiting was for a holder that has not reported its release and never will. Nobody is charged with this
  // waiting. Excess charges are no longer taken back.
  AddHandoff((entry->used_debts != 0 ? TakeDebts(slot, true, 0) : 0) - entry->since_sum_ns);
  wait_ids_[slot].store(0, std::memory_order_relaxed);
  // Turns continue, so that an earlier turn is not taken for a turn of the next lock.
  entry->waiting = entry->held = 0;
  entry->alone_has_debt = entry->released = false;
  entry->since_sum_ns = entry->charged_at_ns = entry->clock_ns = 0;
  return true;
}

uint32_t LockTable::Insert(uint64_t wait_id) {
  const uint32_t hash = Hash(wait_id);
  const uint32_t set = hash % kSets + 1;
  Spin spin;
  while (sets_[set].exchange(kInserting, std::memory_order_acquire) == kInserting && spin.Again()) {
  }
  uint32_t slot = Find(wait_id);  // another thread may have made it
  // Free entries come first.
  for (uint32_t tries = 0; tries < 2 * kWays && slot == 0; ++tries) {
    const uint32_t candidate = set * kWays + (hash / kSets + tries) % kWays;
    if ((tries < kWays && !IsOf(candidate, 0)) || !Vacate(candidate)) continue;
    slot = candidate;
    wait_ids_[slot].store(wait_id, std::memory_order_relaxed);
    entries_[slot].users.store(0, std::memory_order_release);
  }
  sets_[set].store(kUsed, std::memory_order_release);
  return slot;
}

bool LockTable::InsertAlone(uint64_t wait_id, Ticket* ticket) {
  // The entry belonged to another lock. For that lock's users, this thread came and left.
  if (ticket->slot != 0) GiveUp(*ticket);
  for (int tries = 0; tries < kTries; ++tries) {
    ticket->slot = Insert(wait_id);
    if (ticket->slot == 0) break;
    uint32_t nobody = 0;
    if (!entries_[ticket->slot].users.compare_exchange_strong(nobody, kAlone, std::memory_order_acq_rel)) return false;
    if (IsOf(ticket->slot, wait_id)) return true;
    GiveUp(*ticket);
  }
  ticket->slot = 0;
  ticket->unmeasured = true;
  return true;
}

void LockTable::Destroy(uint64_t wait_id) {
  const uint32_t slot = Find(wait_id);
  // No thread can use the entry after this, unless the program is in error.
  if (slot != 0 && Vacate(slot)) entries_[slot].users.store(0, std::memory_order_release);
}

// The thread counts as a user only when the entry is known to belong to the lock: then the entry cannot go to another
// lock.
bool LockTable::Queue(uint64_t wait_id, uint32_t slot, uint64_t now_ns, bool hot, Ticket* ticket) {
  Entry* entry = &entries_[slot];
  const uint32_t before = Lock(entry);
  const uint32_t users = before & ~kBusy;
  if (!IsOf(slot, wait_id)) {
    Unlock(entry, before, users);
    return false;
  }
  const uint64_t since = Advance(entry, now_ns);
  const uint32_t taken = entry->taken;
  ++entry->waiting;
  entry->since_sum_ns += since;
  Unlock(entry, before, users + 1);
  ticket->slot = slot;
  ticket->alone = ticket->unmeasured = false;
  ticket->contended = users != 0;
  // A thread that came alone must learn of contenders that come before its release.
  ticket->quick = (users != 0 || hot) && (users & (kAlone | kAloneHolds | kAloneExact)) == 0;
  ticket->taken = taken;
  ticket->since_ns = since;
  return true;
}

LockTable::Ticket LockTable::Acquire(uint64_t wait_id, uint64_t now_ns) {
  Ticket ticket{};
  ticket.since_ns = now_ns;
  for (int tries = 0; tries < kTries; ++tries) {
    uint32_t slot = Find(wait_id);
    if (slot == 0) slot = Insert(wait_id);
    if (slot == 0) break;
    if (Queue(wait_id, slot, now_ns, false, &ticket)) return ticket;
  }
  ticket.unmeasured = true;
  return ticket;
}

bool LockTable::AcquireHot(uint64_t wait_id, uint32_t slot, uint64_t now_ns, Ticket* ticket) {
  return Queue(wait_id, slot, now_ns, true, ticket);
}

uint64_t LockTable::Acquired(const Ticket& ticket, uint64_t now_ns, uint32_t* turn) {
  if (ticket.slot == 0) return 0;
  Entry* entry = &entries_[ticket.slot];
  const uint32_t before = Lock(entry);
  uint32_t users = before & ~kBusy;
  const uint64_t now = Advance(entry, now_ns);
  const uint64_t came = ticket.alone ? entry->alone_since_ns : ticket.since_ns;
  const uint64_t since = LeaveQueue(entry, came);
  // Another thread may have taken the free lock first (an ordered region goes by iterations).
  const bool contended = ticket.alone || ticket.contended || entry->taken != ticket.taken;
  const uint64_t rest = contended ? now - since : 0;
  // mutex_released comes after the release, so the previous holder may still have to be charged for this thread's
  // waiting.
  const uint32_t turn_before = entry->taken;
  bool has_debtor = entry->held > 0 && !entry->released;
  ++entry->taken;
  entry->released = false;
  if (turn != nullptr) *turn = entry->taken;
  if ((users & kAloneHolds) != 0 && entry->held == 0 && !ticket.alone) {
    has_debtor = true;
    entry->alone_has_debt = true;
    entry->alone_turn = turn_before;
  }
  entry->held_since_ns = static_cast<uint32_t>(now);
  if (!ticket.alone) {
    ++entry->held;
    if ((users & kAloneHolds) != 0) {
      users |= kAloneExact;
    } else if ((users & (kAlone | kAloneExact)) == kAlone) {
      // The thread that came alone found nobody, but this thread was faster. The other thread waits from here on,
      // because nobody was in its way before.
      users |= kAloneExact;
      entry->alone_since_ns = now;
      ++entry->waiting;
      entry->since_sum_ns += now;
    }
  }
  if (has_debtor) {
    // The previous holder may also have to be charged for the other contenders' waiting up to now. They continue to
    // wait, now for this thread.
    AddDebt(ticket.slot, turn_before, rest + ChargeQueue(entry, now));
  }
  Unlock(entry, before, users);
  if (!contended) return 0;
  if (!has_debtor) AddHandoff(rest);
  return now - came;
}

LockTable::Charge LockTable::QuickRelease(const Ticket& ticket, uint64_t acquired_ns, uint64_t now_ns,
                                          uint64_t* handoff_ns) {
  Entry* entry = &entries_[ticket.slot];
  const uint32_t before = Lock(entry);
  uint32_t users = before & ~kBusy;
  if (entry->waiting == 0 || (users & (kAlone - 1)) == 0) {  // another thread has reported the release
    Unlock(entry, before, users);
    return {0, ticket.contended};
  }
  --users;
  const uint64_t now = Advance(entry, now_ns);
  const uint64_t since = LeaveQueue(entry, ticket.since_ns);
  // Another thread may have taken the free lock first, and was charged then.
  const bool waited = ticket.contended || entry->taken != ticket.taken || since > ticket.since_ns;
  if (!waited) acquired_ns = ticket.since_ns;
  const int64_t rest = static_cast<int64_t>(acquired_ns - since);
  if (rest < 0) entry->since_sum_ns -= static_cast<uint64_t>(rest);  // charged up to `since`, while it had the lock
  const bool overtaken =
      entry->held > 0 && static_cast<int32_t>(entry->held_since_ns - static_cast<uint32_t>(acquired_ns)) > 0;
  uint64_t charge = 0;
  uint64_t handoff = rest > 0 ? static_cast<uint64_t>(rest) : 0;
  if (!overtaken) {
    if (handoff != 0 && entry->held > 0 && !entry->released) {
      AddDebt(ticket.slot, entry->taken, handoff);
      handoff = 0;
    }
    ++entry->taken;
    entry->released = true;
    charge = ChargeQueue(entry, now);
  }
  Unlock(entry, before, users);
  *handoff_ns += handoff;
  return {charge, waited};
}

uint64_t LockTable::Release(uint64_t wait_id, uint64_t now_ns, uint32_t turn) {
  const uint32_t slot = Find(wait_id);
  if (slot == 0) return 0;
  Entry* entry = &entries_[slot];
  const uint32_t before = Lock(entry);
  uint32_t users = before & ~kBusy;
  if (!IsOf(slot, wait_id)) {  // nobody has it, for example when a program unlocks twice
    Unlock(entry, before, users);
    return 0;
  }
  const uint64_t now = Advance(entry, now_ns);
  // Two threads may be about to report their releases. The resulting users are equal for both.
  if ((users & kAloneHolds) != 0) {
    users &= ~(kAlone | kAloneHolds | kAloneExact);
  } else if (entry->held > 0) {
    --entry->held;
    users = Without(users);
  } else if (turn == 0 && entry->waiting > 0 && users != 0) {
    // Another thread has taken the lock and not reported it yet.
    LeaveQueue(entry, entry->charged_at_ns);
    users = Without(users);
  }
  // A holder that lost its processor before it could report its release may be overtaken by its contenders. Each holder
  // pays for its own contenders; the present contenders wait for the last holder.
  uint64_t charge = 0;
  if (entry->used_debts != 0) {
    const bool is_alone = turn == 0 && entry->alone_has_debt;
    if (is_alone) entry->alone_has_debt = false;
    const bool all = entry->held == 0 || (turn == 0 && !is_alone);
    charge = TakeDebts(slot, all, is_alone ? entry->alone_turn : turn);
  }
  if (turn != 0 ? turn == entry->taken : entry->held == 0) {
    entry->released = true;
    charge += ChargeQueue(entry, now);
  }
  Unlock(entry, before, users);
  return charge;
}

uint64_t LockTable::ChargeWaiting(uint64_t wait_id, uint64_t now_ns) {
  const uint32_t slot = Find(wait_id);
  if (slot == 0 || entries_[slot].users.load(std::memory_order_relaxed) == 0) return 0;
  Entry* entry = &entries_[slot];
  const uint32_t before = Lock(entry);
  const uint32_t users = before & ~kBusy;
  uint64_t charge = 0;
  if (IsOf(slot, wait_id) && entry->held == 0) charge = ChargeQueue(entry, Advance(entry, now_ns));
  Unlock(entry, before, users);
  return charge;
}

void LockTable::GiveUp(const Ticket& ticket) {
  if (ticket.slot == 0) return;
  Entry* entry = &entries_[ticket.slot];
  const uint32_t before = Lock(entry);
  uint32_t users = before & ~kBusy;
  // The thread has not waited. Charges for its waiting, for example by a holder that reported late, were too much.
  if (!ticket.alone) {
    entry->since_sum_ns += LeaveQueue(entry, ticket.since_ns) - ticket.since_ns;
    users = Without(users);
  } else {
    if ((users & kAloneExact) != 0)
      entry->since_sum_ns += LeaveQueue(entry, entry->alone_since_ns) - entry->alone_since_ns;
    users &= ~(kAlone | kAloneExact);
  }
  Unlock(entry, before, users);
}

int64_t LockTable::handoff_ns() const {
  auto waited = static_cast<int64_t>(handoff_ns_.load(std::memory_order_relaxed));
  for (uint32_t slot = kWays; slot < kSlots; ++slot) {
    const Entry& entry = entries_[slot];
    // Entries in use are left out: threads may still be at their locks, and the profile's end cannot wait for them.
    if (IsOf(slot, 0) || entry.users.load(std::memory_order_acquire) != 0) continue;
    const uint64_t too_much = __atomic_load_n(&entry.since_sum_ns, __ATOMIC_RELAXED);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (entry.users.load(std::memory_order_relaxed) == 0) waited -= static_cast<int64_t>(too_much);
  }
  return waited;
}

void LockTable::Forget() {
  handoff_ns_.store(0, std::memory_order_relaxed);
  unmeasured_told_.store(false, std::memory_order_relaxed);
  // Most pages do not exist, and reading them would make them.
  for (uint32_t set = 1; set <= kSets; ++set) {
    if (sets_[set].load(std::memory_order_relaxed) == kUnused) continue;
    sets_[set].store(kUsed, std::memory_order_relaxed);
    for (uint32_t slot = set * kWays; slot < (set + 1) * kWays; ++slot) {
      Entry& entry = entries_[slot];
      entry.users.store(0, std::memory_order_relaxed);
      entry.waiting = entry.held = 0;
      entry.since_sum_ns = 0;
      entry.alone_has_debt = false;
      entry.used_debts = 0;
    }
  }
}

}  // namespace ompprof::collect
