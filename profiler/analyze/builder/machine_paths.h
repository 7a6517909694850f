// The machine view: call paths as the unwinder saw them, with runtime frames and the compiler's names. The view builder
// creates a MachinePaths for each process.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_MACHINE_PATHS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_MACHINE_PATHS_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/builder/mpi_frames.h"
#include "profiler/analyze/view/frame_table.h"
#include "profiler/analyze/view/path_tree.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

class MachinePaths {
 public:
  // `number` is the process's number in the symbolizer. Everything pointed to must outlive this object.
  MachinePaths(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer, MpiFrames* mpi,
               FrameTable* frames, PathTree* paths)
      : process_(*process), number_(number), symbolizer_(*symbolizer), mpi_(*mpi), frames_(*frames), paths_(*paths) {}

  struct Result {
    PathId path;
    bool in_mpi;  // the youngest frame belongs to MPI
  };

  // What is known of nodes is forgotten. Called before the samples of a tree: there may be hundreds of trees.
  void BeginTree() { known_.clear(); }

  // The path to a sample's node.
  Result Path(const model::SampleRow& row);

 private:
  struct Known {
    PathId path;
    uint32_t epoch;
    bool done;
    MpiWalk mpi;
  };
  Known Step(const Known& above, const model::Node& node);

  const model::ProcessProfile& process_;
  uint32_t number_;
  model::Symbolizer& symbolizer_;
  MpiFrames& mpi_;
  FrameTable& frames_;
  PathTree& paths_;
  std::unordered_map<uint32_t, std::vector<Known>> known_;  // by tree; by node - 1
  std::vector<uint32_t> pending_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_MACHINE_PATHS_H_
