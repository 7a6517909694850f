// Names OpenMP constructs: "foo [omp parallel file.c:12]" for a body that a compiler calls foo._omp_fn.0 or
// .omp_outlined..5. The view builder and the lock tables call it.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_CONSTRUCT_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_CONSTRUCT_H_

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/view/frame_table.h"
#include "profiler/model/symbol_name.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

enum class ConstructKind {
  kParallel,
  kTask,
  kTaskAtOnce,  // an explicit task that the runtime ran where it was created
  kTeams,
  kTarget,  // as the host executes it
  kReduction,
  kOpenAcc,  // a compute construct of OpenACC, as the host executes it
  kUnknown,  // an outlined function without a marker: the program ran without OMPT
};

inline bool IsTask(ConstructKind kind) { return kind == ConstructKind::kTask || kind == ConstructKind::kTaskAtOnce; }

// The kind, as far as the name of the construct's body tells. kUnknown for a plain outlined function.
ConstructKind KindOf(model::Outlined construct);

// The facts about a construct at the place where a walk meets it. Any fact may be missing.
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

  // The function that stands for the construct in the user view. Its file and line are those of the pragma, as far as
  // the body or the creating call tells.
  FunctionId Name(ConstructClue clue);

  // Records that the construct created at `codeptr` has its body at `body`. Name then uses the body where only codeptr
  // is known. Called before Name.
  void Learn(model::CodeAddress codeptr, model::CodeAddress body);

  // Records that the function at `body` is the body of such a construct. `kind`: kTask, kTaskAtOnce or kParallel.
  // Called before KindOfBody.
  void LearnBody(model::CodeAddress body, ConstructKind kind);

  // The kind of the construct with that body: by the body's name, else as learned. A body that was both deferred and
  // run at once is a kTask.
  ConstructKind KindOfBody(const model::Function* body);

  // Records that the call at `codeptr` creates a teams construct. In stacks, a teams construct looks like a parallel
  // construct. Called before Name.
  void LearnTeams(model::CodeAddress codeptr);

  // The name of the function that contains the construct. `construct` is a result of Name.
  const std::string& Holder(FunctionId construct) const;

  // ParseOutlined of the function's name, cached.
  const model::OutlinedName& Parse(const model::Function* function);

 private:
  // Kind, object and address of the call (or 0 and the enclosing construct), function of the body.
  using Key = std::tuple<ConstructKind, uint32_t, uint64_t, const model::Function*>;

  // Whether codeptr is in the program's code. clang turns the creating call into a jump for a nested region at the end
  // of a body. Then codeptr is an address in the runtime and says nothing.
  bool Usable(const ConstructClue& clue) const;
  struct SourceLine {
    std::string file;
    uint32_t line = 0;  // 0: not known
  };
  struct Body {
    const model::SourceFrame* outermost;
    model::CodeAddress place;
  };

  // The place of the pragma. clang declares the outlined function there; gcc gives the function's entry that line.
  SourceLine PragmaLine(const model::SourceFrame& outlined, model::CodeAddress place);
  FunctionId MakeName(const ConstructClue& clue);

  // The function whose code passes `body`, an outlined function's beginning, to the runtime. Null: the code does not
  // tell. `depth`: of bodies within bodies.
  const model::Function* HolderInCode(model::CodeAddress body, int depth = 0);

  // Where the construct's body begins; object 0 if that is not known. A body and its wrapper are one.
  model::CodeAddress BodyOf(const ConstructClue& clue);

  // Adds a construct with that body to the frame table. Two constructs of one function may be on one line, in the text
  // of a macro: these are two functions there.
  FunctionId Add(ViewFunction construct, model::CodeAddress body);
  bool ShareAFunction(model::CodeAddress a, model::CodeAddress b);

  // The name of the function that contains the construct, from the best source that has a name. `call` is the frame of
  // the creating call, or null. `left`: that function left its frame before the call. `where`: the pragma's place.
  std::string FindHolder(const ConstructClue& clue, const model::SourceFrame* call, bool left, const SourceLine& where);

  // " solve.c:12"; without lines " program+0x1234"; empty if nothing is known.
  std::string PlaceText(const ConstructClue& clue, const model::SourceFrame* call, const SourceLine& where) const;

  model::Symbolizer& symbolizer_;
  FrameTable& frames_;
  std::map<Key, FunctionId> names_;
  std::map<std::pair<uint32_t, uint64_t>, Body> bodies_;             // by codeptr
  std::unordered_map<const model::Function*, ConstructKind> kinds_;  // as learned, by body
  std::set<std::pair<uint32_t, uint64_t>> teams_;                    // codeptrs
  std::unordered_map<const model::Function*, model::CodeAddress> teams_bodies_;
  std::unordered_map<FunctionId, std::string> holders_;
  // Bodies of the constructs with equal names, by name, place and object. Copies of one body that a compiler made with
  // copies of its function, as for foo.constprop.0, are one part.
  struct Part {
    FunctionId id = kNoFunction;
    std::vector<model::CodeAddress> bodies;
  };
  std::map<std::tuple<std::string, std::string, uint32_t, uint32_t>, std::vector<Part>> parts_;
  std::unordered_map<const model::Function*, model::OutlinedName> parsed_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_CONSTRUCT_H_
