#include "profiler/analyze/builder/build_view.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "profiler/analyze/builder/account_regions.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/builder/bound_estimates.h"
#include "profiler/analyze/builder/call_parts.h"
#include "profiler/analyze/builder/construct.h"
#include "profiler/analyze/builder/counted_events.h"
#include "profiler/analyze/builder/library_waits.h"
#include "profiler/analyze/builder/machine_paths.h"
#include "profiler/analyze/builder/mpi_frames.h"
#include "profiler/analyze/builder/no_processor.h"
#include "profiler/analyze/builder/own_frames.h"
#include "profiler/analyze/builder/region_table.h"
#include "profiler/analyze/builder/short_waits.h"
#include "profiler/analyze/builder/user_paths.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/model/merge_equal.h"
#include "profiler/model/process_profile.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// The most enclosing regions to which a sample's time is added; more than any real program nests.
constexpr int kDeepestNesting = 64;

// ompt_mutex_nest_lock, OpenMP 5.2, section 19.4.4.17.
constexpr uint32_t kNestLock = 3;

auto Key(const ViewSample& sample) {
  return std::tie(sample.path, sample.process, sample.thread, sample.state, sample.wait_id, sample.region, sample.phase,
                  sample.in_wait, sample.own, sample.interval);
}

// Merges the samples from `first` on, and the times from `first_timed` on, which refer to them. Several rows may have
// one path: other region contexts with the same path, other stacks in the runtime.
void Merge(View* view, size_t first, size_t first_timed) {
  const auto add = [](ViewSample* sample, const ViewSample& more) { sample->cost.Add(more.cost); };
  const std::vector<uint32_t> moved = model::MergeEqual(
      &view->samples, first, view->timed.size() > first_timed,
      [](const ViewSample& a, const ViewSample& b) { return Key(a) < Key(b); }, add);
  for (size_t i = first_timed; i < view->timed.size(); ++i)
    view->timed[i].sample = static_cast<uint32_t>(first) + moved[view->timed[i].sample - first];
}

// Times are relative to their process's start until all processes are known. The view's time begins at the first
// process's start.
void ShiftTimes(View* view) {
  int64_t first = INT64_MAX;
  for (const ProcessFacts& process : view->run.processes) first = std::min(first, process.start_unix_ns);
  std::vector<uint64_t> starts;
  for (const ProcessFacts& process : view->run.processes)
    starts.push_back(static_cast<uint64_t>(process.start_unix_ns) - static_cast<uint64_t>(first));
  for (TimedSample& timed : view->timed) timed.time_ns += starts[view->samples[timed.sample].process];
  for (DeviceOperation& operation : view->device_operations) {
    const uint64_t start = starts[view->device_work[view->device_paths[operation.part].total].process];
    operation.begin_ns += start;
    operation.end_ns += start;
  }
}

void SortByTime(View* view) {
  std::stable_sort(view->timed.begin(), view->timed.end(), [view](const TimedSample& a, const TimedSample& b) {
    const ViewSample& left = view->samples[a.sample];
    const ViewSample& right = view->samples[b.sample];
    return std::tie(left.process, left.thread, a.time_ns) < std::tie(right.process, right.thread, b.time_ns);
  });
}

DeviceWork WorkOf(const DeviceStats& stats) {
  switch (stats.work()) {
    case DEVICE_TARGET:
      return DeviceWork::kTarget;
    case DEVICE_ENTER_DATA:
      return DeviceWork::kEnterData;
    case DEVICE_EXIT_DATA:
      return DeviceWork::kExitData;
    case DEVICE_UPDATE:
      return DeviceWork::kUpdate;
    case DEVICE_LAUNCH:
      return DeviceWork::kKernel;
    case DEVICE_ALLOC:
      return DeviceWork::kAllocation;
    case DEVICE_TO_DEVICE:
      return DeviceWork::kToDevice;
    case DEVICE_FROM_DEVICE:
      return DeviceWork::kFromDevice;
    case DEVICE_FREE:
      return DeviceWork::kFree;
    default:
      return DeviceWork::kOther;  // of a newer collector
  }
}

