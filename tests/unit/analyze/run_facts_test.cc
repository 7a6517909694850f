// The facts that a process's records give: known answers from made-up records.
#include "profiler/analyze/view/run_facts.h"

#include <gtest/gtest.h>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/model/process_profile.h"

namespace ompprof::analyze {
namespace {

constexpr uint64_t kStart = 1000;

// A process that ran for 100 ns.
model::ProcessProfile Recorded() {
  model::ProcessProfile profile;
  profile.header.set_start_mono_ns(kStart);
  profile.last_mono_ns = kStart + 100;
  return profile;
}

Thread& AddThread(uint32_t id, uint64_t start, uint64_t end, model::ProcessProfile* profile) {
  Thread& thread = profile->threads[id];
  thread.set_id(id);
  thread.set_start_mono_ns(start);
  thread.set_end_mono_ns(end);
  return thread;
}

TEST(RunFacts, ThreadsLiveToTheirEndOrTheProfiles) {
  model::ProcessProfile profile = Recorded();
  AddThread(1, kStart, 0, &profile).set_kind(Thread::INITIAL);
  AddThread(2, kStart + 40, kStart + 90, &profile).set_kind(Thread::WORKER);
  AddThread(5, kStart + 40, kStart + 900, &profile).set_kind(Thread::OTHER);
  AddThread(6, kStart + 200, 0, &profile).set_kind(static_cast<Thread::Kind>(99));
  const ProcessFacts facts = FactsOf(profile);
  ASSERT_EQ(facts.threads.size(), 4u);
  EXPECT_EQ(facts.duration_ns, 100u);
  EXPECT_EQ(facts.FindThread(1)->lifetime_ns, 100u);
  EXPECT_EQ(facts.FindThread(2)->lifetime_ns, 50u);
  EXPECT_EQ(facts.FindThread(5)->lifetime_ns, 60u);
  EXPECT_EQ(facts.FindThread(6)->lifetime_ns, 0u);
  EXPECT_EQ(facts.FindThread(3), nullptr);
  EXPECT_EQ(facts.FindThread(7), nullptr);
  std::string kinds;
  for (const ThreadFacts& thread : facts.threads)
    kinds += std::string(ThreadKindName(thread.kind)) + (thread.is_openmp() ? "+ " : " ");
  EXPECT_EQ(kinds, "initial+ worker+ other  ");
}

// A kind of events is told if one of its callbacks runs at least sometimes. Callbacks that nobody asked for tell
// nothing.
TEST(RunFacts, EventsThatARuntimeDoesNotReport) {
  enum { kError, kNever, kImpossible, kSometimes, kPaired, kAlways };
  RuntimeFacts runtime;
  EXPECT_TRUE(UntoldEvents(runtime).empty());
  runtime.callbacks = {{"mutex_acquire", 0, kNever}, {"mutex_acquired", 0, kSometimes}, {"work", 0, kAlways}};
  EXPECT_TRUE(UntoldEvents(runtime).empty());
  runtime.callbacks = {{"mutex_acquire", 0, kNever},
                       {"mutex_acquired", 0, kImpossible},
                       {"task_create", 0, kError},
                       {"sync_region_wait", 0, kPaired}};
  EXPECT_EQ(UntoldEvents(runtime), (std::vector<std::string>{kLockEvents, "tasks"}));
  RunFacts run;
  EXPECT_FALSE(IsUntold(run, kLockEvents));
  run.processes.emplace_back().runtimes.push_back(runtime);
  EXPECT_TRUE(IsUntold(run, kLockEvents));
  EXPECT_EQ(NotesOf(run.processes[0]).back(),
            "the OpenMP runtime reports no events of locks and critical sections, tasks: the profile has none");
}

// Whose CPU time is in the run is seen: a child, and the program that a child became by exec.
TEST(RunFacts, ProgramsThatWereNotSeen) {
  RunFacts run;
  const auto add = [&](uint64_t pid, uint64_t parent_pid, uint64_t cpu_ns, uint64_t children_cpu_ns) {
    ProcessFacts& process = run.processes.emplace_back();
    process.pid = pid;
    process.parent_pid = parent_pid;
    process.cpu_ns = cpu_ns;
    process.helper_cpu_ns = 1;
    process.children_cpu_ns = children_cpu_ns;
  };
  add(10, 1, 5, 1000);
  EXPECT_EQ(run.unseen_children_ns(), 1000u);
  add(11, 10, 199, 0);
  EXPECT_EQ(run.unseen_children_ns(), 800u);
  add(12, 10, 9, 90);  // became:
  add(12, 10, 99, 200);
  EXPECT_EQ(run.unseen_children_ns(), 400u + 290u);
  add(13, 12, 289, 0);
  EXPECT_EQ(run.unseen_children_ns(), 400u);
  add(14, 10, 10000, 0);  // nobody waited for it
  EXPECT_EQ(run.unseen_children_ns(), 0u);
  run.processes.back().host = "another";
  EXPECT_EQ(run.unseen_children_ns(), 400u);
}

// Their time is not that of programs beside the run.
TEST(RunFacts, ProgramsThatWereNotSeenAreNoOthers) {
  RunFacts run;
  ProcessFacts& process = run.processes.emplace_back();
  process.duration_ns = process.machine.load_duration_ns = 1'000'000'000;
  process.machine.busy_ns = 1'900'000'000;
  process.machine.process_cpu_ns = 100'000'000;
  process.children_cpu_ns = 1'500'000'000;
  EXPECT_DOUBLE_EQ(run.cpus_of_others(), 0.3);
}

// Regions within others, and regions of one thread, are no parallel time of the thread that created them.
TEST(RunFacts, RegionsOfAThread) {
  model::ProcessProfile profile = Recorded();
  AddThread(1, kStart, 0, &profile);
  AddThread(2, kStart, 0, &profile);
  const auto add = [&](uint32_t thread, uint32_t level, uint32_t team, uint64_t elapsed) {
    RegionStats& stats = profile.regions.emplace_back();
    stats.set_thread(thread);
    stats.set_nesting_level(level);
    stats.set_actual_max(team);
    stats.set_elapsed_ns(elapsed);
    stats.set_partial_ns(elapsed / 10);
    stats.set_unblamed_ns(3);
  };
  add(1, 0, 2, 10);
  add(1, 0, 4, 20);
  add(1, 1, 2, 400);
  add(1, 0, 1, 800);
  add(2, 0, 2, 50);
  add(9, 0, 2, 70);
  profile.footer.set_idle_unblamed_ns(100);
  profile.footer.set_lock_handoff_ns(5);
  profile.footer.set_blame_pending_ns(6);
  const ProcessFacts facts = FactsOf(profile);
  EXPECT_EQ(facts.threads[0].regions_ns, 30u);
  EXPECT_EQ(facts.threads[0].partial_ns, 3u);
  EXPECT_EQ(facts.threads[1].regions_ns, 50u);
  EXPECT_EQ(facts.unblamed.nobody_working_ns, 118u) << "of all regions";
  EXPECT_EQ(facts.unblamed.lock_handoff_ns, 5u);
  EXPECT_EQ(facts.unblamed.unsampled_ns, 6u);
  profile.footer.set_helper_cpu_ns(7);
  profile.footer.set_signals_ns(8);
  EXPECT_EQ(FactsOf(profile).unsampled_own_ns, 15u);
}

TEST(RunFacts, TimeByTheProcesssClockOrByItsThreads) {
  model::ProcessProfile profile = Recorded();
  AddThread(1, kStart, 0, &profile).set_cpu_ns(30);
  AddThread(2, kStart, 0, &profile).set_cpu_ns(40);
  profile.footer.set_process_cpu_ns(95);
  profile.footer.set_helper_cpu_ns(5);
  profile.footer.set_parallel_ns(60);
  profile.footer.set_serial_ns(40);
  profile.footer.set_samples(7);
  EXPECT_EQ(FactsOf(profile).cpu_ns, 70u) << "no end";
  EXPECT_EQ(FactsOf(profile).parallel_ns, 0u);
  EXPECT_EQ(FactsOf(profile).samples_written, 0u);
  profile.complete = true;
  EXPECT_EQ(FactsOf(profile).cpu_ns, 90u);
  EXPECT_EQ(FactsOf(profile).parallel_ns, 60u);
  EXPECT_EQ(FactsOf(profile).serial_ns, 40u);
  EXPECT_EQ(FactsOf(profile).samples_written, 7u);
}

TEST(RunFacts, StatesAreCalledAsTheFirstRuntimeCallsThem) {
  model::ProcessProfile profile = Recorded();
  const auto add = [](uint32_t value, const std::string& name, Runtime* runtime) {
    runtime->add_states()->set_value(value);
    runtime->mutable_states(runtime->states_size() - 1)->set_name(name);
  };
  profile.runtimes.resize(2);
  add(0x123, "first", &profile.runtimes[0]);
  add(0x124, "", &profile.runtimes[0]);
  add(0x123, "second", &profile.runtimes[1]);
  add(0x124, "named", &profile.runtimes[1]);
  const ProcessFacts facts = FactsOf(profile);
  EXPECT_EQ(StateName(facts, OmptState{0x123}), "first");
  EXPECT_EQ(StateName(facts, OmptState{0x124}), "named");
  EXPECT_EQ(StateName(facts, OmptState{0x125}), "ompt_state_0x125");
  EXPECT_EQ(StateName(facts, OmptState::kOverhead), "ompt_state_overhead");
  EXPECT_EQ(StateName(facts, OmptState::kNone), "no_ompt_state");
}

TEST(RunFacts, CallbacksHaveTheirCounts) {
  model::ProcessProfile profile = Recorded();
  Runtime::Callback* callback = profile.runtimes.emplace_back().add_callbacks();
  callback->set_event(5);
  callback->set_result(4);
  profile.runtimes[0].add_callbacks()->set_event(6);
  profile.event_counts[5] = 12;
  const ProcessFacts facts = FactsOf(profile);
  ASSERT_EQ(facts.runtimes.size(), 1u);
  EXPECT_EQ(facts.runtimes[0].callbacks[0].count, 12u);
  EXPECT_EQ(facts.runtimes[0].callbacks[0].result, 4u);
  EXPECT_EQ(facts.runtimes[0].callbacks[1].count, 0u);
  EXPECT_EQ(facts.tasks_created, 12u);
}

TEST(RunFacts, Losses) {
  model::ProcessProfile profile = Recorded();
  profile.lost.add_reason(LOST_BUSY);
  profile.lost.add_samples(3);
  profile.lost.add_weight(30);
  profile.lost.add_reason(99);
  const ProcessFacts facts = FactsOf(profile);
  ASSERT_EQ(facts.losses.size(), 2u);
  EXPECT_EQ(facts.losses[0].weight, 30u);
  EXPECT_EQ(facts.losses[1].samples, 0u) << "its column is shorter";
  EXPECT_EQ(LossCode(facts.losses[0].reason), "LOST_BUSY");
  EXPECT_EQ(LossCode(facts.losses[1].reason), "LOST_99");
  EXPECT_STREQ(LossName(facts.losses[0].reason), "thread busy with its own record");
  EXPECT_STREQ(LossName(facts.losses[1].reason), "unknown reason");
  EXPECT_TRUE(LosesThreads(LOST_NO_TIMER));
  EXPECT_FALSE(LosesThreads(LOST_BUSY));
}

TEST(RunFacts, WhatTheRecordsHave) {
  model::ProcessProfile profile = Recorded();
  profile.records[Record::kRegionStats] = {2, 20};
  profile.records[99] = {1, 5};
  profile.trees[1].nodes.resize(3);
  profile.trees[2].nodes.resize(4);
  profile.samples.resize(2);
  profile.samples[0].cost.Add(2, 200);
  profile.samples[1].cost.Add(5, 500);
  const ProcessFacts facts = FactsOf(profile);
  EXPECT_EQ(facts.recorded.nodes, 7u);
  EXPECT_EQ(facts.recorded.trees, 2u);
  EXPECT_EQ(facts.recorded.bytes, 25u);
  ASSERT_EQ(facts.recorded.records.size(), 2u);
  EXPECT_EQ(facts.recorded.records[0].name, "region stats");
  EXPECT_EQ(facts.recorded.records[1].name, "unknown");
  EXPECT_EQ(facts.samples, 7u);
  EXPECT_EQ(facts.weight, 700u);
}

TEST(RunFacts, NotesSayWhatIsLeftOut) {
  model::ProcessProfile profile = Recorded();
  profile.notes = {"of the collector"};
  profile.footer.set_labels_refused(3);
  profile.footer.set_intervals_lost(4);
  std::vector<std::string> notes = NotesOf(FactsOf(profile));
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0], "of the collector");
  EXPECT_EQ(notes[1].substr(0, 8), "3 labels");
  EXPECT_EQ(notes[2].substr(0, 12), "4 stretches ");
}

