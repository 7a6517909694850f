// UnifiedProgram::Add.
#include <algorithm>
#include <cctype>
#include <tuple>
#include <unordered_map>

#include "profiler/model/header_facts.h"
#include "profiler/model/region_runs.h"
#include "profiler/unify/rank_order.h"
#include "profiler/unify/unified_program.h"
#include "proto/ompt_state.h"

namespace ompprof::unify {
namespace {

using model::ProcessProfile;

// The longest chain of region contexts that is followed; more than any real program nests.
constexpr int kDeepestContext = 10000;

uint64_t Pair(uint64_t low, uint64_t high) { return low | high << 32; }

// The element with this number; the table grows.
template <class T>
T& At(std::vector<T>* table, uint32_t number) {
  if (table->size() < number) table->resize(number);
  return (*table)[number - 1];
}

// The order of members in which the first one gives its header.
auto OrderOf(const Header& header) {
  const std::string& rank = header.has_unified() ? header.unified().first_rank() : header.rank();
  return std::make_tuple(RankOrder(rank), header.host(), header.pid(), header.start_unix_ns(), header.program());
}

// The text with # for each number, so that notes that differ in numbers only are one note.
std::string WithoutNumbers(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (isdigit(static_cast<unsigned char>(c)) == 0)
      result += c;
    else if (result.empty() || result.back() != '#')
      result += '#';
  }
  return result;
}

}  // namespace

class ProcessUnifier {
 public:
  ProcessUnifier(UnifiedProgram* all, const ProcessProfile& process, const analyze::ProcessFacts& facts)
      : all_(*all), process_(process), facts_(facts), places_(process, &all->places_) {}

  AddedRows Run() {
    AddHead();
    AddEnd();
    AddThreads();
    AddNodes();
    AddLabels();
    AddLocks();
    AddSamples();
    AddTimes();
    AddRegions();
    AddWaits();
    AddWorks();
    AddDevices();
    return std::move(added_);
  }

 private:
  // Members, header, notes.
  void AddHead() {
    const Header& header = process_.header;
    const bool unified = header.has_unified();
    if (all_.members_ == 0 || OrderOf(header) < OrderOf(all_.header_)) all_.header_ = header;
    all_.start_unix_ns_ = std::min(all_.start_unix_ns_, header.start_unix_ns());
    all_.no_waits_ = all_.no_waits_ || header.no_waits();
    const uint64_t members = unified ? header.unified().members() : 1;
    all_.incomplete_ += unified ? header.unified().incomplete() : process_.complete ? 0 : 1;
    all_.longest_ns_ = std::max(all_.longest_ns_, unified ? header.unified().longest_ns() : process_.DurationNs());
    all_.durations_ns_ += process_.DurationNs();
    for (const auto& note : header.unified().notes()) AddNote(note.text(), note.members());
    std::vector<std::string> notes = process_.notes;
    std::sort(notes.begin(), notes.end());
    notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
    for (const std::string& note : notes) AddNote(note, 1);
    AddFooter();
    all_.members_ += members;
  }

  void AddNote(const std::string& text, uint64_t members) {
    auto& note = all_.notes_[WithoutNumbers(text)];
    if (note.members == 0 || text < note.text) note.text = text;
    note.members += members;
  }

  void AddFooter() {
    const analyze::ProcessFacts& facts = facts_;
    const Footer& from = process_.footer;
    Footer& sum = all_.footer_;
    uint64_t parallel_ns = facts.parallel_ns;
    uint64_t serial_ns = facts.serial_ns;
    if (parallel_ns + serial_ns == 0) {  // killed: its regions tell
      for (const analyze::ThreadFacts& thread : facts.threads) parallel_ns = std::max(parallel_ns, thread.regions_ns);
      parallel_ns = std::min(parallel_ns, process_.DurationNs());
      serial_ns = process_.DurationNs() - parallel_ns;
    }
    sum.set_process_cpu_ns(sum.process_cpu_ns() + facts.cpu_ns + from.helper_cpu_ns());
    sum.set_parallel_ns(sum.parallel_ns() + parallel_ns);
    sum.set_serial_ns(sum.serial_ns() + serial_ns);
    sum.set_samples(sum.samples() + (process_.complete ? from.samples() : facts.samples));
    sum.set_weight(sum.weight() + (process_.complete ? from.weight() : facts.weight));
    sum.set_lock_handoff_ns(sum.lock_handoff_ns() + from.lock_handoff_ns());
    sum.set_idle_ns(sum.idle_ns() + from.idle_ns());
    sum.set_idle_unblamed_ns(sum.idle_unblamed_ns() + from.idle_unblamed_ns());
    sum.set_blame_pending_ns(sum.blame_pending_ns() + from.blame_pending_ns());
    sum.set_intervals_lost(sum.intervals_lost() + from.intervals_lost());
    sum.set_labels_refused(sum.labels_refused() + from.labels_refused());
    sum.set_signals_ns(sum.signals_ns() + from.signals_ns());
    sum.set_peak_resident_bytes(sum.peak_resident_bytes() + from.peak_resident_bytes());
    sum.set_children_cpu_ns(sum.children_cpu_ns() + from.children_cpu_ns());
    sum.set_helper_cpu_ns(sum.helper_cpu_ns() + from.helper_cpu_ns());
    if (all_.members_ == 0)
      sum.set_reason(from.reason());
    else if (sum.reason() != from.reason())
      sum.set_reason("several");
  }

