#include "profiler/analyze/advice/rules.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/analyze/advice/advice_run.h"

namespace ompprof::analyze {
namespace {

// Libraries that share a call among threads, and their variables for the number of threads.
struct Library {
  const char* object;  // the beginning of its files' names
  const char* name;
  const char* variable;
};
constexpr Library kLibraries[] = {
    {"libopenblas", "OpenBLAS", "OPENBLAS_NUM_THREADS"},
    {"libscipy_openblas", "OpenBLAS", "OPENBLAS_NUM_THREADS"},
    {"libmkl_", "MKL", "MKL_NUM_THREADS"},
    {"libblis", "BLIS", "BLIS_NUM_THREADS"},
};

// A library's part of the CPU time, from which on it is worth a word.
constexpr double kPart = 0.03;

const Library* LibraryAt(const std::string& path) {
  const std::string base = path.substr(path.rfind('/') + 1);
  const auto* const found = std::find_if(std::begin(kLibraries), std::end(kLibraries),
                                         [&](const Library& library) { return base.rfind(library.object, 0) == 0; });
  return found == std::end(kLibraries) ? nullptr : found;
}

// The work of one library.
struct Use {
  std::unordered_map<FunctionId, uint64_t> in_regions;  // weight, by region with a team
  std::set<std::pair<uint32_t, uint32_t>> threads;      // process and id of its own threads
  uint64_t in_regions_weight = 0;
  uint64_t own_weight = 0;  // of its own threads
};

class LibraryAdviser {
 public:
  LibraryAdviser(const AdviceRun& run, std::vector<Advice>* advice) : run_(run), advice_(*advice) {
    for (const std::string& object : run.view.objects) libraries_.push_back(LibraryAt(object));
    for (const Region& region : run.view.regions) {
      if (region.MeanTeam() > 1.5) teams_[region.construct] = region.MeanTeam();
    }
  }

  void Run() {
    if (std::all_of(libraries_.begin(), libraries_.end(), [](const Library* library) { return library == nullptr; }))
      return;
    for (const ViewSample& sample : run_.view.samples) Add(sample);
    for (const auto& [library, use] : uses_) Judge(*library, use);
  }

 private:
  // The library that the path leads into; null if there is none.
  const Library* LibraryOf(PathId path) const {
    const View& view = run_.view;
    for (; path != kEmptyPath; path = view.paths.node(path).parent) {
      const Location& location = view.frames.location(view.paths.node(path).location);
      for (uint32_t i = 0; i < location.line_count; ++i) {
        const size_t object = view.frames.function(view.frames.line(location.first_line + i).function).object;
        if (object < libraries_.size() && libraries_[object] != nullptr) return libraries_[object];
      }
    }
    return nullptr;
  }

  void Add(const ViewSample& sample) {
    if (sample.own || sample.cost.weight == 0) return;
    const Library* library = LibraryOf(sample.path);
    if (library == nullptr) return;
    Use& use = uses_[library];
    const ThreadFacts* thread = run_.view.run.process(sample.process).FindThread(sample.thread);
    if (teams_.count(sample.region) != 0) {
      use.in_regions[sample.region] += sample.cost.weight;
      use.in_regions_weight += sample.cost.weight;
    } else if (thread != nullptr && !thread->is_openmp()) {
      use.threads.insert({sample.process, sample.thread});
      use.own_weight += sample.cost.weight;
    }
  }

  // What its threads cost depends on how the library shares its work, so no gain is claimed.
  void Judge(const Library& library, const Use& use) {
    const auto least = static_cast<uint64_t>(kPart * static_cast<double>(run_.view.total_weight));
    if (use.in_regions_weight < least || use.own_weight < least || use.own_weight == 0) return;
    const auto most = std::max_element(use.in_regions.begin(), use.in_regions.end(), [](const auto& a, const auto& b) {
      return std::tie(a.second, a.first) < std::tie(b.second, b.first);
    });
    Advice& advice = AddAdvice(AdviceKind::kNestedLibrary, most->first, 0, &advice_);
    advice.threads = teams_.at(most->first);
    advice.count = use.threads.size();
    advice.wait_ns = use.own_weight;
    advice.of_ns = run_.view.total_weight;
    advice.library = library.name;
    advice.variable = library.variable;
  }

  const AdviceRun& run_;
  std::vector<Advice>& advice_;
  std::vector<const Library*> libraries_;  // by ViewFunction::object
  std::unordered_map<FunctionId, double> teams_;
  std::unordered_map<const Library*, Use> uses_;
};

}  // namespace

void AdviseOnLibraries(const AdviceRun& run, std::vector<Advice>* advice) {
  if (run.view.kind == ViewKind::kUser) LibraryAdviser(run, advice).Run();
}

}  // namespace ompprof::analyze
