#include "profiler/analyze/builder/user_paths.h"

#include <algorithm>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/overhead.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// Deeper nesting of regions is not followed; a damaged file may have a circle of regions.
constexpr int kDeepestContext = 128;

constexpr char kOwnLeaf[] = "<ompprof>";

// Whether a frame belongs to the start-up code: the outermost frames in the C library and crt1.o, which call main or a
// thread's start routine. exit is no start-up code, because it calls the program's handlers and destructors.
bool IsStartUp(const model::Object& object, const model::Function& function) {
  if (function.system_name == "exit" || function.system_name == "__GI_exit") return false;
  const std::string base = object.path.substr(object.path.rfind('/') + 1);
  return base.rfind("libc.so", 0) == 0 || base.rfind("libc-", 0) == 0 || base.rfind("libpthread", 0) == 0 ||
         function.system_name == "_start";
}

}  // namespace

UserPaths::UserPaths(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer,
                     OwnFrames* own, MpiFrames* mpi, FrameTable* frames, PathTree* paths, ConstructNames* constructs)
    : process_(*process),
      number_(number),
      symbolizer_(*symbolizer),
      own_(*own),
      mpi_(*mpi),
      frames_(*frames),
      paths_(*paths),
      constructs_(*constructs) {}

FunctionId UserPaths::PendingConstruct(const State& state, const model::SourceFrame* outlined,
                                       model::CodeAddress place) {
  ConstructClue clue;
  clue.kind = state.kind;
  clue.has_codeptr = state.codeptr != 0;
  if (clue.has_codeptr) clue.codeptr = symbolizer_.Locate(number_, state.codeptr, true, state.epoch);
  clue.outlined = outlined;
  clue.outlined_place = place;
  clue.enclosing = state.kind == ConstructKind::kTask ? state.region : state.construct;
  return constructs_.Name(clue);
}

void UserPaths::EnterConstruct(State* state, FunctionId construct) {
  state->construct = construct;
  if (state->pending && state->kind == ConstructKind::kParallel) {
    // The region's frame has no sampled line, because the line differs between samples and the tasks of a region have
    // one parent.
    state->region = construct;
    state->region_path = paths_.Child(state->path, frames_.AddSynthesized(construct));
  }
  state->pending = false;
}

void UserPaths::SynthesizePending(State* state) {
  if (!state->pending) return;
  const FunctionId construct = PendingConstruct(*state, nullptr, {});
  state->before_construct = state->path;
  EnterConstruct(state, construct);
  state->path = paths_.Child(state->path, frames_.AddSynthesized(construct));
  state->at_construct = true;
}

FunctionId UserPaths::PlainFunction(const State& state, const model::SourceFrame& frame, bool outermost,
                                    model::CodeAddress place) {
  // In a stripped program, the function that the start-up code calls is main.
  const bool is_main = frame.function->system_name.empty() && outermost && state.from_start && state.path == kEmptyPath;
  return is_main ? frames_.AddFunction({"main", "", "", 0, place.object}) : frames_.AddFunction(frame, place.object);
}

FunctionId UserPaths::UnmarkedConstruct(const State& state, const model::SourceFrame& frame, model::CodeAddress place) {
  ConstructClue clue;
  clue.kind = state.in_openacc ? ConstructKind::kOpenAcc : constructs_.KindOfBody(frame.function);
  clue.outlined = &frame;
  clue.outlined_place = place;
  clue.enclosing = state.construct;
  return constructs_.Name(clue);
}

bool UserPaths::ContinuesConstruct(const State& state, const model::OutlinedName& name) {
  return state.at_construct &&
         (name.debug_body || (IsTask(state.kind) && name.construct == model::Outlined::kParallel));
}

