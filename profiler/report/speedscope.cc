#include "profiler/report/speedscope.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analyze/timeline.h"
#include "profiler/report/json_writer.h"
#include "profiler/report/thread_names.h"

namespace ompprof::report {
namespace {

// A path and its length in time. An empty path is a gap.
struct Piece {
  analyze::PathId path;
  uint64_t weight;
};
using Threads = std::map<std::pair<uint32_t, uint32_t>, std::vector<Piece>>;

Threads InTime(const analyze::View& view, uint64_t* end) {
  Threads threads;
  for (const analyze::ThreadTimeline& timeline : analyze::Timelines(view)) {
    std::vector<Piece>& pieces = threads[{timeline.process, timeline.thread}];
    uint64_t at = 0;
    for (const analyze::Stretch& stretch : timeline.stretches) {
      if (stretch.begin_ns > at) pieces.push_back({analyze::kEmptyPath, stretch.begin_ns - at});
      pieces.push_back({view.samples[stretch.sample].path, stretch.end_ns - stretch.begin_ns});
      at = stretch.end_ns;
    }
    *end = std::max(*end, at);
  }
  return threads;
}

Threads ByWeight(const analyze::View& view) {
  Threads threads;
  for (const analyze::ViewSample& sample : view.samples) {
    if (sample.cost.weight != 0) threads[{sample.process, sample.thread}].push_back({sample.path, sample.cost.weight});
  }
  return threads;
}

class SpeedscopeWriter {
 public:
  explicit SpeedscopeWriter(const analyze::View& view) : view_(view), frame_of_(view.frames.function_count(), 0) {}

  std::string Write() {
    uint64_t end = 0;
    const bool in_time = !view_.timed.empty();
    const Threads threads = in_time ? InTime(view_, &end) : ByWeight(view_);
    json_.BeginObject();
    json_.Member("$schema", "https://www.speedscope.app/file-format-schema.json");
    json_.Member("exporter", "ompprof");
    json_.Member("name", view_.run.first().program);
    json_.Member("activeProfileIndex", uint32_t{0});
    json_.Key("profiles");
    json_.BeginArray();
    for (const auto& [thread, pieces] : threads) Profile(thread.first, thread.second, pieces, in_time, end);
    json_.EndArray();
    json_.Key("shared");
    json_.BeginObject();
    json_.Key("frames");
    json_.BeginArray();
    for (const analyze::FunctionId function : frames_) Frame(view_.frames.function(function));
    json_.EndArray();
    json_.EndObject();
    json_.EndObject();
    return json_.text();
  }

 private:
  void Profile(uint32_t process, uint32_t thread, const std::vector<Piece>& pieces, bool in_time, uint64_t end) {
    const bool events = !in_time && !view_.run.process(process).sampling.weighs_ns();
    uint64_t sum = 0;
    for (const Piece& piece : pieces) sum += piece.weight;
    json_.BeginObject();
    json_.Member("type", "sampled");
    json_.Member("name", ThreadName(view_, process, thread));
    json_.Member("unit", events ? "none" : "nanoseconds");
    json_.Member("startValue", uint32_t{0});
    json_.Member("endValue", in_time ? end : sum);
    json_.Key("samples");
    json_.BeginArray();
    for (const Piece& piece : pieces) Stack(piece.path);
    json_.EndArray();
    json_.Key("weights");
    json_.BeginArray();
    for (const Piece& piece : pieces) json_.Number(piece.weight);
    json_.EndArray();
    json_.EndObject();
  }

  // The frames' numbers, outermost first.
  void Stack(analyze::PathId path) {
    json_.BeginArray();
    for (const analyze::LocationId id : view_.paths.Locations(path)) {
      const analyze::Location& location = view_.frames.location(id);
      for (uint32_t i = location.line_count; i-- > 0;)
        json_.Number(FrameOf(view_.frames.line(location.first_line + i).function));
    }
    json_.EndArray();
  }

  uint64_t FrameOf(analyze::FunctionId function) {
    uint64_t& number = frame_of_[function];
    if (number == 0) {
      frames_.push_back(function);
      number = frames_.size();
    }
    return number - 1;
  }

  void Frame(const analyze::ViewFunction& function) {
    json_.BeginObject();
    json_.Member("name", function.name);
    if (!function.file.empty()) json_.Member("file", function.file);
    if (function.line != 0) json_.Member("line", function.line);
    json_.EndObject();
  }

  const analyze::View& view_;
  JsonText json_{JsonText::Layout::kOneLine};
  std::vector<uint64_t> frame_of_;  // index into frames_ + 1; 0: not yet in frames_
  std::vector<analyze::FunctionId> frames_;
};

}  // namespace

std::string Speedscope(const analyze::View& view) { return SpeedscopeWriter(view).Write(); }

}  // namespace ompprof::report
