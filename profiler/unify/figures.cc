#include "profiler/unify/figures.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/builder/build_view.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::unify {
namespace {

using analyze::FunctionId;
using analyze::PathId;
using analyze::View;

constexpr std::vector<uint32_t> Plan::*kTables[] = {
    &Plan::kinds,         &Plan::path_parents,   &Plan::path_functions, &Plan::outermost,       &Plan::sample_paths,
    &Plan::sample_states, &Plan::sample_regions, &Plan::sample_threads, &Plan::sample_uses,     &Plan::wait_places,
    &Plan::wait_states,   &Plan::wait_regions,   &Plan::wait_locks,     &Plan::wait_in_regions, &Plan::regions};

// Makes the plan of one process of a view.
class Planner {
 public:
  Planner(const View& view, const analyze::Locks& locks, uint32_t process, NamedPlan* made)
      : view_(view), locks_(locks), process_(process), made_(*made), plan_(made->plan) {
    AddSubject({SPREAD_RUN, "", "", 0, 0});
  }

  void PlanSample(size_t index, const analyze::ViewSample& sample) {
    const size_t size = std::max(plan_.sample_paths.size(), index + 1);
    for (auto* table :
         {&plan_.sample_paths, &plan_.sample_states, &plan_.sample_regions, &plan_.sample_threads, &plan_.sample_uses})
      table->resize(size);
    plan_.sample_paths[index] = PathSubject(sample.path);
    plan_.sample_states[index] = StateSubject(sample.state);
    plan_.sample_regions[index] = RegionSubject(sample.region);
    plan_.sample_threads[index] = sample.thread;
    plan_.sample_uses[index] = UseOf(sample);
  }

  void PlanWait(const analyze::WaitTotal& wait) {
    const bool counts = !wait.charge;
    plan_.wait_places.push_back(counts ? WaitSubject(wait) : 0);
    plan_.wait_states.push_back(counts ? StateSubject(wait.state) : 0);
    plan_.wait_regions.push_back(counts && wait.region != analyze::kNoFunction ? RegionSubject(wait.region) : 0);
    plan_.wait_locks.push_back(counts ? LockSubject(wait) : 0);
    plan_.wait_in_regions.push_back(counts && wait.state != OmptState::kIdle ? 1 : 0);
  }

  void PlanRegion(FunctionId construct) { plan_.regions.push_back(RegionSubject(construct)); }

 private:
  uint32_t AddSubject(Subject subject) {
    plan_.kinds.push_back(subject.kind);
    plan_.path_parents.push_back(0);
    plan_.path_functions.push_back(0);
    plan_.outermost.push_back(0);
    made_.subjects.push_back(std::move(subject));
    return static_cast<uint32_t>(made_.subjects.size());
  }

  uint32_t Named(SpreadKind kind, const std::string& name, const std::string& file, uint32_t line) {
    const auto [known, added] = named_.emplace(std::make_tuple(kind, name, file, line), 0);
    if (added) known->second = AddSubject({kind, name, file, line, 0});
    return known->second;
  }

  uint32_t OfFunction(SpreadKind kind, FunctionId id) {
    if (id == analyze::kNoFunction) return 0;
    const analyze::ViewFunction& function = view_.frames.function(id);
    return Named(kind, function.name, function.file, kind == SPREAD_REGION ? function.line : 0);
  }

  uint32_t RegionSubject(FunctionId construct) {
    return construct == analyze::kNoFunction ? Named(SPREAD_REGION, "", "", 0) : OfFunction(SPREAD_REGION, construct);
  }

  uint32_t StateSubject(OmptState state) {
    return Named(SPREAD_STATE, analyze::StateName(view_.run.process(process_), state), "", 0);
  }

  uint32_t WaitSubject(const analyze::WaitTotal& wait) {
    const std::string state = analyze::PlainStateName(analyze::StateName(view_.run.process(process_), wait.state));
    if (wait.place.function == analyze::kNoFunction) return Named(SPREAD_WAIT, state, "", 0);
    const analyze::ViewFunction& function = view_.frames.function(wait.place.function);
    return Named(SPREAD_WAIT, state + " in " + function.name, function.file, wait.place.line);
  }

  uint32_t LockSubject(const analyze::WaitTotal& wait) {
    if (wait.wait_id == 0) return 0;
    const analyze::Lock* lock = analyze::FindLock(locks_, process_, wait.wait_id, wait.state);
    return lock == nullptr ? 0 : Named(SPREAD_LOCK, lock->name, lock->module, 0);
  }

