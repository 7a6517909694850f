#include "profiler/report/sections/advice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/outside_waits.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

using analyze::Advice;
using analyze::AdviceKind;

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::trunc(value) ? "%.0f" : "%.1f", value);
  return text;
}

std::string WholePercent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

// Whole processors, at least one.
std::string Threads(double threads) { return Number(threads) + (threads == 1 ? " thread" : " threads"); }

std::string Whole(double cpus) { return Number(std::max(1.0, std::floor(cpus))); }

const char* LockKind(OmptState state) {
  switch (state) {
    case OmptState::kWaitCritical:
      return "the critical construct";
    case OmptState::kWaitAtomic:
      return "the atomic construct";
    case OmptState::kWaitOrdered:
      return "the ordered construct";
    default:
      return "the lock";
  }
}

// "16 threads on the 2 processors of the affinity mask (the machine has 64), other programs used 0.5 of them"
std::string ProcessorsText(const Advice& advice) {
  std::string text = Threads(advice.threads) + " on ";
  if (advice.kind == AdviceKind::kAffinityMask)
    text += "the " + Number(advice.cpus) + " processors of the affinity mask, of " + std::to_string(advice.online_cpus);
  else if (advice.kind == AdviceKind::kCpuQuota)
    text += "the " + Number(advice.cpus) + " processors that the control group allows";
  else
    text += Number(advice.cpus) + (advice.cpus == 1 ? " processor" : " processors");
  if (advice.kind == AdviceKind::kBusyMachine) text += ", of which other programs used " + Number(advice.others_cpus);
  return text;
}

// glibc's variables that keep freed memory: more than the program has at most. The second and the third alone would
// give blocks of 128 KiB and more mappings of their own (mallopt(3), M_MMAP_THRESHOLD).
std::string MallocVariables(const Advice& advice) {
  uint64_t keep = 1 << 20;
  while (keep < advice.bytes) keep *= 2;
  return "MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=" + std::to_string(2 * keep) +
         " MALLOC_TOP_PAD_=" + std::to_string(keep / 4);
}

std::string DeviceAdviceText(const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::kKeepData:
      return "its data travels in each launch: keep it on the device with target data, and update what changes";
    case AdviceKind::kShortKernels:
      return "its kernels are too short for what a launch costs: launch larger pieces, or several at once";
    case AdviceKind::kTransfers:
      return "its copies take longer than its kernels: map less of the data, keep it on the device between launches, "
             "or "
             "launch pieces with nowait";
    case AdviceKind::kNowaitLaunches:
      return "the host waits for its kernels, and computes at other times: with nowait, both run at the same time";
    case AdviceKind::kIdleDevice:
      return "the host computes while the device has nothing to do: give the device half of that work";
    case AdviceKind::kOnTheHost:
      return "the host executed it, although there is a device: is the region's code built for the device, and does "
             "the "
             "device clause name it?";
    default:
      return "";
  }
}

// `share`: of the construct's time.
std::string DeviceEvidence(const Advice& advice, const std::string& share) {
  switch (advice.kind) {
    case AdviceKind::kKeepData:
      return Count(advice.count) + " launches copied " + Number(static_cast<double>(advice.bytes) / 1e6) + " MB; " +
             share + " of its time is copies";
    case AdviceKind::kShortKernels:
      return Count(advice.count) + " kernels of " + Duration(advice.each_ns) + " on average; " + share +
             " of its time is neither kernels nor copies";
    case AdviceKind::kTransfers:
      return Count(advice.count) + (advice.count == 1 ? " launch" : " launches") + " copied " +
             Number(static_cast<double>(advice.bytes) / 1e6) + " MB; " + share + " of its time is copies, and " +
             Share(advice.busy_ns, advice.of_ns) + " kernels";
    case AdviceKind::kNowaitLaunches:
      return "the host waited " + Duration(advice.wait_ns) + " for " + Count(advice.count) +
             (advice.count == 1 ? " kernel" : " kernels") + ", and the same thread computed for " +
             Duration(advice.busy_ns);
    case AdviceKind::kIdleDevice:
      return "kernels took " + Duration(advice.busy_ns) + " of the run's " + Duration(advice.of_ns) +
             ", and the busiest thread of the host computed for " + Duration(advice.wait_ns) +
             "; the gain assumes that the device is as fast as the host";
    case AdviceKind::kOnTheHost:
      return Count(advice.count) + (advice.count == 1 ? " region was" : " regions were") + " executed there";
    default:
      return "";
  }
}

