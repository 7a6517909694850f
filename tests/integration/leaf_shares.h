// Self time by function, as two profilers saw one run, under names that both can give. The program's own symbol table
// resolves an address in the program. An address elsewhere counts for its library as a whole, because libraries are
// stripped. The collector's own code and the kernel's are left out.
#ifndef OMPPROF_TESTS_INTEGRATION_LEAF_SHARES_H_
#define OMPPROF_TESTS_INTEGRATION_LEAF_SHARES_H_

#include <map>
#include <string>

namespace ompprof::testing {

// "symbol" or "library.so" -> share of all.
using LeafShares = std::map<std::string, double>;

// Reads perf.data. `error` has a sentence if the file cannot be read.
LeafShares LeafSharesOfPerf(const std::string& data, const std::string& program, std::string* error);

// Reads a profile, through the pprof export of the machine view: the addresses are perf's.
LeafShares LeafSharesOfProfile(const std::string& profile, const std::string& program, std::string* error);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_LEAF_SHARES_H_
