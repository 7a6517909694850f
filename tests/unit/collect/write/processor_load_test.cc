// The load of processors, from texts of /proc/stat; and this machine's own.
#include "profiler/collect/write/facts/processor_load.h"

#include <gtest/gtest.h>
#include <time.h>

#include <initializer_list>

namespace ompprof::collect {
namespace {

constexpr uint64_t kTickNs = 10000000;

ProcessorSet Mask(std::initializer_list<uint32_t> processors) {
  ProcessorSet set{};
  for (const uint32_t number : processors) set.words[number / 64] |= 1ull << number % 64;
  return set;
}

// user nice system idle iowait irq softirq steal guest guest_nice
constexpr char kThree[] =
    "cpu  111 0 0 0 0 0 0 0 0 0\n"
    "cpu0 10 2 3 400 50 6 7 8 9 1\n"
    "cpu1 100 20 30 4000 500 60 70 80 90 10\n"
    "cpu11 1000 0 0 0 0 0 0 0 0 0\n"
    "intr 5 cpu0 7\n"
    "ctxt 3\n";

TEST(ProcStat, TheProcessorsOfTheMask) {
  ProcessorTimes times;
  ASSERT_TRUE(ParseProcStat(kThree, Mask({0, 1}), &times));
  EXPECT_EQ(times.busy_ns, 308 * kTickNs) << "10 + 2 + 3 + 6 + 7 and ten times that; a guest's time is in user";
  EXPECT_EQ(times.stolen_ns, 88 * kTickNs);
  EXPECT_EQ(times.online, 3u);
  ASSERT_TRUE(ParseProcStat(kThree, Mask({11}), &times));
  EXPECT_EQ(times.busy_ns, 1000 * kTickNs);
}

TEST(ProcStat, AnOldKernelHasFewerFields) {
  ProcessorTimes times;
  ASSERT_TRUE(ParseProcStat("cpu 1 2 3 4\ncpu0 1 2 3 4\n", Mask({0}), &times));
  EXPECT_EQ(times.busy_ns, 6 * kTickNs);
  EXPECT_EQ(times.stolen_ns, 0u);
}

TEST(ProcStat, RefusesWhatSaysNothing) {
  ProcessorTimes times;
  EXPECT_FALSE(ParseProcStat(kThree, Mask({2}), &times)) << "not there";
  EXPECT_FALSE(ParseProcStat(kThree, Mask({0, 2}), &times)) << "one of the two is not there";
  EXPECT_FALSE(ParseProcStat("", Mask({0}), &times));
  EXPECT_FALSE(ParseProcStat("cpu0", Mask({0}), &times));
  EXPECT_FALSE(ParseProcStat("cpu0 x\n", Mask({0}), &times));
  EXPECT_FALSE(ParseProcStat("cpu0 0 0 0 7\n", Mask({0}), &times)) << "no time passed: the counters are not kept";
  EXPECT_FALSE(ParseProcStat("cpu0 1 2 3 4", Mask({0}), &times)) << "cut";
}

TEST(ProcessorLoad, ContainsThisProcess) {
  static ProcessorLoad load;
  load.Begin();
  timespec begin, now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 200000000);
  ProcessorLoad::Reading reading;
  ASSERT_FALSE(load.Read(/*last=*/false, &reading)) << "too early";
  ASSERT_TRUE(load.Read(/*last=*/true, &reading));
  EXPECT_GE(reading.process_cpu_ns, 200000000u);
  EXPECT_GE(reading.times.busy_ns + 2 * kTickNs, 200000000u);
  EXPECT_GE(reading.times.online, 1u);
}

}  // namespace
}  // namespace ompprof::collect
