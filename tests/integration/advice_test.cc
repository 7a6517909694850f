// Programs with a known flaw get the fitting advice, and no other. The prediction from the flawed program matches the
// time of the mended program.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// A build of tests/programs/flaws.cc, and how much longer its cheap constructs must run to be measured.
struct Build {
  const char* name;
  const char* program;
  int cheap;
};
const Build kBuilds[] = {{"libomp", "flaws", 1}, {"libgomp", "flaws_gcc", 20}};

Launch Flaws(const Build& build, const std::string& mode, const char* which, int scale, const char* threads = "2") {
  Launch launch{build.program, {mode, which, std::to_string(scale)}};
  launch.frequency = 1000;
  launch.environment["OMP_NUM_THREADS"] = threads;
  return launch;
}

// The report's advice, less what is about this measurement: another program may use the machine.
nlohmann::json OnTheProgram(const Profile& profile) {
  nlohmann::json all = profile.report().value("advice", nlohmann::json::array()), rest = nlohmann::json::array();
  for (nlohmann::json& advice : all) {
    if (advice.value("about", "") == "program") rest.push_back(std::move(advice));
  }
  return rest;
}

std::string Kinds(const nlohmann::json& advice) {
  std::string kinds;
  for (const nlohmann::json& one : advice) kinds += (kinds.empty() ? "" : " ") + one.value("kind", "");
  return kinds;
}

