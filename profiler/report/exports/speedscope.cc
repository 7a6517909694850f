// Exports a view for https://www.speedscope.app, in its JSON format, with a profile for each thread, and with a
// timeline for each device. `ompprof export` calls it.
#include "profiler/report/exports/exports.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analyze/account/device_timeline.h"
#include "profiler/analyze/account/timeline.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/exports/thread_names.h"

namespace ompprof::report {
namespace {

// A path and its length in time. An empty path without an operation is a gap.
struct Piece {
  analyze::PathId path;
  uint64_t weight;
  const analyze::DeviceOperation* operation = nullptr;  // of a device, at the end of the path
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

// The pieces of each row of a device.
std::vector<std::vector<Piece>> RowsOf(const analyze::View& view, const analyze::DeviceTimeline& timeline) {
  std::vector<std::vector<Piece>> rows(timeline.rows);
  std::vector<uint64_t> at(timeline.rows, 0);
  for (const analyze::DeviceSlice& slice : timeline.slices) {
    const analyze::DeviceOperation& operation = view.device_operations[slice.operation];
    std::vector<Piece>& pieces = rows[slice.row];
    if (operation.begin_ns > at[slice.row]) pieces.push_back({analyze::kEmptyPath, operation.begin_ns - at[slice.row]});
    pieces.push_back({view.device_paths[operation.part].path, operation.end_ns - operation.begin_ns, &operation});
    at[slice.row] = operation.end_ns;
  }
  return rows;
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const analyze::View& view, const Sink& sink)
      : view_(view), json_(sink), frame_of_(view.frames.function_count(), 0) {}

  void Write() {
    uint64_t end = 0;
    const bool in_time = !view_.timed.empty();
    const Threads threads = in_time ? InTime(view_, &end) : ByWeight(view_);
    const std::vector<analyze::DeviceTimeline> devices = analyze::DeviceTimelines(view_);
    for (const analyze::DeviceTimeline& device : devices) {
      for (const analyze::DeviceSlice& slice : device.slices)
        end = std::max(end, view_.device_operations[slice.operation].end_ns);
    }
    json_.BeginObject();
    json_.Member("$schema", "https://www.speedscope.app/file-format-schema.json");
    json_.Member("exporter", "ompprof");
    json_.Member("name", view_.run.first().program);
    json_.Member("activeProfileIndex", uint32_t{0});
    json_.Key("profiles");
    json_.BeginArray();
    for (const auto& [thread, pieces] : threads) {
      const bool events = !in_time && !view_.run.process(thread.first).sampling.weighs_ns();
      Profile(ThreadName(view_, thread.first, thread.second), events, pieces, in_time ? end : SumOf(pieces));
    }
    for (const analyze::DeviceTimeline& device : devices) {
      const std::vector<std::vector<Piece>> rows = RowsOf(view_, device);
      for (size_t row = 0; row < rows.size(); ++row) {
        Profile(DeviceName(view_, device) + (row == 0 ? "" : ", at the same time (" + std::to_string(row) + ")"), false,
                rows[row], end);
      }
    }
    json_.EndArray();
    json_.Key("shared");
    json_.BeginObject();
    json_.Key("frames");
    json_.BeginArray();
    for (const analyze::ViewFunction* function : frames_) Frame(*function);
    json_.EndArray();
    json_.EndObject();
    json_.EndObject();
  }

 private:
  static uint64_t SumOf(const std::vector<Piece>& pieces) {
    uint64_t sum = 0;
    for (const Piece& piece : pieces) sum += piece.weight;
    return sum;
  }

  void Profile(const std::string& name, bool events, const std::vector<Piece>& pieces, uint64_t end) {
    json_.BeginObject();
    json_.Member("type", "sampled");
    json_.Member("name", name);
    json_.Member("unit", events ? "none" : "nanoseconds");
    json_.Member("startValue", uint32_t{0});
    json_.Member("endValue", end);
    json_.Key("samples");
    json_.BeginArray();
    for (const Piece& piece : pieces) Stack(piece);
    json_.EndArray();
    json_.Key("weights");
    json_.BeginArray();
    for (const Piece& piece : pieces) json_.Number(piece.weight);
    json_.EndArray();
    json_.EndObject();
  }

  // The frames' numbers, outermost first.
  void Stack(const Piece& piece) {
    json_.BeginArray();
    for (const analyze::LocationId id : view_.paths.Locations(piece.path)) {
      const analyze::Location& location = view_.frames.location(id);
      for (uint32_t i = location.line_count; i-- > 0;)
        json_.Number(FrameOf(view_.frames.line(location.first_line + i).function));
    }
    if (piece.operation != nullptr) {
      const analyze::DeviceWorkTotal& total = analyze::TotalOf(view_, *piece.operation);
      if (piece.path == analyze::kEmptyPath) json_.Number(FrameOf(total.construct));
      json_.Number(FrameOf(total.work));
    }
    json_.EndArray();
  }

  uint64_t FrameOf(analyze::FunctionId function) {
    return Number(&view_.frames.function(function), &frame_of_[function]);
  }

  // The frame of an operation: "kernel", "copy to the device".
  uint64_t FrameOf(analyze::DeviceWork work) {
    auto& [function, number] = operations_[work];
    if (number == 0) function.name = DeviceWorkName(work);
    return Number(&function, &number);
  }

  uint64_t Number(const analyze::ViewFunction* function, uint64_t* number) {
    if (*number == 0) {
      frames_.push_back(function);
      *number = frames_.size();
    }
    return *number - 1;
  }

  void Frame(const analyze::ViewFunction& function) {
    json_.BeginObject();
    json_.Member("name", function.name);
    if (!function.file.empty()) json_.Member("file", function.file);
    if (function.line != 0) json_.Member("line", function.line);
    json_.EndObject();
  }

  const analyze::View& view_;
  JsonText json_;
  std::vector<uint64_t> frame_of_;  // index into frames_ + 1; 0: not yet in frames_
  std::map<analyze::DeviceWork, std::pair<analyze::ViewFunction, uint64_t>> operations_;  // likewise
  std::vector<const analyze::ViewFunction*> frames_;
};

}  // namespace

void Speedscope(const analyze::View& view, const Sink& sink) { SpeedscopeWriter(view, sink).Write(); }

}  // namespace ompprof::report
