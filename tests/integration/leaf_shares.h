// Self time by function, as two profilers saw one run, under names that both can give: an address in the program is
// looked up in the program's own symbol table, an address elsewhere counts for its library as a whole (they are
// stripped), and the collector's own code and the kernel's are left out.
#ifndef OMPPROF_TESTS_INTEGRATION_LEAF_SHARES_H_
#define OMPPROF_TESTS_INTEGRATION_LEAF_SHARES_H_

#include <map>
#include <string>

namespace ompprof::testing {

// "symbol" or "library.so" -> share of all.
using LeafShares = std::map<std::string, double>;

// From perf.data. `error` has a sentence if it cannot be read.
LeafShares LeafSharesOfPerf(const std::string& data, const std::string& program, std::string* error);

// From a profile, through the pprof export of the machine view: the addresses are perf's.
LeafShares LeafSharesOfProfile(const std::string& profile, const std::string& program, std::string* error);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_LEAF_SHARES_H_
