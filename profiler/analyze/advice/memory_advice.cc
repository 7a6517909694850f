#include "profiler/analyze/advice/rules.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <unordered_map>

#include "profiler/analyze/advice/advice_run.h"
#include "profiler/analyze/advice/processor_advice.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/analyze/view/system_objects.h"

namespace ompprof::analyze {
namespace {

// A program that faults each page of its memory in a few times, for example in phases, is no case for the advice.
constexpr uint64_t kManyTimes = 4;
constexpr uint64_t kPageBytes = 4096;

bool IsAny(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// If the path ends with a call of the kernel by glibc's allocator: the function that called the allocator. The
// allocator is in the object of the kernel's interface: another allocator, such as jemalloc, has an object of its own.
FunctionId CallerOfHeap(const View& view, PathId path) {
  bool kernel = false;
  bool allocator = false;
  uint32_t object = 0;
  for (; path != kEmptyPath; path = view.paths.node(path).parent) {
    const Location& location = view.frames.location(view.paths.node(path).location);
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const FunctionId id = view.frames.line(location.first_line + i).function;
      const ViewFunction& function = view.frames.function(id);
      const std::string name = PlainName(function.system_name);
      if (!kernel) {
        if (!IsAny(name, {"brk", "sbrk", "madvise", "mmap", "mmap64", "munmap", "mremap"})) return kNoFunction;
        kernel = true;
        object = function.object;
      } else if (function.object == object) {
        allocator = allocator || IsAny(name, {"free", "cfree", "malloc", "calloc", "realloc", "memalign",
                                              "posix_memalign", "aligned_alloc"});
      } else if (function.name.rfind("operator ", 0) != 0) {
        return allocator ? id : kNoFunction;
      }
    }
  }
  return kNoFunction;
}

// The kernel's work for memory, in CPU time.
class MemoryWork {
 public:
  explicit MemoryWork(const View& view) : view_(view) {
    for (const ViewSample& sample : view.samples) {
      if (sample.own || IsMeasuredWait(sample.state) || sample.cost.weight == 0) continue;
      const FunctionId caller = CallerOfHeap(view, sample.path);
      if (caller != kNoFunction) {
        returned_[caller] += sample.cost.weight;
        Add(sample, sample.cost.weight);
      } else if (sample.cost.faults != 0) {
        Add(sample, std::min(sample.cost.kernel_ns, sample.cost.weight));
      }
    }
  }

  bool returns() const { return !returned_.empty(); }
  uint64_t all_ns() const { return all_ns_; }

  // The function for which the allocator calls the kernel most.
  FunctionId Where() const {
    FunctionId most = kNoFunction;
    uint64_t weight = 0;
    for (const auto& [function, of_function] : returned_) {
      if (of_function < weight || (of_function == weight && function > most)) continue;
      most = function;
      weight = of_function;
    }
    return most;
  }

  // Wall time, summed over processes. A team's threads do this work at the same time.
  double WallNs() const {
    double wall = serial_ns_;
    for (const Region& region : view_.regions) {
      const auto work = in_regions_.find(region.construct);
      if (work != in_regions_.end()) wall += work->second / std::max(1.0, region.MeanTeam());
    }
    return wall;
  }

 private:
  void Add(const ViewSample& sample, uint64_t ns) {
    all_ns_ += ns;
    (sample.region == kNoFunction ? serial_ns_ : in_regions_[sample.region]) += static_cast<double>(ns);
  }

  const View& view_;
  std::unordered_map<FunctionId, uint64_t> returned_;  // by caller of the allocator
  std::unordered_map<FunctionId, double> in_regions_;
  double serial_ns_ = 0;
  uint64_t all_ns_ = 0;
};

}  // namespace

void AdviseOnMemory(const AdviceRun& run, std::vector<Advice>* advice) {
  uint64_t faults = 0;
  uint64_t peak_bytes = 0;
  for (const ProcessFacts& process : run.view.run.processes) {
    if (process.peak_resident_bytes == 0) return;
    faults += process.minor_faults();
    peak_bytes += process.peak_resident_bytes;
  }
  const uint64_t pages = peak_bytes / kPageBytes;
  if (run.view.kind != ViewKind::kUser || !run.view.run.weighs_ns() || faults <= kManyTimes * pages) return;
  const MemoryWork work(run.view);
  if (!work.returns()) return;
  // The memory must be faulted in once.
  const double again = 1 - static_cast<double>(pages) / static_cast<double>(faults);
  const uint64_t gain = run.OfEachProcess(again * work.WallNs());
  if (!run.Worthwhile(gain, kWorthwhile * ProcessorShare(run.view)) || !run.IsBeyondChance(work.all_ns())) return;
  Advice& one = AddAdvice(AdviceKind::kReturnedMemory, work.Where(), gain, advice);
  one.wait_ns = work.all_ns();
  one.of_ns = run.view.total_weight;
  one.count = faults;
  one.bytes = peak_bytes / run.view.run.members();
  one.each_ns = faults / std::max<uint64_t>(pages, 1);
}

}  // namespace ompprof::analyze
