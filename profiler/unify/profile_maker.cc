// UnifiedProgram::Finish.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "profiler/unify/unified_program.h"
#include "proto/ompt_state.h"

namespace ompprof::unify {
namespace {

using model::Mix;

// The single tree of a unified process.
constexpr uint32_t kTree = 1;

uint32_t Low(uint64_t pair) { return static_cast<uint32_t>(pair); }
uint32_t High(uint64_t pair) { return static_cast<uint32_t>(pair >> 32); }

// The numbers 1 to `count`, sorted by `less`.
template <class Less>
std::vector<uint32_t> Sorted(uint32_t count, Less less) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1);
  std::sort(numbers.begin(), numbers.end(), less);
  return numbers;
}

// The place of each number in the sorted list, from 1; ids[0] is 0.
std::vector<uint32_t> IdsOf(const std::vector<uint32_t>& sorted) {
  std::vector<uint32_t> ids(sorted.size() + 1, 0);
  for (size_t i = 0; i < sorted.size(); ++i) ids[sorted[i]] = static_cast<uint32_t>(i + 1);
  return ids;
}

template <class T>
T Element(const std::vector<T>& table, uint32_t number) {
  return number >= 1 && number <= table.size() ? table[number - 1] : T();
}

// Threads that work first.
int OrderOfKind(uint64_t kind) {
  switch (kind) {
    case Thread::INITIAL:
      return 0;
    case Thread::MAIN:
      return 1;
    case Thread::WORKER:
      return 2;
    case Thread::OTHER:
      return 3;
    default:
      return static_cast<int>(4 + std::min<uint64_t>(kind, 1000));
  }
}

}  // namespace

class ProfileMaker {
 public:
  explicit ProfileMaker(const UnifiedProgram& all) : all_(all), addresses_(all.places_), profile_(result_.profile) {}

  UnifiedProfile Run() {
    MakeHead();
    profile_.modules = all_.places_.Modules(&module_ids_);
    profile_.code_map = all_.places_.GeneratedCodeMap();
    MakeThreads();
    MakeNodes();
    MakeContexts();
    MakeLabels();
    MakeLocks();
    MakeSamples();
    MakeRegions();
    MakeWaits();
    MakeWorks();
    MakeDevices();
    MakeEnd();
    return std::move(result_);
  }

 private:
  uint64_t Address(Place place) const { return addresses_.Of(place); }

  uint64_t LockAddress(Place lock) const {
    if (ModuleOf(lock) == kMadeLock)
      return Address(MakePlace(kMadeLock, lock_ids_[static_cast<size_t>(OffsetOf(lock))]));
    if (ModuleOf(lock) == kUsedLock)
      return kUsedLocks + Address(all_.used_locks_[static_cast<uint32_t>(OffsetOf(lock))][0]);
    return Address(lock);
  }

  void MakeHead() {
    Header& header = profile_.header;
    header = all_.header_;
    Unified unified;
    unified.set_members(all_.members_);
    unified.set_incomplete(all_.incomplete_);
    unified.set_longest_ns(all_.longest_ns_);
    unified.set_first_rank(header.has_unified() ? header.unified().first_rank() : header.rank());
    for (const auto& [key, note] : all_.notes_) {
      auto* made = unified.add_notes();
      made->set_text(note.text);
      made->set_members(note.members);
    }
    *header.mutable_unified() = unified;
    header.clear_rank();
    header.clear_start_mono_ns();
    header.set_start_unix_ns(all_.start_unix_ns_);
    header.set_no_waits(all_.no_waits_);
    header.set_timeline(false);
    header.set_kept(false);
  }

