// Finds samples of threads that wait in a library such as OpenBLAS or TBB (waiting_functions.h). Such threads spin:
// they take samples like threads that work. The view builder creates a LibraryWaits for each process.
#ifndef OMPPROF_PROFILER_ANALYZE_LIBRARY_WAITS_H_
#define OMPPROF_PROFILER_ANALYZE_LIBRARY_WAITS_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/waiting_functions.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/symbolizer.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

class LibraryWaits {
 public:
  // `number` is the process's number in the symbolizer. Everything pointed to must outlive this object.
  LibraryWaits(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer);

  struct Wait {
    int library = -1;   // index into the table of waiting_functions.h; -1: no wait
    uint32_t node = 0;  // the frame of the function that waits
    explicit operator bool() const { return library >= 0; }
  };

  // The wait that a stack is in, if its youngest frames are a library's waiting function and the functions that it
  // calls. Of several waiting functions that call each other, the outermost one.
  Wait At(uint32_t tree, uint32_t node);

  // The wait that a row's thread is in. None, if the OpenMP runtime says that the thread waits.
  Wait Of(const model::SampleRow& row);

 private:
  struct ObjectKind {
    bool known = false;
    bool system = false;         // a part of the C library
    std::vector<int> libraries;  // indexes into the table
  };

  const ObjectKind& KindOf(uint32_t object);
  Wait Look(uint32_t tree, uint32_t node);
  bool CallsWait(const std::vector<model::SourceFrame>& frames) const;

  const model::ProcessProfile& process_;
  uint32_t number_;
  model::Symbolizer& symbolizer_;
  bool any_ = false;  // the process has such a library
  std::vector<ObjectKind> kinds_;
  std::unordered_map<uint64_t, Wait> known_;  // by tree and node
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_LIBRARY_WAITS_H_