// Adds one process to the view.
class ProcessAdder {
 public:
  // `events`: the places of the process's counts.
  ProcessAdder(const model::ProcessProfile& process, View* view, uint32_t number, CountedEvents::Places events,
               model::Timeline timeline, model::Symbolizer* symbolizer, ConstructNames* constructs,
               RegionTable* regions)
      : view_(*view),
        number_(number),
        events_(std::move(events)),
        timeline_(timeline),
        process_(process),
        symbolizer_(*symbolizer),
        constructs_(*constructs),
        regions_(*regions),
        own_(&process_, number, symbolizer),
        library_waits_(&process_, number, symbolizer),
        mpi_(&process_, symbolizer),
        machine_(&process_, number, symbolizer, &mpi_, &view->frames, &view->paths),
        user_(&process_, number, symbolizer, &own_, &mpi_, &view->frames, &view->paths, constructs) {}

  void Run() {
    user_.LearnBodies();
    AddSamples();
    for (const RegionStats& stats : process_.regions) {
      const FunctionId construct = Construct(stats.codeptr_ra(), stats.module_epoch());
      regions_.Add(construct, stats);
      view_.region_constructs.emplace_back(number_, construct);
    }
    if (view_.kind == ViewKind::kUser) AddRuns();
    for (const WaitStats& stats : process_.waits) AddWait(stats);
    for (const WorkStats& stats : process_.works) AddWork(stats);
    for (const auto& [id, device] : process_.devices) view_.devices.push_back({number_, id, device.type()});
    for (const DeviceStats& stats : process_.device_stats) AddDeviceWork(stats);
    if (timeline_ == model::Timeline::kKeep) AddDeviceOperations();
    for (const auto& [id, lock] : process_.locks) AddLock(id, lock);
    for (JobFigure& figure : JobFiguresOf(process_, number_)) view_.job_figures.push_back(std::move(figure));
    for (JobMember& member : JobMembersOf(process_, number_)) view_.job_members.push_back(std::move(member));
    if (missing_nodes_ > 0) {
      view_.warnings.push_back(process_.file + ": " + std::to_string(missing_nodes_) +
                               " samples name a stack that is not in the file; they are shown as <no stack>");
    }
  }

 private:
  void AddSamples() {
    const size_t first = view_.samples.size();
    const size_t first_timed = view_.timed.size();
    std::vector<model::SampleRow> others;  // the waits and blame that samples in the profiler's code carry
    uint32_t tree = 0;
    const auto begin_tree = [&](const model::SampleRow& row) {
      if (std::exchange(tree, row.tree) == row.tree) return;
      machine_.BeginTree();
      user_.BeginTree(row.tree);
    };
    for (const model::SampleRow& row : process_.samples) {
      begin_tree(row);
      AddRow(row, &others);
    }
    for (const model::SampleRow& row : others) {
      begin_tree(row);
      AddPart(row, false);
    }
    if (timeline_ == model::Timeline::kKeep) {
      // One process may have most of the entries: no room for twice as many is made.
      const size_t needed = first_timed + process_.timed.size();
      if (needed > view_.timed.capacity()) view_.timed.reserve(std::max(needed, first_timed + first_timed / 2));
      for (const model::TimedRow& timed : process_.timed)
        view_.timed.push_back({static_cast<uint32_t>(first + timed.row), timed.end_ns, timed.weight});
    }
    Merge(&view_, first, first_timed);
  }

  FunctionId Construct(uint64_t codeptr_ra, uint32_t epoch, ConstructKind kind = ConstructKind::kParallel) {
    ConstructClue clue;
    clue.kind = kind;
    clue.has_codeptr = codeptr_ra != 0;
    if (clue.has_codeptr) clue.codeptr = symbolizer_.Locate(number_, codeptr_ra, true, epoch);
    return constructs_.Name(clue);
  }

  void AddRuns() {
    for (const auto& [context, runs] : process_.region_runs) {
      if (process_.FindContext(context) == nullptr) continue;
      // Estimates may say that a thread is useful for longer than the region takes.
      const auto fits = [most = runs.elapsed_ns()](uint64_t ns) { return std::min(ns, most); };
      view_.region_runs.push_back(
          {RegionOf(context),
           user_.RegionPath(context),
           {runs.ended(), runs.elapsed_ns(), runs.end_wait_ns(), std::min(runs.useful_ns(), runs.team_ns()),
            fits(runs.useful_max_ns()), fits(runs.useful_min_ns()), runs.team_ns(), runs.estimated()}});
    }
  }

