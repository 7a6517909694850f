#include "profiler/analyze/view/run_facts.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "profiler/model/own_modules.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/successor.h"

namespace ompprof::analyze {
namespace {

// ompt_callback_task_create
constexpr uint32_t kTaskCreate = 5;

ThreadKind KindOf(Thread::Kind kind) {
  switch (kind) {
    case Thread::UNKNOWN:
      return ThreadKind::kUnknown;
    case Thread::INITIAL:
      return ThreadKind::kInitial;
    case Thread::WORKER:
      return ThreadKind::kWorker;
    case Thread::OTHER:
      return ThreadKind::kOther;
    case Thread::MAIN:
      return ThreadKind::kMain;
    default:
      return ThreadKind::kNewer;
  }
}

SamplingFacts SamplingOf(const Header& header) {
  SamplingFacts facts;
  facts.clock = header.clock();
  facts.source = header.source();
  facts.weight_unit = header.weight_unit();
  facts.period = header.period();
  facts.frequency = header.frequency();
  facts.tick_ns = header.tick_ns();
  facts.unwinder = header.unwinder();
  facts.task_context = header.task_context();
  facts.no_waits = header.no_waits();
  facts.timeline = header.timeline();
  facts.paused = header.paused();
  facts.delay_ns = header.delay_ns();
  facts.max_overhead_permille = header.max_overhead_permille();
  return facts;
}

std::string RecordKindName(int kind) {
  const auto* field = Record::descriptor()->FindFieldByNumber(kind);
  if (field == nullptr) return "unknown";
  std::string name = field->name();
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

FileFacts RecordedIn(const model::ProcessProfile& profile) {
  FileFacts facts;
  facts.collector_version = profile.header.collector_version();
  facts.format_version = profile.header.format_version();
  facts.trees = profile.trees.size();
  for (const auto& [id, tree] : profile.trees) facts.nodes += tree.nodes.size();
  facts.region_contexts = profile.contexts.size();
  for (const auto& [kind, count] : profile.records) {
    facts.records.push_back({RecordKindName(kind), count.records, count.bytes});
    facts.bytes += count.bytes;
  }
  return facts;
}

std::vector<LossFacts> LossesOf(const Lost& lost) {
  std::vector<LossFacts> losses;
  for (int i = 0; i < lost.reason_size(); ++i) {
    losses.push_back(
        {lost.reason(i), i < lost.samples_size() ? lost.samples(i) : 0, i < lost.weight_size() ? lost.weight(i) : 0});
  }
  return losses;
}

// first, last, first, last, ...
template <typename Numbers>
ProcessorNumbers FromRanges(const Numbers& ranges) {
  constexpr uint32_t kMost = 1 << 16;  // a damaged file may say anything
  ProcessorNumbers numbers;
  for (int i = 0; i + 1 < ranges.size(); i += 2) {
    for (uint32_t number = ranges[i]; number <= std::min(ranges[i + 1], kMost); ++number) numbers.insert(number);
  }
  return numbers;
}

// A column that is missing has zeros.
template <typename Column>
auto EntryOf(const Column& column, int i) {
  return i < column.size() ? column[i] : 0;
}

PlacementFacts PlacementOf(const Thread& thread) {
  PlacementFacts facts;
  for (int i = 0; i < thread.ran_on_weight_size(); ++i)
    facts.ran_on.push_back({EntryOf(thread.ran_on(), i), thread.ran_on_weight(i)});
  std::stable_sort(facts.ran_on.begin(), facts.ran_on.end(),
                   [](const auto& a, const auto& b) { return a.weight > b.weight; });
  facts.elsewhere_weight = thread.ran_elsewhere_weight();
  facts.moves = thread.moves();
  facts.may_use = FromRanges(thread.may_use());
  return facts;
}

std::vector<ThreadFacts> ThreadsOf(const model::ProcessProfile& profile) {
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> in_regions;  // elapsed time, and the part with threads waiting
  for (const RegionStats& stats : profile.regions) {
    // A team of one thread is no parallel execution.
    if (stats.nesting_level() != 0 || stats.actual_max() < 2) continue;
    auto& [elapsed, partial] = in_regions[stats.thread()];
    elapsed += stats.elapsed_ns();
    partial += stats.partial_ns();
  }
  const uint64_t end = profile.header.start_mono_ns() + profile.DurationNs();
  std::vector<ThreadFacts> threads;
  for (const auto& [id, thread] : profile.threads) {
    ThreadFacts& facts = threads.emplace_back();
    facts.id = id;
    facts.tid = thread.tid();
    facts.name = thread.name();
    facts.kind = KindOf(thread.kind());
    facts.start_mono_ns = thread.start_mono_ns();
    facts.end_mono_ns = thread.end_mono_ns();
    const bool runs = facts.end_mono_ns == 0 && !profile.header.has_unified();  // a unified process has sums
    const uint64_t until = runs ? end : std::min(facts.end_mono_ns, end);
    facts.lifetime_ns = until > facts.start_mono_ns ? until - facts.start_mono_ns : 0;
    facts.cpu_ns = thread.cpu_ns();
    if (thread.ready_until_mono_ns() > facts.start_mono_ns) {
      facts.ready_ns = thread.ready_ns();
      facts.ready_of_ns = thread.ready_until_mono_ns() - facts.start_mono_ns;
    }
    facts.sampled = thread.sampled();
    if (!profile.header.has_unified()) facts.placement = PlacementOf(thread);
    facts.minor_faults = thread.minor_faults();
    facts.major_faults = thread.major_faults();
    facts.kernel_ns = thread.kernel_ns();
    const auto found = in_regions.find(id);
    if (found == in_regions.end()) continue;
    facts.regions_ns = found->second.first;
    facts.partial_ns = found->second.second;
  }
  return threads;
}

MachineFacts MachineOf(const model::ProcessProfile& profile) {
  const Header& header = profile.header;
  MachineFacts facts;
  facts.cpus = header.cpus();
  facts.cpu_quota_milli = header.cpu_quota_milli();
  facts.may_use = FromRanges(header.may_use());
  const Topology& topology = profile.topology;
  for (int i = 0; i < topology.processor_size(); ++i) {
    facts.processors[topology.processor(i)] = {EntryOf(topology.package(), i), EntryOf(topology.node(), i),
                                               EntryOf(topology.core(), i)};
  }
  const ProcessorLoad& load = profile.load;
  if (load.until_mono_ns() <= header.start_mono_ns()) return facts;
  facts.online_cpus = load.online_cpus();
  facts.load_duration_ns = load.until_mono_ns() - header.start_mono_ns();
  facts.busy_ns = load.busy_ns();
  facts.stolen_ns = load.stolen_ns();
  facts.process_cpu_ns = load.process_cpu_ns();
  return facts;
}

uint64_t CountOf(const model::ProcessProfile& profile, uint32_t event) {
  const auto found = profile.event_counts.find(event);
  return found == profile.event_counts.end() ? 0 : found->second;
}

std::vector<RuntimeFacts> RuntimesOf(const model::ProcessProfile& profile) {
  std::vector<RuntimeFacts> runtimes;
  for (const Runtime& runtime : profile.runtimes) {
    RuntimeFacts& facts = runtimes.emplace_back();
    facts.version = runtime.version();
    facts.omp_version = runtime.omp_version();
    facts.ompt_generation = runtime.ompt_generation();
    facts.module = runtime.module();
    for (const Runtime::Callback& callback : runtime.callbacks()) {
      RuntimeFacts::Callback& known = facts.callbacks.emplace_back();
      known.name = callback.name();
      known.event = callback.event();
      known.result = callback.result();
      known.count = CountOf(profile, callback.event());
    }
    facts.missing_entry_points.assign(runtime.missing_entry_points().begin(), runtime.missing_entry_points().end());
  }
  return runtimes;
}

std::map<uint32_t, std::string> StatesOf(const model::ProcessProfile& profile) {
  std::map<uint32_t, std::string> states;
  for (const Runtime& runtime : profile.runtimes) {
    for (const auto& state : runtime.states()) {
      if (!state.name().empty()) states.emplace(state.value(), state.name());
    }
  }
  return states;
}

std::vector<ModuleFacts> ModulesOf(const model::ProcessProfile& profile) {
  const std::set<uint32_t> own = model::OwnModules(profile);
  std::vector<ModuleFacts> modules;
  for (const auto& [id, module] : profile.modules) {
    ModuleFacts& facts = modules.emplace_back();
    facts.id = id;
    facts.path = module.path();
    facts.build_id = module.build_id();
    facts.openmp_runtime = module.openmp_runtime();
    facts.profilers_own = own.count(id) != 0;
    facts.unloaded = module.unloaded_epoch() != 0;
  }
  return modules;
}

// Samples tell of such a runtime: a module is in the log once it was sampled.
std::vector<std::string> UnseenLibgomps(const std::vector<ModuleFacts>& modules) {
  std::set<std::string> names;
  bool seen = false;
  for (const ModuleFacts& module : modules) {
    const std::string name = module.path.substr(module.path.rfind('/') + 1);
    if (module.profilers_own || (name.rfind("libgomp.", 0) != 0 && name.rfind("libgomp-", 0) != 0)) continue;
    seen |= module.openmp_runtime;
    if (!module.openmp_runtime) names.insert(name);
  }
  if (!seen) names.clear();
  return {names.begin(), names.end()};
}

uint64_t CpuNs(const model::ProcessProfile& profile) {
  const Footer& footer = profile.footer;
  if (profile.complete && footer.process_cpu_ns() > 0)
    return footer.process_cpu_ns() - std::min(footer.helper_cpu_ns(), footer.process_cpu_ns());
  uint64_t cpu_ns = 0;
  for (const auto& [id, thread] : profile.threads) cpu_ns += thread.cpu_ns();
  return cpu_ns;
}

// The runtime's own part of what tasks cost because a tool is there, in no code of the profiler's: it calls the tool,
// keeps what the tool may ask for, and finds its cache lines taken. `scripts/bench told` compares the sum with paired
// runs.
uint64_t RuntimeOwnNs(const ProcessFacts& facts) {
  constexpr uint64_t kTaskNs = 20;
  constexpr uint64_t kTaskUnderShimNs = 40;  // the shim puts functions of its own in place of a task's
  const bool shim = std::any_of(facts.runtimes.begin(), facts.runtimes.end(), [](const RuntimeFacts& runtime) {
    return runtime.version.rfind("libgomp_ompt", 0) == 0;
  });
  return facts.tasks_created * (shim ? kTaskUnderShimNs : kTaskNs);
}

// Reads the facts in the profile's end.
void AddEnd(const model::ProcessProfile& profile, ProcessFacts* facts) {
  const Footer& footer = profile.footer;
  facts->complete = profile.complete;
  facts->end_reason = footer.reason();
  facts->successor = model::FindSuccessor(profile);
  if (profile.complete) {
    facts->parallel_ns = footer.parallel_ns();
    facts->serial_ns = footer.serial_ns();
    facts->samples_written = footer.samples();
  }
  for (const RegionStats& stats : profile.regions) facts->unblamed.nobody_working_ns += stats.unblamed_ns();
  facts->unblamed.nobody_working_ns += footer.idle_unblamed_ns();
  facts->unblamed.lock_handoff_ns = footer.lock_handoff_ns();
  facts->unblamed.unsampled_ns = footer.blame_pending_ns();
  facts->unsampled_own_ns = footer.signals_ns() + footer.helper_cpu_ns();
  facts->helper_cpu_ns = footer.helper_cpu_ns();
  facts->children_cpu_ns = footer.children_cpu_ns();
  facts->labels_refused = footer.labels_refused();
  facts->intervals_lost = footer.intervals_lost();
  facts->peak_resident_bytes = footer.peak_resident_bytes();
}

// Makes the facts those of a unified process.
void AddMembers(const Unified& unified, ProcessFacts* facts) {
  facts->members = std::max<uint64_t>(unified.members(), 1);
  facts->incomplete_members = unified.incomplete();
  facts->member_durations_ns = facts->duration_ns;
  facts->duration_ns = unified.longest_ns();
  facts->job_time = {unified.column_ns(), unified.columns(), unified.from_own_start()};
  for (const auto& note : unified.notes()) {
    const bool all = note.members() == facts->members;
    facts->notes.push_back(note.text() + (all ? ""
                                              : " (and the like in " + std::to_string(note.members()) + " of " +
                                                    std::to_string(facts->members) + " processes)"));
  }
}

}  // namespace

const char* ThreadKindName(ThreadKind kind) {
  static const char* const kNames[] = {"unknown", "initial", "worker", "other", "main", ""};
  return kNames[static_cast<int>(kind)];
}

double MachineFacts::usable_cpus() const {
  const double mask = cpus;
  const double quota = cpu_quota_milli / 1000.0;
  return quota > 0 && (mask == 0 || quota < mask) ? quota : mask;
}

std::string ProcessFacts::SettingOf(const std::string& variable) const {
  for (const std::string& setting : settings) {
    if (setting.rfind(variable + "=", 0) == 0) return setting.substr(variable.size() + 1);
  }
  return "";
}

ProcessorNumbers ProcessFacts::OpenmpProcessors() const {
  ProcessorNumbers all;
  for (const ThreadFacts& thread : threads) {
    if (!thread.is_openmp()) continue;
    if (thread.placement.may_use.empty()) return {};
    all.insert(thread.placement.may_use.begin(), thread.placement.may_use.end());
  }
  return all;
}

Layout MachineFacts::layout() const {
  ProcessorNumbers cores, sockets, nodes;
  for (const auto& [number, processor] : processors) {
    if (!may_use.empty() && may_use.count(number) == 0) continue;
    cores.insert(processor.core);
    sockets.insert(processor.package);
    nodes.insert(processor.node);
  }
  return {cores.size(), sockets.size(), nodes.size()};
}

const char* LossName(uint32_t reason) {
  switch (reason) {
    case LOST_TREE_FULL:
      return "tree full (--max-memory)";
    case LOST_RING_FULL:
      return "writer too slow";
    case LOST_BUSY:
      return "thread busy with its own record";
    case LOST_NOT_ATTACHED:
      return "thread not known to the collector";
    case LOST_NO_TIMER:
      return "threads without a timer";
    case LOST_WRITE:
      return "could not be written";
    default:
      return "unknown reason";
  }
}

std::string LossCode(uint32_t reason) {
  const auto known = static_cast<LostReason>(reason);
  return LostReason_IsValid(known) ? LostReason_Name(known) : "LOST_" + std::to_string(reason);
}

bool LosesThreads(uint32_t reason) { return reason == LOST_NO_TIMER; }

uint64_t ProcessFacts::minor_faults() const {
  uint64_t sum = 0;
  for (const ThreadFacts& thread : threads) sum += thread.minor_faults;
  return sum;
}

uint64_t ProcessFacts::kernel_ns() const {
  uint64_t sum = 0;
  for (const ThreadFacts& thread : threads) sum += thread.kernel_ns;
  return sum;
}

const ThreadFacts* ProcessFacts::FindThread(uint32_t id) const {
  const auto found = std::lower_bound(threads.begin(), threads.end(), id,
                                      [](const ThreadFacts& thread, uint32_t wanted) { return thread.id < wanted; });
  return found == threads.end() || found->id != id ? nullptr : &*found;
}

ProcessFacts FactsOf(const model::ProcessProfile& profile) {
  const Header& header = profile.header;
  ProcessFacts facts;
  facts.file = profile.file;
  facts.program = header.program();
  facts.argv.assign(header.argv().begin(), header.argv().end());
  facts.host = header.host();
  facts.pid = header.pid();
  facts.parent_pid = header.parent_pid();
  facts.rank = header.rank();
  facts.settings.assign(header.settings().begin(), header.settings().end());
  facts.sampling = SamplingOf(header);
  facts.machine = MachineOf(profile);
  facts.recorded = RecordedIn(profile);
  facts.start_unix_ns = header.start_unix_ns();
  facts.start_mono_ns = header.start_mono_ns();
  facts.duration_ns = profile.DurationNs();
  facts.cpu_ns = CpuNs(profile);
  for (const model::SampleRow& row : profile.samples) {
    facts.samples += row.cost.samples;
    facts.weight += row.cost.weight;
  }
  facts.timed_piece_ns = profile.timed_piece_ns;
  facts.losses = LossesOf(profile.lost);
  facts.threads = ThreadsOf(profile);
  facts.runtimes = RuntimesOf(profile);
  facts.modules = ModulesOf(profile);
  facts.unseen_libgomps = UnseenLibgomps(facts.modules);
  for (const auto& [event_class, governed] : profile.governed)
    facts.governed.push_back({event_class, governed.events(), governed.observed()});
  facts.states = StatesOf(profile);
  facts.tasks_created = CountOf(profile, kTaskCreate);
  facts.runtime_own_ns = RuntimeOwnNs(facts);
  facts.notes = profile.notes;
  if (header.has_unified()) AddMembers(header.unified(), &facts);
  AddEnd(profile, &facts);
  return facts;
}

std::string WhyNoOmpt(const ProcessFacts& process) {
  const std::string name = "OMP_TOOL=";
  for (const std::string& setting : process.settings) {
    if (setting.rfind(name, 0) != 0) continue;
    std::string value;  // blanks around and upper case mean nothing
    for (const char c : setting.substr(name.size())) {
      if (std::isspace(static_cast<unsigned char>(c)) == 0)
        value += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (value == "disabled") return "no OMPT: OMP_TOOL=disabled in the program's environment turns it off";
    if (!value.empty() && value != "enabled")
      return "no OMPT: " + setting + " in the program's environment is neither enabled nor disabled";
  }
  return "no OMPT: no OpenMP runtime has started ompprof's tool";
}

std::vector<std::string> NotesOf(const ProcessFacts& process) {
  std::vector<std::string> notes = process.notes;
  if (!process.waits_known()) notes.push_back("waits were not recorded (--waits=off)");
  for (const RuntimeFacts& runtime : process.runtimes) {
    std::string kinds;
    for (const std::string& kind : UntoldEvents(runtime)) kinds += (kinds.empty() ? "" : ", ") + kind;
    if (!kinds.empty()) notes.push_back("the OpenMP runtime reports no events of " + kinds + ": the profile has none");
  }
  if (!process.unseen_libgomps.empty()) {
    std::string names;
    for (const std::string& name : process.unseen_libgomps) names += (names.empty() ? "" : ", ") + name;
    notes.push_back("the process has several libgomps, and the regions of " + names +
                    " are not seen: their threads have no states, and what they did counts as serial");
  }
  if (process.labels_refused > 0)
    notes.push_back(
        std::to_string(process.labels_refused) +
        " labels (ompprof_push_label) had no room: of 4,095 names, and 32 inside of each other; what was done "
        "in them is in the phase around them");
  if (process.intervals_lost > 0)
    notes.push_back(std::to_string(process.intervals_lost) +
                    " stretches of waiting are missing in the timeline: the writer did not keep up");
  return notes;
}

std::vector<std::string> UntoldEvents(const RuntimeFacts& runtime) {
  static const std::vector<std::pair<const char*, std::set<std::string>>> kKinds = {
      {kLockEvents, {"mutex_acquire", "mutex_acquired"}},
      {"waits at barriers and for tasks", {"sync_region_wait"}},
      {"tasks", {"task_create", "task_schedule"}},
      {"worksharing constructs", {"work"}},
  };
  constexpr uint32_t kImpossible = 2;  // ompt_set_result_t: up to here, the callback never runs
  std::vector<std::string> untold;
  for (const auto& [name, callbacks] : kKinds) {
    bool asked = false, told = false;
    for (const RuntimeFacts::Callback& callback : runtime.callbacks) {
      if (callbacks.count(callback.name) == 0) continue;
      asked = true;
      told |= callback.result > kImpossible;
    }
    if (asked && !told) untold.emplace_back(name);
  }
  return untold;
}

bool IsUntold(const RunFacts& run, const char* events) {
  for (const ProcessFacts& process : run.processes) {
    for (const RuntimeFacts& runtime : process.runtimes) {
      const std::vector<std::string> untold = UntoldEvents(runtime);
      if (std::find(untold.begin(), untold.end(), events) != untold.end()) return true;
    }
  }
  return false;
}

std::string OmptVersion(const RuntimeFacts& runtime) {
  // The oldest runtimes do not tell which OpenMP they are for.
  if (runtime.omp_version == 0) return runtime.ompt_generation;
  return (runtime.ompt_generation.empty() ? "" : runtime.ompt_generation + " ") + std::to_string(runtime.omp_version);
}

uint64_t RunFacts::members() const {
  uint64_t members = 0;
  for (const ProcessFacts& process : processes) members += process.members;
  return members;
}

uint64_t RunFacts::duration_ns() const {
  uint64_t longest = 0;
  for (const ProcessFacts& process : processes) longest = std::max(longest, process.duration_ns);
  return longest;
}

double RunFacts::usable_cpus() const {
  double most = 0;
  for (const ProcessFacts& process : processes) most = std::max(most, process.machine.usable_cpus());
  return most;
}

double RunFacts::thread_cpus() const {
  const double usable = usable_cpus();
  const auto bound_to = several() || empty() ? 0.0 : static_cast<double>(first().OpenmpProcessors().size());
  return bound_to > 0 ? std::min(usable, bound_to) : usable;
}

uint64_t RunFacts::unseen_children_ns() const {
  // By host and process id: a process that became another program by exec has a profile of each.
  using Process = std::pair<std::string, uint64_t>;
  std::map<Process, uint64_t> unseen_ns;
  for (const ProcessFacts& process : processes) unseen_ns[{process.host, process.pid}] += process.children_cpu_ns;
  for (const ProcessFacts& process : processes) {
    const auto parent = unseen_ns.find({process.host, process.parent_pid});
    if (parent == unseen_ns.end() || process.parent_pid == process.pid) continue;
    const uint64_t seen_ns = process.cpu_ns + process.helper_cpu_ns + process.children_cpu_ns;
    parent->second -= std::min(parent->second, seen_ns);
  }
  uint64_t sum_ns = 0;
  for (const auto& [process, ns] : unseen_ns) sum_ns += ns;
  return sum_ns;
}

double RunFacts::cpus_of_others() const {
  // The kernel counts in ticks of 10 ms. A shorter reading says nothing.
  constexpr uint64_t kLeastNs = 100'000'000;
  const ProcessFacts* longest = nullptr;
  for (const ProcessFacts& process : processes) {
    if (longest == nullptr || process.machine.load_duration_ns > longest->machine.load_duration_ns) longest = &process;
  }
  if (longest == nullptr || longest->machine.load_duration_ns < kLeastNs) return 0;
  // The run's processes are compared by the part of their time that the reading covers.
  const auto begin = static_cast<double>(longest->start_unix_ns);
  const double end = begin + static_cast<double>(longest->machine.load_duration_ns);
  double own_ns = static_cast<double>(unseen_children_ns()) *
                  std::min(1.0, (end - begin) / static_cast<double>(std::max<uint64_t>(longest->duration_ns, 1)));
  for (const ProcessFacts& process : processes) {
    if (process.host != longest->host || process.duration_ns == 0) continue;
    const auto starts = static_cast<double>(process.start_unix_ns);
    const auto lasts = static_cast<double>(process.duration_ns);
    const double within = std::min(starts + lasts, end) - std::max(starts, begin);
    const bool measured = process.machine.load_duration_ns > 0;
    const auto cpu_ns = static_cast<double>(measured ? process.machine.process_cpu_ns : process.cpu_ns);
    own_ns += cpu_ns * std::clamp(within / lasts, 0.0, 1.0);
  }
  const auto all_ns = static_cast<double>(longest->machine.busy_ns + longest->machine.stolen_ns);
  return std::max(0.0, all_ns - own_ns) / static_cast<double>(longest->machine.load_duration_ns);
}

double RunFacts::free_cpus() const {
  const double usable = usable_cpus();
  return usable == 0 ? 0 : std::max(std::min(0.5, usable), usable - cpus_of_others());
}

}  // namespace ompprof::analyze
