// The profiler's own frames in call paths: those of the collector and of its shim for libgomp, and of the C library's
// functions that they call. The user view leaves them out, and a sample whose youngest frame is one is the profiler's
// own time. The view builder makes one for each process.
#ifndef OMPPROF_PROFILER_ANALYZE_OWN_FRAMES_H_
#define OMPPROF_PROFILER_ANALYZE_OWN_FRAMES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

class OwnFrames {
 public:
  // `number` is the process's in the symbolizer. Everything pointed to must outlive this.
  OwnFrames(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer);

  // Whether a node is such a frame. A frame of the shim that has called libgomp is one; libgomp's below it is not, nor
  // is the program's code that either of them calls.
  bool Has(uint32_t tree, uint32_t node);

 private:
  enum class Owner : uint8_t { kCollector, kShim, kSystem, kOther };
  struct Range {
    uint64_t low;  // [low, high), in epochs [loaded, unloaded)
    uint64_t high;
    uint32_t loaded;
    uint32_t unloaded;
    Owner owner;
  };

  Owner OwnerOf(const model::Node& node, uint32_t epoch) const;
  bool StandsIn(const model::Node& node, uint32_t epoch);
  std::vector<bool> Look(const model::Tree& tree);

  const model::ProcessProfile& process_;
  uint32_t number_;
  model::Symbolizer& symbolizer_;
  bool any_ = false;  // there are own modules
  std::vector<Range> ranges_;
  std::unordered_map<uint32_t, std::vector<bool>> own_;  // by tree; by node - 1
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_OWN_FRAMES_H_
