#include "profiler/collect/blame/blame_clock.h"

#include "profiler/collect/base/spin.h"

namespace ompprof::collect {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

template <typename Value>
void Raise(std::atomic<Value>* sum, Value more) {
  sum->store(sum->load(kRelaxed) + more, kRelaxed);
}

}  // namespace

void BlameClock::Reset(uint64_t now_ns, double passed_now) {
  for (auto& count : threads) count.store(0, kRelaxed);
  changed_ns.store(now_ns, kRelaxed);
  working.store(0, kRelaxed);
  executing_task.store(0, kRelaxed);
  executing_either.store(0, kRelaxed);
  passed.store(passed_now, kRelaxed);
  passed_at_begin.store(passed_now, kRelaxed);
  unblamed.store(0, kRelaxed);
  waited.store(0, kRelaxed);
  partial.store(0, kRelaxed);
  arrivals = end_arrivals = 0;
  released.store(0, kRelaxed);
  last_arrival_ns = 0;
}

void BlameClock::WaitForLock() {
  Spin spin;
  while (!TryLock() && spin.Again()) {
  }
}

uint64_t BlameClock::Advance(uint64_t now_ns, double passed_now) {
  const uint64_t since = changed_ns.load(kRelaxed);
  const double more_passed = passed_now - passed.load(kRelaxed);
  const Rates rates = RatesNow();
  // Threads read their clocks before they get the lock. A change that comes late counts from the change before it.
  const uint64_t passing = now_ns > since ? now_ns - since : 0;
  if (passing != 0 && (rates.waiting > 0 || Count(Participation::kQueueing) > 0)) Raise(&partial, passing);
  uint64_t more_waited = 0;
  if (rates.waiting > 0 && passing != 0) {
    const auto time = static_cast<double>(passing);
    more_waited = static_cast<uint64_t>(rates.waiting) * passing;
    Raise(&waited, more_waited);
    if (rates.each != 0) Raise(&working, rates.each * time);
    if (rates.each_executing != 0) Raise(&executing_task, rates.each_executing * time);
    if (rates.working <= 0) Raise(&unblamed, rates.waiting * time);
  }
  if (more_passed > 0) {
    if (rates.working > 0)
      Raise(&working, more_passed * Inverse(rates.working));
    else
      Raise(&unblamed, more_passed);
    passed.store(passed_now, kRelaxed);
  }
  if (passing != 0) changed_ns.store(now_ns, kRelaxed);
  return more_waited;
}

void BlameClock::TakeBack(uint64_t ns) {
  waited.store(waited.load(kRelaxed) - ns, kRelaxed);
  const int32_t others = Count(Participation::kWorking) + Count(Participation::kExecutingTask);
  const auto time = static_cast<double>(ns);
  if (others > 0)
    Raise(&working, -time * Inverse(others));
  else
    Raise(&unblamed, -time);
}

BlameClock::Totals BlameClock::Sums() const {
  return {waited.load(kRelaxed), static_cast<uint64_t>(unblamed.load(kRelaxed)),
          static_cast<uint64_t>(passed.load(kRelaxed) - passed_at_begin.load(kRelaxed)), partial.load(kRelaxed)};
}

}  // namespace ompprof::collect
