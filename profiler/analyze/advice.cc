#include "profiler/analyze/advice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/concurrency.h"
#include "profiler/analyze/gain.h"
#include "profiler/analyze/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// Shares of the run's wall time. Every run has a serial part, for example reading the input, so advice on the serial
// part needs a larger gain.
constexpr double kWorthwhile = 0.03;
constexpr double kWorthwhileSerial = 0.1;
// A shorter hold is a few instructions, with their cache misses and the cost of the clocks.
constexpr uint64_t kShortHoldNs = 2000;
constexpr uint64_t kLongHoldNs = 200000;
// A region costs microseconds to create and end. A region that takes longer than this has another problem.
constexpr uint64_t kShortRegionNs = 200000;
// Chunks for each thread: so many that the last chunks make no difference, so few that they cost nothing.
constexpr uint64_t kChunksPerThread = 32;
// ompt_work_t
constexpr uint32_t kLoop = 1, kSections = 2, kStaticLoop = 10, kDynamicLoop = 11, kGuidedLoop = 12;

class Adviser {
 public:
  Adviser(const View& view, const Efficiency& efficiency)
      : view_(view),
        efficiency_(efficiency),
        cpus_(view.run.usable_cpus()),
        processes_(OpenmpProcessesAtATime(view.run)) {
    for (const ProcessFacts& process : view.run.processes) {
      tasks_ += process.tasks_created;
      for (const std::string& setting : process.settings) {
        if (setting.rfind("OMP_WAIT_POLICY=", 0) == 0)
          passive_ |= setting.find("assive") != std::string::npos || setting.find("ASSIVE") != std::string::npos;
      }
    }
  }

  std::vector<Advice> Run() {
    for (const Region& region : view_.regions) {
      if (region.MeanTeam() < 1.5 || region.elapsed_ns == 0) continue;
      const Gains gains = PotentialGains(view_, region);
      if (!TooShort(region)) {
        Imbalance(region, gains[Cause::kImbalance]);
        Scheduling(region, gains[Cause::kScheduling]);
      }
      Tasking(region, gains[Cause::kTasking]);
    }
    Locks();
    Oversubscription();
    SerialPart();
    Binding();
    std::stable_sort(advice_.begin(), advice_.end(),
                     [](const Advice& a, const Advice& b) { return a.gain_ns > b.gain_ns; });
    return std::move(advice_);
  }

 private:
  bool Worthwhile(uint64_t gain_ns, double share = kWorthwhile) const {
    return static_cast<double>(gain_ns) >= share * static_cast<double>(efficiency_.duration_ns) && gain_ns > 0;
  }

  Advice& Add(AdviceKind kind, FunctionId where, uint64_t gain_ns) {
    advice_.emplace_back();
    advice_.back().kind = kind;
    advice_.back().where = where;
    advice_.back().gain_ns = gain_ns;
    return advice_.back();
  }

  // Whether more threads than processors compute without a pause. Such threads wait for each other because the kernel
  // lets them run in turn, whatever their work.
  bool KeptFromRunning(const Region& region) const {
    return cpus_ > 0 && region.MeanTeam() > cpus_ * 1.05 &&
           static_cast<double>(region.weight) > 0.8 * cpus_ * static_cast<double>(region.elapsed_ns);
  }

  // Whether the region's threads compute, rather than sleep or do I/O.
  static bool Computes(const Region& region) {
    return std::accumulate(region.overhead_weight, region.overhead_weight + kOverheads, region.work_weight) >=
           region.useful_ns / 2;
  }

  // How much longer the busiest thread works than the mean, over all instances: the threads' mean wait at barriers,
  // less the shortest wait of a thread. The result is small where a different thread is late each time. Such lateness
  // comes from chance or from the machine, and no schedule removes it. UINT64_MAX (no bound) where the instances have
  // different threads.
  uint64_t SameThreadsNs(const Region& region) const {
    if (region.nesting_level != 0 || region.ended < 3) return UINT64_MAX;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> threads;
    for (const WaitTotal& wait : view_.waits) {
      const StateKind kind = KindOf(wait.state);
      if (wait.charge || wait.region != region.construct) continue;
      if (kind == StateKind::kRegionEnd || kind == StateKind::kBarrier)
        threads[{wait.process, wait.thread}] += wait.total_ns;
    }
    if (static_cast<double>(threads.size()) > region.MeanTeam() * processes_ + 0.5) return UINT64_MAX;
    uint64_t all = 0;
    uint64_t least = UINT64_MAX;
    for (const auto& [id, ns] : threads) {
      all += ns;
      least = std::min(least, ns);
    }
    return threads.empty() ? UINT64_MAX : all / threads.size() - least;
  }

