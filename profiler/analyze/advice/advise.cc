#include "profiler/analyze/advice/advise.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/account/serial_part.h"
#include "profiler/analyze/advice/advice_run.h"
#include "profiler/analyze/advice/atomic_advice.h"
#include "profiler/analyze/advice/processor_advice.h"
#include "profiler/analyze/advice/rules.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/view/call_tree.h"

namespace ompprof::analyze {
namespace {

// Every run has a serial part, for example reading the input, so advice on the serial part needs a larger gain, as a
// share of the run's wall time.
constexpr double kWorthwhileSerial = 0.1;

class Adviser {
 public:
  Adviser(const View& view, const Efficiency& efficiency, model::Symbolizer* symbolizer)
      : view_(view), efficiency_(efficiency), symbolizer_(symbolizer), run_(view, efficiency) {}

  Findings Run() {
    AdviseOnProcessors(run_, &findings_.advice);
    AdviseOnPlacement(run_, &findings_.advice);
    AdviseOnLocks(run_, &findings_.advice);
    AdviseOnOutsideLocks(run_, &findings_.advice);
    if (symbolizer_ != nullptr) AdviseOnAtomics(run_, AtomicLocations(view_, symbolizer_), &findings_.advice);
    std::vector<const Region*> small;
    AdviseOnRegions(run_, &findings_, &small);
    AdviseOnSmallRegions(run_, small, &findings_);
    AdviseOnDevices(run_, &findings_.advice);
    AdviseOnMemory(run_, &findings_.advice);
    AdviseOnLibraries(run_, &findings_.advice);
    AdviseOnSerialPart();
    AdviseFewerThreads(run_, &findings_);
    std::stable_sort(findings_.advice.begin(), findings_.advice.end(), [](const Advice& a, const Advice& b) {
      const bool measurement = IsOnMeasurement(a.kind);
      return measurement != IsOnMeasurement(b.kind) ? !measurement : a.gain_ns > b.gain_ns;
    });
    std::stable_sort(findings_.refusals.begin(), findings_.refusals.end(),
                     [](const Refusal& a, const Refusal& b) { return a.gain_ns > b.gain_ns; });
    findings_.disturbed = IsDisturbed(run_);
    findings_.lacking_share = LackingShare(run_);
    findings_.crowded = ThreadsShareProcessors(view_);
    findings_.others_cpus = view_.run.cpus_of_others();
    return std::move(findings_);
  }

 private:
  bool Worthwhile(uint64_t gain_ns, double share = kWorthwhile) const { return run_.Worthwhile(gain_ns, share); }

  Advice& Add(AdviceKind kind, FunctionId where, uint64_t gain_ns) {
    return AddAdvice(kind, where, gain_ns, &findings_.advice);
  }

  // The serial part's time off the processor, as far as the threads that create regions were blocked.
  uint64_t SerialSleepNs(uint64_t cpu_ns) const {
    if (!view_.run.weighs_ns()) return 0;
    uint64_t blocked_ns = 0;
    for (const auto& [key, account] : view_.accounts) {
      const ThreadFacts* thread = view_.run.process(key.first).FindThread(key.second);
      if (thread != nullptr && thread->kind == ThreadKind::kInitial) blocked_ns += account.blocked_ns;
    }
    const uint64_t off_ns = efficiency_.serial_ns - std::min(efficiency_.serial_ns, cpu_ns);
    return std::min(off_ns, run_.OfEachProcess(static_cast<double>(blocked_ns)));
  }

  void AdviseOnSerialPart() {
    if (efficiency_.threads < 2 || efficiency_.parallel_ns == 0) return;
    // Where regions are not seen, nobody knows what is serial.
    for (const ProcessFacts& process : view_.run.processes) {
      if (!process.unseen_libgomps.empty()) return;
    }
    const double threads = std::max(1.0, static_cast<double>(efficiency_.threads) / run_.processes);
    const auto gain = static_cast<uint64_t>(static_cast<double>(efficiency_.serial_ns) * (1 - 1 / threads));
    if (!Worthwhile(gain, kWorthwhileSerial)) return;
    const SerialPart serial = FindSerialPart(view_, symbolizer_, threads);
    Advice& advice = Add(AdviceKind::kSerialPart, serial.most, gain);
    advice.wait_ns = efficiency_.serial_ns;
    advice.asleep_ns = SerialSleepNs(run_.OfEachProcess(static_cast<double>(serial.cpu_ns)));
    advice.of_ns = efficiency_.duration_ns;
    advice.threads = threads;
  }

  const View& view_;
  const Efficiency& efficiency_;
  model::Symbolizer* symbolizer_;
  AdviceRun run_;
  Findings findings_;
};

}  // namespace

Findings Advise(const View& view, const Efficiency& efficiency, model::Symbolizer* symbolizer) {
  if (!efficiency.known || view.run.empty()) return {};
  return Adviser(view, efficiency, symbolizer).Run();
}

}  // namespace ompprof::analyze
