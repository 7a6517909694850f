#include "profiler/analyze/advise.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/analyze/advice_run.h"
#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/device_advice.h"
#include "profiler/analyze/lock_advice.h"
#include "profiler/analyze/processor_advice.h"
#include "profiler/analyze/region_advice.h"
#include "profiler/analyze/small_losses.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// Every run has a serial part, for example reading the input, so advice on the serial part needs a larger gain, as a
// share of the run's wall time.
constexpr double kWorthwhileSerial = 0.1;

class Adviser {
 public:
  Adviser(const View& view, const Efficiency& efficiency)
      : view_(view), efficiency_(efficiency), run_(view, efficiency) {}

  Findings Run() {
    AdviseOnProcessors(run_, &findings_.advice);
    AdviseOnLocks(run_, &findings_.advice);
    std::vector<const Region*> small;
    AdviseOnRegions(run_, &findings_, &small);
    AdviseOnSmallRegions(run_, small, &findings_);
    AdviseOnDevices(run_, &findings_.advice);
    SerialPart();
    Binding();
    AdviseFewerThreads(run_, &findings_);
    std::stable_sort(findings_.advice.begin(), findings_.advice.end(),
                     [](const Advice& a, const Advice& b) { return a.gain_ns > b.gain_ns; });
    std::stable_sort(findings_.refusals.begin(), findings_.refusals.end(),
                     [](const Refusal& a, const Refusal& b) { return a.gain_ns > b.gain_ns; });
    return std::move(findings_);
  }

 private:
  bool Worthwhile(uint64_t gain_ns, double share = kWorthwhile) const { return run_.Worthwhile(gain_ns, share); }

  Advice& Add(AdviceKind kind, FunctionId where, uint64_t gain_ns) {
    return AddAdvice(kind, where, gain_ns, &findings_.advice);
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
    // Where regions are not seen, nobody knows what is serial.
    for (const ProcessFacts& process : view_.run.processes) {
      if (!process.unseen_libgomps.empty()) return;
    }
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
  Findings findings_;
};

}  // namespace

Findings Advise(const View& view, const Efficiency& efficiency) {
  if (!efficiency.known || view.run.empty()) return {};
  return Adviser(view, efficiency).Run();
}

}  // namespace ompprof::analyze
