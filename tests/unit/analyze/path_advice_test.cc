// What rests on sampled paths: advice on memory that goes back to the system, on libraries with threads of their own
// and on atomic updates; and the hottest code.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "profiler/analyze/account/hottest_code.h"
#include "profiler/analyze/advice/advice_run.h"
#include "profiler/analyze/advice/advise.h"
#include "profiler/analyze/advice/atomic_advice.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

constexpr uint32_t kProgram = 1;
constexpr uint32_t kLibc = 2;
constexpr uint32_t kOther = 3;  // another library

struct Frame {
  std::string name;
  uint32_t object = kProgram;
};

// A run of two threads for 10 s, in the region "solve" for all the time.
class PathAdvice : public ::testing::Test {
 protected:
  PathAdvice() : run_(2, 10 * kSecond) {
    run_.view.objects = {"", "/bin/program", "/usr/lib/libc.so.6", "/usr/lib/libother.so"};
    solve_ = run_.AddRegion("solve", 10, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0).construct;
  }

  // A sample of `ns`, the outermost frame first.
  void Sample(const std::vector<Frame>& frames, uint64_t ns, FunctionId region, uint32_t thread = 1) {
    ViewSample sample{};
    for (const Frame& frame : frames) {
      const FunctionId function = run_.view.frames.AddFunction({frame.name, frame.name, "", 0, frame.object});
      sample.path = run_.view.paths.Child(sample.path, run_.view.frames.AddLocation({0, 0}, {{function, 0}}));
    }
    sample.thread = thread;
    sample.state = region == kNoFunction ? OmptState::kWorkSerial : OmptState::kWorkParallel;
    sample.region = region;
    sample.cost.samples = 1;
    sample.cost.weight = ns;
    run_.view.samples.push_back(sample);
    run_.view.total_samples += 1;
    run_.view.total_weight += ns;
  }

  // The kernel gives `faults` pages to a program that has at most `most_pages` at a time.
  void Memory(uint64_t faults, uint64_t most_pages) {
    run_.process().threads[0].minor_faults = faults;
    run_.process().peak_resident_bytes = most_pages * 4096;
  }

  const Advice* Find(AdviceKind kind) {
    advice_ = Advise(run_.view, run_.Measure()).advice;
    for (const Advice& advice : advice_) {
      if (advice.kind == kind) return &advice;
    }
    return nullptr;
  }

  MadeUpRun run_;
  FunctionId solve_;
  std::vector<Advice> advice_;
};

const std::vector<Frame> kTrim = {
    {"main"}, {"step"}, {"free", kLibc}, {"systrim.isra.0", kLibc}, {"__GI___brk", kLibc}};

TEST_F(PathAdvice, MemoryThatIsFaultedInAgain) {
  Memory(100000, 1000);
  Sample(kTrim, 2 * kSecond, kNoFunction);
  Sample({{"main"}, {"step"}}, 8 * kSecond, kNoFunction);
  const Advice* advice = Find(AdviceKind::kReturnedMemory);
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(run_.view.frames.function(advice->where).name, "step");
  EXPECT_EQ(advice->gain_ns, 1980000000u) << "each page must come once";
  EXPECT_EQ(advice->count, 100000u);
  EXPECT_EQ(advice->each_ns, 100u) << "faults for each page";
  EXPECT_EQ(advice->bytes, 1000u * 4096);
}

TEST_F(PathAdvice, ATeamFaultsAtTheSameTime) {
  Memory(100000, 1000);
  for (const uint32_t thread : {1, 2}) Sample(kTrim, 2 * kSecond, solve_, thread);
  const Advice* advice = Find(AdviceKind::kReturnedMemory);
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->gain_ns, 1980000000u);
}

TEST_F(PathAdvice, NotForMemoryThatIsNeeded) {
  Memory(3000, 1000);  // some phases with memory of their own
  Sample(kTrim, 2 * kSecond, kNoFunction);
  EXPECT_EQ(Find(AdviceKind::kReturnedMemory), nullptr);
}

TEST_F(PathAdvice, NotForMappingsOfTheProgramsOwn) {
  Memory(100000, 1000);
  Sample({{"main"}, {"read_file"}, {"munmap", kLibc}}, 2 * kSecond, kNoFunction);
  Sample({{"main"}, {"je_free", kOther}, {"madvise", kLibc}}, 2 * kSecond, kNoFunction);
  EXPECT_EQ(Find(AdviceKind::kReturnedMemory), nullptr);
}

// The library's threads compute beside the team that calls it.
class LibraryAdvice : public PathAdvice {
 protected:
  void Use(const std::string& path, uint64_t in_region_ns, uint64_t own_ns) {
    run_.view.objects[kOther] = path;
    ThreadFacts& own = run_.process().threads.emplace_back(run_.process().threads[1]);
    own.id = 3;
    own.kind = ThreadKind::kOther;
    Sample({{"main"}, {"multiply"}, {"gemm", kOther}}, in_region_ns, solve_);
    Sample({{"blas_thread_server", kOther}}, own_ns, kNoFunction, 3);
    Sample({{"main"}, {"multiply"}}, 10 * kSecond - in_region_ns, solve_);
  }
};