  void AddEnd() {
    for (int i = 0; i < process_.lost.reason_size(); ++i) {
      auto& [samples, weight] = all_.lost_[process_.lost.reason(i)];
      if (i < process_.lost.samples_size()) samples += process_.lost.samples(i);
      if (i < process_.lost.weight_size()) weight += process_.lost.weight(i);
    }
    for (const auto& [event, count] : process_.event_counts) all_.events_[event] += count;
    for (const auto& [id, governed] : process_.governed) {
      Governed& sum = all_.governed_[id];
      sum.set_event_class(governed.event_class());
      sum.set_events(sum.events() + governed.events());
      sum.set_observed(sum.observed() + governed.observed());
    }
    for (const Runtime& recorded : process_.runtimes) {
      if (!all_.known_runtimes_.insert(recorded.SerializeAsString()).second) continue;
      Runtime runtime = recorded;
      runtime.set_module(static_cast<uint32_t>(places_.NumberOf(runtime.module())));
      const std::string key =
          runtime.version() + '\n' + std::to_string(runtime.omp_version()) + '\n' + runtime.ompt_generation();
      const auto [known, added] = all_.runtimes_.emplace(key, runtime);
      if (!added && Answers(runtime) < Answers(known->second)) known->second = runtime;
    }
  }

  static std::string Answers(Runtime runtime) {
    runtime.clear_module();
    return runtime.SerializeAsString();
  }

  void AddThreads() {
    std::map<int, uint64_t> ordinals;
    const uint64_t begin = process_.header.start_mono_ns();
    const uint64_t end = begin + process_.DurationNs();
    for (const auto& [id, thread] : process_.threads) {
      const uint32_t number =
          all_.threads_.Of({static_cast<uint64_t>(thread.kind()), ++ordinals[static_cast<int>(thread.kind())]});
      thread_numbers_[id] = number;
      UnifiedProgram::ThreadSums& all = At(&all_.thread_sums_, number);
      Thread& sums = all.sums;
      const uint64_t start = std::clamp(thread.start_mono_ns(), begin, end);
      const bool runs = thread.end_mono_ns() == 0 && !process_.header.has_unified();
      const uint64_t until = runs ? end : std::clamp(thread.end_mono_ns(), start, end);
      sums.set_start_mono_ns(sums.start_mono_ns() + start - begin);
      sums.set_end_mono_ns(sums.end_mono_ns() + until - begin);
      sums.set_cpu_ns(sums.cpu_ns() + thread.cpu_ns());
      sums.set_minor_faults(sums.minor_faults() + thread.minor_faults());
      sums.set_major_faults(sums.major_faults() + thread.major_faults());
      sums.set_kernel_ns(sums.kernel_ns() + thread.kernel_ns());
      sums.set_ready_ns(sums.ready_ns() + thread.ready_ns());
      sums.set_ready_until_mono_ns(sums.ready_until_mono_ns() + std::max(thread.ready_until_mono_ns(), start) - begin);
      all.all_sampled = all.all_sampled && thread.sampled();
      if (sums.name().empty() || thread.name() < sums.name()) sums.set_name(thread.name());
    }
  }

  uint32_t ThreadNumber(uint32_t id) const {
    const auto found = thread_numbers_.find(id);
    return found == thread_numbers_.end() ? 0 : found->second;
  }

  uint64_t CreatorOf(const model::Node& node) const {
    const auto tree = trees_.find(static_cast<uint32_t>(node.value >> 32));
    const auto creator = static_cast<uint32_t>(node.value);
    if (tree == trees_.end() || creator == 0 || creator > tree->second.numbers.size()) return 0;
    return tree->second.numbers[creator - 1];
  }

