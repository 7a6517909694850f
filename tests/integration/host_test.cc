// A program does not notice the profiler: its output, status and errors are the same with and without it. The tests
// cover the cases in which a program most likely notices a profiler in its process. tests/programs/host.cc has the
// cases, and reports any damage that it finds.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

constexpr char kMs[] = "200";  // thousands of samples

// Runs `host MODE` without and with the profiler at its highest frequency, and expects equal outcomes.
Outcome ExpectTheSame(const std::string& mode, const std::string& ms, const std::string& input = "") {
  Launch launch{"host", {mode, ms}};
  launch.input = input;
  launch.frequency = 10000;
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(plain.Exited(0)) << "without the profiler: " << plain.Describe();
  EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
  EXPECT_EQ(profiled.profiles.size(), 1u);
  if (profiled.profiles.size() == 1) {
    EXPECT_EQ(Profile(profiled.profiles[0]).error(), "");
  }
  if (mode != "thread_storm" && mode != "own_sigprof") {  // lines with times that the program measured
    EXPECT_EQ(profiled.out, plain.out);
    EXPECT_EQ(ForeignLines(profiled.err), plain.err);
  }
  return profiled;
}

TEST(Host, ErrnoIsKept) {
  const Outcome outcome = ExpectTheSame("errno", kMs);
  EXPECT_EQ(outcome.out, "errno spoilt 0\n");
}

TEST(Host, StreamsPassThrough) {
  std::string input;
  for (int i = 0; i < 300000; i++) input += static_cast<char>(i * 31);
  const Outcome outcome = ExpectTheSame("passthrough", "0", input);
  EXPECT_EQ(outcome.out, input);
  EXPECT_EQ(outcome.err, "to stderr\n");
}

TEST(Host, SleepersAreNotInterrupted) {
  const Outcome outcome = ExpectTheSame("sleeps", "500");
  EXPECT_EQ(outcome.out, "interrupted 0, slept all the time 1\n");
}

TEST(Host, AMaskOfAllSignalsStays) { ExpectTheSame("masked", kMs); }

TEST(Host, ThreadsThatTakeNoSignalsAreNotSlowedDown) {
  Launch launch{"host", {"masked_threads", "400"}};
  launch.load = Load::kNone;
  const double plain = Truth::Parse(RunProgram(launch).out).functions["host_work"];
  launch.load = Load::kRecord;
  launch.frequency = 10000;
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  // A signal timer that went on in vain would take from half of the time to nearly all of it.
  EXPECT_LT(Truth::Parse(outcome.out).functions["host_work"], 1.35 * plain);
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  EXPECT_EQ(profile.FunctionTotalNs("host_work"), 0);
  EXPECT_NE(profile.report().value("notes", nlohmann::json::array()).dump().find("blocked have no samples"),
            std::string::npos)
      << profile.report().value("notes", nlohmann::json::array());
}

// A sanitizer's runtime stands in front of the functions that the collector stands in front of. (gcc's
// -fsanitize=thread is left out: it finds races in any program on libgomp.)
class Sanitized : public ::testing::TestWithParam<const char*> {};

