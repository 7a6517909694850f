#include "profiler/report/sections/no_samples.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

// A program with this many times its CPU time slept most of the time.
constexpr uint64_t kAsleep = 10;

uint64_t LostSamples(const analyze::ProcessFacts& process) {
  uint64_t lost = 0;
  for (const analyze::LossFacts& loss : process.losses) lost += analyze::LosesThreads(loss.reason) ? 0 : loss.samples;
  return lost;
}

// The most CPU time of a thread. Each thread is sampled by its own clock.
uint64_t BusiestThreadNs(const analyze::ProcessFacts& process) {
  uint64_t most = 0;
  for (const analyze::ThreadFacts& thread : process.threads) most = std::max(most, thread.cpu_ns);
  return most;
}

std::string OfClock(const analyze::ProcessFacts& process) {
  const analyze::SamplingFacts& sampling = process.sampling;
  const std::string faster = "; a higher rate takes more samples, as in `ompprof record -F 10000`";
  if (!sampling.weighs_ns())
    return "no thread counted " + Count(sampling.period) + " " + Printable(sampling.clock) +
           ", the distance between two samples";
  if (sampling.clock == "wall" && process.duration_ns < 2 * sampling.period)
    return "the run took " + Duration(process.duration_ns) + ", and a sample is taken every " +
           Duration(sampling.period) + faster;
  if (sampling.clock != "wall" && process.duration_ns > kAsleep * process.cpu_ns &&
      process.duration_ns > sampling.period)
    return "the program slept: it used " + Duration(process.cpu_ns) + " of CPU time in " +
           Duration(process.duration_ns) + "; `ompprof record --clock=wall` samples sleeping threads too";
  if (sampling.clock != "wall" && BusiestThreadNs(process) < 2 * sampling.period)
    return "the busiest thread used " + Duration(BusiestThreadNs(process)) +
           " of CPU time, and a thread is sampled every " + Duration(sampling.period) + " of its CPU time" + faster;
  const std::string none = "the sampling signal reached no thread of the program";
  // The collector's notes say why: threads block it, or the program took it.
  return process.notes.empty() ? none + "; another signal may, as in `ompprof record --signal=RTMIN+3`" : none;
}

std::string Reason(const analyze::RunFacts& run) {
  const analyze::ProcessFacts& process = run.first();
  const analyze::SamplingFacts& sampling = process.sampling;
  if (const uint64_t lost = LostSamples(process); lost > 0) return "all " + Count(lost) + " samples were lost";
  if (sampling.paused)
    return "the program was recorded with --paused, and did not start the sampling for long enough (omp_control_tool, "
           "or ompprof_start of ompprof.h)";
  if (sampling.delay_ns > 0 && sampling.delay_ns >= process.duration_ns)
    return "the program ended after " + Duration(process.duration_ns) + ", and sampling was to start after " +
           Duration(sampling.delay_ns) + " (--delay)";
  if (process.end_reason == "exec")
    return "the process became another program by exec, and that program has " +
           (process.successor.empty() ? "no profile in this folder"
                                      : "a profile of its own, " + Printable(process.successor));
  if (!UnseenProgramsText(run).empty()) return "the program waited for others";  // which a sentence of their own tells
  return OfClock(process);
}

}  // namespace

std::string NoSamplesText(const analyze::RunFacts& run) {
  const bool any = std::any_of(run.processes.begin(), run.processes.end(),
                               [](const analyze::ProcessFacts& process) { return process.samples > 0; });
  return run.empty() || any ? "" : "no samples: " + Reason(run);
}