  struct TreeNumbers {
    const std::vector<model::Node>* nodes = nullptr;
    std::vector<uint32_t> numbers;  // by node; 0: not numbered yet
    std::vector<uint32_t> epochs;
    std::vector<bool> begun;
  };
  struct NodeRef {
    uint32_t tree;
    uint32_t node;
  };

  void AddNodes() {
    for (const auto& [id, tree] : process_.trees) {
      TreeNumbers& numbers = trees_[id];
      numbers.nodes = &tree.nodes;
      numbers.numbers.resize(tree.nodes.size());
      numbers.epochs.resize(tree.nodes.size());
      numbers.begun.resize(tree.nodes.size());
    }
    for (auto& [id, tree] : trees_) {
      for (uint32_t node = 1; node <= tree.numbers.size(); ++node) {
        if (tree.numbers[node - 1] != 0) continue;
        const model::Node& added = (*tree.nodes)[node - 1];
        const bool known = added.parent == 0 || tree.numbers[added.parent - 1] != 0;
        // Most nodes refer to their parent only, which comes before them.
        if (known && added.kind != NODE_TASK_CONTEXT)
          AddNode(added, node - 1, &tree);
        else
          AddWithCreators({id, node});
      }
    }
  }

  // A node whose parent has its number already.
  void AddNode(const model::Node& node, size_t index, TreeNumbers* tree) {
    const uint32_t parent = node.parent == 0 ? 0 : tree->numbers[node.parent - 1];
    const uint32_t parent_epoch = node.parent == 0 ? 0 : tree->epochs[node.parent - 1];
    const uint32_t epoch = node.kind == NODE_ROOT ? static_cast<uint32_t>(node.value) : parent_epoch;
    uint64_t value = 0;
    if (node.kind == NODE_TASK_CONTEXT)
      value = CreatorOf(node);
    else if (node.kind == NODE_FRAME)
      value = places_.OfCode(node.value, node.return_address, epoch);
    else if (node.kind != NODE_ROOT)
      value = places_.OfCode(node.value, true, epoch);  // a codeptr_ra, or 0
    const uint64_t kind = node.kind | (node.runtime ? uint64_t{NODE_RUNTIME} : 0) |
                          (node.return_address ? uint64_t{NODE_RETURN_ADDRESS} : 0);
    tree->epochs[index] = epoch;
    tree->numbers[index] = all_.nodes_.Of({Pair(parent, kind), value});
  }

  // Numbers a node after the nodes to which it refers: its parent, and a task's creator in another tree. References in
  // a circle, which only a damaged file has, are left out.
  void AddWithCreators(NodeRef first) {
    std::vector<NodeRef> waiting = {first};
    while (!waiting.empty()) {
      const NodeRef at = waiting.back();
      TreeNumbers& tree = trees_.at(at.tree);
      const size_t index = at.node - 1;
      const model::Node& node = (*tree.nodes)[index];
      if (tree.numbers[index] == 0 && !tree.begun[index]) {
        tree.begun[index] = true;
        const size_t before = waiting.size();
        if (node.parent != 0 && tree.numbers[node.parent - 1] == 0) waiting.push_back({at.tree, node.parent});
        if (node.kind == NODE_TASK_CONTEXT) PushCreator(node, &waiting);
        if (waiting.size() > before) continue;
      }
      waiting.pop_back();
      if (tree.numbers[index] == 0) AddNode(node, index, &tree);
    }
  }

  void PushCreator(const model::Node& node, std::vector<NodeRef>* waiting) const {
    const NodeRef creator = {static_cast<uint32_t>(node.value >> 32), static_cast<uint32_t>(node.value)};
    const auto tree = trees_.find(creator.tree);
    if (tree == trees_.end() || creator.node == 0 || creator.node > tree->second.numbers.size()) return;
    const size_t index = creator.node - 1;
    if (tree->second.numbers[index] == 0 && !tree->second.begun[index]) waiting->push_back(creator);
  }

  uint32_t NodeNumber(uint32_t tree, uint32_t node) const {
    const auto found = trees_.find(tree);
    return found == trees_.end() || node == 0 || node > found->second.numbers.size() ? 0
                                                                                     : found->second.numbers[node - 1];
  }
  uint32_t EpochOf(uint32_t tree, uint32_t node) const {
    const auto found = trees_.find(tree);
    return found == trees_.end() || node == 0 || node > found->second.epochs.size() ? 0
                                                                                    : found->second.epochs[node - 1];
  }

