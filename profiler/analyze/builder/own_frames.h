// The profiler's own frames in call paths: frames of the collector and its shim for libgomp, and of C library functions
// that these two call. The user view leaves own frames out. A sample whose youngest frame is an own frame is the
// profiler's time. The view builder creates an OwnFrames for each process.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_OWN_FRAMES_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_OWN_FRAMES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

class OwnFrames {
 public:
  // `number` is the process's number in the symbolizer. Everything pointed to must outlive this object.
  OwnFrames(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer);

  // Whether a node is an own frame. A frame of the shim that has called libgomp is an own frame. The frames of libgomp
  // below it are not, and neither is the program's code that the shim or libgomp calls.
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
  bool any_ = false;  // the process has modules of the profiler
  std::vector<Range> ranges_;
  std::unordered_map<uint32_t, std::vector<bool>> own_;  // by tree; by node - 1
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_OWN_FRAMES_H_
