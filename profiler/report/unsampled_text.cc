#include "profiler/report/unsampled_text.h"

#include <algorithm>
#include <utility>

#include "profiler/report/units.h"

namespace ompprof::report {
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
