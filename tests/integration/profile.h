// A profile as a user sees it, through `ompprof report` and `ompprof export`. And the truth that a known-answer program
// printed about itself (tests/programs/truth.h), to compare the profile with.
#ifndef OMPPROF_TESTS_INTEGRATION_PROFILE_H_
#define OMPPROF_TESTS_INTEGRATION_PROFILE_H_

#include <stdint.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "proto/pprof_profile.pb.h"

namespace ompprof::testing {

// The `truth` lines of a program's output, in nanoseconds of CPU time.
struct Truth {
  std::map<std::string, double> functions;
  std::map<std::vector<std::string>, double> paths;
  std::map<std::pair<std::string, int>, double> lines;  // function and line of a call in it
  std::map<std::string, double> states;
  std::map<std::string, double> elapsed;  // regions and stretches of wall time
  std::map<std::string, double> counts;
  double process = 0;

  static Truth Parse(const std::string& out);
  // All measured work of any kind: the whole that shares are shares of.
  double Work() const;
};

class Profile {
 public:
  // Reads `path` through the JSON report. On failure `error()` has a sentence, and all else is empty.
  explicit Profile(const std::string& path);

  const std::string& error() const { return error_; }
  const nlohmann::json& report() const { return report_; }

  // The CPU time that all samples together stand for.
  double CpuNs() const;
  double Samples() const;
  double Lost() const;
  double LostNs() const;
  bool Complete() const;

  // CPU time in functions of this name, with their callees, summed over lines. 0 if there is none.
  double FunctionSelfNs(const std::string& name) const;
  double FunctionTotalNs(const std::string& name) const;
  // CPU time in an OMPT state, by the standard's name.
  double StateNs(const std::string& name) const;

  // One stack of the user view, root first, inlined functions as frames of their own, and its CPU time.
  struct Frame {
    std::string function;
    int line;
  };
  struct Stack {
    std::vector<Frame> frames;
    double ns;
  };
  // Stacks that have CPU time, read at their first use, through the pprof export. Samples do not all stand for the same
  // amount of time. Ends the test program with a sentence if that fails.
  const std::vector<Stack>& stacks() const;
  double StackTotal() const;
  // CPU time in stacks that have these functions in this order, with others between them. A name stands for the
  // function itself and for the regions and tasks written in it ("solve [omp parallel file.cc:12]").
  double PathNs(const std::vector<std::string>& path) const;
  // The share (of all stacks) of stacks that have `function` on them but not `main`.
  double DetachedShare(const std::string& function) const;
  // All frames that begin with `prefix`, with the CPU time of their stacks.
  std::map<std::string, double> FramesStartingWith(const std::string& prefix) const;

  // CPU time by line of `function`, over all stacks where it is not the leaf and no thread waits. The program's
  // measurement at the line does not include the wait of a region's threads at its end.
  std::map<int, double> CallLines(const std::string& function) const;

 private:
  void ReadStacks(const pprof::Profile& decoded) const;
  double SumFunctions(const std::string& name, const char* field) const;

  std::string path_;
  std::string error_;
  nlohmann::json report_;
  mutable bool has_stacks_ = false;
  mutable std::vector<Stack> stacks_;
};

// True if `frame` is `function`, or a region or task written in it.
bool FrameIs(const std::string& frame, const std::string& function);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_PROFILE_H_