  uint32_t ContextNumber(uint32_t id, int depth = 0) {
    if (id == 0 || depth > kDeepestContext) return 0;
    const auto [entry, added] = context_numbers_.emplace(id, 0);
    if (!added) return entry->second;
    const RegionContext* context = process_.FindContext(id);
    if (context == nullptr) return 0;
    const uint32_t splice = ContextNumber(context->splice(), depth + 1);
    const uint32_t parent = ContextNumber(context->parent(), depth + 1);
    const uint32_t node = NodeNumber(context->tree(), context->node());
    const Place codeptr = places_.OfCode(context->codeptr_ra(), true, EpochOf(context->tree(), context->node()));
    const uint32_t number = all_.contexts_.Of({codeptr, Pair(node, splice), Pair(parent, context->resolved() ? 1 : 0)});
    uint32_t& size = At(&all_.team_sizes_, number);
    size = std::max(size, context->requested_team_size());
    return context_numbers_[id] = number;
  }

  void AddLabels() {
    for (const auto& [id, label] : process_.labels) {
      const auto parent = label_numbers_.find(label.parent());
      const auto name = static_cast<uint32_t>(all_.label_names_.size() + 1);
      label_numbers_[id] = all_.labels_.Of({parent == label_numbers_.end() ? 0 : parent->second,
                                            all_.label_names_.emplace(label.name(), name).first->second});
    }
  }

  void AddLocks() {
    std::map<std::tuple<uint64_t, uint64_t, uint64_t>, uint64_t> ordinals;
    for (const auto& [id, lock] : process_.locks) {
      const Place codeptr = places_.OfCode(lock.codeptr_ra(), true, lock.module_epoch());
      const uint64_t path = Pair(NodeNumber(lock.tree(), lock.node()), ContextNumber(lock.splice()));
      const uint32_t number = all_.locks_.Of({lock.kind(), codeptr, path, ++ordinals[{lock.kind(), codeptr, path}]});
      lock_numbers_[id] = number;
      lock_at_[lock.wait_id()] = number;
      Place& place = At(&all_.lock_places_, number);
      const Place variable = places_.OfVariable(lock.wait_id(), lock.module_epoch());
      if (variable != kNoPlace && (place == kNoPlace || all_.places_.Less(variable, place))) place = variable;
    }
    for (const WaitStats& wait : process_.waits) {
      if (wait.wait_id() == 0) continue;
      Place& least = first_use_[wait.wait_id()];
      for (const uint64_t codeptr : {wait.codeptr_ra(), wait.acquired_at()}) {
        const Place place = places_.OfCode(codeptr, true, wait.module_epoch());
        if (place != kNoPlace && (least == kNoPlace || all_.places_.Less(place, least))) least = place;
      }
    }
  }

  // The lock at an address. `lock`: LockInit.id, or 0.
  Place LockAt(uint64_t wait_id, uint32_t lock, uint32_t epoch) {
    if (wait_id == 0) return kNoPlace;
    const Place variable = places_.OfVariable(wait_id, epoch);
    if (variable != kNoPlace) return variable;
    if (const auto made = lock_numbers_.find(lock); made != lock_numbers_.end())
      return MakePlace(kMadeLock, made->second);
    if (const auto made = lock_at_.find(wait_id); made != lock_at_.end()) return MakePlace(kMadeLock, made->second);
    const auto used = first_use_.find(wait_id);
    return MakePlace(kUsedLock, all_.used_locks_.Of({used == first_use_.end() ? kNoPlace : used->second}));
  }

  void AddSamples() {
    struct Context {
      uint32_t id = 0;
      uint32_t number = 0;
    };
    Context splice;
    Context region;
    sample_numbers_.reserve(process_.samples.size());
    added_.samples.reserve(process_.samples.size());
    for (const model::SampleRow& row : process_.samples) {
      sample_numbers_.push_back(AddedRows::kNoRow);
      if (row.interval) continue;  // of the timeline
      const Place lock = row.wait_id == 0 ? kNoPlace : LockAt(row.wait_id, 0, EpochOf(row.tree, row.node));
      const auto label = label_numbers_.find(row.phase);
      const uint32_t phase = label == label_numbers_.end() ? 0 : label->second;
      // Most rows have the contexts of the row before.
      if (row.splice != splice.id) splice = {row.splice, ContextNumber(row.splice)};
      if (row.region != region.id) region = {row.region, ContextNumber(row.region)};
      const uint32_t number =
          all_.samples_.Of({Pair(NodeNumber(row.tree, row.node), ThreadNumber(row.thread)),
                            Pair(splice.number, region.number), Pair(StateToWire(row.state), phase), lock});
      At(&all_.sample_sums_, number).Add(row.cost);
      added_.samples.push_back({number, row.cost.weight, row.cost.wait});
      sample_numbers_.back() = number;
    }
  }

