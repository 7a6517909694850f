// Finds the module of an address at the time of a sample. The symbolizer asks it for every distinct address.
#ifndef OMPPROF_PROFILER_MODEL_MODULE_MAP_H_
#define OMPPROF_PROFILER_MODEL_MODULE_MAP_H_

#include <cstdint>
#include <vector>

namespace ompprof {
class Module;
}

namespace ompprof::model {

struct ProcessProfile;

class ModuleMap {
 public:
  // Holds no address.
  ModuleMap() = default;

  // `process` must outlive the map.
  explicit ModuleMap(const ProcessProfile& process);

  // The module that held `address` in `epoch`, or null.
  const Module* Find(uint64_t address, uint32_t epoch) const;

 private:
  struct Range {
    uint64_t low;
    uint64_t high;
    uint64_t max_high;  // largest `high` of this range and of the ranges before it
    const Module* module;
  };
  std::vector<Range> ranges_;  // sorted by low; ranges of different epochs overlap
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_MODULE_MAP_H_