void UserPaths::AddFrame(State* state, const model::Node& node) {
  const model::CodeAddress place = symbolizer_.Locate(number_, node.value, node.return_address, state->epoch);
  const std::vector<model::SourceFrame>& found = symbolizer_.Frames(place);
  if (state->path == kEmptyPath && !state->pending &&
      IsStartUp(symbolizer_.objects()[place.object], *found.back().function)) {
    if (found.back().function->system_name == "_start") state->from_start = true;
    return;
  }
  const MpiFrames::Step step = mpi_.Go(found, place.object, &state->mpi);
  if (step.outside > 0) AddFunctions(state, found, step.outside, place);
  if (!step.entered && step.function.empty()) return;
  if (step.entered) SynthesizePending(state);
  const PathId above = step.entered ? state->path : paths_.node(state->path).parent;
  state->path = paths_.Child(above, frames_.AddPseudo(MpiFrame(step.function)));
  state->at_construct = false;
}

void UserPaths::AddFunctions(State* state, const std::vector<model::SourceFrame>& found, size_t count,
                             model::CodeAddress place) {
  std::vector<Line> lines;  // outermost first
  const model::OutlinedName none;
  const model::OutlinedName* wrapper = &none;  // the parsed name of the previous, outer frame
  bool last_is_construct = false;
  bool replaces = false;  // the path's last frame is a wrapper of the same construct
  bool in_openacc = false;

  const auto end = found.rbegin() + static_cast<std::ptrdiff_t>(count);
  for (auto frame = found.rbegin(); frame != end; ++frame) {
    const bool outermost = frame == found.rbegin();
    const model::OutlinedName& name = constructs_.Parse(frame->function);
    const bool is_plain = name.construct == model::Outlined::kNo;
    if (outermost && state->pending) {
      // A task's body directly after a region's marker: the task's own marker is missing.
      const bool other = name.task_entry && state->kind == ConstructKind::kParallel;
      if (other || (is_plain && !frame->function->system_name.empty())) SynthesizePending(state);
    }

    last_is_construct = true;
    if (outermost && state->pending) {
      const FunctionId construct = PendingConstruct(*state, &*frame, place);
      state->before_construct = state->path;
      EnterConstruct(state, construct);
      lines.push_back({construct, frame->line});
    } else if (is_plain) {
      lines.push_back({PlainFunction(*state, *frame, outermost, place), frame->line});
      last_is_construct = false;
      in_openacc = frame->function->system_name.rfind("GOACC_", 0) == 0;
    } else if (outermost ? ContinuesConstruct(*state, name) : model::IsWrapper(*wrapper, name)) {
      replaces = outermost;
      if (outermost)
        lines.push_back({state->construct, frame->line});
      else
        lines.back().line = frame->line;
    } else {
      const FunctionId construct = UnmarkedConstruct(*state, *frame, place);
      if (outermost) state->before_construct = state->path;
      state->construct = construct;
      lines.push_back({construct, frame->line});
    }
    wrapper = &name;
  }
  state->in_openacc = in_openacc;

  std::reverse(lines.begin(), lines.end());
  state->at_construct = last_is_construct && lines.size() == 1;
  const PathId above = replaces ? state->before_construct : state->path;
  state->path = paths_.Child(above, frames_.AddLocation(place, lines));
}

UserPaths::State UserPaths::Start(const Place& place) {
  State state;
  if (place.splice != 0) {
    // The stack has no implicit task: the thread is in the runtime at the end of its region, or runs a task from there.
    state = ContextState(place.splice, process_.Epoch(place.tree, place.node));
    const RegionContext* context = process_.FindContext(place.splice);
    state.kind = ConstructKind::kParallel;
    state.pending = true;
    state.codeptr = context != nullptr ? context->codeptr_ra() : 0;
    SynthesizePending(&state);
    state.at_construct = false;
    state.in_task = false;
    state.mpi = {};
  }
  state.done = true;
  return state;
}

UserPaths::State UserPaths::ContextState(uint32_t id, uint32_t epoch) {
  const RegionContext* context = process_.FindContext(id);
  State state;
  if (context != nullptr && context->resolved() && depth_ < kDeepestContext &&
      process_.FindNode(context->tree(), context->node()) != nullptr) {
    ++depth_;
    state = StateAt({context->tree(), context->node(), context->splice()});
    --depth_;
    SynthesizePending(&state);
  } else {
    state.path = paths_.Child(kEmptyPath, frames_.AddPseudo("<region path unknown>"));
    state.epoch = epoch;
    state.region_unknown = true;
  }
  state.at_construct = false;
  return state;
}