  // The call of the runtime that returns to `codeptr_ra`.
  model::CodeAddress CallAt(uint64_t codeptr_ra, uint32_t epoch) const {
    return codeptr_ra == 0 ? model::CodeAddress() : symbolizer_.Locate(number_, codeptr_ra, true, epoch);
  }

  // The line of the program that called the runtime.
  Line PlaceOf(model::CodeAddress place) {
    if (place.object == 0 && place.address == 0) return {};
    // The last call of a function may have become a jump. Then the caller is the runtime.
    const model::Object& object = symbolizer_.objects()[place.object];
    if (object.profilers_own || object.openmp_runtime) return {};
    const model::SourceFrame& frame = symbolizer_.Frames(place).front();
    return {view_.frames.AddFunction(frame, place.object), frame.line};
  }

  void AddWait(const WaitStats& stats) {
    WaitTotal wait{};
    wait.process = number_;
    wait.thread = stats.thread();
    wait.state = model::StateOf(stats);
    const uint32_t epoch = stats.module_epoch();
    if (stats.region_codeptr_ra() != 0) wait.region = Construct(stats.region_codeptr_ra(), epoch);
    wait.call = CallAt(stats.codeptr_ra(), epoch);
    wait.place = PlaceOf(wait.call);
    wait.charge = stats.acquired_at() != 0;
    wait.acquiring_call = CallAt(stats.acquired_at(), epoch);
    wait.acquired_at = PlaceOf(wait.acquiring_call);
    wait.wait_id = stats.wait_id();
    if (wait.wait_id != 0) wait.variable = symbolizer_.Locate(number_, wait.wait_id, false, epoch);
    wait.lock = stats.lock();
    wait.count = stats.count();
    wait.total_ns = stats.total_ns();
    wait.max_ns = stats.max_ns();
    wait.lengths = WaitLengths(stats);
    wait.last_count = stats.last_count();
    wait.last_by_ns = stats.last_by_ns();
    wait.held_count = stats.held_count();
    wait.held_ns = stats.held_ns();
    wait.estimate = {stats.estimated_ns(), static_cast<double>(stats.estimated_variance())};
    view_.waits.push_back(wait);
  }

  void AddLock(uint32_t id, const LockInit& made) {
    ViewLock lock{made.kind() == kNestLock, CallAt(made.codeptr_ra(), made.module_epoch()), kEmptyPath};
    if (process_.FindNode(made.tree(), made.node()) != nullptr) {
      model::SampleRow row{};
      row.tree = made.tree();
      row.node = made.node();
      row.splice = made.splice();
      lock.path = view_.kind == ViewKind::kUser ? user_.Path(row).path : machine_.Path(row).path;
    }
    view_.locks[{number_, id}] = lock;
  }

  // The path to the construct. Operations outside of target constructs have the path of the caller.
  PathId DevicePath(const DeviceStats& stats, FunctionId construct) {
    if (process_.FindNode(stats.tree(), stats.node()) == nullptr) return kEmptyPath;
    model::SampleRow row{};
    row.tree = stats.tree();
    row.node = stats.node();
    row.splice = stats.splice();
    if (view_.kind == ViewKind::kMachine) return machine_.Path(row).path;
    return view_.paths.Child(user_.Path(row).path, view_.frames.AddSynthesized(construct));
  }

  // What devices executed, below the path that asked for it.
  PathId DeviceLeaf(const DeviceWorkTotal& total, PathId path) {
    const bool is_copy = IsCopy(total.work);
    if (total.device == 0 || (total.work != DeviceWork::kKernel && !is_copy)) return kEmptyPath;
    if (path == kEmptyPath) path = view_.paths.Child(path, view_.frames.AddSynthesized(total.construct));
    return view_.paths.Child(path, view_.frames.AddPseudo(is_copy ? "<omp copy>" : "<omp kernel>"));
  }

