// What some functions cost line by line and instruction by instruction, and what the time there was spent on. `ompprof
// annotate` shows it beside their source and their code.
#ifndef OMPPROF_PROFILER_ANALYZE_ANNOTATION_H_
#define OMPPROF_PROFILER_ANALYZE_ANNOTATION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/cost.h"
#include "profiler/analyze/state_kind.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

// Work is the program's own code; the others are in the runtime, at the line or instruction that called it, or, kOwn,
// in the profiler.
enum class Spent { kWork, kBarrier, kLock, kTasks, kOtherWait, kOverhead, kOwn };
inline constexpr int kSpents = 7;
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
    case StateKind::kIdle:
      return Spent::kOtherWait;
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

// A line, or an instruction.
struct SpotCost {
  Cost self;                      // it was being executed, or had called the runtime
  uint64_t weight[kSpents] = {};  // of `self`
  Cost total;                     // it was on the stack, calls from it included; once where it is there several times
};

struct FileLines {
  std::string file;  // as the debug information has it; empty: not known
  Cost self;
  std::map<uint32_t, SpotCost> lines;  // by number; 0: the line is not known
};

struct ObjectCode {
  uint32_t object;  // Symbolizer::objects()
  Cost self;        // functions inlined into those that are wanted included: their instructions are the same function's
  // By address in the object: the sampled instruction itself, or, of a caller, the last byte of its call.
  std::map<uint64_t, SpotCost> addresses;
};

struct Annotation {
  SpotCost all;                  // of the functions, counted once each stack
  std::vector<FileLines> files;  // by own weight, descending
  std::vector<ObjectCode> code;
};

// Of the functions that are `wanted`, by FunctionId.
Annotation Annotate(const View& view, const std::vector<bool>& wanted);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ANNOTATION_H_
