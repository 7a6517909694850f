// The user view's call paths. A worker's path is spliced to the path of the thread that created its region. Runtime
// frames are left out, and constructs replace outlined functions. The view builder creates a UserPaths for each
// process.
//
// A walk goes from the root to the sample's node and skips runtime frames (README.md in this folder has the rules with
// examples). At the outermost implicit task, the region's own user path replaces the path so far. An explicit task
// continues the path of its region, so that a task has one place in the tree, whichever thread ran it.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_USER_PATHS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_USER_PATHS_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/builder/construct.h"
#include "profiler/analyze/builder/mpi_frames.h"
#include "profiler/analyze/builder/own_frames.h"
#include "profiler/analyze/view/frame_table.h"
#include "profiler/analyze/view/path_tree.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

class UserPaths {
 public:
  // `number` is the process's number in the symbolizer. Everything pointed to must outlive this object.
  UserPaths(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer, OwnFrames* own,
            MpiFrames* mpi, FrameTable* frames, PathTree* paths, ConstructNames* constructs);

  // The samples that come next are in `tree`. The states of the previous tree's nodes are forgotten, because a process
  // may have hundreds of threads, and each thread its tree. The paths of regions and tasks in other trees stay known.
  void BeginTree(uint32_t tree);

  struct Result {
    PathId path;
    bool region_unknown;  // the path above a parallel region is missing
    bool in_mpi = false;  // the path ends with MPI's frame: "<mpi MPI_Allreduce>"
  };

  // The path of a sample. If the thread waits, the last frame names the wait. `is_own`: the sample was taken in the
  // profiler's code; the last frame then says so. One frame stands for MPI's frames that follow each other.
  Result Path(const model::SampleRow& row, bool is_own = false);

  // The path of a sample whose thread waits outside of OpenMP: the path to the function that waits, and a frame such as
  // "<waiting: OpenBLAS>". `node`, `name`: of LibraryWaits::Wait. A wait inside of MPI is MPI's.
  Result WaitPath(const model::SampleRow& row, uint32_t node, const std::string& name);

  // Learns the bodies of constructs from the process's trees; see ConstructNames::Learn. Called before Path and Region.
  void LearnBodies();

  // The parallel construct of a region context.
  FunctionId Region(const RegionContext& context);

  // The path that reaches the region; the path ends with the construct. `context`: RegionContext.id.
  PathId RegionPath(uint32_t context) { return Start({0, 0, context}).path; }

 private:
  // The state of a walk from the root.
  struct State {
    PathId path = kEmptyPath;
    PathId before_construct = kEmptyPath;  // with `at_construct`: `path` without the construct's frame
    PathId region_path = kEmptyPath;       // the path to the innermost implicit task's region; empty: no region
    FunctionId construct = kNoFunction;    // the innermost construct met
    FunctionId region = kNoFunction;       // the innermost parallel construct met
    uint32_t epoch = 0;
    uint64_t codeptr = 0;  // with `pending`: the call that creates the construct
    ConstructKind kind = ConstructKind::kUnknown;
    bool done = false;          // this state is a result, not a free slot
    bool pending = false;       // a task has begun, and the walk has met none of its frames
    bool at_construct = false;  // the last frame is a construct, with nothing inlined into it
    bool in_task = false;       // a task has begun
    bool in_openacc = false;    // the last frame is libgomp's entry point for OpenACC
    bool in_runtime = false;    // the last frame on the stack is the runtime's
    bool in_routine = false;    // `path` ends with a routine of OpenMP's API
    bool from_start = false;    // the stack begins with the program's _start
    bool region_unknown = false;
    MpiWalk mpi;  // with `mpi.inside`, the path ends with MPI's frame
  };
  // The place of a walk: a node of a tree, below a region context.
  struct Place {
    uint32_t tree;
    uint32_t node;
    uint32_t splice;
    bool operator==(const Place& other) const {
      return tree == other.tree && node == other.node && splice == other.splice;
    }
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const {
      return ((uint64_t{place.tree} << 32 | place.node) ^ (uint64_t{place.splice} << 20)) * 0x9e3779b97f4a7c15u >> 8;
    }
  };

  State StateAt(const Place& place);
  State ContextState(uint32_t context, uint32_t epoch);
  State Start(const Place& place);
  State Step(const State& above, const Place& place, const model::Node& node, const model::Node* parent);
  State* Remembered(const Place& place);

  uint32_t CreatorsSplice(uint32_t tree, uint32_t node, uint32_t splice) const;
  void AddFrame(State* state, const model::Node& node);
  // Adds the outermost functions of a frame, as many as `count`.
  void AddFunctions(State* state, const std::vector<model::SourceFrame>& found, size_t count, model::CodeAddress place);
  void AddPseudo(State* state, const char* name);
  // The first of the runtime's frames: if the program has called a routine of OpenMP's API, the routine is a frame.
  void EnterRuntime(State* state, const model::Node& node);

  // A task begins: the next frame is the body of the construct that `codeptr` creates.
  static void BeginTask(State* state, ConstructKind kind, uint64_t codeptr);
  // At the outermost implicit task, the path of the region replaces the path so far.
  void EnterImplicitTask(State* state, const Place& place, const model::Node& node, const model::Node* parent);
  // An explicit task with its creator known: the path of its creation replaces the path so far.
  void EnterCreatedTask(State* state, const Place& place, const model::Node& node);

  // A function that is no body of a construct.
  FunctionId PlainFunction(const State& state, const model::SourceFrame& frame, bool outermost,
                           model::CodeAddress place);
  // The construct of a body without a marker.
  FunctionId UnmarkedConstruct(const State& state, const model::SourceFrame& frame, model::CodeAddress place);
  // Whether a body named `name` belongs to the construct of the path's last frame.
  static bool ContinuesConstruct(const State& state, const model::OutlinedName& name);

  // The thread waits for a device: the path goes on with the target construct, or the memory routine, that it waits in.
  void EnterTarget(const model::SampleRow& row, State* state);

  FunctionId PendingConstruct(const State& state, const model::SourceFrame* outlined, model::CodeAddress place);
  void EnterConstruct(State* state, FunctionId construct);
  void SynthesizePending(State* state);

  const model::ProcessProfile& process_;
  uint32_t number_;
  model::Symbolizer& symbolizer_;
  OwnFrames& own_;
  MpiFrames& mpi_;
  FrameTable& frames_;
  PathTree& paths_;
  ConstructNames& constructs_;
  uint32_t tree_ = 0;
  std::vector<State> complete_;                          // for places in tree_ without a splice: by node - 1
  std::unordered_map<Place, State, PlaceHash> spliced_;  // for other places in tree_
  std::unordered_map<Place, State, PlaceHash> others_;   // for places in other trees
  int depth_ = 0;                                        // nested contexts on the C++ stack
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_USER_PATHS_H_
