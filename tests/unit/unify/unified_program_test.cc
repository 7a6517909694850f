// Processes of one program as one process: equal paths become one path wherever modules lay, and what differs stays
// apart. Parts can be added to each other.
#include "profiler/unify/unified_program.h"

#include <gtest/gtest.h>

#include "profiler/model/profile_writer.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::unify {
namespace {

using test::ProfileBuilder;

std::string Bytes(const model::ProcessProfile& profile) {
  std::string bytes;
  EXPECT_TRUE(model::WriteProfile(profile, [&](std::string_view more) {
                bytes += more;
                return model::Status();
              }).ok());
  return bytes;
}

// The address that a path's leaf has, less the address of its module.
uint64_t Offset(const model::ProcessProfile& profile, uint64_t address) {
  for (const auto& [id, module] : profile.modules) {
    if (address >= module.load_bias() && address < module.load_bias() + 0x10000) return address - module.load_bias();
  }
  return UINT64_MAX;
}

// A task that another thread created. `bias`: of the module; `first`: whether the creator's tree comes first.
model::ProcessProfile Tasks(uint64_t bias, bool creator_first, uint64_t weight) {
  ProfileBuilder builder(static_cast<uint64_t>(bias >> 12));
  builder.AddModule(1, "/bin/team", bias, 0x10000, false, "build");
  builder.AddThread(1, Thread::INITIAL, 100);
  builder.AddThread(2, Thread::WORKER, 100);
  const uint32_t creator_tree = creator_first ? 1 : 2;
  const uint32_t task_tree = creator_first ? 2 : 1;
  const uint32_t root = builder.AddNode(creator_tree, 0, NODE_ROOT);
  const uint32_t creator = builder.AddNode(creator_tree, root, NODE_FRAME | NODE_RETURN_ADDRESS, bias + 0x100);
  const uint32_t task_root = builder.AddNode(task_tree, 0, NODE_ROOT);
  const uint32_t context =
      builder.AddNode(task_tree, task_root, NODE_TASK_CONTEXT, uint64_t{creator_tree} << 32 | creator);
  const uint32_t leaf = builder.AddNode(task_tree, context, NODE_FRAME, bias + 0x200);
  builder.AddSample({task_tree, leaf, 2, OmptState::kWorkParallel, 0, 0, 0, 1, weight});
  builder.AddFooter(1, 100);
  return test::Read(builder).profile;
}

TEST(UnifiedProgram, JoinsTasksWithTheirCreatorsInOtherTrees) {
  UnifiedProgram program;
  program.Add(Tasks(0x400000, true, 10));
  program.Add(Tasks(0x7f0000, false, 5));
  const model::ProcessProfile made = program.Finish().profile;
  ASSERT_EQ(made.trees.size(), 1u);
  const std::vector<model::Node>& nodes = made.trees.at(1).nodes;
  ASSERT_EQ(nodes.size(), 4u);  // one root, the creator, the task, its leaf
  ASSERT_EQ(made.samples.size(), 1u);
  EXPECT_EQ(made.samples[0].cost.weight, 15u);
  const model::Node* leaf = made.FindNode(1, made.samples[0].node);
  EXPECT_EQ(Offset(made, leaf->value), 0x200u);
  const model::Node* task = made.FindNode(1, leaf->parent);
  EXPECT_EQ(task->kind, NODE_TASK_CONTEXT);
  const model::Node* creator =
      made.FindNode(static_cast<uint32_t>(task->value >> 32), static_cast<uint32_t>(task->value));
  ASSERT_NE(creator, nullptr);
  EXPECT_EQ(Offset(made, creator->value), 0x100u);
}

TEST(UnifiedProgram, IsTheSameInAnyOrderAndInParts) {
  UnifiedProgram forwards;
  UnifiedProgram backwards;
  for (uint64_t i = 1; i <= 6; ++i) forwards.Add(Tasks(i << 20, i % 2 == 0, i));
  for (uint64_t i = 6; i >= 1; --i) backwards.Add(Tasks(i << 20, i % 2 == 0, i));
  const std::string bytes = Bytes(forwards.Finish().profile);
  EXPECT_EQ(Bytes(backwards.Finish().profile), bytes);

  UnifiedProgram first;
  UnifiedProgram second;
  for (uint64_t i = 1; i <= 6; ++i) (i <= 2 ? first : second).Add(Tasks(i << 20, i % 2 == 0, i));
  UnifiedProgram whole;
  whole.Add(second.Finish().profile);
  whole.Add(first.Finish().profile);
  EXPECT_EQ(Bytes(whole.Finish().profile), bytes);
}

// A part, as a worker sends it to another.
model::ProcessProfile Sent(const UnifiedProgram& part) {
  const std::string bytes = std::string(model::kMagic, model::kMagicSize) + Bytes(part.Finish().profile);
  return model::ReadProfile("part", test::FromMemory(bytes)).profile;
}

// A process that was killed as it began has a thread without a lifetime. "0" as an end means a running thread in a
// process's profile, and nothing else than a sum in a part.
TEST(UnifiedProgram, APartHasTheTimesOfItsMembers) {
  ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 0);
  const model::ProcessProfile killed = test::Read(builder).profile;
  ASSERT_EQ(killed.DurationNs(), 0u);
  UnifiedProgram alone;
  alone.Add(killed);
  alone.Add(Tasks(0x400000, true, 10));
  UnifiedProgram part;
  part.Add(killed);
  UnifiedProgram whole;
  whole.Add(Sent(part));
  whole.Add(Tasks(0x400000, true, 10));
  EXPECT_EQ(Bytes(whole.Finish().profile), Bytes(alone.Finish().profile));
  const analyze::ProcessFacts facts = analyze::FactsOf(Sent(part));
  EXPECT_EQ(facts.duration_ns, 0u);
  EXPECT_EQ(facts.threads.at(0).lifetime_ns, 0u);
}

