// Hostile logs from a fuzzer's input.
#ifndef OMPPROF_TESTS_FUZZ_NONSENSE_LOG_H_
#define OMPPROF_TESTS_FUZZ_NONSENSE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace ompprof::fuzz {

// An input that begins as a profile does is the log. From any other input: a well-formed log of nonsense, with records
// of every kind that refer to each other in circles.
std::string LogOf(const uint8_t* data, size_t size);

}  // namespace ompprof::fuzz

#endif  // OMPPROF_TESTS_FUZZ_NONSENSE_LOG_H_
