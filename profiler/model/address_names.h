#ifndef OMPPROF_PROFILER_MODEL_ADDRESS_NAMES_H_
#define OMPPROF_PROFILER_MODEL_ADDRESS_NAMES_H_

#include <cstdint>
#include <map>
#include <string>

namespace ompprof::model {

// Linked names of objects, of slots that hold an object's address, or of functions. The keys are addresses in the file.
using AddressNames = std::map<uint64_t, std::string>;

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ADDRESS_NAMES_H_
