// One value of a profile, by stack, as `ompprof export --format=pprof` gives it.
#ifndef OMPPROF_TESTS_INTEGRATION_PPROF_STACKS_H_
#define OMPPROF_TESTS_INTEGRATION_PPROF_STACKS_H_

#include <map>
#include <string>
#include <vector>

namespace ompprof::testing {

// By the names of the functions, from the leaf to the root.
using Stacks = std::map<std::vector<std::string>, double>;

// The value `type` of the profile at `path`. A failure of the test, and nothing, if there is none.
Stacks StacksOf(const std::string& path, const std::string& type);

// The value of stacks with the function.
double Under(const Stacks& stacks, const std::string& function);

// For a failed test's message.
std::string Describe(const Stacks& stacks);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_PPROF_STACKS_H_