// `share`: of the threads' time in the region.
std::string UnequalWorkEvidence(const Advice& advice, const std::string& share) {
  return "the busiest thread works " + Tilde(advice.estimate) + WholePercent(std::max(0.0, advice.imbalance)) +
         " longer than the mean of " + Threads(advice.threads) + "; " + share +
         " of its threads' time is waiting at barriers, in " + Count(advice.count) +
         (advice.count == 1 ? " run" : " runs") +
         (advice.iterations != 0 ? " of " + Count(advice.iterations) + " iterations" : "") +
         (advice.hidden_ns != 0
              ? "; with a processor for each thread this would cost " + Duration(advice.hidden_ns) + " of wall time"
              : "");
}

// "processor 0", "processors 0-1,4"
std::string ProcessorList(const analyze::ProcessorNumbers& numbers) {
  return (numbers.size() == 1 ? "processor " : "processors ") + RangesText(numbers);
}

std::string PlacementAdviceText(const Advice& advice) {
  if (advice.kind == AdviceKind::kBinding)
    return "threads move between sockets: set OMP_PROC_BIND=close and OMP_PLACES=cores";
  const std::string by = advice.what.empty() ? "the program or a library binds its threads"
                                             : Printable(advice.what) + " binds the threads";
  return by +
         (advice.kind == AdviceKind::kBoundTogether ? " to too few processors" : " to processors of the same cores") +
         ": set OMP_PLACES=cores and OMP_PROC_BIND=close, or leave the threads unbound";
}

std::string PlacementEvidence(const Advice& advice, const std::string& share) {
  if (advice.kind == AdviceKind::kBinding)
    return "threads were on another socket than their usual one for " + share + " of their CPU time";
  const std::string bound = Threads(advice.threads) + " may only use " + ProcessorList(advice.bound_to);
  const std::string unused = "; no thread may use " + ProcessorList(advice.unused);
  if (advice.kind == AdviceKind::kSharedCores)
    return bound + ", which " + (advice.count == 1 ? "is one core" : "are " + Count(advice.count) + " cores") + unused +
           ", of other cores";
  return bound + ", and waited there for a processor for " + share + " of the time in which they could run" + unused;
}

std::string ProcessorAdviceText(const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::kTooManyThreads:
      return "more threads have work than there are processors: set OMP_NUM_THREADS=" + Whole(advice.cpus);
    case AdviceKind::kCpuQuota:
      return "the control group's limit stops threads that have work: raise the limit, or set OMP_NUM_THREADS=" +
             Whole(advice.cpus);
    case AdviceKind::kAffinityMask:
      return "the affinity mask leaves processors of the machine out: widen it (taskset, mpirun --bind-to), or set "
             "OMP_NUM_THREADS=" +
             Whole(advice.cpus);
    case AdviceKind::kBusyMachine:
      return "other programs use the processors: measure on a quiet machine";
    default:
      return "";
  }
}

// `share`: of the run.
std::string SerialEvidence(const Advice& advice, const std::string& share) {
  return Duration(advice.wait_ns) + ", " + share + " of the run, is in no parallel region of more than one thread" +
         (advice.asleep_ns * 10 >= advice.wait_ns
              ? "; " + Duration(advice.asleep_ns) + " of that it was asleep, for example in I/O"
              : "");
}

std::string LockAdviceText(const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::kShortCritical:
      if (advice.state == OmptState::kWaitAtomic)
        return "threads wait for each other at this atomic: try a reduction with a copy for each thread";
      return std::string(advice.state == OmptState::kWaitCritical ? "the critical section holds"
                                                                  : "the lock protects") +
             " only a few instructions: try atomic, or a reduction with a copy for each thread";
    case AdviceKind::kLongHeldLock:
      return "it is held long while others wait: take out of it what need not be protected, or split what it protects "
             "(a lock for each part of the data, a copy for each thread)";
    case AdviceKind::kContendedLock:
      return advice.state == OmptState::kWaitOrdered
                 ? "threads wait for their turn: do less in order, or nothing"
                 : "threads wait for each other there: do less under it, or split what it protects (a lock for each "
                   "part of the data, a table for each thread); if most threads only read, let them read together";
    default:
      return "";
  }
}