  // The same construct in several regions and on several paths is one.
  uint32_t DeviceTotal(const DeviceStats& stats, FunctionId construct) {
    const Line place = PlaceOf(CallAt(stats.codeptr_ra(), stats.module_epoch()));
    const auto number = static_cast<uint32_t>(view_.device_work.size());
    const auto [known, added] = device_totals_.emplace(
        std::make_tuple(stats.device(), static_cast<int>(WorkOf(stats)), construct, place.line), number);
    if (added) {
      DeviceWorkTotal total{};
      total.process = number_;
      total.device = stats.device();
      total.work = WorkOf(stats);
      total.construct = construct;
      total.place = place;
      view_.device_work.push_back(total);
    }
    return known->second;
  }

  void AddDeviceWork(const DeviceStats& stats) {
    const FunctionId construct = Construct(stats.codeptr_ra(), stats.module_epoch(), ConstructKind::kTarget);
    const uint32_t number = DeviceTotal(stats, construct);
    DeviceWorkTotal& total = view_.device_work[number];
    total.count += stats.count();
    total.bytes += stats.bytes();
    total.host_ns += stats.host_ns();
    total.longest_ns = std::max<uint64_t>(total.longest_ns, stats.longest_ns());
    total.waited_ns += stats.waited_ns();
    if (stats.region_codeptr_ra() != 0) total.in_regions_ns += stats.waited_ns();
    total.charged_ns += stats.charged_ns();
    total.traced += stats.traced();
    total.traced_ns += stats.traced_ns();

    const PathId path = DevicePath(stats, construct);
    const auto [known, added] =
        device_parts_.emplace(std::make_pair(number, path), static_cast<uint32_t>(view_.device_paths.size()));
    if (added) view_.device_paths.push_back({number, path, DeviceLeaf(total, path)});
    DevicePathTotal& part = view_.device_paths[known->second];
    part.count += stats.count();
    part.bytes += stats.bytes();
    part.host_ns += stats.host_ns();
    part.waited_ns += stats.waited_ns();
    part.traced += stats.traced();
    part.traced_ns += stats.traced_ns();
    if (stats.id() != 0) device_part_by_id_[stats.id()] = known->second;
  }

  void AddDeviceOperations() {
    uint64_t unknown = process_.misplaced_operations;
    for (const model::DeviceOperation& operation : process_.device_operations) {
      const auto part = device_part_by_id_.find(operation.stats);
      if (part == device_part_by_id_.end()) {
        ++unknown;
        continue;
      }
      view_.device_operations.push_back({part->second, operation.thread, operation.begin_ns,
                                         operation.begin_ns + operation.duration_ns, operation.bytes});
    }
    if (unknown == 0) return;
    view_.warnings.push_back(process_.file + ": " + std::to_string(unknown) +
                             " operations of devices have no known kind or time; the timeline lacks them");
  }

  void AddWork(const WorkStats& stats) {
    if (stats.region_codeptr_ra() == 0) return;
    Region& region = regions_.At(Construct(stats.region_codeptr_ra(), stats.module_epoch()));
    const model::CodeAddress call = CallAt(stats.codeptr_ra(), stats.module_epoch());
    auto loop = std::find_if(region.loops.begin(), region.loops.end(), [&](const Loop& other) {
      return other.type == stats.type() && other.call.object == call.object && other.call.address == call.address;
    });
    if (loop == region.loops.end()) loop = region.loops.insert(loop, {stats.type(), PlaceOf(call), 0, 0, 0, call});
    loop->threads.emplace(number_, stats.thread());
    loop->count += stats.count();
    loop->iterations += stats.iterations();
    loop->chunks += stats.chunks();
  }

  // The runtime function that the program called on the way to the sample's leaf. "" if the stack has no frame of the
  // program.
  std::string RuntimeFunction(const model::SampleRow& row) {
    const model::Node* outermost = nullptr;
    const model::Node* at = process_.FindNode(row.tree, row.node);
    for (; at != nullptr && at->kind == NODE_FRAME && at->runtime; at = process_.FindNode(row.tree, at->parent))
      outermost = at;
    if (outermost == nullptr || at == nullptr || at->kind == NODE_ROOT) return "";
    const uint32_t epoch = process_.Epoch(row.tree, row.node);
    return symbolizer_.Frames(symbolizer_.Locate(number_, outermost->value, outermost->return_address, epoch))
        .back()
        .function->system_name;
  }

