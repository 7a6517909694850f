#include "profiler/analyze/builder/account_threads.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/analyze/view/concurrency.h"

namespace ompprof::analyze {
namespace {

// Takes as much of `wanted` as is left.
uint64_t Take(uint64_t wanted, uint64_t* left) {
  const uint64_t taken = std::min(wanted, *left);
  *left -= taken;
  return taken;
}

// The part of the threads' lifetimes in which they were ready, for threads that ended before the collector looked.
double ReadyShare(const ProcessFacts& process) {
  uint64_t ready_ns = 0;
  uint64_t watched_ns = 0;
  for (const ThreadFacts& thread : process.threads) {
    ready_ns += thread.ready_ns;
    watched_ns += thread.ready_of_ns;
  }
  return watched_ns == 0 ? 1 : static_cast<double>(ready_ns) / static_cast<double>(watched_ns);
}

// How long the thread was ready in its lifetime, waits included.
uint64_t ReadyNs(const ThreadFacts& thread, double share_of_others) {
  if (thread.ready_of_ns >= thread.lifetime_ns && thread.ready_of_ns > 0) return thread.ready_ns;
  const double share = thread.ready_of_ns == 0
                           ? share_of_others
                           : static_cast<double>(thread.ready_ns) / static_cast<double>(thread.ready_of_ns);
  return static_cast<uint64_t>(share * static_cast<double>(thread.lifetime_ns));
}

ThreadAccount AccountOf(const ThreadFacts& thread, uint64_t waited_ns, uint64_t cpu_ns, uint64_t ready_ns) {
  ThreadAccount account;
  account.lifetime_ns = thread.lifetime_ns;
  uint64_t left = thread.lifetime_ns;
  account.wait_ns = Take(waited_ns, &left);
  account.on_cpu_ns = Take(cpu_ns, &left);
  // The thread was off the processor for no longer than its CPU clock leaves. What is left then was work: samples of
  // the runtime's lock functions are samples of waits, also while the thread takes a free lock.
  uint64_t off_cpu_ns = thread.lifetime_ns - std::min(std::max(thread.cpu_ns, cpu_ns), thread.lifetime_ns);
  account.ready_ns = Take(std::min(ready_ns, off_cpu_ns), &left);
  off_cpu_ns -= account.ready_ns;
  account.blocked_ns = Take(off_cpu_ns, &left);
  account.cpu_ns = std::min(std::max(thread.cpu_ns, cpu_ns), thread.lifetime_ns);
  account.delay_ns = std::min(ready_ns, thread.lifetime_ns - account.cpu_ns);
  account.on_cpu_ns += left;
  return account;
}

}  // namespace

bool IsSampledByCpuTime(const ProcessFacts& process) {
  return process.sampling.weighs_ns() && process.sampling.clock != "wall";
}

ThreadNs CpuOutsideWaits(const View& view) {
  struct Sampled {
    uint64_t in_waits_ns = 0;
    uint64_t all_ns = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Sampled> samples;
  for (const ViewSample& sample : view.samples) {
    if (!IsSampledByCpuTime(view.run.process(sample.process))) continue;
    Sampled& thread = samples[{sample.process, sample.thread}];
    if (sample.in_wait) thread.in_waits_ns += sample.cost.weight;
    thread.all_ns += sample.cost.weight;
  }
  ThreadNs cpu;
  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    for (const ThreadFacts& thread : view.run.process(i).threads) {
      const Sampled& sampled = samples[{i, thread.id}];
      // The clock is exact, and samples only divide it. In a profile without an end, it is older than the last samples.
      const bool exact = view.run.process(i).complete && thread.cpu_ns > 0;
      const uint64_t cpu_ns = exact ? thread.cpu_ns : std::max(thread.cpu_ns, sampled.all_ns);
      const double scale =
          std::min(1.0, static_cast<double>(cpu_ns) / static_cast<double>(std::max<uint64_t>(sampled.all_ns, 1)));
      const auto in_waits_ns = static_cast<uint64_t>(scale * static_cast<double>(sampled.in_waits_ns));
      cpu[{i, thread.id}] = cpu_ns - std::min(in_waits_ns, cpu_ns);
    }
  }
  return cpu;
}

ThreadAccounts AccountThreads(const View& view) {
  ThreadNs waits;
  for (const WaitTotal& wait : view.waits) {
    if (!wait.charge) waits[{wait.process, wait.thread}] += wait.total_ns;
  }
  ThreadNs cpu = CpuOutsideWaits(view);
  ThreadAccounts accounts;
  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    const ProcessFacts& process = view.run.process(i);
    const double share = ReadyShare(process);
    for (const ThreadFacts& thread : process.threads) {
      const std::pair<uint32_t, uint32_t> key{i, thread.id};
      accounts[key] = AccountOf(thread, waits[key], cpu[key], ReadyNs(thread, share));
    }
  }
  return accounts;
}

ThreadAccount OpenmpThreads(const View& view) {
  ThreadAccount all;
  for (const auto& [key, account] : view.accounts) {
    const ThreadFacts* thread = view.run.process(key.first).FindThread(key.second);
    if (thread != nullptr && thread->is_openmp()) all.Add(account);
  }
  return all;
}

double ProcessorsAtATime(const RunFacts& run) {
  const double each = run.usable_cpus();
  const double processes = OpenmpProcessesAtATime(run);
  double machine = each;
  for (const ProcessFacts& process : run.processes)
    machine = std::max(machine, static_cast<double>(process.machine.online_cpus));
  const bool own_masks = run.several() && each * processes <= machine;
  return own_masks ? each * processes : each;
}

double DelayShare(const RunFacts& run) {
  bool known = false;
  for (const ProcessFacts& process : run.processes) {
    for (const ThreadFacts& thread : process.threads) known |= thread.ready_of_ns > 0;
  }
  if (!known) return 0;
  ThreadAccount all;
  for (const ProcessFacts& process : run.processes) {
    const double share = ReadyShare(process);
    for (const ThreadFacts& thread : process.threads) {
      if (thread.is_openmp()) all.Add(AccountOf(thread, /*waited_ns=*/0, thread.cpu_ns, ReadyNs(thread, share)));
    }
  }
  const uint64_t able_ns = all.cpu_ns + all.delay_ns;
  return able_ns == 0 ? 0 : static_cast<double>(all.delay_ns) / static_cast<double>(able_ns);
}

bool ThreadsShareProcessors(const View& view) {
  constexpr double kMoreThan = 1.05;  // teams are means
  constexpr double kLackingShare = 0.1;
  const double processors = ProcessorsAtATime(view.run);
  return processors > 0 && ThreadsAtATime(view.run) > processors * kMoreThan && DelayShare(view.run) >= kLackingShare;
}

}  // namespace ompprof::analyze