  void AddTimes() {
    for (const model::TimeBin& bin : process_.time_bins.bins)
      added_.times.push_back({bin.number, sample_numbers_[bin.row], bin.ns});
  }

  void AddRegions() {
    for (const auto& [id, runs] : process_.region_runs) {
      const uint32_t number = ContextNumber(id);
      if (number == 0) continue;
      model::AddRuns(runs, &At(&all_.run_sums_, number));
    }
    for (const RegionStats& stats : process_.regions) AddRegion(stats);
  }

  void AddRegion(const RegionStats& stats) {
    const Place codeptr = places_.OfCode(stats.codeptr_ra(), true, stats.module_epoch());
    const uint64_t level = stats.nesting_level() << 1 | (stats.teams() ? 1U : 0U);
    const uint32_t number = all_.regions_.Of({codeptr, Pair(ThreadNumber(stats.thread()), level)});
    added_.regions.push_back({number, stats.ended(), stats.elapsed_ns(), stats.useful_ns()});
    RegionStats& sum = At(&all_.region_sums_, number);
    if (sum.invocations() == 0 || stats.requested_min() < sum.requested_min())
      sum.set_requested_min(stats.requested_min());
    if (sum.invocations() == 0 || stats.actual_min() < sum.actual_min()) sum.set_actual_min(stats.actual_min());
    if (stats.ended() > 0 && (sum.ended() == 0 || stats.elapsed_min_ns() < sum.elapsed_min_ns()))
      sum.set_elapsed_min_ns(stats.elapsed_min_ns());
    sum.set_requested_max(std::max(sum.requested_max(), stats.requested_max()));
    sum.set_actual_max(std::max(sum.actual_max(), stats.actual_max()));
    sum.set_elapsed_max_ns(std::max(sum.elapsed_max_ns(), stats.elapsed_max_ns()));
    sum.set_invocations(sum.invocations() + stats.invocations());
    sum.set_elapsed_ns(sum.elapsed_ns() + stats.elapsed_ns());
    sum.set_ended(sum.ended() + stats.ended());
    sum.set_actual_sum(sum.actual_sum() + stats.actual_sum());
    sum.set_end_wait_ns(sum.end_wait_ns() + stats.end_wait_ns());
    sum.set_end_wait_path_ns(sum.end_wait_path_ns() + stats.end_wait_path_ns());
    sum.set_useful_ns(sum.useful_ns() + stats.useful_ns());
    sum.set_useful_max_ns(sum.useful_max_ns() + stats.useful_max_ns());
    sum.set_useful_min_ns(sum.useful_min_ns() + stats.useful_min_ns());
    sum.set_team_ns(sum.team_ns() + stats.team_ns());
    sum.set_partial_ns(sum.partial_ns() + stats.partial_ns());
    sum.set_sync_wait_ns(sum.sync_wait_ns() + stats.sync_wait_ns());
    sum.set_outer_blame_ns(sum.outer_blame_ns() + stats.outer_blame_ns());
    sum.set_unblamed_ns(sum.unblamed_ns() + stats.unblamed_ns());
    sum.set_estimated(sum.estimated() + stats.estimated());
  }