// "schedule(dynamic,46)"; N where the loop's iterations are not known.
std::string ScheduleText(const Advice& advice) {
  const std::string begin = advice.maybe_static
                                ? "its threads get unequal work: if its loop has a static schedule, try "
                                : "the static schedule gives threads unequal work: try ";
  if (advice.chunk != 0) return begin + "schedule(dynamic," + std::to_string(advice.chunk) + ")";
  return begin + "schedule(dynamic,N) on its loop, with N about its iterations / " +
         Number(std::round(advice.threads) * 32);
}

// Chunks that are 16 times as large, and still several for each thread.
std::string ChunkText(const Advice& advice) {
  if (advice.chunk == 0) return "larger chunks";
  const uint64_t most = advice.iterations / static_cast<uint64_t>(std::max(1.0, advice.threads) * 8);
  const uint64_t larger = std::min(std::max<uint64_t>(advice.chunk * 16, 16), most);
  return larger > advice.chunk ? "chunks of " + std::to_string(larger) : "larger chunks";
}

}  // namespace

std::string AdviceWhere(const analyze::View& view, const Advice& advice, const analyze::Locks* locks) {
  std::string where = advice.where == analyze::kNoFunction ? "" : Printable(view.frames.ShortName(advice.where));
  if (advice.state != OmptState::kNone) {
    const analyze::Lock* lock =
        locks == nullptr ? nullptr : analyze::FindLock(*locks, advice.process, advice.wait_id, advice.state);
    const std::string place = PlaceText(view, advice.place);
    std::string name = lock != nullptr ? Printable(lock->name) : LockKind(advice.state);
    if (!place.empty() && name.find(place) == std::string::npos) name += " at " + place;
    where = name + (where.empty() ? "" : " in " + where);
  }
  if (advice.kind == AdviceKind::kAtomicUpdates) {
    const std::string place = PlaceText(view, advice.place);
    where = "the atomic update" + (place.empty() ? "" : " at " + place) + " in " + where;
  }
  if (advice.kind == AdviceKind::kOutsideLock) where = OutsideLockWhere(view, advice) + " in " + where;
  if (advice.kind == AdviceKind::kFuseRegions)
    return Count(advice.regions) + " regions, none of which loses much alone";
  if (advice.kind == AdviceKind::kSerialPart)
    return "the serial part" + (where.empty() ? "" : ", most of it in " + where);
  if (advice.kind == AdviceKind::kIdleDevice && where.empty()) return "the host's work";
  return where.empty() ? "the run" : where;
}

bool IsBound(AdviceKind kind) { return kind == AdviceKind::kSerialPart || kind == AdviceKind::kIdleDevice; }

std::string GainText(const Advice& advice) {
  return (IsBound(advice.kind) ? "up to " : "") +
         Measured(advice.gain_ns, advice.estimate.Times(1 / std::max(1.0, advice.threads)));
}