  // Adds a sample's time to its innermost region, by purpose.
  void AddToRegion(const model::SampleRow& row, const ViewSample& sample) {
    if (process_.header.weight_unit() == "events") return;
    Region& region = regions_.At(sample.region);
    if (sample.own) {
      region.own_weight += row.cost.weight;
      if (!IsMeasuredWait(row.state)) region.own_useful_weight += row.cost.weight;
      return;
    }
    if (IsMeasuredWait(row.state)) return;
    if (sample.state == kStateLibraryWait || sample.state == kStateMpi) {
      (sample.state == kStateMpi ? region.mpi_weight : region.library_wait_weight) += row.cost.weight;
      return;
    }
    AddWork(row, number_, &region);
    const model::Node* leaf = process_.FindNode(row.tree, row.node);
    bool works = leaf != nullptr && leaf->kind == NODE_FRAME && !leaf->runtime;
    if (!works) {
      const std::string function = RuntimeFunction(row);
      works = OverheadOf(function) == Overhead::kOther && !RoutineName(function).empty();  // for example, omp_get_wtime
      if (!works) AddOverhead(function, row.cost.weight, &region);
    }
    if (works) region.work_weight += row.cost.weight;
  }

  static void AddOverhead(const std::string& function, uint64_t weight, Region* region) {
    region->overhead_weight[static_cast<int>(OverheadOf(function))] += weight;
    if (HandsOutChunks(function)) region->handing_out_weight += weight;
  }

  static void AddWork(const model::SampleRow& row, uint32_t number, Region* region) {
    if (row.cost.is_unsampled()) return;
    auto& threads = region->thread_work;
    const auto later = [&](const Region::ThreadWork& work, uint32_t thread) {
      return std::tie(work.process, work.thread) < std::tie(number, thread);
    };
    auto at = std::lower_bound(threads.begin(), threads.end(), row.thread, later);
    if (at == threads.end() || at->process != number || at->thread != row.thread)
      at = threads.insert(at, {number, row.thread, 0, 0});
    at->weight += row.cost.weight;
    at->samples += row.cost.samples;
  }

  // Labels with the same name within the same phase are one phase, in all processes. A label lies within an earlier
  // label.
  uint32_t PhaseOf(uint32_t label, int depth = 0) {
    if (label == 0 || depth > kDeepestNesting) return 0;
    if (const auto known = phase_by_label_.find(label); known != phase_by_label_.end()) return known->second;
    const auto found = process_.labels.find(label);
    const bool is_known = found != process_.labels.end();
    const uint32_t around = is_known ? PhaseOf(found->second.parent(), depth + 1) : 0;
    std::string name = is_known ? found->second.name() : "label " + std::to_string(label);
    if (name.empty()) name = "(unnamed)";
    if (around != 0) name = view_.phases[around] + "/" + name;
    const auto same = std::find(view_.phases.begin() + 1, view_.phases.end(), name);
    const auto phase = static_cast<uint32_t>(same - view_.phases.begin());
    if (same == view_.phases.end()) {
      view_.phases.push_back(name);
      view_.phases_around.push_back(around);
    }
    return phase_by_label_[label] = phase;
  }

  FunctionId RegionOf(uint32_t context_id) {
    const auto [entry, added] = construct_by_context_.emplace(context_id, kNoFunction);
    if (!added) return entry->second;
    const RegionContext* context = process_.FindContext(context_id);
    FunctionId construct = kNoFunction;
    if (context != nullptr) construct = user_.Region(*context);
    return construct_by_context_[context_id] = construct;
  }

  // The distinct constructs around a region context, its own construct included.
  const std::vector<FunctionId>& Enclosing(uint32_t context_id) {
    const auto [entry, added] = enclosing_.try_emplace(context_id);
    if (!added) return entry->second;
    std::vector<FunctionId> around;
    const RegionContext* context = process_.FindContext(context_id);
    for (int depth = 0; context != nullptr && depth < kDeepestNesting; ++depth) {
      const FunctionId construct = RegionOf(context->id());
      if (std::find(around.begin(), around.end(), construct) == around.end()) around.push_back(construct);
      context = process_.FindContext(context->parent());
    }
    return enclosing_[context_id] = std::move(around);
  }