  void AddWaits() {
    for (const WaitStats& stats : process_.waits) {
      const uint32_t epoch = stats.module_epoch();
      const auto made = lock_numbers_.find(stats.lock());
      const uint32_t number = all_.waits_.Of(
          {Pair(ThreadNumber(stats.thread()), stats.state()), places_.OfCode(stats.codeptr_ra(), true, epoch),
           places_.OfCode(stats.region_codeptr_ra(), true, epoch), LockAt(stats.wait_id(), stats.lock(), epoch),
           places_.OfCode(stats.acquired_at(), true, epoch), made == lock_numbers_.end() ? 0 : made->second});
      added_.waits.push_back({number, stats.total_ns(), stats.count()});
      WaitStats& sum = At(&all_.wait_sums_, number);
      sum.set_count(sum.count() + stats.count());
      sum.set_total_ns(sum.total_ns() + stats.total_ns());
      sum.set_max_ns(std::max(sum.max_ns(), stats.max_ns()));
      sum.set_path_ns(sum.path_ns() + stats.path_ns());
      sum.set_last_count(sum.last_count() + stats.last_count());
      sum.set_last_by_ns(sum.last_by_ns() + stats.last_by_ns());
      sum.set_held_count(sum.held_count() + stats.held_count());
      sum.set_held_ns(sum.held_ns() + stats.held_ns());
      sum.set_estimated_ns(sum.estimated_ns() + stats.estimated_ns());
      sum.set_estimated_variance(sum.estimated_variance() + stats.estimated_variance());
      uint32_t bucket = 0;
      for (int i = 0; i < stats.length_bucket_size(); ++i) {
        bucket += stats.length_bucket(i);
        At(&all_.wait_lengths_, number)[bucket] += stats.length_count(i);
      }
    }
  }

  void AddWorks() {
    for (const WorkStats& stats : process_.works) {
      const uint32_t number = all_.works_.Of({Pair(ThreadNumber(stats.thread()), stats.type()),
                                              places_.OfCode(stats.codeptr_ra(), true, stats.module_epoch()),
                                              places_.OfCode(stats.region_codeptr_ra(), true, stats.module_epoch())});
      WorkStats& sum = At(&all_.work_sums_, number);
      sum.set_count(sum.count() + stats.count());
      sum.set_iterations(sum.iterations() + stats.iterations());
      sum.set_chunks(sum.chunks() + stats.chunks());
    }
  }

  void AddDevices() {
    for (const auto& [id, device] : process_.devices) {
      const auto [known, added] = all_.devices_.emplace(id, device.type());
      if (!added && device.type() < known->second) known->second = device.type();
    }
    for (const DeviceStats& stats : process_.device_stats) {
      const uint32_t number =
          all_.device_work_.Of({Pair(stats.device(), static_cast<uint64_t>(stats.work())),
                                places_.OfCode(stats.codeptr_ra(), true, stats.module_epoch()),
                                places_.OfCode(stats.region_codeptr_ra(), true, stats.module_epoch()),
                                Pair(NodeNumber(stats.tree(), stats.node()), ContextNumber(stats.splice()))});
      DeviceStats& sum = At(&all_.device_sums_, number);
      sum.set_count(sum.count() + stats.count());
      sum.set_bytes(sum.bytes() + stats.bytes());
      sum.set_host_ns(sum.host_ns() + stats.host_ns());
      sum.set_longest_ns(std::max(sum.longest_ns(), stats.longest_ns()));
      sum.set_waited_ns(sum.waited_ns() + stats.waited_ns());
      sum.set_traced(sum.traced() + stats.traced());
      sum.set_traced_ns(sum.traced_ns() + stats.traced_ns());
      sum.set_charged_ns(sum.charged_ns() + stats.charged_ns());
    }
  }

  UnifiedProgram& all_;
  const ProcessProfile& process_;
  const analyze::ProcessFacts& facts_;
  ProcessPlaces places_;
  AddedRows added_;
  std::vector<uint32_t> sample_numbers_;  // by ProcessProfile::samples
  std::unordered_map<uint32_t, uint32_t> thread_numbers_;
  std::map<uint32_t, TreeNumbers> trees_;
  std::unordered_map<uint32_t, uint32_t> context_numbers_;
  std::unordered_map<uint32_t, uint32_t> label_numbers_;
  std::unordered_map<uint32_t, uint32_t> lock_numbers_;  // by LockInit.id
  std::unordered_map<uint64_t, uint32_t> lock_at_;       // the youngest lock at an address
  std::unordered_map<uint64_t, Place> first_use_;        // the least place that waits for a lock, by its address
};

AddedRows UnifiedProgram::Add(const ProcessProfile& process, const analyze::ProcessFacts& facts) {
  return ProcessUnifier(this, process, facts).Run();
}

std::string ProgramKey(const ProcessProfile& process) {
  const std::string& program = process.header.program();
  const std::string name = program.substr(program.rfind('/') + 1);
  std::string build_id;
  for (const auto& [id, module] : process.modules) {
    const bool same = module.path().substr(module.path().rfind('/') + 1) == name;
    if (same && build_id.empty()) build_id = module.build_id();
  }
  return name + '\n' + build_id + '\n' + model::Measured(process.header) + '\n' + model::Counted(process.header);
}

}  // namespace ompprof::unify