  void MakeThreads() {
    const auto key = [&](uint32_t number) {
      const auto& [kind, ordinal] = all_.threads_[number];
      return std::make_tuple(OrderOfKind(kind), kind, ordinal);
    };
    const auto sorted = Sorted(all_.threads_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    thread_ids_ = IdsOf(sorted);
    for (const uint32_t number : sorted) {
      const auto& made = all_.thread_sums_[number - 1];
      Thread thread = made.sums;
      thread.set_id(thread_ids_[number]);
      thread.set_kind(static_cast<Thread::Kind>(all_.threads_[number][0]));
      thread.set_sampled(made.all_sampled);
      profile_.threads[thread.id()] = thread;
    }
  }

  // A value for the order of nodes that does not depend on their numbers.
  void HashNodes() {
    hashes_.assign(all_.nodes_.size() + 1, 0);
    for (uint32_t number = 1; number <= all_.nodes_.size(); ++number) {
      const auto& [parent_and_kind, value] = all_.nodes_[number];
      const bool refers = (High(parent_and_kind) & 0x0f) == NODE_TASK_CONTEXT;
      hashes_[number] =
          Mix(Mix(hashes_[Low(parent_and_kind)] + 1, High(parent_and_kind)), refers ? hashes_[value] : Address(value));
    }
  }

  // Children follow their parent, sorted, each before its next sibling: so most parents are the node before.
  void MakeNodes() {
    HashNodes();
    const uint32_t count = all_.nodes_.size();
    const auto parent = [&](uint32_t number) { return Low(all_.nodes_[number][0]); };
    const auto key = [&](uint32_t number) {
      const auto& [parent_and_kind, value] = all_.nodes_[number];
      const bool refers = (High(parent_and_kind) & 0x0f) == NODE_TASK_CONTEXT;
      return std::make_tuple(High(parent_and_kind), refers ? 0 : Address(value), hashes_[number]);
    };
    const auto sorted = Sorted(count, [&](uint32_t a, uint32_t b) {
      return parent(a) != parent(b) ? parent(a) < parent(b) : key(a) < key(b);
    });
    std::vector<uint32_t> first(count + 2, 0);  // index in `sorted` of a node's first child
    for (uint32_t i = 0; i < count; ++i) ++first[parent(sorted[i]) + 1];
    for (uint32_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<uint32_t> order;
    std::vector<uint32_t> waiting;
    const auto push_children = [&](uint32_t number) {
      for (uint32_t i = first[number + 1]; i > first[number]; --i) waiting.push_back(sorted[i - 1]);
    };
    push_children(0);
    while (!waiting.empty()) {
      const uint32_t number = waiting.back();
      waiting.pop_back();
      order.push_back(number);
      push_children(number);
    }
    node_ids_ = IdsOf(order);
    WriteNodes(order);
  }

  void WriteNodes(const std::vector<uint32_t>& order) {
    std::vector<model::Node>& nodes = profile_.trees[kTree].nodes;
    for (const uint32_t number : order) {
      const auto& [parent_and_kind, value] = all_.nodes_[number];
      const uint32_t kind = High(parent_and_kind);
      model::Node node{};
      node.kind = kind & 0x0f;
      node.parent = node_ids_[Low(parent_and_kind)];
      node.runtime = (kind & NODE_RUNTIME) != 0;
      node.return_address = (kind & NODE_RETURN_ADDRESS) != 0;
      node.in_implicit_task =
          node.kind == NODE_IMPLICIT_TASK || (node.parent != 0 && nodes[node.parent - 1].in_implicit_task);
      if (node.kind != NODE_TASK_CONTEXT)
        node.value = Address(value);
      else if (value != 0)
        node.value = static_cast<uint64_t>(kTree) << 32 | node_ids_[value];
      nodes.push_back(node);
    }
  }

  void MakeContexts() {
    const uint32_t count = all_.contexts_.size();
    // A context comes after the contexts to which it refers, so their hashes are known.
    std::vector<uint64_t> hashes(count + 1, 0);
    for (uint32_t number = 1; number <= count; ++number) {
      const auto& [codeptr, node_and_splice, parent_and_resolved] = all_.contexts_[number];
      uint64_t hash = Mix(Address(codeptr) + 1, node_ids_[Low(node_and_splice)]);
      hash = Mix(hash, hashes[High(node_and_splice)]);
      hash = Mix(hash, hashes[Low(parent_and_resolved)]);
      hashes[number] = Mix(hash, High(parent_and_resolved));
    }
    const auto key = [&](uint32_t number) {
      const auto& [codeptr, node_and_splice, parent_and_resolved] = all_.contexts_[number];
      return std::make_tuple(Address(codeptr), node_ids_[Low(node_and_splice)], hashes[number]);
    };
    const auto sorted = Sorted(count, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    context_ids_ = IdsOf(sorted);
    for (const uint32_t number : sorted) {
      const auto& [codeptr, node_and_splice, parent_and_resolved] = all_.contexts_[number];
      RegionContext context;
      context.set_id(context_ids_[number]);
      context.set_codeptr_ra(Address(codeptr));
      context.set_resolved(High(parent_and_resolved) != 0);
      const uint32_t node = node_ids_[Low(node_and_splice)];
      if (node != 0) context.set_tree(kTree);
      context.set_node(node);
      context.set_splice(context_ids_[High(node_and_splice)]);
      context.set_parent(context_ids_[Low(parent_and_resolved)]);
      context.set_requested_team_size(Element(all_.team_sizes_, number));
      profile_.contexts[context.id()] = context;
      if (number > all_.run_sums_.size() || all_.run_sums_[number - 1].ByteSizeLong() == 0) continue;
      RegionRuns runs = all_.run_sums_[number - 1];
      runs.set_context(context.id());
      profile_.region_runs[context.id()] = runs;
    }
  }

  // Labels follow their parents, in the order of their names.
  void MakeLabels() {
    std::vector<const std::string*> names(all_.label_names_.size() + 1);
    for (const auto& [name, number] : all_.label_names_) names[number] = &name;
    const auto name_of = [&](uint32_t number) -> const std::string& { return *names[all_.labels_[number][1]]; };
    std::vector<std::vector<uint32_t>> children(all_.labels_.size() + 1);
    for (const uint32_t number :
         Sorted(all_.labels_.size(), [&](uint32_t a, uint32_t b) { return name_of(a) > name_of(b); }))
      children[all_.labels_[number][0]].push_back(number);
    std::vector<uint32_t> order;
    std::vector<uint32_t> waiting = children[0];
    while (!waiting.empty()) {
      const uint32_t number = waiting.back();
      waiting.pop_back();
      order.push_back(number);
      waiting.insert(waiting.end(), children[number].begin(), children[number].end());
    }
    label_ids_ = IdsOf(order);
    for (const uint32_t number : order) {
      Label label;
      label.set_id(label_ids_[number]);
      label.set_parent(label_ids_[all_.labels_[number][0]]);
      label.set_name(name_of(number));
      profile_.labels[label.id()] = label;
    }
  }

  void MakeLocks() {
    const auto key = [&](uint32_t number) {
      const auto& [kind, codeptr, path, ordinal] = all_.locks_[number];
      return std::make_tuple(Address(codeptr), kind, node_ids_[Low(path)], context_ids_[High(path)], ordinal);
    };
    const auto sorted = Sorted(all_.locks_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    lock_ids_ = IdsOf(sorted);
    for (const uint32_t number : sorted) {
      const auto& [kind, codeptr, path, ordinal] = all_.locks_[number];
      LockInit lock;
      lock.set_id(lock_ids_[number]);
      const Place variable = Element(all_.lock_places_, number);
      lock.set_wait_id(variable != kNoPlace ? Address(variable) : LockAddress(MakePlace(kMadeLock, number)));
      lock.set_kind(static_cast<uint32_t>(kind));
      lock.set_codeptr_ra(Address(codeptr));
      const uint32_t node = node_ids_[Low(path)];
      if (node != 0) lock.set_tree(kTree);
      lock.set_node(node);
      lock.set_splice(context_ids_[High(path)]);
      profile_.locks[lock.id()] = lock;
    }
  }

  void MakeSamples() {
    std::vector<model::SampleRow> rows;
    for (uint32_t number = 1; number <= all_.samples_.size(); ++number) {
      const auto& [node_and_thread, splice_and_region, state_and_phase, lock] = all_.samples_[number];
      model::SampleRow row{};
      row.node = node_ids_[Low(node_and_thread)];
      row.tree = kTree;
      row.thread = thread_ids_[High(node_and_thread)];
      row.splice = context_ids_[Low(splice_and_region)];
      row.region = context_ids_[High(splice_and_region)];
      row.state = StateFromWire(Low(state_and_phase));
      row.phase = label_ids_[High(state_and_phase)];
      row.wait_id = LockAddress(lock);
      row.cost = all_.sample_sums_[number - 1];
      rows.push_back(row);
    }
    // The order of ProcessProfile::SortSamples, so that a reader of the written profile gets the same indexes.
    const auto key = [&](uint32_t number) {
      const model::SampleRow& row = rows[number - 1];
      return std::tie(row.node, row.thread, row.state, row.splice, row.region, row.wait_id, row.phase);
    };
    const auto sorted = Sorted(all_.samples_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    result_.samples = IndexesOf(sorted);
    for (const uint32_t number : sorted) profile_.samples.push_back(rows[number - 1]);
  }

  static std::vector<uint32_t> IndexesOf(const std::vector<uint32_t>& sorted) {
    std::vector<uint32_t> indexes = IdsOf(sorted);
    for (size_t number = 1; number < indexes.size(); ++number) --indexes[number];
    return indexes;
  }

  void MakeRegions() {
    const auto key = [&](uint32_t number) {
      const auto& [codeptr, thread_and_level] = all_.regions_[number];
      return std::make_tuple(Address(codeptr), thread_ids_[Low(thread_and_level)], High(thread_and_level));
    };
    const auto sorted = Sorted(all_.regions_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    result_.regions = IndexesOf(sorted);
    for (const uint32_t number : sorted) {
      RegionStats& stats = profile_.regions.emplace_back(all_.region_sums_[number - 1]);
      uint32_t level = 0;
      uint64_t codeptr = 0;
      uint32_t thread = 0;
      std::tie(codeptr, thread, level) = key(number);
      stats.set_codeptr_ra(codeptr);
      stats.set_thread(thread);
      stats.set_nesting_level(level >> 1);
      stats.set_teams((level & 1) != 0);
    }
  }

  void MakeWaits() {
    const auto key = [&](uint32_t number) {
      const auto& [thread_and_state, codeptr, region, lock, acquired_at, made] = all_.waits_[number];
      return std::make_tuple(thread_ids_[Low(thread_and_state)], High(thread_and_state), Address(codeptr),
                             Address(region), LockAddress(lock), Address(acquired_at), lock_ids_[made]);
    };
    const auto sorted = Sorted(all_.waits_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    result_.waits = IndexesOf(sorted);
    for (const uint32_t number : sorted) {
      const auto [thread, state, codeptr, region, wait_id, acquired_at, lock] = key(number);
      WaitStats& stats = profile_.waits.emplace_back(all_.wait_sums_[number - 1]);
      stats.set_thread(thread);
      stats.set_state(state);
      stats.set_codeptr_ra(codeptr);
      stats.set_region_codeptr_ra(region);
      stats.set_wait_id(wait_id);
      stats.set_acquired_at(acquired_at);
      stats.set_lock(lock);
      uint32_t before = 0;
      for (const auto& [bucket, count] : Element(all_.wait_lengths_, number)) {
        stats.add_length_bucket(bucket - before);
        stats.add_length_count(count);
        before = bucket;
      }
    }
  }

  void MakeWorks() {
    const auto key = [&](uint32_t number) {
      const auto& [thread_and_type, codeptr, region] = all_.works_[number];
      return std::make_tuple(thread_ids_[Low(thread_and_type)], High(thread_and_type), Address(codeptr),
                             Address(region));
    };
    for (const uint32_t number : Sorted(all_.works_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); })) {
      const auto [thread, type, codeptr, region] = key(number);
      WorkStats& stats = profile_.works.emplace_back(all_.work_sums_[number - 1]);
      stats.set_thread(thread);
      stats.set_type(type);
      stats.set_codeptr_ra(codeptr);
      stats.set_region_codeptr_ra(region);
    }
  }

  void MakeDevices() {
    for (const auto& [id, type] : all_.devices_) {
      profile_.devices[id].set_id(id);
      profile_.devices[id].set_type(type);
    }
    const auto key = [&](uint32_t number) {
      const auto& [device_and_work, codeptr, region, path] = all_.device_work_[number];
      return std::make_tuple(Low(device_and_work), High(device_and_work), Address(codeptr), Address(region),
                             node_ids_[Low(path)], context_ids_[High(path)]);
    };
    for (const uint32_t number :
         Sorted(all_.device_work_.size(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); })) {
      const auto [device, work, codeptr, region, node, splice] = key(number);
      DeviceStats& stats = profile_.device_stats.emplace_back(all_.device_sums_[number - 1]);
      stats.set_device(device);
      stats.set_work(static_cast<DeviceWork>(work));
      stats.set_codeptr_ra(codeptr);
      stats.set_region_codeptr_ra(region);
      if (node != 0) stats.set_tree(kTree);
      stats.set_node(node);
      stats.set_splice(splice);
      stats.set_id(static_cast<uint32_t>(profile_.device_stats.size()));
    }
  }

  void MakeEnd() {
    for (auto [key, runtime] : all_.runtimes_) {
      runtime.set_module(module_ids_[runtime.module()]);
      profile_.runtimes.push_back(runtime);
    }
    for (const auto& [reason, lost] : all_.lost_) {
      profile_.lost.add_reason(reason);
      profile_.lost.add_samples(lost.first);
      profile_.lost.add_weight(lost.second);
    }
    profile_.event_counts = all_.events_;
    profile_.governed = all_.governed_;
    profile_.complete = true;
    profile_.footer = all_.footer_;
    profile_.footer.set_end_mono_ns(all_.durations_ns_);
  }

  const UnifiedProgram& all_;
  const PlaceTable::Addresses addresses_;
  UnifiedProfile result_;
  model::ProcessProfile& profile_;
  // Ids by number; 0 for number 0.
  std::vector<uint32_t> module_ids_;
  std::vector<uint32_t> thread_ids_;
  std::vector<uint32_t> node_ids_;
  std::vector<uint32_t> context_ids_;
  std::vector<uint32_t> label_ids_;
  std::vector<uint32_t> lock_ids_;
  std::vector<uint64_t> hashes_;  // of nodes
};

UnifiedProfile UnifiedProgram::Finish() const { return ProfileMaker(*this).Run(); }

}  // namespace ompprof::unify
