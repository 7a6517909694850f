#include "profiler/report/columns/thread_columns.h"

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/state_columns.h"

namespace ompprof::report {
namespace {

using analyze::Activity;
using Cell = TextTable::Cell;
using Fit = TextTable::Fit;
using ThreadGroup = std::vector<Column<ThreadRow>>;

Cell NameCell(const ThreadRow& row) {
  const analyze::ThreadFacts& thread = row.thread.thread;
  if (row.threads > 1) return GroupName(row.threads, thread.lifetime_ns);
  return Printable(thread.name) + (row.thread.id == 0 || thread.sampled ? "" : " (not sampled)");
}

Cell IdCell(const ThreadRow& row) {
  return std::to_string(row.thread.id) + (row.threads > 1 ? "-" + std::to_string(row.last_id) : "");
}

Cell TidCell(const ThreadRow& row) { return row.threads > 1 ? "" : std::to_string(row.thread.thread.tid); }

ThreadGroup ThreadIdentity() {
  return {
      {.key = "process",
       .heading = "process",
       .unit = Unit::kNumber,
       .value = [](const ThreadRow& row) -> Value { return row.view.run.process(row.thread.process).pid; },
       .text = {10},
       .cell = [](const ThreadRow& row) -> Cell { return row.process; },
       .meaning = "pid"},
      {.key = "id",
       .heading = "id",
       .unit = Unit::kNumber,
       .value = [](const ThreadRow& row) -> Value { return uint64_t{row.thread.id}; },
       .text = {20},
       .csv = "thread",
       .cell = IdCell,
       .meaning = "the thread's number in its process, from 1; 0: threads that the file does not describe"},
      {.key = "tid",
       .heading = "tid",
       .unit = Unit::kNumber,
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.tid; },
       .text = {30, 3},
       .cell = TidCell,
       .meaning = "the kernel's number"},
      {.key = "name",
       .heading = "name",
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.name; },
       .text = {140, 0, Fit::kShorten},
       .cell = NameCell,
       .meaning = "the thread's last known name"},
      {.key = "kind",
       .heading = "kind",
       .value = [](const ThreadRow& row) -> Value { return analyze::ThreadKindName(row.thread.thread.kind); },
       .text = {40},
       .meaning = "`initial`, `worker`, `other`, `main`, `unknown`"},
  };
}

ThreadGroup ThreadTimes() {
  return {
      {.key = "cpu_ns",
       .heading = "CPU clock",
       .unit = Unit::kNs,
       .from = From::kClock,
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.cpu_ns; },
       .text = {50, 6},
       .csv = "clock_cpu_ns",
       .meaning = "CPU time by the thread's clock"},
      {.key = "minor_faults",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.minor_faults; },
       .meaning = "page faults that needed no disk, to the thread's last sample or its end"},
      {.key = "major_faults",
       .unit = Unit::kCount,
       .from = From::kExact,
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.major_faults; },
       .meaning = "the other page faults"},
      {.key = "kernel_ns",
       .unit = Unit::kNs,
       .from = From::kClock,
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.kernel_ns; },
       .meaning = "CPU time in the kernel: system calls, page faults, signals"},
      {.key = "samples",
       .heading = "samples",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const ThreadRow& row) -> Value { return row.thread.cost.samples; },
       .text = {70, 8},
       .meaning = "samples of the thread"},
      {.key = "sampled_cpu_ns",
       .heading = "sampled",
       .unit = Unit::kWeight,
       .from = From::kSampled,
       .value = [](const ThreadRow& row) -> Value { return row.thread.cost.weight; },
       .text = {60},
       .meaning = "CPU time that the thread's samples stand for"},
  };
}

// The thread's processors. A group's threads have one each.
ThreadGroup Placement() {
  return {
      {.key = "may_use",
       .heading = "may use",
       .value = [](const ThreadRow& row) -> Value { return RangesText(row.thread.thread.placement.may_use); },
       .text = {132, 10},
       .cell = [](const ThreadRow& row) -> Cell {
         return row.threads > 1 ? "" : RangesText(row.thread.thread.placement.may_use);
       },
       .meaning = "the processors of its affinity mask when it was last seen: `0-3,8`"},
      {.key = "ran_on",
       .heading = "ran on",
       .value = [](const ThreadRow& row) -> Value { return RanOnText(row.thread.thread.placement); },
       .text = {133, 11},
       .cell = [](const ThreadRow& row) -> Cell {
         return row.threads > 1 ? "" : RanOnText(row.thread.thread.placement);
       },
       .meaning = "the processors with 1 % of its samples or more; `..`: and others than the first eight it came to"},
      {.key = "moves",
       .heading = "moves",
       .unit = Unit::kCount,
       .from = From::kSampled,
       .value = [](const ThreadRow& row) -> Value { return row.thread.thread.placement.moves; },
       .text = {134, 12},
       .meaning = "samples on another processor than the thread's sample before"},
  };
}