  static Plan::Use UseOf(const analyze::ViewSample& sample) {
    if (sample.state == analyze::kStateMpi) return Plan::kMpi;
    const analyze::Activity activity = analyze::ActivityOf(sample.state);
    const bool works = activity == analyze::Activity::kWork || activity == analyze::Activity::kNoState;
    if (works) return Plan::kWork;
    const bool waits = activity == analyze::Activity::kWait || activity == analyze::Activity::kIdle;
    return waits ? Plan::kWait : Plan::kOther;
  }

  // A path of functions: the lines of a location are functions that were inlined, innermost first.
  uint32_t PathSubject(PathId path) {
    if (path == analyze::kEmptyPath) return 0;
    if (const auto known = paths_.find(path); known != paths_.end()) return known->second;
    std::vector<PathId> above;  // not numbered yet
    for (PathId at = path; at != analyze::kEmptyPath && paths_.count(at) == 0; at = view_.paths.node(at).parent)
      above.push_back(at);
    for (auto at = above.rbegin(); at != above.rend(); ++at) {
      const analyze::PathTree::Node& node = view_.paths.node(*at);
      uint32_t subject = node.parent == analyze::kEmptyPath ? 0 : paths_.at(node.parent);
      const analyze::Location& location = view_.frames.location(node.location);
      for (uint32_t i = location.line_count; i > 0; --i)
        subject = Child(subject, view_.frames.line(location.first_line + i - 1).function);
      paths_[*at] = subject;
    }
    return paths_.at(path);
  }

  uint32_t Child(uint32_t parent, FunctionId function) {
    const auto [known, added] = children_.emplace(uint64_t{parent} << 32 | function, 0);
    if (!added) return known->second;
    const uint32_t of_function = OfFunction(SPREAD_FUNCTION, function);
    const Subject named = of_function == 0 ? Subject() : made_.subjects[of_function - 1];
    const uint32_t subject = AddSubject({SPREAD_PATH, named.name, named.file, 0, parent});
    known->second = subject;
    plan_.path_parents[subject - 1] = parent;
    plan_.path_functions[subject - 1] = of_function;
    bool outermost = of_function != 0;
    for (uint32_t at = parent; at != 0 && outermost; at = plan_.path_parents[at - 1])
      outermost = plan_.path_functions[at - 1] != of_function;
    plan_.outermost[subject - 1] = outermost ? 1 : 0;
    return subject;
  }

  const View& view_;
  const analyze::Locks& locks_;
  const uint32_t process_;
  NamedPlan& made_;
  Plan& plan_;
  std::map<std::tuple<SpreadKind, std::string, std::string, uint32_t>, uint32_t> named_;
  std::unordered_map<PathId, uint32_t> paths_;
  std::unordered_map<uint64_t, uint32_t> children_;
};

// Copies of the processes in which each sample has an entry in the timeline, with the sample's index as its weight. The
// view follows these entries when it adds samples together, so they tell where each sample went.
std::vector<model::ProcessProfile> WithIndexes(const std::vector<const model::ProcessProfile*>& processes) {
  std::vector<model::ProcessProfile> copies;
  for (const model::ProcessProfile* process : processes) {
    model::ProcessProfile& copy = copies.emplace_back(*process);
    for (uint32_t i = 0; i < copy.samples.size(); ++i) copy.timed.push_back({i, 0, i});
  }
  return copies;
}

}  // namespace

void Plan::Pack(Packer* to) const {
  for (const auto table : kTables) to->Put(this->*table);
}

void Plan::Unpack(Unpacker* from) {
  for (const auto table : kTables) this->*table = from->Numbers();
}

std::vector<NamedPlan> MakePlans(const std::vector<const model::ProcessProfile*>& processes,
                                 std::vector<std::string>* warnings) {
  const std::vector<model::ProcessProfile> copies = WithIndexes(processes);
  std::vector<const model::ProcessProfile*> pointers;
  for (const model::ProcessProfile& copy : copies) pointers.push_back(&copy);
  model::Symbolizer symbolizer;
  View view = analyze::BuildView(pointers, analyze::ViewKind::kUser, &symbolizer);
  const analyze::Locks locks = analyze::BuildLocks(&view, &symbolizer);
  std::vector<NamedPlan> plans(processes.size());
  std::vector<Planner> planners;
  planners.reserve(plans.size());
  for (uint32_t i = 0; i < plans.size(); ++i) planners.emplace_back(view, locks, i, &plans[i]);
  for (const analyze::TimedSample& timed : view.timed) {
    const analyze::ViewSample& sample = view.samples[timed.sample];
    planners[sample.process].PlanSample(timed.weight, sample);
  }
  for (const analyze::WaitTotal& wait : view.waits) planners[wait.process].PlanWait(wait);
  for (const auto& [process, construct] : view.region_constructs) planners[process].PlanRegion(construct);
  warnings->insert(warnings->end(), view.warnings.begin(), view.warnings.end());
  return plans;
}