  // The time of a sample in the profiler's code belongs to the profiler. But the waits and blame that the sample
  // carries belong to the program.
  void AddRow(const model::SampleRow& row, std::vector<model::SampleRow>* others) {
    if (row.cost.is_unsampled() || !own_.Has(row.tree, row.node)) return AddPart(row, false);
    model::SampleRow own = row;
    own.cost = {};
    own.cost.Add(row.cost.samples, row.cost.weight);
    own.cost.faults = row.cost.faults;
    own.cost.kernel_ns = row.cost.kernel_ns;
    own.cost.counts = row.cost.counts;
    AddPart(own, true);
    if (!row.cost.has_waits_or_blame()) return;
    others->push_back(row);
    others->back().cost.samples = others->back().cost.weight = 0;
    others->back().cost.faults = others->back().cost.kernel_ns = 0;
    others->back().cost.counts = {};
  }

  UserPaths::Result PathOf(const model::SampleRow& row, bool is_own, const LibraryWaits::Wait& wait) {
    if (view_.kind == ViewKind::kMachine) {
      const MachinePaths::Result machine = machine_.Path(row);
      return {machine.path, false, machine.in_mpi};
    }
    return wait ? user_.WaitPath(row, wait.node, wait.name) : user_.Path(row, is_own);
  }

  static OmptState StateOf(const model::SampleRow& row, bool is_own, bool library_wait, bool in_mpi, ViewKind kind) {
    if (is_own) return kind == ViewKind::kUser ? kStateOwn : row.state;
    if (in_mpi && MayWork(row.state)) return kStateMpi;
    return library_wait ? kStateLibraryWait : row.state;
  }

  void AddPart(const model::SampleRow& row, bool is_own) {
    if (row.node != 0 && process_.FindNode(row.tree, row.node) == nullptr) missing_nodes_ += row.cost.samples;
    ViewSample sample;
    const LibraryWaits::Wait wait = is_own ? LibraryWaits::Wait() : library_waits_.Of(row);
    const UserPaths::Result user = PathOf(row, is_own, wait);
    sample.path = user.path;
    sample.process = number_;
    sample.thread = row.thread;
    sample.state = StateOf(row, is_own, static_cast<bool>(wait), user.in_mpi, view_.kind);
    sample.in_wait = IsMeasuredWait(row.state);
    sample.own = is_own;
    sample.wait_id = row.wait_id;
    sample.region = row.region == 0 ? kNoFunction : RegionOf(row.region);
    sample.cost = row.cost;
    if (!events_.empty()) sample.cost.counts = AtPlaces(events_, row.cost.counts);
    sample.phase = row.phase == 0 ? 0 : PhaseOf(row.phase);
    sample.interval = row.interval;
    view_.samples.push_back(sample);
    view_.total_samples += row.cost.samples;
    view_.total_weight += row.cost.weight;
    view_.total_wait += row.cost.wait;
    view_.total_blame += row.cost.all_blame();
    model::AddCounts(sample.cost.counts, &view_.total_counts);
    if (row.cost.samples > 0) {
      view_.weight_squares += static_cast<double>(row.cost.weight) * static_cast<double>(row.cost.weight) /
                              static_cast<double>(row.cost.samples);
    }
    if (is_own) {
      view_.own_weight += row.cost.weight;
      if (!IsMeasuredWait(row.state) && process_.header.weight_unit() != "events")
        view_.own_useful_weight[{number_, row.thread}] += row.cost.weight;
    }
    if (user.region_unknown) view_.unspliced_weight += row.cost.weight;
    if (row.region == 0) return;
    if (sample.region != kNoFunction) AddToRegion(row, sample);
    const bool elsewhere = sample.state == kStateLibraryWait || sample.state == kStateMpi;
    for (const FunctionId construct : Enclosing(row.region)) {
      Region& region = regions_.At(construct);
      region.samples += row.cost.samples;
      region.weight += row.cost.weight;
      region.faults += row.cost.faults;
      region.kernel_ns += row.cost.kernel_ns;
      model::AddCounts(sample.cost.counts, &region.counts);
      if (!is_own && !sample.in_wait && !(elsewhere && construct == sample.region))
        region.busy_weight += row.cost.weight;
    }
  }