void UserPaths::BeginTask(State* state, ConstructKind kind, uint64_t codeptr) {
  state->kind = kind;
  state->codeptr = codeptr;
  state->pending = true;
  state->in_task = true;
  state->mpi = {};
}

void UserPaths::EnterImplicitTask(State* state, const Place& place, const model::Node& node,
                                  const model::Node* parent) {
  const bool outermost = parent == nullptr || !parent->in_implicit_task;
  uint64_t codeptr = node.value;
  if (outermost && place.splice != 0) {
    const uint32_t epoch = state->epoch;
    *state = ContextState(place.splice, epoch);
    state->epoch = epoch;
    const RegionContext* context = process_.FindContext(place.splice);
    if (codeptr == 0 && context != nullptr) codeptr = context->codeptr_ra();
  } else {
    SynthesizePending(state);
  }
  BeginTask(state, ConstructKind::kParallel, codeptr);
}

void UserPaths::EnterCreatedTask(State* state, const Place& place, const model::Node& node) {
  const auto tree = static_cast<uint32_t>(node.value >> 32);
  const auto creator = static_cast<uint32_t>(node.value);
  const model::Node* call = process_.FindNode(tree, creator);
  if (call != nullptr && depth_ < kDeepestContext) {
    ++depth_;
    const uint32_t epoch = state->epoch;
    *state = StateAt({tree, creator, CreatorsSplice(tree, creator, place.splice)});
    --depth_;
    SynthesizePending(state);
    state->epoch = epoch;
  }
  BeginTask(state, ConstructKind::kTask, call != nullptr && call->kind == NODE_FRAME ? call->value : 0);
}

void UserPaths::AddPseudo(State* state, const char* name) {
  state->path = paths_.Child(state->path, frames_.AddPseudo(name));
  state->at_construct = false;
}

void UserPaths::EnterRuntime(State* state, const model::Node& node) {
  if (state->in_runtime || state->pending || state->path == kEmptyPath) return;
  state->in_runtime = true;
  const model::CodeAddress place = symbolizer_.Locate(number_, node.value, node.return_address, state->epoch);
  const std::string name = RoutineName(symbolizer_.Frames(place).back().function->system_name);
  if (name.empty()) return;
  const FunctionId routine = frames_.AddFunction(ViewFunction{name, name, "", 0, place.object});
  state->path = paths_.Child(state->path, frames_.AddSynthesized(routine));
  state->at_construct = false;
  state->in_routine = true;
}

UserPaths::State UserPaths::Step(const State& above, const Place& place, const model::Node& node,
                                 const model::Node* parent) {
  State state = above;
  switch (node.kind) {
    case NODE_ROOT:
      state.epoch = static_cast<uint32_t>(node.value);
      break;
    case NODE_FRAME:
      // Without an implicit task on the stack, frames before the first task do not belong to the user's program.
      if (place.splice != 0 && !node.in_implicit_task && !state.in_task) break;
      if (own_.Has(place.tree, place.node)) break;
      if (node.runtime) {
        EnterRuntime(&state, node);
        break;
      }
      state.in_runtime = state.in_routine = false;
      AddFrame(&state, node);
      break;
    case NODE_IMPLICIT_TASK:
      EnterImplicitTask(&state, place, node, parent);
      break;
    case NODE_EXPLICIT_TASK:
      SynthesizePending(&state);
      if (node.value != 0 && state.region_path != kEmptyPath) state.path = state.region_path;
      BeginTask(&state, ConstructKind::kTask, node.value);
      break;
    case NODE_UNDEFERRED_TASK:
      SynthesizePending(&state);
      BeginTask(&state, ConstructKind::kTaskAtOnce, node.value);
      break;
    case NODE_TASK_CONTEXT:
      EnterCreatedTask(&state, place, node);
      break;
    case NODE_CUT:
      SynthesizePending(&state);  // the construct's own first frame is among those that are missing
      AddPseudo(&state, kFramesCut);
      break;
    case NODE_BROKEN:
      AddPseudo(&state, "<unwind stopped>");
      break;
    case NODE_UNSAMPLED_HANDLER:
      AddPseudo(&state, kUnsampledHandler);
      break;
    default:
      break;
  }
  state.done = true;
  return state;
}