TEST(RunFacts, LibgompsWithoutRegionsAreNamed) {
  model::ProcessProfile profile = Recorded();
  const auto add = [&](uint32_t id, const char* path, bool runtime) {
    Module& module = profile.modules[id];
    module.set_id(id);
    module.set_path(path);
    module.set_openmp_runtime(runtime);
  };
  add(1, "/lib/libgomp.so.1", false);
  EXPECT_TRUE(FactsOf(profile).unseen_libgomps.empty()) << "recorded without the shim";
  add(2, "/opt/libgomp_ompt.so", true);
  profile.modules[1].set_openmp_runtime(true);
  add(3, "/site/a.libs/libgomp-aaa.so.1.0.0", false);
  add(4, "/site/b.libs/libgomp-aaa.so.1.0.0", false);
  add(5, "/site/libgomphosis.so", false);
  const ProcessFacts facts = FactsOf(profile);
  EXPECT_EQ(facts.unseen_libgomps, std::vector<std::string>{"libgomp-aaa.so.1.0.0"});
  EXPECT_EQ(NotesOf(facts).at(0),
            "the process has several libgomps, and the regions of libgomp-aaa.so.1.0.0 are not seen: their threads "
            "have no states, and what they did counts as serial");
}

TEST(RunFacts, OfSeveralProcesses) {
  RunFacts run;
  EXPECT_TRUE(run.empty());
  EXPECT_TRUE(run.weighs_ns());
  EXPECT_EQ(run.usable_cpus(), 0);
  run.processes.resize(2);
  run.processes[0].duration_ns = 5;
  run.processes[0].machine.cpus = 8;
  run.processes[1].duration_ns = 9;
  run.processes[1].machine.cpus = 4;
  run.processes[0].sampling.weight_unit = "events";
  EXPECT_EQ(run.duration_ns(), 9u);
  EXPECT_EQ(run.usable_cpus(), 8);
  EXPECT_FALSE(run.weighs_ns());
}