Values::Values(const Plan* plan) : plan_(*plan), values_(plan->kinds.size() * kMetrics) {
  uint32_t most = 0;
  for (const uint32_t thread : plan->sample_threads) most = std::max(most, thread);
  thread_work_.resize(most + 1);
}

void Values::Clear() {
  for (const size_t figure : touched_) values_[figure] = 0;
  touched_.clear();
  std::fill(thread_work_.begin(), thread_work_.end(), 0);
}

void Values::Add(uint32_t subject, SpreadMetric metric, uint64_t value) {
  if (subject == 0 || value == 0) return;
  const size_t figure = FigureOf(subject, metric);
  if (values_[figure] == 0) touched_.push_back(figure);
  values_[figure] += value;
}

void Values::AddPath(uint32_t path, uint64_t weight, uint64_t wait) {
  Add(path, METRIC_SAMPLED_SELF, weight);
  if (path != 0) Add(plan_.path_functions[path - 1], METRIC_SAMPLED_SELF, weight);
  for (uint32_t at = path; at != 0; at = plan_.path_parents[at - 1]) {
    Add(at, METRIC_SAMPLED, weight);
    Add(at, METRIC_WAIT, wait);
    if (plan_.outermost[at - 1] == 0) continue;
    Add(plan_.path_functions[at - 1], METRIC_SAMPLED, weight);
    Add(plan_.path_functions[at - 1], METRIC_WAIT, wait);
  }
}

void Values::AddSample(const AddedRows::Sample& sample) {
  AddPath(plan_.sample_paths[sample.row], sample.weight, sample.wait);
  Add(plan_.sample_states[sample.row], METRIC_SAMPLED, sample.weight);
  Add(plan_.sample_regions[sample.row], METRIC_SAMPLED, sample.weight);
  Add(kRun, METRIC_SAMPLED, sample.weight);
  const uint32_t use = plan_.sample_uses[sample.row];
  if (use != Plan::kWork && use != Plan::kMpi) return;
  for (const uint32_t subject : {kRun, plan_.sample_regions[sample.row]})
    Add(subject, use == Plan::kMpi ? METRIC_MPI : METRIC_WORK, sample.weight);
  if (use == Plan::kWork) thread_work_[plan_.sample_threads[sample.row]] += sample.weight;
}

uint64_t Values::BusiestThread() const { return *std::max_element(thread_work_.begin(), thread_work_.end()); }

void Values::AddWait(const AddedRows::Wait& wait) {
  for (const uint32_t subject : {plan_.wait_places[wait.row], plan_.wait_locks[wait.row]}) {
    Add(subject, METRIC_WAIT, wait.total_ns);
    Add(subject, METRIC_COUNT, wait.count);
  }
  Add(plan_.wait_states[wait.row], METRIC_WAIT, wait.total_ns);
  Add(plan_.wait_regions[wait.row], METRIC_WAIT, wait.total_ns);
  if (plan_.wait_in_regions[wait.row] != 0) Add(kRun, METRIC_WAIT, wait.total_ns);
}

void Values::Fill(const Member& member, const AddedRows& rows) {
  Clear();
  Add(kRun, METRIC_ELAPSED, member.duration_ns);
  Add(kRun, METRIC_CPU, member.cpu_ns);
  for (const AddedRows::Sample& sample : rows.samples) AddSample(sample);
  for (const AddedRows::Wait& wait : rows.waits) AddWait(wait);
  for (const AddedRows::Region& region : rows.regions) {
    Add(plan_.regions[region.row], METRIC_COUNT, region.ended);
    Add(plan_.regions[region.row], METRIC_ELAPSED, region.elapsed_ns);
    Add(plan_.regions[region.row], METRIC_USEFUL, region.useful_ns);
  }
}

}  // namespace ompprof::unify
