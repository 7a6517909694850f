// An object file made in memory, with any names for its functions, source files and variables. The fuzzer of names has
// the symbolizer read it: most names in reports come from such files.
#ifndef OMPPROF_TESTS_FUZZ_OBJECT_IMAGE_H_
#define OMPPROF_TESTS_FUZZ_OBJECT_IMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::fuzz {

inline constexpr uint64_t kImageCode = 0x1000;  // function i is at kImageCode + i * kImageFunction
inline constexpr uint64_t kImageFunction = 0x40;
inline constexpr uint64_t kImageData = 0x3000;  // variable i is at kImageData + i * kImageVariable
inline constexpr uint64_t kImageVariable = 0x10;

struct ImageNames {
  std::vector<std::string> functions;  // a name ends at its first zero, like all names here
  std::vector<std::string> variables;
  std::string file;    // of all functions, in the debug information; empty: there is none
  std::string folder;  // the folder of the compilation
};

// A shared object for x86-64 (ELF, System V ABI), with a symbol table, and debug information in DWARF 4.
std::string ObjectImage(const ImageNames& names);

}  // namespace ompprof::fuzz

#endif  // OMPPROF_TESTS_FUZZ_OBJECT_IMAGE_H_