  View& view_;
  uint32_t number_;
  const CountedEvents::Places events_;
  const model::Timeline timeline_;
  const model::ProcessProfile& process_;
  model::Symbolizer& symbolizer_;
  ConstructNames& constructs_;
  RegionTable& regions_;
  OwnFrames own_;
  LibraryWaits library_waits_;
  MpiFrames mpi_;
  MachinePaths machine_;
  UserPaths user_;
  uint64_t missing_nodes_ = 0;
  std::map<std::tuple<uint32_t, int, FunctionId, uint32_t>, uint32_t> device_totals_;
  std::map<std::pair<uint32_t, PathId>, uint32_t> device_parts_;
  std::unordered_map<uint32_t, uint32_t> device_part_by_id_;  // by DeviceStats.id: index into View::device_paths
  std::unordered_map<uint32_t, uint32_t> phase_by_label_;
  std::unordered_map<uint32_t, FunctionId> construct_by_context_;
  std::unordered_map<uint32_t, std::vector<FunctionId>> enclosing_;
};

}  // namespace

struct ViewBuilder::State {
  State(ViewKind kind, model::Timeline asked, model::Symbolizer* named)
      : timeline(asked), symbolizer(named), constructs(named, &view.frames), regions(&view.regions) {
    view.kind = kind;
  }

  View view;
  const model::Timeline timeline;
  model::Symbolizer* symbolizer;
  ConstructNames constructs;
  RegionTable regions;
  CountedEvents events;
};

ViewBuilder::ViewBuilder(ViewKind kind, model::Timeline timeline, model::Symbolizer* symbolizer)
    : state_(std::make_unique<State>(kind, timeline, symbolizer)) {}

ViewBuilder::~ViewBuilder() = default;

void ViewBuilder::Add(const model::ProcessProfile& process) {
  View& view = state_->view;
  const uint32_t number = state_->symbolizer->AddProcess(process);
  view.run.processes.push_back(FactsOf(process));
  ProcessAdder(process, &view, number, state_->events.Add(process.header), state_->timeline, state_->symbolizer,
               &state_->constructs, &state_->regions)
      .Run();
  state_->symbolizer->ForgetAddresses(number);
}

View ViewBuilder::Finish() {
  View& view = state_->view;
  view.counted = state_->events.InAll();
  if (std::string warning = state_->events.Warning(); !warning.empty()) view.warnings.push_back(std::move(warning));
  ShiftTimes(&view);
  Merge(&view, 0, 0);
  SortByTime(&view);
  BoundEstimatedWaits(&view);
  AddShortWaits(&view);
  state_->regions.AddWaits(view.waits);
  // If the waits of some processes were not recorded, the sums over all processes mean nothing.
  state_->regions.Finish(WaitsRecorded(view));
  view.accounts = AccountThreads(view);
  if (view.kind == ViewKind::kUser) BlameNoProcessor(&view);
  AccountRegions(&view);
  for (const model::Object& object : state_->symbolizer->objects()) view.objects.push_back(object.path);
  TellCallsApart(&view, state_->symbolizer);
  for (const Region& region : view.regions) view.frames.Show(region.construct);
  for (const DeviceWorkTotal& work : view.device_work) view.frames.Show(work.construct);
  view.frames.TellNamesApart(view.objects);
  const std::vector<std::string>& warnings = state_->symbolizer->warnings();
  view.warnings.insert(view.warnings.begin(), warnings.begin(), warnings.end());
  return std::move(view);
}

View BuildView(const std::vector<const model::ProcessProfile*>& processes, ViewKind kind,
               model::Symbolizer* symbolizer) {
  ViewBuilder builder(kind, model::Timeline::kKeep, symbolizer);
  for (const model::ProcessProfile* process : processes) builder.Add(*process);
  return builder.Finish();
}

}  // namespace ompprof::analyze
