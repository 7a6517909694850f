#include "profiler/analyze/account/hottest_code.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/system_objects.h"

namespace ompprof::analyze {
namespace {

class HotCodeFinder {
 public:
  explicit HotCodeFinder(const View& view) : view_(view) {
    for (const std::string& path : view.objects) in_library_.push_back(IsLanguageLibrary(path));
  }

  std::vector<HotCode> Find() {
    std::map<std::pair<FunctionId, std::string>, uint64_t> weights;
    for (const ViewSample& sample : view_.samples) {
      if (sample.own || sample.cost.weight == 0) continue;
      const HotCode code = CodeOf(sample.path);
      const bool known = code.function != kNoFunction || !code.library_call.empty();
      if (known && !StandsForWaiting(view_.frames.function(code.function).name))
        weights[{code.function, code.library_call}] += sample.cost.weight;
    }
    std::vector<HotCode> all;
    for (const auto& [code, weight] : weights) all.push_back({code.first, code.second, weight});
    std::stable_sort(all.begin(), all.end(), [](const HotCode& a, const HotCode& b) { return a.weight > b.weight; });
    return all;
  }

 private:
  bool IsLibrarys(const ViewFunction& function) const {
    return function.object < in_library_.size() && in_library_[function.object];
  }

  // From the innermost frame outwards to the program's.
  HotCode CodeOf(PathId path) const {
    HotCode code;
    for (; path != kEmptyPath; path = view_.paths.node(path).parent) {
      const Location& location = view_.frames.location(view_.paths.node(path).location);
      for (uint32_t i = 0; i < location.line_count; ++i) {
        code.function = view_.frames.line(location.first_line + i).function;
        const ViewFunction& function = view_.frames.function(code.function);
        if (!IsLibrarys(function)) return code;
        code.library_call = PlainName(function.name);
      }
    }
    code.function = kNoFunction;
    return code;
  }

  const View& view_;
  std::vector<bool> in_library_;  // by ViewFunction::object
};

}  // namespace

std::vector<HotCode> HottestCode(const View& view) { return HotCodeFinder(view).Find(); }

}  // namespace ompprof::analyze