template <uint64_t analyze::ThreadAccount::*kPart>
Column<ThreadRow> AccountColumn(const char* key, const char* heading, From from, InText text, const char* meaning) {
  return {.key = key,
          .heading = heading,
          .unit = Unit::kNs,
          .from = from,
          .value = [](const ThreadRow& row) -> Value { return row.thread.account.*kPart; },
          .text = text,
          .meaning = meaning};
}

// The division of the thread's wall time. The last four add up to the first.
ThreadGroup Account() {
  using analyze::ThreadAccount;
  return {
      AccountColumn<&ThreadAccount::lifetime_ns>("lifetime_ns", "lifetime", From::kExact, {42, 7},
                                                 "wall time from the thread's start to its end"),
      AccountColumn<&ThreadAccount::on_cpu_ns>("on_cpu_ns", "on CPU", From::kClock, {43, 1},
                                               "on a processor outside of OpenMP's waits: the thread's clock less the "
                                               "CPU time that samples show in waits"),
      AccountColumn<&ThreadAccount::wait_ns>("wait_ns", "waited", From::kExact, {44, 1},
                                             "in OpenMP's waits and idle between regions, spinning or asleep"),
      AccountColumn<&ThreadAccount::ready_ns>("ready_ns", "ready", From::kClock, {45, 1},
                                              "could run outside of OpenMP's waits, but had no processor"),
      AccountColumn<&ThreadAccount::blocked_ns>("blocked_ns", "blocked", From::kComputed, {46, 2},
                                                "the rest: asleep outside of OpenMP's waits, in I/O, page faults or "
                                                "other locks; with `--waits=off` in OpenMP's waits as well"),
  };
}

template <Activity kActivity>
Column<ThreadRow> ActivityColumn(const char* key, const char* heading, InText text, const char* meaning) {
  constexpr int kWhich = static_cast<int>(kActivity);
  return {.key = key,
          .heading = heading,
          .unit = Unit::kWeight,
          .from = From::kSampled,
          .value = [](const ThreadRow& row) -> Value { return row.thread.by_activity[kWhich].weight; },
          .text = text,
          .files = kCsv,
          .cell = [](const ThreadRow& row) -> Cell {
            return Share(row.thread.by_activity[kWhich].weight, row.thread.cost.weight);
          },
          .meaning = meaning};
}

// The columns of the thread's activities. Text shows them as shares of the thread's samples.
ThreadGroup Activities() {
  return {
      ActivityColumn<Activity::kWork>("work_cpu_ns", "work", {80},
                                      "in states of work; in text its share, likewise below"),
      ActivityColumn<Activity::kWait>("wait_cpu_ns", "wait", {90}, "in states of waiting"),
      ActivityColumn<Activity::kMpi>("mpi_cpu_ns", "MPI", {95, 9}, "in MPI"),
      ActivityColumn<Activity::kOverhead>("overhead_cpu_ns", "overhead", {100}, "in the runtime's own state"),
      ActivityColumn<Activity::kIdle>("idle_cpu_ns", "idle", {110}, "between regions"),
      ActivityColumn<Activity::kNoState>("no_state_cpu_ns", "no state", {120, 4}, "in no state that the runtime knows"),
      ActivityColumn<Activity::kOwn>("ompprof_cpu_ns", "ompprof", {130, 5}, "in the profiler's own code"),
      {.key = "states",
       .unit = Unit::kObject,
       .files = kJson,
       .json =
           [](const ThreadRow& row, JsonWriter* json) {
             JsonStates(row.view, row.states->names,
                        row.own_states == nullptr ? std::vector<analyze::StateTime>() : row.own_states->times, json);
           },
       .meaning = "as `states` above, for the thread; only states that the thread was in"},
  };
}

}  // namespace

const std::vector<Column<ThreadRow>>& ThreadColumns() {
  static const ThreadGroup columns = AllOf({ThreadIdentity(), Account(), ThreadTimes(), Placement(), Activities()});
  return columns;
}

std::string GroupName(uint64_t threads, uint64_t lifetime_ns) {
  return Count(threads) + " threads, " + Duration(lifetime_ns / threads) + " each";
}

}  // namespace ompprof::report