// The counts of members are added, also where a part was written to a file.
TEST(UnifiedProgram, AddsCounts) {
  const auto process = [](uint64_t bias, uint64_t cycles, uint64_t instructions) {
    model::ProcessProfile counted = Tasks(bias, true, 10);
    counted.header.add_counted_events("cycles");
    counted.header.add_counted_events("instructions");
    counted.samples.at(0).cost.counts = {cycles, instructions};
    return counted;
  };
  UnifiedProgram part;
  part.Add(process(0x400000, 100, 150));
  part.Add(process(0x7f0000, 20, 30));
  UnifiedProgram whole;
  whole.Add(Sent(part));
  whole.Add(process(0x500000, 3, 5));
  const model::ProcessProfile made = Sent(whole);
  ASSERT_EQ(made.samples.size(), 1u);
  EXPECT_EQ(made.samples[0].cost.counts, (model::Counts{123, 185}));
  EXPECT_EQ(made.header.counted_events_size(), 2);
}

// Counts of different events cannot be added.
TEST(UnifiedProgram, OtherEventsAreAnotherProgram) {
  model::ProcessProfile cycles = Tasks(0x400000, true, 10);
  cycles.header.add_counted_events("cycles");
  model::ProcessProfile both = cycles;
  both.header.add_counted_events("instructions");
  EXPECT_EQ(ProgramKey(cycles), ProgramKey(cycles));
  EXPECT_NE(ProgramKey(cycles), ProgramKey(both));
  EXPECT_NE(ProgramKey(cycles), ProgramKey(Tasks(0x400000, true, 10)));
}

// A column has 64 bits, and sums of estimates' variances may need more.
TEST(UnifiedProgram, KeepsTheLargestVariance) {
  model::ProcessProfile process = Tasks(0x400000, true, 10);
  process.samples.at(0).cost.wait_variance = 1.5e19;
  UnifiedProgram program;
  program.Add(process);
  EXPECT_EQ(Sent(program).samples.at(0).cost.wait_variance, 1.5e19);
  program.Add(process);
  EXPECT_EQ(Sent(program).samples.at(0).cost.wait_variance, 18446744073709551616.0);
}