  // The CPU time of the busiest thread in the region above the mean, less one standard deviation of the samples. Where
  // threads compute, this time is their imbalance. A further difference of their wall times comes from missing
  // processors.
  uint64_t UnevenCpuNs(const Region& region) const {
    struct Work {
      double weight = 0;
      double samples = 0;
    };
    std::map<std::pair<uint32_t, uint32_t>, Work> threads;
    Work all;
    for (const ViewSample& sample : view_.samples) {
      if (sample.region != region.construct || sample.state == OmptState::kNone || sample.interval || sample.own)
        continue;
      Work& thread = threads[{sample.process, sample.thread}];
      if (IsMeasuredWait(sample.state)) continue;
      thread.weight += static_cast<double>(sample.cost.weight);
      thread.samples += static_cast<double>(sample.cost.samples);
      all.weight += static_cast<double>(sample.cost.weight);
    }
    if (threads.empty()) return 0;
    Work most;
    for (const auto& [id, thread] : threads) {
      if (thread.weight > most.weight) most = thread;
    }
    if (most.samples < 1) return 0;
    const double above = most.weight - all.weight / static_cast<double>(threads.size());
    const double chance = most.weight / std::sqrt(most.samples);
    return above > chance ? static_cast<uint64_t>(above - chance) : 0;
  }

  bool TooShort(const Region& region) {
    if (region.nesting_level != 0 || region.ended == 0 || HasTasks(region)) return false;
    if (region.elapsed_ns / region.ended > kShortRegionNs) return false;
    const uint64_t not_lost = region.useful_ns + region.own_useful_weight;
    const uint64_t lost = region.elapsed_ns > not_lost ? region.elapsed_ns - not_lost : 0;
    const uint64_t gain = OfEachProcess(static_cast<double>(lost));
    if (!Worthwhile(gain)) return false;
    // Only where the distribution of the work costs more than the work. Waits for locks or tasks are another problem.
    if (region.lock_wait_ns + region.task_wait_ns > region.useful_ns) return false;
    Advice& advice = Add(AdviceKind::kRegionTooShort, region.construct, gain);
    advice.count = region.ended;
    advice.each_ns = region.elapsed_ns / region.ended;
    advice.wait_ns = region.useful_ns / region.ended;
    advice.estimate = region.wait_estimate();
    return true;
  }

  void Imbalance(const Region& region, uint64_t gain_ns) {
    gain_ns = std::min(gain_ns, SameThreadsNs(region));
    if (Computes(region)) gain_ns = std::min(gain_ns, UnevenCpuNs(region));
    if (!Worthwhile(gain_ns) || KeptFromRunning(region)) return;
    const Loop* loop = nullptr;
    bool dynamic = false;
    bool sections = false;
    for (const Loop& other : region.loops) {
      sections |= other.type == kSections;
      dynamic |= other.type == kDynamicLoop || other.type == kGuidedLoop || other.chunks > 0;
      const bool is_loop = other.type == kLoop || other.type == kStaticLoop;
      if (is_loop && (loop == nullptr || other.iterations > loop->iterations)) loop = &other;
    }
    dynamic |= region.overhead_weight[static_cast<int>(Overhead::kScheduling)] > 0 && loop != nullptr &&
               loop->type == kLoop &&
               region.overhead_weight[static_cast<int>(Overhead::kScheduling)] * 50 > region.weight;
    // gcc compiles a static schedule without a call to the runtime, so no loop is reported.
    const bool is_static = !dynamic && !sections && region.task_wait_ns == 0 && !HasTasks(region);
    Advice& advice = Add(is_static ? AdviceKind::kStaticSchedule : AdviceKind::kUnevenTeam, region.construct, gain_ns);
    advice.imbalance = region.Imbalance();
    advice.wait_ns = region.end_wait_ns + region.barrier_wait_ns;
    advice.estimate = region.all_barriers_estimate();
    advice.of_ns = region.team_ns;
    advice.count = region.ended;
    advice.threads = region.MeanTeam();
    if (is_static && loop != nullptr && loop->count > 0) {
      advice.iterations = loop->iterations / loop->count;
      advice.chunk = std::max<uint64_t>(
          1, advice.iterations / static_cast<uint64_t>(region.MeanTeam() * static_cast<double>(kChunksPerThread)));
    }
  }

