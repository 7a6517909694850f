#include "profiler/analyze/advise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

#include "profiler/analyze/account_regions.h"
#include "profiler/analyze/advice_run.h"
#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/gain.h"
#include "profiler/analyze/lock_advice.h"
#include "profiler/analyze/processor_advice.h"
#include "profiler/analyze/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// Every run has a serial part, for example reading the input, so advice on the serial part needs a larger gain, as a
// share of the run's wall time.
constexpr double kWorthwhileSerial = 0.1;
// The least imbalance of CPU times that is advised on where threads lack processors. Where threads take work from each
// other, the kernel's choice of the running thread makes differences as well.
constexpr double kHiddenImbalance = 0.3;
// A region costs microseconds to create and end. A region that takes longer than this has another problem.
constexpr uint64_t kShortRegionNs = 200000;
// Chunks for each thread: so many that the last chunks make no difference, so few that they cost nothing.
constexpr uint64_t kChunksPerThread = 32;
// ompt_work_t
constexpr uint32_t kLoop = 1, kSections = 2, kStaticLoop = 10, kDynamicLoop = 11, kGuidedLoop = 12;

class Adviser {
 public:
  Adviser(const View& view, const Efficiency& efficiency)
      : view_(view), efficiency_(efficiency), run_(view, efficiency) {
    for (const ProcessFacts& process : view.run.processes) tasks_ += process.tasks_created;
  }

  std::vector<Advice> Run() {
    AdviseOnProcessors(run_, &advice_);
    for (const Region& region : view_.regions) {
      if (region.MeanTeam() < 1.5 || region.elapsed_ns == 0) continue;
      const Gains gains = PotentialGains(view_, region);
      if (!TooShort(region)) {
        Imbalance(region, gains[Cause::kImbalance]);
        Scheduling(region, gains[Cause::kScheduling]);
      }
      Tasking(region, gains[Cause::kTasking]);
    }
    AdviseOnLocks(run_, &advice_);
    SerialPart();
    Binding();
    std::stable_sort(advice_.begin(), advice_.end(),
                     [](const Advice& a, const Advice& b) { return a.gain_ns > b.gain_ns; });
    return std::move(advice_);
  }

 private:
  bool Worthwhile(uint64_t gain_ns, double share = kWorthwhile) const { return run_.Worthwhile(gain_ns, share); }

  Advice& Add(AdviceKind kind, FunctionId where, uint64_t gain_ns) { return AddAdvice(kind, where, gain_ns, &advice_); }

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
    if (static_cast<double>(threads.size()) > region.MeanTeam() * run_.processes + 0.5) return UINT64_MAX;
    uint64_t all = 0;
    uint64_t least = UINT64_MAX;
    for (const auto& [id, ns] : threads) {
      all += ns;
      least = std::min(least, ns);
    }
    return threads.empty() ? UINT64_MAX : all / threads.size() - least;
  }

  // Of a run in which every thread has a processor: its wall time, as far as the profile tells.
  uint64_t WithProcessorsNs() const {
    uint64_t ns = efficiency_.serial_ns;
    for (const Region& region : view_.regions) {
      if (region.nesting_level == 0) ns += run_.OfEachProcess(static_cast<double>(region.useful_max_ns));
    }
    return ns;
  }

  // What uneven work costs once the threads have processors, where they lack them now: the busiest thread's work above
  // the mean. On processors that always have another thread to run, uneven work costs nothing. 0: not worthwhile.
  uint64_t HiddenImbalanceNs(const Region& region) const {
    if (region.cpu_imbalance.value_or(0) < kHiddenImbalance || !Computes(region) || region.nesting_level != 0) return 0;
    const uint64_t uneven = run_.OfEachProcess(static_cast<double>(UnevenWorkNs(region)));
    return static_cast<double>(uneven) >= kWorthwhile * static_cast<double>(WithProcessorsNs()) ? uneven : 0;
  }

  bool TooShort(const Region& region) {
    if (region.nesting_level != 0 || region.ended == 0 || HasTasks(region)) return false;
    if (region.elapsed_ns / region.ended > kShortRegionNs) return false;
    const uint64_t not_lost = region.useful_ns + region.own_useful_weight + region.library_wait_weight;
    const uint64_t lost = region.elapsed_ns > not_lost ? region.elapsed_ns - not_lost : 0;
    const uint64_t gain = run_.OfEachProcess(static_cast<double>(lost));
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
    if (Computes(region)) gain_ns = std::min(gain_ns, UnevenWorkNs(region));
    // Otherwise, threads that lacked a processor let the others wait for about that long.
    else
      gain_ns -= std::min(gain_ns, static_cast<uint64_t>(static_cast<double>(region.ready_ns) / region.MeanTeam()));
    const uint64_t hidden_ns = Worthwhile(gain_ns) ? 0 : HiddenImbalanceNs(region);
    if (!Worthwhile(gain_ns) && hidden_ns == 0) return;
    if (hidden_ns > 0) gain_ns = 0;
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
    advice.hidden_ns = hidden_ns;
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
    const double threads = std::max(1.0, static_cast<double>(efficiency_.threads) / run_.processes);
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

  const View& view_;
  const Efficiency& efficiency_;
  AdviceRun run_;
  uint64_t tasks_ = 0;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> Advise(const View& view, const Efficiency& efficiency) {
  if (!efficiency.known || view.run.empty()) return {};
  return Adviser(view, efficiency).Run();
}

}  // namespace ompprof::analyze
