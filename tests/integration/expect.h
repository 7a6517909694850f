// Comparisons of a profile with the truth of the same run. Each reports through GoogleTest and goes on.
#ifndef OMPPROF_TESTS_INTEGRATION_EXPECT_H_
#define OMPPROF_TESTS_INTEGRATION_EXPECT_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {

// What a profile is held to, in points (hundredths of the process's CPU time).
struct Tolerance {
  double share = 2;       // of any function, path or line
  double total = 3;       // of all CPU time together
  double detached = 0.1;  // of samples in the program's work that are not under main
};

// Why a run that took this much from the machine while it ran has to be taken again: the sentence that is printed then.
// Empty if it has not to be, which is always so for a run that failed.
std::string ReasonToRepeat(const Outcome& outcome, double stolen_seconds);

// Runs `launch`, expects success, one profile, no warning and no lost sample, and reads it. Nothing if any of that
// fails.
struct Recorded {
  Outcome outcome;
  Truth truth;
  Profile profile;
};
std::optional<Recorded> Record(const Launch& launch, int warnings = 0);

// Every function and path of the truth has its share, and the whole is as long as the process was.
void ExpectShares(const Recorded& recorded, const Tolerance& tolerance = {});

// Samples in `function` are all on stacks that come from main.
void ExpectUnderMain(const Recorded& recorded, const std::string& function, const Tolerance& tolerance = {});

// Every line of the truth has its share, from the pprof export.
void ExpectLines(const Recorded& recorded, const Tolerance& tolerance = {});

// A program of the known-answer suite.
struct KnownAnswer {
  const char* program;
  std::vector<const char*> under_main;  // functions none of whose samples may be elsewhere
  bool lines = false;                   // the program also knows the truth by line
  bool each_thread = false;             // its length is that of each thread's work, not of all together
};

// All of these of a run with `launch`'s runtime and threads: for 5 s of CPU time with two threads, as in accuracy_test;
// other thread counts are to show that they count right, and have 3. `library`: what dlopen_omp is to load.
std::optional<Recorded> ExpectKnownAnswer(const KnownAnswer& known, const char* library, Launch launch);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_EXPECT_H_