TEST_P(Sanitized, PrintsTheSameAsWithoutTheProfiler) {
  Launch launch{std::string("sanitized_") + GetParam()};
  launch.environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1";  // as Archer asks for
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(plain.Exited(3)) << "without the profiler: " << plain.Describe();
  EXPECT_TRUE(profiled.Exited(3)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(ForeignLines(profiled.err), plain.err);
  ASSERT_EQ(profiled.profiles.size(), 1u);
  const Profile profile(profiled.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  EXPECT_GT(profile.CpuNs(), 0);
  // LLVM's runtime has a tool of its own for these programs, and room for one tool only.
  const bool other_tool = std::string(GetParam()) == "thread_clang";
  EXPECT_EQ(profile.report().value("runtime", "").empty(), other_tool);
  EXPECT_EQ(profiled.err.find("Archer") != std::string::npos, other_tool) << profiled.err;
}

INSTANTIATE_TEST_SUITE_P(Programs, Sanitized,
                         ::testing::Values("address_clang", "address_gcc", "thread_clang", "undefined_clang",
                                           "undefined_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Host, AnAlternateSignalStackStays) { ExpectTheSame("alt_stack", kMs); }

// That stack holds the kernel's frame and the handler's own, whatever the walk must do.
TEST(Host, SmallStacksAreLargeEnough) { ExpectTheSame("small_stacks", kMs); }

TEST(Host, AProgramsOwnSigprofHandlerGoesOnWorking) {
  const Outcome outcome = ExpectTheSame("own_sigprof", "500");
  EXPECT_NE(outcome.out.find("own handler shown 1"), std::string::npos) << outcome.Describe();
}

TEST(Host, AnotherSignalCanBeUsed) {
  Launch launch{"host", {"own_sigprof", "500"}};
  launch.environment["OMPPROF_SIGNAL"] = "RTMIN+5";
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("default before 1, own handler shown 1"), std::string::npos) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_GT(profile.FunctionTotalNs("host_work"), 0.4e9);
}

TEST(Host, ThousandsOfShortThreads) {
  Decide([](Claims* claims) {
    const Outcome outcome = ExpectTheSame("thread_storm", "1500");
    EXPECT_NE(outcome.out.find("threads 1500\n"), std::string::npos) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    // Threads of half a millisecond have some five samples each, or none. Together they have their time.
    const Truth truth = Truth::Parse(outcome.out);
    claims->Near("work", profile.FunctionTotalNs("host_work") / truth.functions.at("host_work"), 1, 0.04);
    claims->AtMost("CPU time", profile.CpuNs() / truth.process, 1, 0.06);
  });
}

// Threads that have ended keep no memory for good, whether their data cannot be written or there is none.
TEST(Host, ThousandsOfShortThreadsWithoutAFileTakeNoMoreMemory) {
  const auto peak_mb = [](const std::string& threads, const std::map<std::string, std::string>& environment) {
    Launch launch{"host", {"thread_storm", threads}};
    launch.load = Load::kPreload;
    launch.frequency = 10000;
    launch.environment = environment;
    launch.environment["OMPPROF_TIMELINE"] = "1";  // more to write
    launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.1";
    const Outcome outcome = RunProgram(launch);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    const size_t at = outcome.out.find("peak ");
    EXPECT_NE(at, std::string::npos) << outcome.Describe();
    return at == std::string::npos ? 0 : atof(outcome.out.c_str() + at + 5) / 1024;
  };
  const double with_file = peak_mb("2000", {});
  // A thread's state takes from 16 to 100 KB. Unwritten data first waits in the writer's buffer, which holds some
  // 2,000.
  EXPECT_LT(peak_mb("2000", {{"OMPPROF_PAUSED", "1"}}), with_file + 8);
  EXPECT_LT(peak_mb("2000", {{"OMPPROF_OUTPUT", "/nonexistent/x.ompprof"}}), with_file + 8);
  EXPECT_LT(peak_mb("4500", {{"OMPPROF_OUTPUT", "/dev/full"}}), with_file + 32);
}

// An unloading may take as long as the library's destructors do. Its thread and all others are sampled meanwhile.
TEST(Host, SamplesGoOnWhileALibraryIsUnloaded) {
  Decide([](Claims* claims) {
    const Outcome outcome = RunProgram({"unloading", {ProgramPath("libunloading.so"), "600"}});
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    const Truth truth = Truth::Parse(outcome.out);
    for (const char* function : {"fini_work", "other_work", "later_work"}) {
      claims->Near(function, profile.FunctionTotalNs(function) / truth.process,
                   truth.functions.at(function) / truth.process, 0.03);
    }
  });
}

TEST(Host, AChildForkedWhileALibraryIsUnloadedIsSampled) {
  const Outcome outcome = RunProgram({"unloading", {ProgramPath("libunloading.so"), "400", "fork"}});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("child 0\n"), std::string::npos) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 2u);
  double child_ns = 0;
  for (const std::string& path : outcome.profiles) child_ns += Profile(path).FunctionTotalNs("child_work");
  EXPECT_GT(child_ns, 0.2e9);
}

// The kernel permits some calls only to a process with one thread. The collector's own thread is in their way.
class OneThread : public ::testing::TestWithParam<const char*> {};

TEST_P(OneThread, IsAllThatTheKernelFinds) {
  Launch launch{"host", {GetParam(), "300"}};
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  ASSERT_TRUE(plain.Exited(0)) << plain.Describe();
  const auto first_line = [](const std::string& out) { return out.substr(0, out.find('\n')); };
  if (first_line(plain.out) != "result 0, errno 4242, descriptors kept 1")
    GTEST_SKIP() << "not permitted here: " << plain.out;
  const auto add = [&](Load load, Claims* claims) {
    launch.load = load;
    const Outcome profiled = RunProgram(launch);
    EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
    EXPECT_EQ(first_line(profiled.out), first_line(plain.out));
    EXPECT_EQ(profiled.err, plain.err);
    const bool child = plain.out.find("child 21\n") != std::string::npos;
    EXPECT_EQ(profiled.out.find("child 21\n") != std::string::npos, child) << profiled.out;
    ASSERT_EQ(profiled.profiles.size(), child ? 2u : 1u);
    double work = 0, clocks = 0;
    for (const std::string& path : profiled.profiles) {
      const Profile profile(path);
      ASSERT_EQ(profile.error(), "") << path;
      EXPECT_TRUE(profile.Complete()) << path;
      work += profile.FunctionTotalNs("host_work");
      for (const nlohmann::json& thread : profile.report().at("threads")) clocks += thread.value("cpu_ns", 0.0);
    }
    // With a child: the profiles have the work before the call, and all of the child's work.
    if (child) {
      EXPECT_GT(work, 0.5 * 450e6);
      EXPECT_LT(work, 1.02 * clocks);
    } else {
      claims->Near("work", work / Truth::Parse(profiled.out).functions["host_work"], 1, 0.04);
    }
  };
  for (const Load load : {Load::kRecord, Load::kPreload}) Decide([&](Claims* claims) { add(load, claims); });
}

INSTANTIATE_TEST_SUITE_P(Calls, OneThread, ::testing::Values("unshare", "setns", "unshare_pid"),
                         [](const auto& info) { return std::string(info.param); });

// A program comes to the sampling signal in any way, and finds it as it would without the profiler.
struct Way {
  const char* mode;  // of tests/programs/signals.c
  bool takes;        // the program has the signal from then on
};

class Signals : public ::testing::TestWithParam<Way> {};

TEST_P(Signals, AreTheProgramsOwn) {
  Launch launch{"signals", {GetParam().mode}};
  launch.frequency = 10000;
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.05";
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  ASSERT_TRUE(plain.Exited(0)) << plain.Describe();
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(ForeignLines(profiled.err), plain.err);
  EXPECT_EQ(WarningLines(profiled.err), 0) << profiled.err;
  ASSERT_EQ(profiled.profiles.size(), 1u);
  const Profile profile(profiled.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  EXPECT_GT(profile.FunctionTotalNs("Burn"), 0);
  const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
  EXPECT_EQ(notes.find("took signal PROF for itself") != std::string::npos, GetParam().takes) << notes;
  EXPECT_EQ(notes.find("sampling stopped"), std::string::npos) << notes;
}

// By the wall clock, the wait is time like any other, although no sample can be taken in it.
TEST(Host, AWaitForSignalsIsWallTime) {
  Launch launch{"signals", {"wait_long"}};
  launch.environment["OMPPROF_CLOCK"] = "wall";
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("came -1"), std::string::npos) << outcome.out;
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_GT(profile.report().value("sampled_cpu_ns", 0.0), 0.85 * profile.report().value("duration_ns", 0.0));
}

INSTANTIATE_TEST_SUITE_P(Ways, Signals,
                         ::testing::Values(Way{"reset", true}, Way{"reset_later", true}, Way{"take_later", true},
                                           Way{"one_shot", true}, Way{"sigset", true}, Way{"sigignore", true},
                                           Way{"past_libc", true}, Way{"all_by_descriptor", false},
                                           Way{"one_by_descriptor", true}, Way{"wait", false}, Way{"wait_long", false}),
                         [](const auto& info) { return std::string(info.param.mode); });

TEST(Host, WallClockSamplesToo) {
  Launch launch{"flat", {"300"}};
  launch.environment["OMPPROF_CLOCK"] = "wall";
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.err, "");
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_EQ(profile.report().value("clock", ""), "wall");
  EXPECT_GT(profile.FunctionTotalNs("work_a"), 0);
}

// A signal wakes a thread that sleeps. With one in each period, 400 sleepers would take all processors. Samples are
// fewer by far, and stand for all of the time.
TEST(Host, TheWallClockSparesSleepers) {
  Launch launch{"host", {"many_sleep", "1000"}};
  launch.environment["OMPPROF_CLOCK"] = "wall";
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  const double lives_ns = Truth::Parse(outcome.out).elapsed.at("lives");  // of all threads
  EXPECT_LT(profile.Samples(), 199e-9 * lives_ns / 4);
  EXPECT_GT(profile.Samples(), 1000);
  EXPECT_NEAR(profile.report().value("sampled_cpu_ns", 0.0), lives_ns, 0.1 * lives_ns);
}

}  // namespace
}  // namespace ompprof::testing