std::string AdviceText(const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::kStaticSchedule:
      return ScheduleText(advice);
    case AdviceKind::kUnevenTeam:
      return "its threads get unequal work: share it out in smaller pieces (sections, tasks, chunks), largest first";
    case AdviceKind::kChunkTooSmall:
      return "handing out iterations takes the time: try " + ChunkText(advice) +
             ", or schedule(static) if all iterations take equally long";
    case AdviceKind::kTooManyThreads:
    case AdviceKind::kCpuQuota:
    case AdviceKind::kAffinityMask:
    case AdviceKind::kBusyMachine:
      return ProcessorAdviceText(advice);
    case AdviceKind::kShortCritical:
    case AdviceKind::kLongHeldLock:
    case AdviceKind::kContendedLock:
      return LockAdviceText(advice);
    case AdviceKind::kAtomicUpdates:
      return "atomic updates take its threads' time: try a reduction, or a copy for each thread on a cache line of its "
             "own, or update less often";
    case AdviceKind::kOutsideLock:
      return OutsideLockText(advice);
    case AdviceKind::kRegionTooShort:
      return "running it serially would be faster: give it an if clause, or put several into one region";
    case AdviceKind::kTasksTooFine:
      return "its tasks are too small for what creating one costs: stop creating them below some size (final, if, "
             "grainsize)";
    case AdviceKind::kFuseRegions:
      return "too little work between barriers: put several loops into one parallel region, with nowait where the next "
             "loop does not need all of the last, and serial code between them into single or masked";
    case AdviceKind::kFewerThreads:
      return "more threads cost more than they save: try OMP_NUM_THREADS=" + std::to_string(advice.fewer_threads);
    case AdviceKind::kKeepData:
    case AdviceKind::kShortKernels:
    case AdviceKind::kTransfers:
    case AdviceKind::kNowaitLaunches:
    case AdviceKind::kIdleDevice:
    case AdviceKind::kOnTheHost:
      return DeviceAdviceText(advice);
    case AdviceKind::kBoundTogether:
    case AdviceKind::kSharedCores:
    case AdviceKind::kBinding:
      return PlacementAdviceText(advice);
    case AdviceKind::kSerialPart:
      return advice.asleep_ns * 4 >= advice.wait_ns * 3
                 ? "the program sleeps there while no thread works: overlap this with work, or avoid it"
                 : "one thread works and the others wait: this bounds what more threads can do";
    case AdviceKind::kNestedLibrary:
      return std::string(advice.library) + " adds threads of its own to the region's: set " + advice.variable +
             "=1, or call it outside of the region";
    case AdviceKind::kReturnedMemory:
      return "its memory goes back to the system and is faulted in again: keep the buffers between steps, or set " +
             MallocVariables(advice);
  }
  return "";
}

std::string AdviceEvidence(const Advice& advice) {
  const std::string share = Tilde(advice.estimate) + Share(advice.wait_ns, advice.of_ns);
  switch (advice.kind) {
    case AdviceKind::kStaticSchedule:
    case AdviceKind::kUnevenTeam:
      return UnequalWorkEvidence(advice, share);
    case AdviceKind::kChunkTooSmall:
      return share + " of its threads' time is in the runtime, handing out iterations" +
             (advice.chunk != 0 ? ", " + Count(advice.chunk) + " at a time, " + Count(advice.count) + " times" : "");
    case AdviceKind::kTooManyThreads:
    case AdviceKind::kCpuQuota:
    case AdviceKind::kAffinityMask:
    case AdviceKind::kBusyMachine:
      return ProcessorsText(advice) + "; " + share + " of the time in which they " +
             (advice.in_waits ? "could run" : "had work") + ", they waited for a processor";
    case AdviceKind::kShortCritical:
    case AdviceKind::kLongHeldLock:
    case AdviceKind::kContendedLock:
      return Tilde(advice.estimate) + Count(advice.count) + " waits of " + Tilde(advice.estimate) +
             Duration(advice.each_ns) + " on average, " + share + " of the region's thread time" +
             (advice.held_ns != 0 ? "; held for " + Duration(advice.held_ns) : "");
    case AdviceKind::kAtomicUpdates:
      return share + " of its threads' CPU time is in atomic instructions";
    case AdviceKind::kOutsideLock:
      return OutsideLockEvidence(advice);
    case AdviceKind::kRegionTooShort:
      return Count(advice.count) + " runs take " + Duration(advice.each_ns) + " each and hold " +
             Tilde(advice.estimate) + Duration(advice.wait_ns) + " of work, all threads together";
    case AdviceKind::kTasksTooFine:
      return Count(advice.count) + " tasks of " + Duration(advice.each_ns) + " on average; " + share +
             " of its threads' time is creating, finding and awaiting them";
    case AdviceKind::kFuseRegions:
      return Count(advice.count) + " runs take " + Duration(advice.each_ns) + " each; " + share +
             " of their threads' time is waiting at barriers";
    case AdviceKind::kFewerThreads:
      return share + " of the time of " + Number(advice.threads) +
             " threads is lost in regions, and ompprof whatif --threads predicts a shorter run";
    case AdviceKind::kKeepData:
    case AdviceKind::kShortKernels:
    case AdviceKind::kTransfers:
    case AdviceKind::kNowaitLaunches:
    case AdviceKind::kIdleDevice:
    case AdviceKind::kOnTheHost:
      return DeviceEvidence(advice, share);
    case AdviceKind::kBoundTogether:
    case AdviceKind::kSharedCores:
    case AdviceKind::kBinding:
      return PlacementEvidence(advice, share);
    case AdviceKind::kNestedLibrary:
      return Threads(advice.threads) + " of the region call it, and " + Count(advice.count) +
             (advice.count == 1 ? " thread" : " threads") + " of the library's took " + share + " of the CPU time";
    case AdviceKind::kReturnedMemory:
      return Count(advice.count) + " page faults, " + Count(advice.each_ns) + " for each page of the " +
             Megabytes(advice.bytes) + " MB that the program has at most; " + share +
             " of the CPU time is the kernel's work for memory";
    case AdviceKind::kSerialPart:
      return SerialEvidence(advice, share);
  }
  return "";
}