// The splice of the stack that created a task at `node`: of `splice` and the regions around it, the region of the
// creator's outermost implicit task.
uint32_t UserPaths::CreatorsSplice(uint32_t tree, uint32_t node, uint32_t splice) const {
  uint64_t outermost = 0;
  for (const model::Node* at = process_.FindNode(tree, node); at != nullptr; at = process_.FindNode(tree, at->parent)) {
    if (at->kind == NODE_IMPLICIT_TASK) outermost = at->value;
  }
  for (int depth = 0; splice != 0 && depth < kDeepestContext; ++depth) {
    const RegionContext* context = process_.FindContext(splice);
    if (context == nullptr) break;
    if (context->codeptr_ra() == outermost) return splice;
    splice = context->parent();
  }
  return 0;
}

void UserPaths::BeginTree(uint32_t tree) {
  tree_ = tree;
  const auto found = process_.trees.find(tree);
  complete_.assign(found == process_.trees.end() ? 0 : found->second.nodes.size(), State());
  spliced_.clear();
}

UserPaths::State* UserPaths::Remembered(const Place& place) {
  if (place.tree != tree_) return &others_[place];
  return place.splice != 0 ? &spliced_[place] : &complete_[place.node - 1];
}

UserPaths::State UserPaths::StateAt(const Place& place) {
  const std::vector<model::Node>& nodes = process_.trees.at(place.tree).nodes;
  std::vector<uint32_t> todo;
  uint32_t at = place.node;
  for (; at != 0; at = nodes[at - 1].parent) {
    if (Remembered({place.tree, at, place.splice})->done) break;
    todo.push_back(at);
  }
  State state = at == 0 ? Start(place) : *Remembered({place.tree, at, place.splice});
  for (; !todo.empty(); todo.pop_back()) {
    const Place next = {place.tree, todo.back(), place.splice};
    const model::Node& node = nodes[next.node - 1];
    // A circle of contexts may have reached this node in the meantime.
    if (!Remembered(next)->done) {
      const State reached = Step(state, next, node, node.parent == 0 ? nullptr : &nodes[node.parent - 1]);
      *Remembered(next) = reached;
    }
    state = *Remembered(next);
  }
  return state;
}

void UserPaths::LearnBodies() {
  for (const auto& stats : process_.regions) {
    if (stats.teams())
      constructs_.LearnTeams(symbolizer_.Locate(number_, stats.codeptr_ra(), true, stats.module_epoch()));
  }
  struct Above {
    uint64_t codeptr;  // of a task that has begun and whose frames have not been met; 0: not known
    uint32_t epoch;
    uint32_t marker;  // the kind of that task's node; NODE_NONE: there is no such task
  };
  std::vector<Above> above;
  for (const auto& [number, tree] : process_.trees) {
    above.assign(tree.nodes.size() + 1, {0, 0, NODE_NONE});
    for (size_t id = 1; id <= tree.nodes.size(); ++id) {
      const model::Node& node = tree.nodes[id - 1];
      Above& here = above[id];
      here = above[node.parent];
      if (node.kind == NODE_ROOT) here.epoch = static_cast<uint32_t>(node.value);
      const bool is_task = node.kind == NODE_EXPLICIT_TASK || node.kind == NODE_UNDEFERRED_TASK;
      if (node.kind == NODE_IMPLICIT_TASK || is_task) {
        here.codeptr = node.value;
        here.marker = node.kind;
      }
      if (node.kind != NODE_FRAME || node.runtime || here.marker == NODE_NONE) continue;
      if (own_.Has(number, static_cast<uint32_t>(id))) continue;
      const model::CodeAddress body = symbolizer_.Locate(number_, node.value, node.return_address, here.epoch);
      if (here.codeptr != 0) constructs_.Learn(symbolizer_.Locate(number_, here.codeptr, true, here.epoch), body);
      if (here.marker == NODE_EXPLICIT_TASK) constructs_.LearnBody(body, ConstructKind::kTask);
      if (here.marker == NODE_UNDEFERRED_TASK) constructs_.LearnBody(body, ConstructKind::kTaskAtOnce);
      if (here.marker == NODE_IMPLICIT_TASK) constructs_.LearnBody(body, ConstructKind::kParallel);
      here.marker = NODE_NONE;
    }
  }
}

