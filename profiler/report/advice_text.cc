#include "profiler/report/advice_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "profiler/report/names_text.h"
#include "profiler/report/short_name.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"
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

}  // namespace

std::string AdviceWhere(const analyze::View& view, const Advice& advice, const analyze::Locks* locks) {
  std::string where =
      advice.where == analyze::kNoFunction ? "" : Printable(ShortName(view.frames.function(advice.where).name));
  if (advice.state != OmptState::kNone) {
    const analyze::Lock* lock =
        locks == nullptr ? nullptr : analyze::FindLock(*locks, advice.process, advice.wait_id, advice.state);
    const std::string place = PlaceText(view, advice.place);
    std::string name = lock != nullptr ? Printable(lock->name) : LockKind(advice.state);
    if (!place.empty() && name.find(place) == std::string::npos) name += " at " + place;
    where = name + (where.empty() ? "" : " in " + where);
  }
  if (advice.kind == AdviceKind::kFuseRegions)
    return Count(advice.regions) + " regions, none of which loses much alone";
  if (advice.kind == AdviceKind::kSerialPart && !where.empty()) return "the serial part, most of it in " + where;
  if (advice.kind == AdviceKind::kIdleDevice && where.empty()) return "the host's work";
  return where.empty() ? "the run" : where;
}

std::string GainText(const Advice& advice) {
  return Measured(advice.gain_ns, advice.estimate.Times(1 / std::max(1.0, advice.threads)));
}

std::string AdviceText(const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::kStaticSchedule:
      return "its threads get uneven work in equal shares: try schedule(dynamic" +
             (advice.chunk != 0 ? "," + std::to_string(advice.chunk) : "") + ") on its loop";
    case AdviceKind::kUnevenTeam:
      return "its threads get uneven work: share it out in smaller pieces (sections, tasks, chunks), largest first";
    case AdviceKind::kChunkTooSmall:
      return "handing out iterations costs as much as that: try " +
             (advice.chunk != 0 ? "chunks of " + std::to_string(std::max<uint64_t>(advice.chunk * 16, 16))
                                : std::string("larger chunks")) +
             ", or schedule(static)";
    case AdviceKind::kWaitPolicy:
      return "threads spin on processors that others need: set OMP_WAIT_POLICY=passive, or use fewer threads";
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
      return "other programs use the processors: measure on a machine of its own, or use fewer threads";
    case AdviceKind::kShortCritical:
      return "a few instructions are done under it: try atomic, or a reduction with a copy for each thread";
    case AdviceKind::kLongHeldLock:
      return "it is held long while others wait: take what need not be protected out of it, or split what it protects";
    case AdviceKind::kContendedLock:
      return advice.state == OmptState::kWaitOrdered
                 ? "threads wait for their turn: do less in order, or nothing"
                 : "threads wait for each other there: do less under it, or split what it protects";
    case AdviceKind::kRegionTooShort:
      return "one thread alone would be done sooner: give it an if clause, or put several into one region";
    case AdviceKind::kTasksTooFine:
      return "its tasks are too small for what creating one costs: stop creating them below some size (final, if, "
             "grainsize)";
    case AdviceKind::kFuseRegions:
      return "threads meet too often for the work between: put several loops into one parallel region, with nowait "
             "where "
             "the next loop does not need all of the last, and serial code between them into single or masked";
    case AdviceKind::kFewerThreads:
      return "more threads cost more than they save: try OMP_NUM_THREADS=" + std::to_string(advice.fewer_threads);
    case AdviceKind::kKeepData:
    case AdviceKind::kShortKernels:
    case AdviceKind::kTransfers:
    case AdviceKind::kNowaitLaunches:
    case AdviceKind::kIdleDevice:
    case AdviceKind::kOnTheHost:
      return DeviceAdviceText(advice);
    case AdviceKind::kBinding:
      return "threads move between sockets: set OMP_PROC_BIND=close and OMP_PLACES=cores";
    case AdviceKind::kSerialPart:
      return "one thread works and the others idle: this bounds what more threads can do";
  }
  return "";
}