TEST(UnifiedProgram, LabelsFollowTheirParents) {
  constexpr uint32_t kDepth = 30000;  // all paths with all names would be gigabytes
  ProfileBuilder builder;
  Record record;
  const auto add = [&](uint32_t id, uint32_t parent, const std::string& name) {
    record.mutable_label()->set_id(id);
    record.mutable_label()->set_parent(parent);
    record.mutable_label()->set_name(name);
    builder.Append(record);
  };
  add(1, 0, "z");
  add(2, 0, "b");
  add(3, 2, "y");
  add(4, 2, "x");
  for (uint32_t id = 5; id < 5 + kDepth; ++id) add(id, id == 5 ? 1 : id - 1, "deeper");
  UnifiedProgram program;
  program.Add(test::Read(builder).profile);
  std::string found;
  const model::ProcessProfile made = program.Finish().profile;
  ASSERT_EQ(made.labels.size(), 4 + kDepth);
  for (uint32_t id = 1; id <= 6; ++id) {
    const Label& label = made.labels.at(id);
    found += std::to_string(label.parent()) + label.name() + " ";
  }
  EXPECT_EQ(found, "0b 1x 1y 0z 4deeper 5deeper ");
  EXPECT_EQ(made.labels.at(4 + kDepth).parent(), 3 + kDepth);
}

TEST(UnifiedProgram, LeavesOutReferencesInACircle) {
  ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 100);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  const uint32_t task = builder.AddNode(1, root, NODE_TASK_CONTEXT, uint64_t{2} << 32 | 2);
  const uint32_t other_root = builder.AddNode(2, 0, NODE_ROOT);
  const uint32_t other = builder.AddNode(2, other_root, NODE_TASK_CONTEXT, uint64_t{1} << 32 | task);
  builder.AddContext(1, 0x1000, 1, task, 2, 2);
  builder.AddContext(2, 0x2000, 2, other, 1, 1);
  builder.AddSample({1, task, 1, OmptState::kWorkParallel, 1, 2, 0, 1, 7});
  UnifiedProgram program;
  program.Add(test::Read(builder).profile);
  const model::ProcessProfile made = program.Finish().profile;
  ASSERT_EQ(made.samples.size(), 1u);
  EXPECT_EQ(made.samples[0].cost.weight, 7u);
  EXPECT_EQ(made.contexts.size(), 2u);
}

// A chain of tasks, each created by the one before: deeper than any stack.
TEST(UnifiedProgram, FollowsLongChainsOfCreators) {
  constexpr uint32_t kLength = 200000;
  ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 100);
  model::ProcessProfile profile = test::Read(builder).profile;
  // Tree i + 1 has a task whose creator is in tree i + 2: the first tree needs all others.
  for (uint32_t tree = 1; tree <= kLength; ++tree) {
    model::Node root{};
    root.kind = NODE_ROOT;
    model::Node task{};
    task.kind = NODE_TASK_CONTEXT;
    task.parent = 1;
    task.value = tree == kLength ? 0 : uint64_t{tree + 1} << 32 | 2;
    profile.trees[tree].nodes = {root, task};
  }
  UnifiedProgram program;
  program.Add(profile);
  EXPECT_EQ(program.Finish().profile.trees.at(1).nodes.size(), kLength + 1);
}

TEST(UnifiedProgram, KnowsGeneratedCodeByItsName) {
  const auto process = [](uint64_t pid, uint64_t at, uint64_t weight) {
    ProfileBuilder builder(pid);
    builder.AddThread(1, Thread::MAIN, 100);
    const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
    builder.AddSample({1, builder.AddNode(1, root, NODE_FRAME, at + 4), 1, OmptState::kNone, 0, 0, 0, 1, weight});
    builder.AddSample({1, builder.AddNode(1, root, NODE_FRAME, at + 0x5000), 1, OmptState::kNone, 0, 0, 0, 1, 1});
    char line[64];
    snprintf(line, sizeof line, "%lx 100 py::solve:/home/me/solve.py\n", at);
    Record record;
    record.mutable_code_map()->set_text(line);
    builder.Append(record);
    return test::Read(builder).profile;
  };
  UnifiedProgram program;
  program.Add(process(1, 0x7f00000, 30));
  program.Add(process(2, 0x8f00000, 12));
  const model::ProcessProfile made = program.Finish().profile;
  ASSERT_EQ(made.samples.size(), 2u);  // the function, and code without a name
  const model::CodeMap map(made.code_map);
  uint64_t named = 0;
  for (const model::SampleRow& row : made.samples) {
    const model::SourceFrame frame = map.FrameAt(made.FindNode(1, row.node)->value);
    if (frame.function == nullptr) continue;
    EXPECT_EQ(frame.function->name, "py::solve");
    EXPECT_EQ(frame.function->file, "/home/me/solve.py");
    named += row.cost.weight;
  }
  EXPECT_EQ(named, 42u);
}

