#include "profiler/collect/ompt/blame_clock.h"

#include <sched.h>

namespace ompprof::collect {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

template <typename Value>
void Raise(std::atomic<Value>* sum, Value more) {
  sum->store(sum->load(kRelaxed) + more, kRelaxed);
}

// Who is charged with what, per nanosecond.
struct Rates {
  int32_t working;        // threads that are charged, of either kind
  int32_t waiting;        // threads that wait, of either kind
  double each;            // to each that works
  double each_executing;  // to each that executes a task, besides
};

Rates RatesOf(const std::atomic<int16_t>* threads) {
  const auto count = [&](Doing doing) -> int32_t { return threads[static_cast<uint32_t>(doing)].load(kRelaxed); };
  const int32_t executing = count(Doing::kExecutingTask);
  const int32_t for_tasks = count(Doing::kWaitingForTask);
  Rates rates{count(Doing::kWorking) + executing, count(Doing::kWaiting) + for_tasks, 0, 0};
  if (rates.waiting <= 0 || rates.working <= 0) return rates;
  const int32_t for_all = executing > 0 ? rates.waiting - for_tasks : rates.waiting;
  if (for_all > 0) rates.each = static_cast<double>(for_all) / rates.working;
  if (executing > 0 && for_tasks > 0) rates.each_executing = static_cast<double>(for_tasks) / executing;
  return rates;
}

}  // namespace

void BlameClock::Reset(uint64_t now_ns, double passed_now) {
  for (auto& count : threads) count.store(0, kRelaxed);
  changed_ns.store(now_ns, kRelaxed);
  working.store(0, kRelaxed);
  executing_task.store(0, kRelaxed);
  passed.store(passed_now, kRelaxed);
  passed_at_begin.store(passed_now, kRelaxed);
  unblamed.store(0, kRelaxed);
  waited.store(0, kRelaxed);
  partial.store(0, kRelaxed);
  arrivals = end_arrivals = 0;
  last_arrival_ns = 0;
  sequence.store(0, std::memory_order_release);
}

void BlameClock::Lock() {
  for (int spins = 0;; ++spins) {
    uint32_t now = sequence.load(kRelaxed);
    if ((now & 1) == 0 && sequence.compare_exchange_weak(now, now + 1, std::memory_order_acquire, kRelaxed)) break;
    if (spins > 200) sched_yield();  // its owner lost its processor
  }
  std::atomic_thread_fence(std::memory_order_release);
}

void BlameClock::Advance(uint64_t now_ns, double passed_now) {
  const uint64_t since = changed_ns.load(kRelaxed);
  const double more_passed = passed_now - passed.load(kRelaxed);
  const Rates rates = RatesOf(threads);
  // Clocks were read before the lock was had: a change that comes late counts from the one before it.
  const uint64_t passing = now_ns > since ? now_ns - since : 0;
  if (rates.waiting > 0 && passing != 0) {
    const auto time = static_cast<double>(passing);
    Raise(&waited, static_cast<uint64_t>(rates.waiting) * passing);
    Raise(&partial, passing);
    if (rates.each != 0) Raise(&working, rates.each * time);
    if (rates.each_executing != 0) Raise(&executing_task, rates.each_executing * time);
    if (rates.working <= 0) Raise(&unblamed, rates.waiting * time);
  }
  if (more_passed > 0) {
    if (rates.working > 0)
      Raise(&working, more_passed / rates.working);
    else
      Raise(&unblamed, more_passed);
    passed.store(passed_now, kRelaxed);
  }
  if (passing != 0) changed_ns.store(now_ns, kRelaxed);
}

BlameClock::Reading BlameClock::Now(double passed_rate) const {
  const Rates rates = RatesOf(threads);
  const double rate = rates.each + (rates.working > 0 ? passed_rate / rates.working : 0);
  const double owed = working.load(kRelaxed);
  return {{owed, rate}, {owed + executing_task.load(kRelaxed), rate + rates.each_executing}};
}

BlameClock::Totals BlameClock::Sums() const {
  return {waited.load(kRelaxed), static_cast<uint64_t>(unblamed.load(kRelaxed)),
          static_cast<uint64_t>(passed.load(kRelaxed) - passed_at_begin.load(kRelaxed)), partial.load(kRelaxed)};
}

bool BlameClock::Read(uint64_t now_ns, const Charge& passed_now, Reading* reading) const {
  const uint32_t before = sequence.load(std::memory_order_acquire);
  if ((before & 1) != 0) return false;
  Reading now = Now(passed_now.rate);
  const uint64_t since = changed_ns.load(kRelaxed);
  const double passed_before = passed.load(kRelaxed);
  const Rates rates = RatesOf(threads);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (sequence.load(kRelaxed) != before) return false;
  const double time = now_ns > since ? static_cast<double>(now_ns - since) : 0;
  double more = rates.each * time;
  if (rates.working > 0 && passed_now.owed > passed_before) more += (passed_now.owed - passed_before) / rates.working;
  now.working.owed += more;
  now.executing_task.owed += more + rates.each_executing * time;
  *reading = now;
  return true;
}

}  // namespace ompprof::collect
