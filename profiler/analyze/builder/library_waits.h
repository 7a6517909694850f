// Finds samples of threads that wait outside of OpenMP (waiting_functions.h). The view builder creates a LibraryWaits
// for each process. There are two kinds:
//   - threads that spin in a library such as OpenBLAS or TBB. They take samples like threads that work;
//   - threads that the program's call of the C library makes wait: for a mutex, or for a lock of the C library's own.
//     They sleep for most of the time. The collector samples this sleep (SampleRow.cost.wait in a state of work), and
//     CPU time is what the system calls take.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_LIBRARY_WAITS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_LIBRARY_WAITS_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/builder/waiting_functions.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

class LibraryWaits {
 public:
  // `number` is the process's number in the symbolizer. Everything pointed to must outlive this object.
  LibraryWaits(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer);

  struct Wait {
    std::string name;   // "OpenBLAS", "pthread mutex", "libc lock in rand"; empty: no wait
    uint32_t node = 0;  // the frame of the library's function that waits, or of the code that called the C library
    explicit operator bool() const { return !name.empty(); }
  };

  // The wait that a stack is in, if its youngest frames are a library's waiting function and the functions that it
  // calls. Of several waiting functions that call each other, the outermost one. `asleep`: the thread slept in a futex.
  const Wait& At(uint32_t tree, uint32_t node, bool asleep);

  // The wait that a row's thread is in. None, if the OpenMP runtime says that the thread waits.
  Wait Of(const model::SampleRow& row);

 private:
  struct ObjectKind {
    bool known = false;
    bool system = false;         // a part of the C library
    std::vector<int> libraries;  // indexes into the table
  };

  const ObjectKind& KindOf(uint32_t object);
  Wait LookInLibrary(uint32_t tree, uint32_t node);
  Wait LookInSystem(uint32_t tree, uint32_t node, bool asleep);

  const model::ProcessProfile& process_;
  uint32_t number_;
  model::Symbolizer& symbolizer_;
  bool any_ = false;  // the process has such a library
  std::vector<ObjectKind> kinds_;
  std::unordered_map<uint64_t, Wait> known_[2];  // by `asleep`; by tree and node
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_LIBRARY_WAITS_H_