  void Scheduling(const Region& region, uint64_t gain_ns) {
    if (!Worthwhile(gain_ns)) return;
    Advice& advice = Add(AdviceKind::kChunkTooSmall, region.construct, gain_ns);
    advice.wait_ns = region.overhead_weight[static_cast<int>(Overhead::kScheduling)];
    advice.of_ns = region.team_ns;
    advice.threads = region.MeanTeam();
    for (const Loop& loop : region.loops) {
      if (loop.count == 0) continue;
      const uint64_t iterations = loop.iterations / loop.count;
      if (iterations <= advice.iterations) continue;
      advice.iterations = iterations;
      advice.count = loop.chunks;
      const auto executions = static_cast<uint64_t>(static_cast<double>(loop.count) / region.MeanTeam());
      advice.chunk = loop.chunks > 0 ? std::max<uint64_t>(1, iterations * executions / loop.chunks) : 0;
    }
  }

  bool HasTasks(const Region& region) const {
    return region.overhead_weight[static_cast<int>(Overhead::kTasking)] > 0 && tasks_ > 0;
  }

  void Tasking(const Region& region, uint64_t gain_ns) {
    if (!Worthwhile(gain_ns) || tasks_ == 0) return;
    const uint64_t overhead = region.overhead_weight[static_cast<int>(Overhead::kTasking)];
    Advice& advice = Add(AdviceKind::kTasksTooFine, region.construct, gain_ns);
    advice.wait_ns = overhead;
    advice.of_ns = region.team_ns;
    advice.count = tasks_;
    advice.each_ns = region.work_weight / tasks_;
    advice.threads = region.MeanTeam();
  }

  // Process, state and wait id of a lock.
  using LockKey = std::tuple<uint32_t, OmptState, uint64_t>;

  // The waits for a lock, with the region and the place that have most of them, and the times that it was held.
  struct LockWaits {
    uint64_t total_ns = 0;
    Estimate estimate;
    uint64_t count = 0;
    uint64_t held_count = 0;
    uint64_t held_ns = 0;
    FunctionId region = kNoFunction;
    uint64_t region_ns = 0;
    Line place;
    uint64_t place_ns = 0;
    std::map<FunctionId, uint64_t> by_region;

    void Add(const WaitTotal& wait) {
      if (wait.charge) {
        held_count += wait.held_count;
        held_ns += wait.held_ns;
        return;
      }
      total_ns += wait.total_ns;
      estimate.Add(wait.estimate);
      count += wait.count;
      uint64_t& in_region = by_region[wait.region];
      in_region += wait.total_ns;
      if (in_region > region_ns) {
        region_ns = in_region;
        region = wait.region;
      }
      if (wait.total_ns > place_ns) {
        place_ns = wait.total_ns;
        place = wait.place;
      }
    }

    // The mean time that a thread of a team of this size holds the lock.
    uint64_t MeanHold(double team) const {
      if (held_count > 0) return held_ns / held_count;
      // No hold was timed: a waiting thread may have had all other threads before it in the queue.
      return static_cast<uint64_t>(static_cast<double>(total_ns) / static_cast<double>(count) /
                                   std::max(1.0, team - 1));
    }
  };

  void Locks() {
    std::map<LockKey, LockWaits> locks;
    for (const WaitTotal& wait : view_.waits) {
      if (KindOf(wait.state) == StateKind::kLock) locks[{wait.process, wait.state, wait.wait_id}].Add(wait);
    }
    for (const auto& [key, waits] : locks) AdviseOnLock(key, waits);
  }

