// Comparisons of a profile with the truth of its run. Each comparison reports through GoogleTest and goes on.
#ifndef OMPPROF_TESTS_INTEGRATION_EXPECT_H_
#define OMPPROF_TESTS_INTEGRATION_EXPECT_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {

// Tolerances of a profile, in points (hundredths of the process's CPU time).
struct Tolerance {
  double share = 2;       // of any function, path or line
  double total = 3;       // of all CPU time together
  double detached = 0.1;  // of samples in the program's work that are not under main
};

// Says why a run has to be taken again that lost this much of the machine's time: the sentence to print. Empty if the
// run counts, as a failed run always does.
std::string ReasonToRepeat(const Outcome& outcome, double stolen_seconds);

// Runs `launch`, expects success, one profile, no warning and no lost sample, and reads the profile. Returns nothing if
// any of these expectations fails.
struct Recorded {
  Launch launch;
  Outcome outcome;
  Truth truth;
  Profile profile;
};
std::optional<Recorded> Record(const Launch& launch, int warnings = 0);

// Every function and path of the truth has its share. The whole is as long as the process's CPU time. A run with too
// few samples for the tolerance is taken again, and the runs are compared together, until there are enough.
void ExpectShares(const Recorded& recorded, const Tolerance& tolerance = {});

// All samples in `function` are on stacks that come from main.
void ExpectUnderMain(const Recorded& recorded, const std::string& function, const Tolerance& tolerance = {});

// Every line of the truth has its share, by the pprof export.
void ExpectLines(const Recorded& recorded, const Tolerance& tolerance = {});

// A program of the known-answer suite.
struct KnownAnswer {
  const char* program;
  std::vector<const char*> under_main;  // functions whose samples may not be elsewhere
  bool lines = false;                   // the program also knows the truth by line
  bool each_thread = false;             // its length is the length of each thread's work, not of all together
  int longer = 1;  // how many times longer it must run: its threads are made anew, which takes time
};

// A right share is further from the truth than these standard deviations once in 150,000 times.
constexpr double kDeviations = 4.5;
// A run with few samples, because the machine was faster than when the program measured it, may be this near: once in
// 16,000.
constexpr double kLeastDeviations = 4;

// The CPU time of a run at kKnownAnswerFrequency whose shares are compared with the truth.
constexpr int kKnownAnswerCpuMs = 2000;

// All of these of a run with `launch`'s runtime and threads, of that CPU time. With more than 4 threads the run is
// longer: the start of threads is no function of the truth. `library`: the library that dlopen_omp loads.
std::optional<Recorded> ExpectKnownAnswer(const KnownAnswer& known, const char* library, Launch launch);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_EXPECT_H_
