#include "profiler/analyze/view/overhead.h"

namespace ompprof::analyze {
namespace {

struct Word {
  const char* word;
  Overhead overhead;
};

// The first word that occurs in the name decides. So __kmpc_omp_taskwait does not count as a task's creation, nor
// GOMP_loop_dynamic_start as a region's.
constexpr Word kWords[] = {
    {"taskwait", Overhead::kSync},       {"taskgroup", Overhead::kSync},      {"barrier", Overhead::kSync},
    {"critical", Overhead::kSync},       {"lock", Overhead::kSync},           {"ordered", Overhead::kSync},
    {"atomic", Overhead::kSync},         {"reduc", Overhead::kSync},          {"GOMP_parallel", Overhead::kForkJoin},
    {"GOMP_teams", Overhead::kForkJoin}, {"fork", Overhead::kForkJoin},       {"join", Overhead::kForkJoin},
    {"task", Overhead::kTasking},        {"dispatch", Overhead::kScheduling}, {"for_static", Overhead::kScheduling},
    {"loop", Overhead::kScheduling},     {"sections", Overhead::kScheduling}, {"single", Overhead::kScheduling},
    {"scope", Overhead::kScheduling},    {"doacross", Overhead::kSync},
};

}  // namespace

Overhead OverheadOf(const std::string& function) {
  // A worker without a frame of the program is being woken or gathered.
  if (function.empty() || function.find("launch_") != std::string::npos) return Overhead::kForkJoin;
  for (const Word& word : kWords) {
    if (function.find(word.word) != std::string::npos) return word.overhead;
  }
  return Overhead::kOther;
}

bool HandsOutChunks(const std::string& function) {
  const auto has = [&](const char* word) { return function.find(word) != std::string::npos; };
  return has("__kmpc_dispatch") || (has("GOMP_loop") && (has("dynamic") || has("guided") || has("runtime")));
}

std::string RoutineName(const std::string& function) {
  if (function.rfind("omp_", 0) != 0) return "";
  return function.back() == '_' ? function.substr(0, function.size() - 1) : function;
}

const char* OverheadName(Overhead overhead) {
  switch (overhead) {
    case Overhead::kForkJoin:
      return "fork and join";
    case Overhead::kScheduling:
      return "scheduling";
    case Overhead::kTasking:
      return "tasking";
    case Overhead::kSync:
      return "synchronization";
    case Overhead::kOther:
      return "other";
  }
  return "other";
}

}  // namespace ompprof::analyze