  void AdviseOnLock(const LockKey& key, const LockWaits& waits) {
    const auto region = std::find_if(view_.regions.begin(), view_.regions.end(),
                                     [&](const Region& other) { return other.construct == waits.region; });
    if (region == view_.regions.end() || region->MeanTeam() < 1.5 || waits.count == 0) return;
    const uint64_t without = ElapsedWithout(view_, *region, waits.region_ns, /*moves_work=*/false);
    const uint64_t gain = OfEachProcess(static_cast<double>(region->elapsed_ns - without));
    if (!Worthwhile(gain)) return;
    const auto [process, state, wait_id] = key;
    const uint64_t hold = waits.MeanHold(region->MeanTeam());
    Advice& advice = Add(LockAdvice(state, hold), region->construct, gain);
    advice.process = process;
    advice.state = state;
    advice.wait_id = wait_id;
    advice.place = waits.place;
    advice.wait_ns = waits.total_ns;
    advice.estimate = waits.estimate;
    advice.of_ns = region->team_ns;
    advice.count = waits.count;
    advice.each_ns = waits.total_ns / waits.count;
    advice.held_ns = waits.held_count > 0 ? hold : 0;
    advice.threads = region->MeanTeam();
  }

  // The advice for a lock that is held for `hold_ns`. Ordered constructs have no shorter or longer alternative.
  static AdviceKind LockAdvice(OmptState state, uint64_t hold_ns) {
    if (state == OmptState::kWaitOrdered) return AdviceKind::kContendedLock;
    if (hold_ns < kShortHoldNs) return AdviceKind::kShortCritical;
    return hold_ns > kLongHoldNs ? AdviceKind::kLongHeldLock : AdviceKind::kContendedLock;
  }

  void Oversubscription() {
    if (cpus_ <= 0) return;
    double threads = 0;
    uint64_t busy_regions_ns = 0;
    for (const Region& region : view_.regions) {
      if (!KeptFromRunning(region) || region.nesting_level != 0) continue;
      threads = std::max(threads, region.MeanTeam());
      busy_regions_ns += region.elapsed_ns;
    }
    if (threads == 0) return;
    uint64_t spinning = 0;
    for (const ViewSample& sample : view_.samples) {
      if (!sample.own && IsMeasuredWait(sample.state)) spinning += sample.cost.weight;
    }
    const uint64_t gain = OfEachProcess(static_cast<double>(spinning) / cpus_);
    if (Worthwhile(gain) && !passive_) {
      Advice& advice = Add(AdviceKind::kWaitPolicy, kNoFunction, gain);
      advice.wait_ns = spinning;
      advice.of_ns = view_.total_weight;
      advice.threads = threads;
      advice.cpus = cpus_;
    }
    // Too many threads alone cost little. Their cost is the waits for threads without a processor, so the advice needs
    // such waits.
    uint64_t waits = 0;
    Estimate estimate;
    for (const Region& region : view_.regions) {
      if (!KeptFromRunning(region) || region.nesting_level != 0) continue;
      waits += region.end_wait_ns + region.barrier_wait_ns;
      estimate.Add(region.all_barriers_estimate());
    }
    const double each = static_cast<double>(waits) / processes_;
    if (each < kWorthwhile * threads * static_cast<double>(efficiency_.duration_ns)) return;
    Advice& advice = Add(AdviceKind::kTooManyThreads, kNoFunction, passive_ ? 0 : gain);
    advice.wait_ns = waits;
    advice.estimate = estimate;
    advice.of_ns = static_cast<uint64_t>(threads * static_cast<double>(busy_regions_ns));
    advice.threads = threads;
    advice.cpus = cpus_;
  }

  // Whether the sample is outside regions, or was taken before the runtime knew the thread.
  bool IsSerial(const ViewSample& sample) const {
    if (sample.own) return false;
    if (sample.state == OmptState::kWorkSerial) return true;
    if (sample.state != OmptState::kNone) return false;
    const ThreadFacts* thread = view_.run.process(sample.process).FindThread(sample.thread);
    return thread != nullptr && thread->kind == ThreadKind::kInitial;
  }