namespace {

std::string MoreThreads(size_t count) {
  return std::to_string(count) + (count == 1 ? " more thread" : " more threads");
}

constexpr double kMuch = 0.05;  // of a process's CPU time
// Less is chance: the time of so many samples.
constexpr uint64_t kFewSamples = 10;
constexpr size_t kNamedThreads = 3;

struct Missing {
  const analyze::ThreadFacts* thread;
  uint64_t ns;
};

// What a process's clocks and samples say.
struct ProcessAccount {
  uint64_t sampled_ns = 0;
  uint64_t threads_ns = 0;  // by the threads' clocks
  std::vector<Missing> missing;
};

ProcessAccount AccountOf(const analyze::Summary& summary, uint32_t process, uint64_t least_ns) {
  ProcessAccount account;
  for (const analyze::ThreadCost& thread : summary.threads) {
    if (thread.process != process) continue;
    account.sampled_ns += thread.cost.weight;
    account.threads_ns += thread.thread.cpu_ns;
    if (thread.thread.cpu_ns > thread.cost.weight + least_ns)
      account.missing.push_back({&thread.thread, thread.thread.cpu_ns - thread.cost.weight});
  }
  std::stable_sort(account.missing.begin(), account.missing.end(),
                   [](const Missing& a, const Missing& b) { return a.ns > b.ns; });
  return account;
}

bool IsSampledThroughout(const analyze::ProcessFacts& process) {
  const analyze::SamplingFacts& sampling = process.sampling;
  return sampling.weighs_ns() && sampling.clock == "cpu" && !sampling.paused && sampling.delay_ns == 0 &&
         process.members == 1;
}

}  // namespace

std::string UnseenProgramsText(const analyze::RunFacts& run) {
  // Each program uses a millisecond or more before its recording begins, and one without a sample leaves no profile. So
  // a little is no news.
  constexpr uint64_t kLeastNs = 200'000'000;
  constexpr uint64_t kLeastPart = 4;  // of the CPU time of all
  uint64_t cpu_ns = run.unseen_children_ns();
  const uint64_t unseen_ns = cpu_ns;
  for (const analyze::ProcessFacts& process : run.processes) cpu_ns += process.cpu_ns;
  if (unseen_ns < kLeastNs || unseen_ns * kLeastPart < cpu_ns) return "";
  return "programs that were started by " + std::string(run.several() ? "these" : "this one") + " used " +
         Duration(unseen_ns) + " of CPU time, which is in no profile that is read here";
}

std::vector<std::string> UnsampledTexts(const analyze::View& view, const analyze::Summary& summary) {
  std::vector<std::string> texts;
  if (view.selection.any()) return texts;  // has a part of the samples only
  if (std::string unseen = UnseenProgramsText(view.run); !unseen.empty()) texts.push_back(std::move(unseen));
  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    const analyze::ProcessFacts& process = view.run.process(i);
    if (!IsSampledThroughout(process)) continue;
    const uint64_t least_ns = kFewSamples * process.sampling.period;
    const ProcessAccount account = AccountOf(summary, i, least_ns);
    const auto cpu = static_cast<double>(process.cpu_ns);
    const auto differs = [&](uint64_t more, uint64_t less) {
      return more > less + least_ns && static_cast<double>(more - less) > kMuch * cpu;
    };
    if (differs(account.sampled_ns, process.cpu_ns)) {
      texts.push_back("the samples stand for " + Duration(account.sampled_ns) + ", but the process used " +
                      Duration(process.cpu_ns) + " of CPU time: one of the two is wrong");
    }
    if (!differs(process.cpu_ns, account.sampled_ns)) continue;
    std::string text = Duration(process.cpu_ns - account.sampled_ns) + " of " + Duration(process.cpu_ns) +
                       " of CPU time (" + Share(process.cpu_ns - account.sampled_ns, process.cpu_ns) +
                       ") is in no sample";
    std::string parts;
    if (process.cpu_ns > account.threads_ns + least_ns) {
      parts = Duration(process.cpu_ns - account.threads_ns) +
              " of threads that ompprof saw late or never: libc's own (SIGEV_THREAD, aio), or made by a library that "
              "was opened with RTLD_DEEPBIND or in a namespace of its own";
    }
    for (size_t k = 0; k < std::min(account.missing.size(), kNamedThreads); ++k) {
      const Missing& one = account.missing[k];
      parts += (parts.empty() ? "" : ", ") + Duration(one.ns) + " of thread " + std::to_string(one.thread->id) + " (" +
               Printable(one.thread->name) + ")";
    }
    if (account.missing.size() > kNamedThreads)
      parts += ", and of " + MoreThreads(account.missing.size() - kNamedThreads);
    texts.push_back(text + (parts.empty() ? "" : ": " + parts));
  }
  return texts;
}

}  // namespace ompprof::report
