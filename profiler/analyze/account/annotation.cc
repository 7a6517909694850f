#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/view/state_kind.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ompprof::analyze {
namespace {

// Whether a frame stands for no code, for example "<omp critical>".
bool IsMadeUp(const View& view, const Location& location) {
  if (location.place.object != 0 || location.place.address != 0 || location.line_count != 1) return false;
  const ViewFunction& function = view.frames.function(view.frames.line(location.first_line).function);
  return function.name.compare(0, 1, "<") == 0 && function.file.empty() && function.object == 0;
}

// `made_up`: the path's last frame, if it names a wait instead of a function; else empty.
Spent SpentOn(const View& view, const ViewSample& sample, const std::string& made_up) {
  if (sample.own) return Spent::kOwn;
  if (made_up == "<omp overhead>") return Spent::kOverhead;
  const Spent spent = SpentOf(KindOf(sample.state));
  if (!made_up.empty()) return spent == Spent::kWork || spent == Spent::kOverhead ? Spent::kOtherWait : spent;
  return view.kind == ViewKind::kUser ? Spent::kWork : spent;
}

class Annotator {
 public:
  Annotator(const View& view, const std::vector<bool>& wanted) : view_(view), wanted_(wanted) {}

  void Add(const ViewSample& sample) {
    PathId path = sample.path;
    std::string made_up;
    if (path != kEmptyPath && IsMadeUp(view_, At(path))) {
      made_up = view_.frames.function(view_.frames.line(At(path).first_line).function).name;
      path = view_.paths.node(path).parent;
    }
    const Spent spent = SpentOn(view_, sample, made_up);
    lines_.clear();
    addresses_.clear();
    bool leaf = true;
    for (; path != kEmptyPath; path = view_.paths.node(path).parent) {
      AddLocation(At(path), sample, spent, leaf);
      leaf = false;
    }
    if (!lines_.empty()) annotation_.all.total.Add(sample.cost);
  }

  Annotation Result() {
    for (auto& [name, file] : files_) annotation_.files.push_back(std::move(file));
    for (auto& [object, code] : code_) annotation_.code.push_back(std::move(code));
    const auto more = [](const auto& a, const auto& b) { return a.self.weight > b.self.weight; };
    std::stable_sort(annotation_.files.begin(), annotation_.files.end(), more);
    std::stable_sort(annotation_.code.begin(), annotation_.code.end(), more);
    return std::move(annotation_);
  }

 private:
  const Location& At(PathId path) const { return view_.frames.location(view_.paths.node(path).location); }

  static void AddSelf(SpotCost* spot, const ViewSample& sample, Spent spent) {
    spot->self.Add(sample.cost);
    spot->weight[static_cast<int>(spent)] += sample.cost.weight;
  }

  void AddLocation(const Location& location, const ViewSample& sample, Spent spent, bool leaf) {
    bool any = false;
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const Line& line = view_.frames.line(location.first_line + i);
      if (!wanted_[line.function]) continue;
      any = true;
      FileLines& file = files_[view_.frames.function(line.function).file];
      file.file = view_.frames.function(line.function).file;
      SpotCost& spot = file.lines[line.line];
      if (lines_.insert({&file, line.line}).second) spot.total.Add(sample.cost);
      if (!leaf || i != 0) continue;
      AddSelf(&spot, sample, spent);
      AddSelf(&annotation_.all, sample, spent);
      file.self.Add(sample.cost);
    }
    if (!any || location.place.object == 0) return;
    ObjectCode& code = code_[location.place.object];
    code.object = location.place.object;
    SpotCost& spot = code.addresses[location.place.address];
    if (addresses_.insert({code.object, location.place.address}).second) spot.total.Add(sample.cost);
    if (!leaf) return;
    AddSelf(&spot, sample, spent);
    code.self.Add(sample.cost);
  }

  const View& view_;
  const std::vector<bool>& wanted_;
  Annotation annotation_;
  std::map<std::string, FileLines> files_;
  std::map<uint32_t, ObjectCode> code_;
  // The things already counted for the current sample.
  std::set<std::pair<const FileLines*, uint32_t>> lines_;
  std::set<std::pair<uint32_t, uint64_t>> addresses_;
};

}  // namespace

const char* SpentName(Spent spent) {
  static const char* const kNames[] = {"work", "barrier", "lock", "tasks", "wait", "mpi", "overhead", "ompprof"};
  return kNames[static_cast<int>(spent)];
}

Annotation Annotate(const View& view, const std::vector<bool>& wanted) {
  Annotator annotator(view, wanted);
  for (const ViewSample& sample : view.samples) {
    if (!sample.interval) annotator.Add(sample);
  }
  return annotator.Result();
}

}  // namespace ompprof::analyze