void UserPaths::EnterTarget(const model::SampleRow& row, State* state) {
  uint32_t id = row.node;
  const model::Node* at = process_.FindNode(row.tree, id);
  while (at != nullptr && at->kind == NODE_FRAME && (at->runtime || own_.Has(row.tree, id))) {
    id = at->parent;
    at = process_.FindNode(row.tree, id);
  }
  // The youngest user frame called the runtime.
  if (at == nullptr || at->kind != NODE_FRAME || !at->return_address) return;
  ConstructClue clue;
  clue.kind = ConstructKind::kTarget;
  clue.has_codeptr = true;
  clue.codeptr = symbolizer_.Locate(number_, at->value, true, state->epoch);
  state->path = paths_.Child(state->path, frames_.AddSynthesized(constructs_.Name(clue)));
}

UserPaths::Result UserPaths::Path(const model::SampleRow& row, bool is_own) {
  if (row.state == OmptState::kIdle)
    return {paths_.Child(kEmptyPath, frames_.AddPseudo(is_own ? kOwnLeaf : "<omp idle>")), false};

  const model::Node* leaf = process_.FindNode(row.tree, row.node);
  State state = leaf != nullptr ? StateAt({row.tree, row.node, row.splice}) : Start({row.tree, 0, row.splice});
  SynthesizePending(&state);
  const bool in_runtime = leaf == nullptr || leaf->kind != NODE_FRAME || leaf->runtime || own_.Has(row.tree, row.node);
  const char* last = WaitingFrame(row.state);
  if (row.state == OmptState::kWorkReduction && !in_runtime) last = nullptr;  // the program's code combines the values
  if (leaf == nullptr && last == nullptr) {
    last = "<no stack>";
  } else if (last == nullptr && state.path == kEmptyPath && !in_runtime) {
    last = "<start-up>";
  } else if (last == nullptr && (state.path == kEmptyPath || (in_runtime && leaf->kind == NODE_FRAME))) {
    if (!state.in_routine) last = "<omp overhead>";
  }
  if (is_own) last = kOwnLeaf;
  // The program waits in the routine, or the routine has called the profiler.
  if (last != nullptr && state.in_routine) state.path = paths_.node(state.path).parent;
  // The creator of a region waits at the region's end after its implicit task has ended. So its stack has no marker.
  const RegionContext* region =
      row.splice == 0 && IsBarrier(row.state) && in_runtime ? process_.FindContext(row.region) : nullptr;
  if (region != nullptr) {
    const FunctionId construct = Region(*region);
    if (construct != state.region) state.path = paths_.Child(state.path, frames_.AddSynthesized(construct));
  }
  if (KindOf(row.state) == StateKind::kTarget) EnterTarget(row, &state);
  if (last != nullptr) state.path = paths_.Child(state.path, frames_.AddPseudo(last));
  return {state.path, state.region_unknown, last == nullptr && !in_runtime && state.mpi.inside};
}

UserPaths::Result UserPaths::WaitPath(const model::SampleRow& row, uint32_t node, const std::string& name) {
  State state = StateAt({row.tree, node, row.splice});
  SynthesizePending(&state);
  if (state.mpi.inside) return {state.path, state.region_unknown, true};
  const LocationId last = frames_.AddPseudo("<waiting: " + name + ">");
  return {paths_.Child(state.path, last), state.region_unknown};
}

FunctionId UserPaths::Region(const RegionContext& context) {
  State state = ContextState(context.id(), 0);
  state.kind = ConstructKind::kParallel;
  state.codeptr = context.codeptr_ra();
  return PendingConstruct(state, nullptr, {});
}

}  // namespace ompprof::analyze