std::string RefusalWhere(const analyze::View& view, const analyze::Refusal& refusal) {
  if (refusal.region == analyze::kNoFunction) return Count(refusal.count) + " regions";
  return Printable(view.frames.ShortName(refusal.region));
}

std::string RefusalText(const analyze::Refusal& refusal) {
  switch (refusal.reason) {
    case analyze::RefusalReason::kOthersAreLate:
      return "no thread is consistently the slowest";
    case analyze::RefusalReason::kEvenWork:
      return "the work is already balanced within noise";
    case analyze::RefusalReason::kBusyProcessors:
      return "threads lacked processors, which alone can make their CPU times differ by 30 %: measure on a quiet "
             "machine";
    case analyze::RefusalReason::kLittleWork:
      return "too little work between barriers: " + Duration(refusal.work_ns) + " of all threads together, " +
             Count(refusal.count) + " times; try larger loops, or nowait";
    case analyze::RefusalReason::kStaticAlready:
      return "its loops have a static schedule already, with too little work in each";
    case analyze::RefusalReason::kLongChunks:
      return "the chunks are long, so handing them out costs little: threads wait in the runtime for each other";
    case analyze::RefusalReason::kManyLocks:
      return refusal.count == 1 ? "the waits are for a lock that does not make up 3 % of the run for certain"
                                : "the waits are for " + Count(refusal.count) + " locks, none of which makes up 3 %";
    case analyze::RefusalReason::kNoTaskIsReady:
      return "threads wait for tasks that others execute, and no other task is ready: create more tasks, or large "
             "tasks "
             "first";
    case analyze::RefusalReason::kRegionOverhead:
      return "creating and ending it takes this time, but its work takes longer than that: try a larger region, or "
             "fewer threads";
    case analyze::RefusalReason::kNoTasks:
      return "threads look for tasks while they wait, but the program created no task";
    case analyze::RefusalReason::kSmallCauses:
      return "it has several causes, and none makes up 3 %";
    case analyze::RefusalReason::kSmallRegions:
      return "none makes up 3 %; as fewer and larger regions they would save " + Duration(refusal.fused_ns);
  }
  return "";
}

namespace {

std::string RefusalSection(const analyze::View& view, const std::vector<analyze::Refusal>& refusals,
                           uint64_t duration_ns, size_t limit, const Style& style) {
  if (refusals.empty()) return "";
  std::string text = Title(style, "Possible savings without advice (of " + Duration(duration_ns) + " wall, and why)");
  const size_t rows = limit == 0 ? refusals.size() : std::min(refusals.size(), limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Refusal& refusal = refusals[i];
    text +=
        Wrap("  " + Duration(refusal.gain_ns) + ", " + Share(refusal.gain_ns, duration_ns) + "  " +
                 RefusalWhere(view, refusal) + ", " + analyze::CauseTitle(refusal.cause) + ": " + RefusalText(refusal),
             6, style.width) +
        "\n";
  }
  return text + Omitted(rows, refusals.size(), "savings");
}

}  // namespace