// Waits for a lock at `lock`, which the program made if `made`.
model::ProcessProfile Locks(uint64_t pid, uint64_t lock, bool made) {
  constexpr uint64_t kCode = 0x400000;
  ProfileBuilder builder(pid);
  builder.AddModule(1, "/bin/team", kCode, 0x10000, false, "build");
  builder.AddThread(1, Thread::INITIAL, 100);
  Record record;
  if (made) {
    for (uint32_t id = 1; id <= 2; ++id) {
      record.mutable_lock_init()->set_id(id);
      record.mutable_lock_init()->set_wait_id(lock + 64 * id);
      record.mutable_lock_init()->set_codeptr_ra(kCode + 0x50);
      builder.Append(record);
    }
    record.Clear();
  }
  for (uint32_t id = 1; id <= 2; ++id) {
    WaitStats* wait = record.mutable_wait_stats();
    wait->set_thread(1);
    wait->set_state(StateToWire(OmptState::kWaitLock));
    wait->set_codeptr_ra(kCode + 0x10 * id);
    wait->set_wait_id(lock + 64 * id);
    wait->set_lock(made ? id : 0);
    wait->set_count(1);
    wait->set_total_ns(1000 * id);
    builder.Append(record);
  }
  builder.AddFooter(0, 100);
  return test::Read(builder).profile;
}

TEST(UnifiedProgram, KnowsLocksByTheirOrigin) {
  for (const bool made : {true, false}) {
    UnifiedProgram program;
    program.Add(Locks(1, 0x7f001000, made));
    program.Add(Locks(2, 0x7f0a2000, made));
    const model::ProcessProfile unified = program.Finish().profile;
    ASSERT_EQ(unified.waits.size(), 2u) << made;
    EXPECT_EQ(unified.waits[0].total_ns() + unified.waits[1].total_ns(), 6000u);
    EXPECT_NE(unified.waits[0].wait_id(), unified.waits[1].wait_id());
    EXPECT_EQ(unified.locks.size(), made ? 2u : 0u);
    if (made) {
      EXPECT_EQ(unified.locks.at(unified.waits[0].lock()).wait_id(), unified.waits[0].wait_id());
    }
    // As a part of a larger job.
    UnifiedProgram whole;
    whole.Add(unified);
    EXPECT_EQ(Bytes(whole.Finish().profile), Bytes(unified));
  }
}

TEST(UnifiedProgram, CountsMembersWithTheirNotes) {
  UnifiedProgram program;
  for (uint64_t pid = 1; pid <= 3; ++pid) {
    ProfileBuilder builder(pid);
    builder.AddThread(1, Thread::INITIAL, 100 * pid);
    Record record;
    record.mutable_note()->set_text("the program blocked signal 27 for " + std::to_string(pid) + " s");
    builder.Append(record);
    if (pid != 2) builder.AddFooter(0, 100 * pid);
    program.Add(test::Read(builder).profile);
  }
  const model::ProcessProfile made = program.Finish().profile;
  const Unified& unified = made.header.unified();
  EXPECT_EQ(unified.members(), 3u);
  EXPECT_EQ(unified.incomplete(), 1u);
  ASSERT_EQ(unified.notes_size(), 1);
  EXPECT_EQ(unified.notes(0).members(), 3u);
  EXPECT_EQ(unified.notes(0).text(), "the program blocked signal 27 for 1 s");
  EXPECT_EQ(made.footer.process_cpu_ns(), 600u);
  EXPECT_EQ(made.threads.at(1).cpu_ns(), 600u);
}

TEST(UnifiedProgram, KeepsOtherProgramsApart) {
  ProfileBuilder builder;
  builder.AddModule(1, "/bin/team", 0x400000, 0x10000, false, "build");
  ProfileBuilder other;
  other.AddModule(1, "/bin/team", 0x400000, 0x10000, false, "another build");
  EXPECT_NE(ProgramKey(test::Read(builder).profile), ProgramKey(test::Read(other).profile));
  ProfileBuilder elsewhere(7);
  elsewhere.AddModule(1, "/scratch/bin/team", 0x400000, 0x10000, false, "build");
  EXPECT_EQ(ProgramKey(test::Read(builder).profile), ProgramKey(test::Read(elsewhere).profile));
}

}  // namespace
}  // namespace ompprof::unify
