// Names for OpenMP constructs: "foo [omp parallel file.c:12]" for what a compiler calls main._omp_fn.0 or
// .omp_outlined..5. The user view and the region tables call it.
#ifndef OMPPROF_PROFILER_ANALYZE_CONSTRUCT_H_
#define OMPPROF_PROFILER_ANALYZE_CONSTRUCT_H_

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "profiler/analyze/frame_table.h"
#include "profiler/model/symbol_name.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

enum class ConstructKind {
  kParallel,
  kTask,
  kTeams,
  kTarget,  // as the host executes it
  kReduction,
  kUnknown,  // an outlined function that no marker explains: the program ran without OMPT
};

// As far as the name of its body tells: an outlined one is kUnknown then.
ConstructKind KindOf(model::Outlined construct);

// What is known of a construct where it is met. Any part may be missing.
struct ConstructClue {
  ConstructKind kind = ConstructKind::kUnknown;
  bool has_codeptr = false;
  model::CodeAddress codeptr;                    // the call that creates it
  const model::SourceFrame* outlined = nullptr;  // the outermost function of its body
  model::CodeAddress outlined_place;
  FunctionId enclosing = kNoFunction;  // the construct around it
};

class ConstructNames {
 public:
  ConstructNames(model::Symbolizer* symbolizer, FrameTable* frames) : symbolizer_(*symbolizer), frames_(*frames) {}

  // The function by which the user view shows the construct. Its file and line are the pragma's, as far as the body or
  // the call that creates it tell.
  FunctionId Name(ConstructClue clue);

  // Tells that the construct created at `codeptr` has its body at `body`: what a sample in the body has seen names the
  // construct where only codeptr is known as well. To be called before Name.
  void Learn(model::CodeAddress codeptr, model::CodeAddress body);

  // Tells that the call at `codeptr` creates a teams construct: by stacks it is none other than a parallel one. To be
  // called before Name.
  void LearnTeams(model::CodeAddress codeptr);

  // The name of the function that holds a construct named by Name.
  const std::string& Holder(FunctionId construct) const;

  // ParseOutlined, remembered.
  const model::OutlinedName& Parse(const model::Function* function);

 private:
  // Kind, object and address of the call (or 0, and the construct around it), function of the body.
  using Key = std::tuple<ConstructKind, uint32_t, uint64_t, const model::Function*>;

  // A compiler may turn the creating call into a jump (clang does for a nested region at the end of a body): codeptr is
  // then an address in the runtime and says nothing.
  bool Usable(const ConstructClue& clue) const;
  struct SourceLine {
    std::string file;
    uint32_t line = 0;  // 0: not known
  };
  struct Body {
    const model::SourceFrame* outermost;
    model::CodeAddress place;
  };

  // Where the pragma is: compilers declare an outlined function there (clang), or give its entry that line (gcc).
  SourceLine PragmaLine(const model::SourceFrame& outlined, model::CodeAddress place);
  FunctionId MakeName(const ConstructClue& clue);

  model::Symbolizer& symbolizer_;
  FrameTable& frames_;
  std::map<Key, FunctionId> names_;
  std::map<std::pair<uint32_t, uint64_t>, Body> bodies_;  // by codeptr
  std::set<std::pair<uint32_t, uint64_t>> teams_;         // codeptrs
  std::unordered_map<const model::Function*, model::CodeAddress> teams_bodies_;
  std::unordered_map<FunctionId, std::string> holders_;
  std::unordered_map<const model::Function*, model::OutlinedName> parsed_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_CONSTRUCT_H_