std::string AdviceEvidence(const analyze::View& view, const Advice& advice) {
  (void)view;
  const std::string share = Tilde(advice.estimate) + Share(advice.wait_ns, advice.of_ns);
  switch (advice.kind) {
    case AdviceKind::kStaticSchedule:
    case AdviceKind::kUnevenTeam:
      return "the busiest thread works " + Tilde(advice.estimate) + WholePercent(std::max(0.0, advice.imbalance)) +
             " longer than the mean of " + Number(advice.threads) + "; " + share +
             " of its threads' time is waiting at barriers, in " + Count(advice.count) +
             (advice.count == 1 ? " run" : " runs") +
             (advice.iterations != 0 ? " of " + Count(advice.iterations) + " iterations" : "") +
             (advice.hidden_ns != 0
                  ? "; with a processor for each thread this would cost " + Duration(advice.hidden_ns) + " of wall time"
                  : "");
    case AdviceKind::kChunkTooSmall:
      return share + " of its threads' time is in the runtime, handing out iterations" +
             (advice.chunk != 0 ? ", " + Count(advice.chunk) + " at a time, " + Count(advice.count) + " times" : "");
    case AdviceKind::kWaitPolicy:
      return Threads(advice.threads) + " on " + Number(advice.cpus) + " processors; " + Duration(advice.wait_ns) +
             " of CPU time, " + share + ", was burnt in waiting";
    case AdviceKind::kTooManyThreads:
    case AdviceKind::kCpuQuota:
    case AdviceKind::kAffinityMask:
    case AdviceKind::kBusyMachine:
      return ProcessorsText(advice) + "; " + share + " of the time in which they had work, they waited for a processor";
    case AdviceKind::kShortCritical:
    case AdviceKind::kLongHeldLock:
    case AdviceKind::kContendedLock:
      return Tilde(advice.estimate) + Count(advice.count) + " waits of " + Tilde(advice.estimate) +
             Duration(advice.each_ns) + " on average, " + share + " of the region's thread time" +
             (advice.held_ns != 0 ? "; held for " + Duration(advice.held_ns) : "");
    case AdviceKind::kRegionTooShort:
      return Count(advice.count) + " runs take " + Duration(advice.each_ns) + " each and hold " +
             Tilde(advice.estimate) + Duration(advice.wait_ns) + " of work, all threads together";
    case AdviceKind::kTasksTooFine:
      return Count(advice.count) + " tasks of " + Duration(advice.each_ns) + " on average; " + share +
             " of its threads' time is creating and finding them";
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
    case AdviceKind::kBinding:
      return Count(advice.count) + " moves between sockets were seen";
    case AdviceKind::kSerialPart:
      return Duration(advice.wait_ns) + ", " + share + " of the run, is in no parallel region of more than one thread";
  }
  return "";
}

std::string RefusalWhere(const analyze::View& view, const analyze::Refusal& refusal) {
  if (refusal.region == analyze::kNoFunction) return Count(refusal.count) + " regions";
  return Printable(ShortName(view.frames.function(refusal.region).name));
}

std::string RefusalText(const analyze::Refusal& refusal) {
  switch (refusal.reason) {
    case analyze::RefusalReason::kOthersAreLate:
      return "a different thread is late each time, so no schedule would help";
    case analyze::RefusalReason::kEvenWork:
      return "its threads' CPU times differ no more than chance and the processors make them differ, so other shares "
             "of the "
             "work would not help";
    case analyze::RefusalReason::kManyLocks:
      return refusal.count == 1 ? "the waits are for a lock that makes up less than 3 % of the run in any region"
                                : "the waits are for " + Count(refusal.count) + " locks, none of which makes up 3 %";
    case analyze::RefusalReason::kNoTaskIsReady:
      return "threads wait for tasks that others execute, and no other task is ready: only more tasks, or large tasks "
             "first, would help";
    case analyze::RefusalReason::kRegionOverhead:
      return "creating and ending it takes this time, but its work takes longer than that: a larger region, or fewer "
             "threads, would help";
    case analyze::RefusalReason::kNoTasks:
      return "threads look for tasks while they wait, but the program created no task";
    case analyze::RefusalReason::kSmallCauses:
      return "its causes are several, and none makes up 3 %";
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

std::string AdviceSection(const analyze::View& view, const analyze::Answers& answers, size_t limit,
                          const Style& style) {
  const std::vector<analyze::Advice>& advice = answers.findings.advice;
  const uint64_t duration_ns = answers.efficiency.duration_ns;
  std::string refusals = RefusalSection(view, answers.findings.refusals, duration_ns, limit, style);
  if (advice.empty()) return refusals;
  std::string text = Title(style, "Advice (what each would save of " + Duration(duration_ns) + " wall)");
  const size_t rows = limit == 0 ? advice.size() : std::min(advice.size(), limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Advice& one = advice[i];
    const std::string gain =
        one.gain_ns == 0 ? "?" : GainText(one) + ", " + Tilde(one.estimate) + Share(one.gain_ns, duration_ns);
    text +=
        Paint(style, Color::kWarm, Wrap("  " + gain + "  " + AdviceWhere(view, one, &answers.locks), 4, style.width)) +
        "\n" + Wrap("      " + AdviceText(one), 6, style.width) + "\n" +
        Wrap("      because " + AdviceEvidence(view, one), 6, style.width) + "\n";
  }
  return text + Omitted(rows, advice.size(), "pieces of advice") + refusals;
}

}  // namespace ompprof::report
