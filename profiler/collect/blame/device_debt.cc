#include "profiler/collect/blame/device_debt.h"

#include "profiler/collect/blame/debt.h"

namespace ompprof::collect {

SerialTasks serial_tasks;

namespace {

// Changes the number of executing members, and returns the debt of one. Needs the lock.
double AddExecuting(BlameClock* clock, int32_t more, uint64_t now_ns, const BlameClock::Charge& passed) {
  clock->Advance(now_ns, passed.debt);
  clock->Add(Participation::kExecutingTask, more);
  return clock->Now(passed.rate).executing_task.debt;
}

uint64_t Difference(double before, double after) { return after > before ? static_cast<uint64_t>(after - before) : 0; }

}  // namespace

void DeviceBegins(RegionRef ref, uint64_t now_ns, DeviceDebt* debt) {
  *debt = {};
  debt->region = ref;
  if (ref == 0) {
    serial_tasks.in_use.store(true, std::memory_order_relaxed);
    serial_tasks.clock.Lock();
    debt->at_begin = AddExecuting(&serial_tasks.clock, 1, now_ns, {0, 0});
    serial_tasks.clock.Unlock();
    debt->counted = true;
    return;
  }
  RegionRecord* region = LiveRegion(ref);
  if (region == nullptr || region->team.IsEstimated()) return;
  const BlameClock::Charge passed = PassedTo(*region, now_ns);
  Team& team = region->team;
  team.clock.Lock();
  if (!team.ended && !team.IsEstimated()) {
    debt->instance = team.instance;
    debt->at_begin = AddExecuting(&team.clock, 1, now_ns, passed);
    debt->counted = true;
  }
  team.clock.Unlock();
}

uint64_t DeviceEnds(DeviceDebt* debt, uint64_t now_ns) {
  if (!debt->counted) return 0;
  debt->counted = false;
  double after = debt->at_begin;
  if (debt->region == 0) {
    serial_tasks.clock.Lock();
    after = AddExecuting(&serial_tasks.clock, -1, now_ns, {0, 0});
    serial_tasks.clock.Unlock();
    return Difference(debt->at_begin, after);
  }
  RegionRecord* region = LiveRegion(debt->region);
  if (region == nullptr) return 0;
  const BlameClock::Charge passed = PassedTo(*region, now_ns);
  Team& team = region->team;
  team.clock.Lock();
  // A team that became estimated meanwhile counts its threads anew, and thereby forgets the device.
  if (team.instance == debt->instance && !team.ended && !team.IsEstimated())
    after = AddExecuting(&team.clock, -1, now_ns, passed);
  team.clock.Unlock();
  return Difference(debt->at_begin, after);
}

void SerialTasks::AddWaiting(int32_t more, uint64_t now_ns) {
  clock.Lock();
  clock.Advance(now_ns, 0);
  clock.Add(Participation::kWaitingForTask, more);
  clock.Unlock();
}

void SerialTasks::Forget() {
  clock.sequence.store(0, std::memory_order_relaxed);  // a thread that the child does not have may hold the lock
  clock.Reset(0, 0);
  in_use.store(false, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