  // The innermost function that takes most of the serial part, callees included. kNoFunction if no function does.
  FunctionId MostSerial(double threads) const {
    struct Cost {
      uint64_t total = 0;
      double frames_below = 0;  // times total
      uint64_t last_sample = 0;
    };
    std::unordered_map<FunctionId, Cost> costs;
    uint64_t total = 0, visit = 0;
    for (const ViewSample& sample : view_.samples) {
      if (!IsSerial(sample)) continue;
      ++visit;
      // A thread that sleeps while others wait for it uses no CPU time.
      const auto slept = static_cast<uint64_t>(static_cast<double>(sample.cost.blame) / std::max(threads - 1, 1.0));
      const uint64_t weight = std::max(sample.cost.weight, slept);
      total += weight;
      double below = 0;
      for (PathId path = sample.path; path != kEmptyPath; path = view_.paths.node(path).parent) {
        const Location& location = view_.frames.location(view_.paths.node(path).location);
        for (uint32_t i = 0; i < location.line_count; ++i, ++below) {
          Cost& cost = costs[view_.frames.line(location.first_line + i).function];
          if (cost.last_sample == visit) continue;  // the function calls itself
          cost.last_sample = visit;
          cost.total += weight;
          cost.frames_below += below * static_cast<double>(weight);
        }
      }
    }
    FunctionId most = kNoFunction;
    std::tuple<double, uint64_t, FunctionId> least;
    for (const auto& [function, cost] : costs) {
      const double below = cost.frames_below / static_cast<double>(std::max<uint64_t>(cost.total, 1));
      const std::tuple<double, uint64_t, FunctionId> rank{below, cost.total, function};
      if (cost.total <= total / 2 || (most != kNoFunction && rank > least)) continue;
      most = function;
      least = rank;
    }
    return most;
  }

  void SerialPart() {
    if (efficiency_.threads < 2 || efficiency_.parallel_ns == 0) return;
    const double threads = std::max(1.0, static_cast<double>(efficiency_.threads) / processes_);
    const auto gain = static_cast<uint64_t>(static_cast<double>(efficiency_.serial_ns) * (1 - 1 / threads));
    if (!Worthwhile(gain, kWorthwhileSerial)) return;
    Advice& advice = Add(AdviceKind::kSerialPart, MostSerial(threads), gain);
    advice.wait_ns = efficiency_.serial_ns;
    advice.of_ns = efficiency_.duration_ns;
    advice.threads = threads;
  }

  // The cost of a move depends on the data that the thread leaves in the other socket's memory, so no gain is claimed.
  void Binding() {
    uint64_t moves = 0;
    uint64_t seconds = 0;
    for (const ProcessFacts& process : view_.run.processes) {
      if (process.machine.sockets < 2) return;
      for (const std::string& setting : process.settings) {
        for (const char* name : {"OMP_PROC_BIND=", "OMP_PLACES=", "KMP_AFFINITY=", "GOMP_CPU_AFFINITY="}) {
          if (setting.rfind(name, 0) == 0) return;
        }
      }
      for (const ThreadFacts& thread : process.threads) {
        if (!thread.is_openmp()) continue;
        moves += thread.socket_moves;
        seconds += process.duration_ns / 1000000000;
      }
    }
    // The collector looks once a second. A thread that moves every ten seconds moves often.
    if (moves < 3 || moves * 10 < seconds) return;
    Add(AdviceKind::kBinding, kNoFunction, 0).count = moves;
  }

  // The run's wall time from a sum over processes. Processes that ran at the same time share the sum.
  uint64_t OfEachProcess(double ns) const { return static_cast<uint64_t>(ns / processes_); }

  const View& view_;
  const Efficiency& efficiency_;
  double cpus_;
  double processes_;  // the mean number that ran at a time
  uint64_t tasks_ = 0;
  bool passive_ = false;
  std::vector<Advice> advice_;
};

}  // namespace

const char* AdviceName(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kStaticSchedule:
      return "static-schedule";
    case AdviceKind::kUnevenTeam:
      return "uneven-team";
    case AdviceKind::kChunkTooSmall:
      return "chunk-too-small";
    case AdviceKind::kWaitPolicy:
      return "wait-policy";
    case AdviceKind::kTooManyThreads:
      return "too-many-threads";
    case AdviceKind::kShortCritical:
      return "short-critical";
    case AdviceKind::kLongHeldLock:
      return "long-held-lock";
    case AdviceKind::kContendedLock:
      return "contended-lock";
    case AdviceKind::kRegionTooShort:
      return "region-too-short";
    case AdviceKind::kTasksTooFine:
      return "tasks-too-fine";
    case AdviceKind::kBinding:
      return "binding";
    case AdviceKind::kSerialPart:
      return "serial-part";
  }
  return "";
}

std::vector<Advice> Advise(const View& view, const Efficiency& efficiency) {
  if (!efficiency.known || view.run.empty()) return {};
  return Adviser(view, efficiency).Run();
}

}  // namespace ompprof::analyze