TEST(MachineFacts, TheLesserOfMaskAndQuota) {
  MachineFacts machine;
  EXPECT_EQ(machine.usable_cpus(), 0);
  machine.cpus = 4;
  EXPECT_EQ(machine.usable_cpus(), 4);
  machine.cpu_quota_milli = 1500;
  EXPECT_EQ(machine.usable_cpus(), 1.5);
  machine.cpu_quota_milli = 8000;
  EXPECT_EQ(machine.usable_cpus(), 4);
}

// Two sockets of two cores; a core has two processors. The process may use one socket and a core of the other.
TEST(RunFacts, WhereThreadsMayRunAndRan) {
  model::ProcessProfile profile = Recorded();
  for (const uint32_t number : {0, 5, 7, 7}) profile.header.add_may_use(number);
  profile.header.set_cpus(7);
  for (uint32_t i = 0; i < 8; ++i) {
    profile.topology.add_processor(i);
    profile.topology.add_package(i / 4);
    profile.topology.add_core(i / 2 * 2);
  }
  Thread& first = AddThread(1, kStart, 0, &profile);
  first.set_kind(Thread::INITIAL);
  for (const uint32_t number : {2, 3}) first.add_may_use(number);
  first.add_ran_on(3);
  first.add_ran_on(2);
  first.add_ran_on_weight(10);
  first.add_ran_on_weight(90);
  first.set_moves(1);
  Thread& second = AddThread(2, kStart, 0, &profile);
  second.set_kind(Thread::WORKER);
  for (const uint32_t number : {0, 0}) second.add_may_use(number);
  second.add_ran_on_weight(5);  // on processor 0: a column of zeros is missing

  const ProcessFacts facts = FactsOf(profile);
  EXPECT_EQ(facts.machine.may_use, (ProcessorNumbers{0, 1, 2, 3, 4, 5, 7}));
  const Layout layout = facts.machine.layout();
  EXPECT_EQ(layout.cores, 4u);
  EXPECT_EQ(layout.sockets, 2u);
  EXPECT_EQ(layout.nodes, 1u);
  const PlacementFacts& placement = facts.threads[0].placement;
  EXPECT_EQ(placement.may_use, (ProcessorNumbers{2, 3}));
  ASSERT_EQ(placement.ran_on.size(), 2u);
  EXPECT_EQ(placement.ran_on[0].processor, 2u);
  EXPECT_EQ(placement.ran_on[0].weight, 90u);
  EXPECT_EQ(placement.moves, 1u);
  ASSERT_EQ(facts.threads[1].placement.ran_on.size(), 1u);
  EXPECT_EQ(facts.threads[1].placement.ran_on[0].processor, 0u);
  EXPECT_EQ(facts.OpenmpProcessors(), (ProcessorNumbers{0, 2, 3}));

  RunFacts run;
  run.processes.push_back(facts);
  EXPECT_EQ(run.usable_cpus(), 7);
  EXPECT_EQ(run.thread_cpus(), 3);
  run.processes.push_back(facts);
  EXPECT_EQ(run.thread_cpus(), 7) << "other processes may be bound elsewhere";
}

TEST(RunFacts, WithoutRecordsOfPlacementNothingIsKnown) {
  model::ProcessProfile profile = Recorded();
  profile.header.set_cpus(2);
  AddThread(1, kStart, 0, &profile).set_kind(Thread::INITIAL);
  RunFacts run;
  run.processes.push_back(FactsOf(profile));
  EXPECT_EQ(run.first().machine.layout().cores, 0u);
  EXPECT_TRUE(run.first().OpenmpProcessors().empty());
  EXPECT_EQ(run.thread_cpus(), 2);
}

}  // namespace
}  // namespace ompprof::analyze
