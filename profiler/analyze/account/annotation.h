// The cost of some functions by line and by instruction, and the kind of time spent there. `ompprof annotate` shows the
// costs beside source and code.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_ANNOTATION_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_ANNOTATION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/view/cost.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// Kinds of time. kWork is spent in the program's own code, kOwn in the profiler. The other kinds are spent in the
// runtime or in MPI, and count for the line or instruction that called the runtime or MPI.
enum class Spent { kWork, kBarrier, kLock, kTasks, kOtherWait, kMpi, kOverhead, kOwn };
inline constexpr int kSpents = 8;
const char* SpentName(Spent spent);

constexpr Spent SpentOf(StateKind kind) {
  switch (kind) {
    case StateKind::kRegionEnd:
    case StateKind::kBarrier:
      return Spent::kBarrier;
    case StateKind::kLock:
      return Spent::kLock;
    case StateKind::kTasks:
      return Spent::kTasks;
    case StateKind::kTarget:
    case StateKind::kOtherWait:
    case StateKind::kLibrary:
    case StateKind::kIdle:
      return Spent::kOtherWait;
    case StateKind::kMpi:
      return Spent::kMpi;
    case StateKind::kOverhead:
    case StateKind::kUnknown:
      return Spent::kOverhead;
    case StateKind::kOwn:
      return Spent::kOwn;
    case StateKind::kWork:
    case StateKind::kSerial:
    case StateKind::kNoState:
      break;
  }
  return Spent::kWork;
}

// The cost of a line or an instruction.
struct SpotCost {
  Cost self;                      // while it was executed, or had called the runtime
  uint64_t weight[kSpents] = {};  // the parts of `self`
  Cost total;                     // while it was on the stack, calls from it included; counted once per stack
};

struct FileLines {
  std::string file;  // as in the debug information; empty: not known
  Cost self;
  std::map<uint32_t, SpotCost> lines;  // by number; 0: the line is not known
};

struct ObjectCode {
  uint32_t object;  // Symbolizer::objects()
  Cost self;        // with the functions inlined into the wanted functions, because they share instructions
  // By address in the object: the address of the sampled instruction; for a caller, the last byte of its call.
  std::map<uint64_t, SpotCost> addresses;
};

struct Annotation {
  SpotCost all;                  // of all wanted functions, counted once per stack
  std::vector<FileLines> files;  // by own weight, descending
  std::vector<ObjectCode> code;
};

// Annotates the functions that are `wanted`, by FunctionId.
Annotation Annotate(const View& view, const std::vector<bool>& wanted);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_ANNOTATION_H_