TEST_F(LibraryAdvice, ItsThreadsBesideATeam) {
  Use("/usr/lib/libopenblas.so.0", 4 * kSecond, 3 * kSecond);
  const Advice* advice = Find(AdviceKind::kNestedLibrary);
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->where, solve_);
  EXPECT_EQ(advice->gain_ns, 0u) << "one run does not tell how the library would share its work";
  EXPECT_EQ(advice->count, 1u) << "threads of the library";
  EXPECT_EQ(advice->wait_ns, 3 * kSecond);
  EXPECT_STREQ(advice->variable, "OPENBLAS_NUM_THREADS");
}

TEST_F(LibraryAdvice, NotForALibraryThatIsCalledSerially) {
  Use("/usr/lib/libopenblas.so.0", 0, 3 * kSecond);
  EXPECT_EQ(Find(AdviceKind::kNestedLibrary), nullptr);
}

TEST_F(LibraryAdvice, NotForAnyOtherLibrary) {
  Use("/usr/lib/libother.so.0", 4 * kSecond, 3 * kSecond);
  EXPECT_EQ(Find(AdviceKind::kNestedLibrary), nullptr);
}

// Updates at line 12 of a.cc, by a function of std::atomic that was inlined there.
class AtomicAdvice : public PathAdvice {
 protected:
  void Update(uint64_t ns, FunctionId region, uint32_t thread) {
    Sample({{"main"}, {"solve"}}, ns, region, thread);
    const FunctionId add = run_.view.frames.AddFunction({"fetch_add", "", "/usr/include/c++/12/atomic", 5, kProgram});
    const FunctionId count = run_.view.frames.AddFunction({"count", "count", "a.cc", 10, kProgram});
    location_ = run_.view.frames.AddLocation({kProgram, 0x10}, {{add, 7}, {count, 12}});
    ViewSample& sample = run_.view.samples.back();
    sample.path = run_.view.paths.Child(sample.path, location_);
  }

  const Advice* Find(const std::set<LocationId>& atomics) {
    const Efficiency efficiency = run_.Measure();
    advice_.clear();
    AdviseOnAtomics({run_.view, efficiency}, atomics, &advice_);
    return advice_.empty() ? nullptr : &advice_.front();
  }

  LocationId location_ = 0;
};

TEST_F(AtomicAdvice, UpdatesByATeamAreNamedByTheLineOfTheProgram) {
  for (const uint32_t thread : {1, 2}) Update(4 * kSecond, solve_, thread);
  const Advice* advice = Find({location_});
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->kind, AdviceKind::kAtomicUpdates);
  EXPECT_EQ(advice->where, solve_);
  EXPECT_EQ(run_.view.frames.function(advice->place.function).name, "count");
  EXPECT_EQ(advice->place.line, 12u);
  EXPECT_EQ(advice->wait_ns, 8 * kSecond);
  EXPECT_EQ(advice->gain_ns, 2 * kSecond) << "half of the CPU time of each thread";
}

TEST_F(AtomicAdvice, NotForOneThread) {
  for (int i = 0; i < 2; ++i) Update(4 * kSecond, solve_, 2);
  EXPECT_EQ(Find({location_}), nullptr);
}

TEST_F(AtomicAdvice, NotForOtherInstructions) {
  for (const uint32_t thread : {1, 2}) Update(4 * kSecond, solve_, thread);
  EXPECT_EQ(Find({location_ + 1}), nullptr);
}

TEST_F(AtomicAdvice, NotForSerialCode) {
  for (const uint32_t thread : {1, 2}) Update(4 * kSecond, kNoFunction, thread);
  EXPECT_EQ(Find({location_}), nullptr);
}

TEST_F(PathAdvice, HotCodeOfLibrariesCountsForTheFunctionThatCalledThem) {
  Sample({{"main"}, {"write"}, {"__printf", kLibc}, {"__printf_fp_l", kLibc}}, 2 * kSecond, solve_);
  Sample({{"main"}, {"write"}, {"__printf", kLibc}, {"__strlen_avx2", kLibc}}, 2 * kSecond, solve_);
  Sample({{"main"}, {"write"}}, kSecond, solve_);
  Sample({{"main"}, {"write"}, {"__memcpy_avx_unaligned_erms", kLibc}}, kSecond, solve_);
  Sample({{"main"}, {"<omp barrier: implicit>", 0}}, 9 * kSecond, solve_);
  Sample({{"clone3", kLibc}}, kSecond / 2, solve_);
  const std::vector<HotCode> hottest = HottestCode(run_.view);
  std::string text;
  for (const HotCode& code : hottest) {
    text += run_.view.frames.function(code.function).name + "|" + code.library_call + "|" +
            std::to_string(code.weight / (kSecond / 2)) + " ";
  }
  EXPECT_EQ(text, "write|printf|8 write||2 write|memcpy|2 |clone3|1 ");
}

}  // namespace
}  // namespace ompprof::analyze