namespace {

// The advice on the program, or the advice on the measurement.
std::string AdviceList(const analyze::View& view, const analyze::Answers& answers, bool on_measurement, size_t limit,
                       const Style& style) {
  std::vector<const Advice*> list;
  for (const Advice& advice : answers.findings.advice) {
    if (analyze::IsOnMeasurement(advice.kind) == on_measurement) list.push_back(&advice);
  }
  if (list.empty()) return "";
  const uint64_t duration_ns = answers.efficiency.duration_ns;
  std::string text =
      Title(style, std::string(on_measurement ? "Advice on this measurement" : "Advice on your program") +
                       " (what each change would save at least, of " + Duration(duration_ns) + " wall)");
  const size_t rows = limit == 0 ? list.size() : std::min(list.size(), limit);
  for (size_t i = 0; i < rows; ++i) {
    const Advice& one = *list[i];
    const std::string gain =
        one.gain_ns == 0 ? "?" : GainText(one) + ", " + Tilde(one.estimate) + Share(one.gain_ns, duration_ns);
    text +=
        Paint(style, Color::kWarm, Wrap("  " + gain + "  " + AdviceWhere(view, one, &answers.locks), 4, style.width)) +
        "\n" + Wrap("      " + AdviceText(one), 6, style.width) + "\n" +
        Wrap("      because " + AdviceEvidence(one), 6, style.width) + "\n";
  }
  return text + Omitted(rows, list.size(), "pieces of advice");
}

}  // namespace

std::string DisturbanceText(const analyze::View& view, const analyze::Findings& findings) {
  if (!findings.disturbed) return "";
  std::string text;
  const double cpus = view.run.usable_cpus();
  if (findings.others_cpus >= 0.05)
    text = "other programs used " + Number(std::round(10 * findings.others_cpus) / 10) + " of " + Number(cpus) +
           (cpus == 1 ? " processor" : " processors");
  if (findings.lacking_share >= 0.01)
    text += (text.empty() ? "" : ", and ") + std::string("threads had no processor for ") +
            WholePercent(findings.lacking_share) + " of the time in which they " +
            (findings.crowded ? "could run" : "had work");
  // Threads that lack processors because they are too many are no matter of the machine.
  const bool busy = findings.others_cpus >= 0.1 * cpus;
  return "the run was disturbed: " + text + (busy ? ". Measure again on a quiet machine." : ".");
}

std::string SlowWorkText(const analyze::Answers& answers, bool brief) {
  constexpr double kMostlyUseful = 0.8;
  const analyze::Efficiency& efficiency = answers.efficiency;
  const bool advised = std::any_of(answers.findings.advice.begin(), answers.findings.advice.end(),
                                   [](const Advice& advice) { return !analyze::IsOnMeasurement(advice.kind); });
  if (advised || answers.findings.disturbed || efficiency.threads < 2 || efficiency.parallel() < kMostlyUseful)
    return "";
  if (brief) return "one run does not tell what slows the work itself: compare with OMP_NUM_THREADS=1 (ompprof diff)";
  return "Threads do useful work for " + Percent(efficiency.parallel()) +
         " of their time. One run does not tell what slows the work itself: memory or shared cache lines. "
         "Record "
         "another run with OMP_NUM_THREADS=1, and compare the two with `ompprof diff`: where CPU time grows with the "
         "threads, they slow each other down. `ompprof record --count=cycles,instructions,cache-misses` shows "
         "which code does little in a cycle and where caches miss, on machines that count these events.";
}

std::string NoAdviceText(const analyze::View& view, const analyze::Findings& findings) {
  if (!findings.disturbed) return "No advice: ompprof found no change that would save 3 % of the run.";
  return "No advice: " + DisturbanceText(view, findings);
}

std::string AdviceSection(const analyze::View& view, const analyze::Answers& answers, size_t limit,
                          const Style& style) {
  const std::string refusals =
      RefusalSection(view, answers.findings.refusals, answers.efficiency.duration_ns, limit, style);
  const std::string lists =
      AdviceList(view, answers, false, limit, style) + AdviceList(view, answers, true, limit, style);
  if (lists.empty() && refusals.empty()) return "";
  std::string banner = DisturbanceText(view, answers.findings);
  if (!banner.empty()) {
    banner[0] = 'T';
    banner = "\n" + Paint(style, Color::kHot, Wrap(banner, 0, style.width)) + "\n";
  }
  return banner + lists + refusals;
}

}  // namespace ompprof::report