std::string Name(const std::string& mode, const Build& build) {
  std::string name = mode + "_" + build.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

struct Flaw {
  const char* mode;
  int scale;
  bool cheap;  // the scale counts constructs: their cost differs between runtimes
  const char* advice;
  const char* where;  // a part of the place that the advice names
};

class Advised : public ::testing::TestWithParam<std::tuple<Build, Flaw>> {};
INSTANTIATE_TEST_SUITE_P(
    Flaws, Advised,
    ::testing::Combine(::testing::ValuesIn(kBuilds),
                       ::testing::Values(Flaw{"imbalance", 500, false, "static-schedule", "Imbalance [omp parallel"},
                                         Flaw{"sections", 500, false, "uneven-team", "Sections [omp parallel"},
                                         Flaw{"held-lock", 500, false, "long-held-lock", "critical table at flaws.cc:"},
                                         Flaw{"critical", 150, true, "short-critical", "critical sum at flaws.cc:"},
                                         Flaw{"atomics", 500, false, "atomic-updates", "atomic update at flaws.cc:"},
                                         Flaw{"serial", 600, false, "serial-part", "most of it in compute"},
                                         Flaw{"chunks", 200, true, "chunk-too-small", "Chunks [omp parallel"},
                                         Flaw{"tasks", 2000, false, "tasks-too-fine", "Tasks [omp parallel"},
                                         Flaw{"short", 200, false, "region-too-short", "Short [omp parallel"},
                                         Flaw{"small-regions", 480, false, "fuse-regions", " regions, none of which"})),
    [](const auto& info) { return Name(std::get<1>(info.param).mode, std::get<0>(info.param)); });

TEST_P(Advised, GetsTheAdviceThatFits) {
  const auto& [build, flaw] = GetParam();
  const Launch launch = Flaws(build, flaw.mode, "flawed", flaw.scale * (flaw.cheap ? build.cheap : 1));
  Decide([&, flaw = flaw](Claims* claims) {
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const nlohmann::json advice = OnTheProgram(recorded->profile);
    if (advice.empty() || advice[0]["kind"] != flaw.advice) std::cout << advice.dump(1) << std::endl;
    claims->Mostly("the advice that fits is the first", !advice.empty() && advice[0]["kind"] == flaw.advice);
    if (advice.empty() || advice[0]["kind"] != flaw.advice) return;
    // The serial part has some ten samples. One of its sleep may weigh more than all of its work.
    claims->Mostly("the advice names the place", advice[0].value("where", "").find(flaw.where) != std::string::npos);
    EXPECT_GT(advice[0].value("gain_ns", 0.0), 0.03 * recorded->profile.report().value("duration_ns", 0.0));
    EXPECT_FALSE(advice[0].value("evidence", "").empty());
  });
}

// A program that runs for about half a second or longer: beside a shorter run, the start and the end of the process are
// a serial part worth advice.
struct Mended {
  const char* mode;
  int scale;
};

class Unflawed : public ::testing::TestWithParam<std::tuple<Build, Mended>> {};
INSTANTIATE_TEST_SUITE_P(Programs, Unflawed,
                         ::testing::Combine(::testing::ValuesIn(kBuilds),
                                            ::testing::Values(Mended{"control", 1000}, Mended{"imbalance", 1000},
                                                              Mended{"held-lock", 1000}, Mended{"atomics", 20000})),
                         [](const auto& info) { return Name(std::get<1>(info.param).mode, std::get<0>(info.param)); });

TEST_P(Unflawed, GetsNoAdvice) {
  const auto& [build, mended] = GetParam();
  const Launch launch = Flaws(build, mended.mode, "mended", mended.scale);
  Decide([&](Claims* claims) {
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const nlohmann::json advice = OnTheProgram(recorded->profile);
    if (!advice.empty()) std::cout << advice.dump(1) << std::endl;
    claims->Mostly("no advice", advice.empty());
  });
}

// Programs that look like flawed ones, and the advice that would make them slower.
struct LookAlike {
  const char* mode;
  int scale;
  std::set<std::string> harmful;
  const char* threads = "2";
};

class Harmless : public ::testing::TestWithParam<std::tuple<Build, LookAlike>> {};
INSTANTIATE_TEST_SUITE_P(
    Programs, Harmless,
    ::testing::Combine(::testing::ValuesIn(kBuilds),
                       ::testing::Values(
                           // Threads wait at barriers for most of the time, and none of them is late.
                           LookAlike{"barriers", 400, {"static-schedule", "uneven-team", "chunk-too-small"}},
                           // A lock is held shortly, and what is done under it is no sum.
                           LookAlike{"hash-table", 300, {"short-critical"}},
                           // Threads that take turns on the processors have equal work.
                           LookAlike{"control", 500, {"static-schedule", "uneven-team", "fewer-threads"}, "8"})),
    [](const auto& info) {
      const LookAlike& look_alike = std::get<1>(info.param);
      return Name(look_alike.mode + std::string(look_alike.threads), std::get<0>(info.param));
    });

TEST_P(Harmless, GetsNoAdviceThatWouldHarm) {
  const auto& [build, look_alike] = GetParam();
  const Launch launch = Flaws(build, look_alike.mode, "flawed", look_alike.scale, look_alike.threads);
  Decide([&, look_alike = look_alike](Claims* claims) {
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const nlohmann::json advice = recorded->profile.report().value("advice", nlohmann::json::array());
    bool harms = false;
    for (const nlohmann::json& one : advice) harms |= look_alike.harmful.count(one.value("kind", "")) != 0;
    if (harms) std::cout << advice.dump(1) << std::endl;
    claims->Mostly("no advice that would harm", !harms);
  });
}

struct Question {
  const char* mode;
  std::vector<std::string> question;
  const char* threads;  // time of the mended program
};

class Predicted : public ::testing::TestWithParam<std::tuple<Build, Question>> {};
INSTANTIATE_TEST_SUITE_P(
    Pairs, Predicted,
    ::testing::Combine(::testing::ValuesIn(kBuilds),
                       ::testing::Values(Question{"imbalance", {"--balance", "Imbalance"}, "2"},
                                         Question{"imbalance", {"--schedule", "Imbalance=dynamic,1"}, "2"},
                                         Question{"held-lock", {"--remove-lock", "critical table"}, "2"},
                                         Question{"threads", {"--threads", "4", "--processors", "4"}, "4"})),
    [](const auto& info) {
      const Question& question = std::get<1>(info.param);
      return Name(question.mode + question.question[0].substr(1), std::get<0>(info.param));
    });

// The prediction from the flawed program is within 7.5 % of the mended program's time, at the median.
TEST_P(Predicted, IsTheMendedProgramsTime) {
  const auto& [build, question] = GetParam();
  Decide([&, build = build, question = question](Claims* claims) {
    const auto flawed = Record(Flaws(build, question.mode, "flawed", 600));
    ASSERT_TRUE(flawed);
    std::vector<std::string> command = {OmpprofPath(), "whatif", "--format=json"};
    command.insert(command.end(), question.question.begin(), question.question.end());
    command.push_back(flawed->outcome.profiles[0]);
    const Outcome answer = RunCommand(command);
    ASSERT_TRUE(answer.Exited(0)) << answer.Describe();
    const nlohmann::json prediction = nlohmann::json::parse(answer.out);
    const auto mended = Record(Flaws(build, question.mode, "mended", 600, question.threads));
    ASSERT_TRUE(mended);
    // The prediction is of the whole run, from the process's start to its end, and so is the measured time.
    const auto duration = [](const Recorded& run) { return run.profile.report().value("duration_ns", 0.0); };
    claims->AtLeast("what the flaw costs",
                    flawed->truth.elapsed.at(question.mode) / mended->truth.elapsed.at(question.mode), 1.4, 0.1);
    claims->Near("the prediction, of the mended program's time", prediction.value("after_ns", 0.0) / duration(*mended),
                 1, 0.075);
    EXPECT_EQ(prediction.value("before_ns", 0.0), duration(*flawed));
  });
}

class Fused : public ::testing::TestWithParam<Build> {};
INSTANTIATE_TEST_SUITE_P(Programs, Fused, ::testing::ValuesIn(kBuilds),
                         [](const auto& info) { return std::string(info.param.name); });

// The mended program saves what the advice says.
TEST_P(Fused, SaveWhatTheAdviceSays) {
  Decide([&](Claims* claims) {
    const auto flawed = Record(Flaws(GetParam(), "small-regions", "flawed", 960));
    const auto mended = Record(Flaws(GetParam(), "small-regions", "mended", 960));
    ASSERT_TRUE(flawed && mended);
    const nlohmann::json advice = OnTheProgram(flawed->profile);
    const bool fuses = Kinds(advice) == "fuse-regions";
    claims->Mostly("the only advice is to fuse regions", fuses);
    if (!fuses) return;
    const double saved = flawed->truth.elapsed.at("small-regions") - mended->truth.elapsed.at("small-regions");
    claims->Near("the gain, of the time saved", advice[0].value("gain_ns", 0.0) / saved, 1, 0.15);
    claims->Mostly("no advice is left", OnTheProgram(mended->profile).empty());
  });
}

TEST(WhatIf, SaysWhatItCannotAnswer) {
  const auto recorded = Record(Flaws(kBuilds[0], "control", "flawed", 50));
  ASSERT_TRUE(recorded);
  const std::string& file = recorded->outcome.profiles[0];
  const auto err = [&](std::vector<std::string> question, int status = 2) {
    question.insert(question.begin(), {OmpprofPath(), "whatif"});
    question.push_back(file);
    const Outcome outcome = RunCommand(question);
    EXPECT_TRUE(outcome.Exited(status)) << outcome.Describe();
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_NE(err({}).find("one question"), std::string::npos);
  EXPECT_NE(err({"--threads", "2", "--balance", "Control"}).find("one question"), std::string::npos);
  EXPECT_NE(err({"--balance", "Control", "--processors", "4"}).find("a part of the question"), std::string::npos);
  EXPECT_NE(err({"--balance", "nowhere"}).find("no parallel region is called 'nowhere'"), std::string::npos);
  EXPECT_NE(err({"--remove-lock", "nothing"}).find("no thread waited for a lock called 'nothing'"), std::string::npos);
  EXPECT_NE(err({"--schedule", "Control=static"}).find("REGION=dynamic,N"), std::string::npos);
  EXPECT_NE(err({"--schedule", "Control=dynamic,0"}).find("REGION=dynamic,N"), std::string::npos);
  EXPECT_NE(err({"--threads", "1000000"}, 1).find("ask about a machine with more"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::testing
