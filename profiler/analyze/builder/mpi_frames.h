// MPI's frames in call paths. MachinePaths and UserPaths walk a stack from its root, and an MpiWalk tells them where
// the stack enters MPI. A stack is in MPI from the first frame that belongs to MPI, for one of two reasons:
//   - the frame is a function of MPI's interface, MPI_Allreduce or PMPI_Allreduce, in whichever object: MPI may be
//   linked
//     statically, and tools have functions with these names;
//   - the frame lies in a library of an MPI implementation: Fortran bindings, and threads that MPI made.
// Younger frames belong to MPI as well, also those in other libraries, because MPI has called them. MPI calls functions
// of the program too, for example the program's reduction operation. A stack leaves MPI at such a function. The
// function is known by its object: it lies beside the code that called MPI, and MPI lies elsewhere.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_MPI_FRAMES_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_MPI_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// The state of a walk. A task of OpenMP is the program's: its walk begins anew.
struct MpiWalk {
  uint32_t object = 0;      // of the last frame outside of MPI, an index into Symbolizer::objects(); 0: none
  bool inside = false;      // the last frame belongs to MPI
  bool named = false;       // with `inside`: the function of MPI's interface is known
  bool can_return = false;  // with `inside`: a frame in `object` is the program's
};

class MpiFrames {
 public:
  // Everything pointed to must outlive this object.
  MpiFrames(const model::ProcessProfile* process, const model::Symbolizer* symbolizer);

  struct Step {
    size_t outside;        // how many of the functions, from the outermost, do not belong to MPI
    bool entered;          // the others begin a stay in MPI
    std::string function;  // of MPI's interface, if this frame is the first to tell it: "MPI_Allreduce"
  };

  // Goes on to the next younger frame. `functions`: as Symbolizer::Frames gives them, innermost first.
  Step Go(const std::vector<model::SourceFrame>& functions, uint32_t object, MpiWalk* walk);

 private:
  bool IsLibrary(uint32_t object);

  const model::Symbolizer& symbolizer_;
  bool any_ = false;            // the process has a library of MPI
  std::vector<uint8_t> kinds_;  // by object: 0 not known yet, 1 the program's or another library, 2 MPI's
};

// Whether the object file at `path` belongs to an MPI implementation, by its name: libmpi.so.40, libmpich.so.12,
// libmpi_mpifh.so.40, libopen-pal.so.40, mca_btl_vader.so.
bool IsMpiLibrary(const std::string& path);

// The function of MPI's interface that a linked name stands for, in the spelling of C: "MPI_Allreduce" for
// PMPI_Allreduce and MPI_Allreduce.cold. With `in_library`, for names of Fortran bindings as well: mpi_allreduce_,
// MPI_ALLREDUCE, mpi_allreduce_f08_, ompi_allreduce_f. "" if the name stands for none.
std::string MpiFunction(const std::string& linked_name, bool in_library);

// The user view's frame: "<mpi MPI_Allreduce>". Without a function, "<mpi library>": threads that MPI made, mostly.
std::string MpiFrame(const std::string& function);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_MPI_FRAMES_H_
