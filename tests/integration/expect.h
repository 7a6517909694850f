// Comparisons of a profile with the truth of its run. Each comparison reports through GoogleTest and goes on.
#ifndef OMPPROF_TESTS_INTEGRATION_EXPECT_H_
#define OMPPROF_TESTS_INTEGRATION_EXPECT_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {

// Claims about a profile, in points (hundredths of the process's CPU time). A figure that is off by twice as much is
// seen (tests/statistics/claims.h).
struct Tolerance {
  double share = 1;        // of any function, path or line
  double total = 1.5;      // of all CPU time together
  double detached = 0.05;  // of samples in the program's work that are not under main
};

// Runs `launch`, expects success, one profile, no warning and no lost sample, and reads the profile. Returns nothing if
// any of these expectations fails.
struct Recorded {
  Launch launch;
  int warnings;
  Outcome outcome;
  Truth truth;
  Profile profile;
};
std::optional<Recorded> Record(const Launch& launch, int warnings = 0);

// Decides claims about the recording and, until they are decided, about more recordings of the same launch. `add` adds
// the figures of one recording.
void ExpectClaims(const Recorded& recorded, const std::function<void(const Recorded&, Claims*)>& add);

// A claim that a sampled share is right within `most` points. `seen`, `truth`: from 0 to 1.
void AddShare(const Recorded& recorded, const std::string& what, double seen, double truth, double most,
              Claims* claims);

// Every function and path of the truth has its share. The whole is as long as the process's CPU time.
void ExpectShares(const Recorded& recorded, const Tolerance& tolerance = {});
// The same claims, to be decided with others.
void AddShares(const Recorded& recorded, const Tolerance& tolerance, Claims* claims);

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

// The CPU time, in milliseconds, of a run at kKnownAnswerFrequency whose shares are compared with the truth.
int KnownAnswerCpuMs();

// All of these of a run with `launch`'s runtime and threads, of that CPU time. With more than 4 threads the run is
// longer: the start of threads is no function of the truth. `library`: the library that dlopen_omp loads.
std::optional<Recorded> ExpectKnownAnswer(const KnownAnswer& known, const char* library, Launch launch);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_EXPECT_H_
