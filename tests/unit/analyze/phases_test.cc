// Labels of several processes, and the figures of phases with the phases inside them.
#include "profiler/analyze/account/phases.h"
#include "profiler/analyze/builder/build_view.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Team;

void AddLabel(Team* team, uint32_t id, uint32_t parent, const std::string& name) {
  Record record;
  record.mutable_label()->set_id(id);
  record.mutable_label()->set_parent(parent);
  record.mutable_label()->set_name(name);
  team->builder.Append(record);
}

void AddSample(Team* team, uint32_t phase, uint64_t weight) {
  Record record;
  SampleBatch* batch = record.mutable_samples();
  batch->set_tree(1);
  batch->set_thread(1);
  batch->add_samples(1);
  batch->add_weight(weight);
  batch->add_phase(phase);
  team->builder.Append(record);
}

TEST(Phases, CountInThoseAroundThem) {
  Team team;
  AddSample(&team, 3, 100);  // before its label is known
  AddLabel(&team, 1, 0, "solve");
  AddLabel(&team, 3, 1, "assemble");
  AddLabel(&team, 4, 0, "write");
  AddSample(&team, 1, 10);
  AddSample(&team, 4, 500);
  AddSample(&team, 0, 7);
  team.Build();
  const std::vector<PhaseCost> phases = PhaseCosts(team.view);
  ASSERT_EQ(phases.size(), 4u);
  EXPECT_EQ(phases[0].name, "write");
  EXPECT_EQ(phases[1].name, "solve");
  EXPECT_EQ(phases[1].self.weight, 10u);
  EXPECT_EQ(phases[1].total.weight, 110u);
  EXPECT_EQ(phases[2].name, "solve/assemble");
  EXPECT_EQ(phases[2].total.weight, 100u);
  EXPECT_EQ(phases[3].name, "");
  EXPECT_EQ(phases[3].self.weight, 7u);
}

// A name may have a slash of its own, or be empty.
TEST(Phases, FollowTheLabelsAndNotTheirNames) {
  Team team;
  AddLabel(&team, 1, 0, "I/O");
  AddLabel(&team, 2, 1, "/scratch/mesh");
  AddLabel(&team, 3, 0, "");
  AddLabel(&team, 4, 3, "x");
  AddSample(&team, 1, 10);
  AddSample(&team, 2, 90);
  AddSample(&team, 4, 5);
  team.Build();
  const std::vector<PhaseCost> phases = PhaseCosts(team.view);
  std::vector<std::pair<std::string, uint64_t>> found;
  for (const PhaseCost& phase : phases) found.emplace_back(phase.name, phase.total.weight);
  EXPECT_EQ(found,
            (decltype(found){{"I/O", 100}, {"I/O//scratch/mesh", 90}, {"(unnamed)", 5}, {"(unnamed)/x", 5}, {"", 0}}));
}

TEST(Phases, AreNoneWithoutLabels) {
  Team team;
  AddSample(&team, 0, 7);
  team.Build();
  EXPECT_TRUE(PhaseCosts(team.view).empty());
}

// Each process numbers its labels itself.
TEST(Phases, OfOneNameAreOneInSeveralProcesses) {
  Team first;
  AddLabel(&first, 1, 0, "solve");
  AddSample(&first, 1, 10);
  first.Build();
  Team second;
  AddLabel(&second, 1, 0, "other");
  AddLabel(&second, 2, 0, "solve");
  AddSample(&second, 2, 5);
  second.Build();
  model::Symbolizer symbolizer;
  const View view = BuildView({&first.read.profile, &second.read.profile}, ViewKind::kUser, &symbolizer);
  const std::vector<PhaseCost> phases = PhaseCosts(view);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].name, "solve");
  EXPECT_EQ(phases[0].total.weight, 15u);
}

TEST(Phases, LabelsThatMakeNoSense) {
  Team team;
  AddSample(&team, 9, 7);  // never defined
  AddLabel(&team, 2, 2, "its own parent");
  team.Build();
  EXPECT_NE(team.read.status.sentence().find("a label inside of one that is not before it"), std::string::npos);
  EXPECT_EQ(PhaseCosts(team.view)[0].name, "label 9");
}

}  // namespace
}  // namespace ompprof::analyze
