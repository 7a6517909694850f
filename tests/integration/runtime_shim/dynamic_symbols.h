// The functions that a shared object defines for others: its dynamic symbol table, with symbol versions.
#ifndef TESTS_INTEGRATION_RUNTIME_SHIM_DYNAMIC_SYMBOLS_H_
#define TESTS_INTEGRATION_RUNTIME_SHIM_DYNAMIC_SYMBOLS_H_

#include <map>
#include <set>
#include <string>

namespace gomp_ompt {

// {name: its versions, "" where it has none}. Empty if `path` is no 64-bit ELF object with a dynamic symbol table.
std::map<std::string, std::set<std::string>> DefinedFunctions(const std::string& path);

}  // namespace gomp_ompt

#endif  // TESTS_INTEGRATION_RUNTIME_SHIM_DYNAMIC_SYMBOLS_H_
