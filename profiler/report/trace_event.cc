#include "profiler/report/trace_event.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "profiler/analyze/device_timeline.h"
#include "profiler/analyze/devices.h"
#include "profiler/analyze/omp_state.h"
#include "profiler/analyze/state_kind.h"
#include "profiler/analyze/timeline.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/json_writer.h"
#include "profiler/report/thread_names.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

// The levels of nested slices, outermost first.
enum Level { kPhase, kRegion, kState, kFunction, kLevels };
constexpr const char* kCategories[kLevels] = {"phase", "region", "state", "function"};

// Stretches touch each other if their times differ by rounding only.
constexpr uint64_t kTouchingNs = 1000;

// A bit above the numbers of all states.
constexpr uint64_t kIsState = uint64_t{1} << 32;

// The number of the first track of a device. Threads have smaller numbers.
constexpr uint32_t kFirstDeviceTrack = 1 << 30;

class TraceWriter {
 public:
  TraceWriter(const analyze::View& view, const Sink& sink) : view_(view), run_(view.run), json_(sink) {
    std::set<uint64_t> pids;
    for (const analyze::ProcessFacts& process : run_.processes) pids.insert(process.pid);
    pids_differ_ = pids.size() == run_.processes.size();
  }

  void Write() {
    json_.BeginObject();
    json_.Member("displayTimeUnit", "ms");
    json_.Key("otherData");
    json_.BeginObject();
    json_.Member("exporter", "ompprof");
    json_.Member("program", run_.first().program);
    json_.EndObject();
    json_.Key("traceEvents");
    json_.BeginArray();
    for (uint32_t process = 0; process < run_.processes.size(); ++process)
      Name("process_name", process, 0, ProcessName(view_, process));
    for (const analyze::ThreadTimeline& timeline : analyze::Timelines(view_)) Track(timeline);
    for (const analyze::DeviceTimeline& timeline : analyze::DeviceTimelines(view_)) DeviceTracks(timeline);
    json_.EndArray();
    json_.EndObject();
  }

 private:
  // The value of a stretch at each level; 0: nothing. kIsState distinguishes state 0 from nothing.
  struct Place {
    uint64_t at[kLevels];
  };
  struct Open {
    uint64_t what = 0;
    uint64_t begin_ns = 0;
  };

  // Processes on several hosts may have equal process ids.
  uint64_t Pid(uint32_t process) const { return pids_differ_ ? run_.process(process).pid : process + 1; }

  void Begin(const char* type, const std::string& name, uint32_t process, uint32_t thread) {
    json_.BeginObject();
    json_.Member("ph", type);
    json_.Member("name", name);
    json_.Member("pid", Pid(process));
    json_.Member("tid", thread);
  }

  void Name(const char* what, uint32_t process, uint32_t thread, const std::string& name) {
    Begin("M", what, process, thread);
    json_.Key("args");
    json_.BeginObject();
    json_.Member("name", name);
    json_.EndObject();
    json_.EndObject();
  }

  void NameTrack(uint32_t process, uint32_t track, const std::string& name) {
    Name("thread_name", process, track, name);
    Begin("M", "thread_sort_index", process, track);
    json_.Key("args");
    json_.BeginObject();
    json_.Member("sort_index", track);
    json_.EndObject();
    json_.EndObject();
  }

  void DeviceTracks(const analyze::DeviceTimeline& timeline) {
    const uint32_t first = next_device_track_;
    next_device_track_ += timeline.rows;
    for (uint32_t row = 0; row < timeline.rows; ++row) {
      NameTrack(timeline.process, first + row,
                DeviceName(view_, timeline) + (row == 0 ? "" : ", at the same time (" + std::to_string(row) + ")"));
    }
    for (const analyze::DeviceSlice& slice : timeline.slices) {
      const analyze::DeviceOperation& operation = view_.device_operations[slice.operation];
      const analyze::DeviceWork work = analyze::TotalOf(view_, operation).work;
      const std::string& construct = analyze::ConstructOf(view_, operation).name;
      const uint64_t length_ns = operation.end_ns - operation.begin_ns;
      Begin("X", work == analyze::DeviceWork::kKernel ? construct : DeviceWorkName(work), timeline.process,
            first + slice.row);
      json_.Member("cat", DeviceClassName(work));
      json_.Key("ts");
      json_.Thousandths(operation.begin_ns);
      json_.Key("dur");
      json_.Thousandths(length_ns);
      json_.Key("args");
      json_.BeginObject();
      json_.Member("construct", construct);
      if (operation.bytes != 0) json_.Member("bytes", operation.bytes);
      if (analyze::IsCopy(work) && length_ns != 0)
        json_.Member("MB/s", 1e3 * static_cast<double>(operation.bytes) / static_cast<double>(length_ns));
      json_.EndObject();
      json_.EndObject();
    }
  }

  void Track(const analyze::ThreadTimeline& timeline) {
    const analyze::ThreadFacts* known = run_.process(timeline.process).FindThread(timeline.thread);
    std::string name = ThreadName(view_, timeline.process, timeline.thread);
    if (known != nullptr) name += ", tid " + std::to_string(known->tid);
    NameTrack(timeline.process, timeline.thread, name);

    Open open[kLevels];
    uint64_t before = 0;
    for (const analyze::Stretch& stretch : timeline.stretches) {
      const Place place = PlaceOf(view_.samples[stretch.sample]);
      bool changed = stretch.begin_ns > before + kTouchingNs;
      int from = kLevels;
      for (int level = kLevels; level-- > 0;) {
        if (changed || open[level].what != place.at[level]) from = level;
      }
      Close(timeline, from, before, open);
      for (int level = from; level < kLevels; ++level) open[level] = {place.at[level], stretch.begin_ns};
      before = stretch.end_ns;
    }
    Close(timeline, 0, before, open);
  }

  void Close(const analyze::ThreadTimeline& timeline, int from, uint64_t end_ns, Open* open) {
    for (int level = from; level < kLevels; ++level) {
      const uint64_t begin_us = open[level].begin_ns / 1000;
      const uint64_t end_us = end_ns / 1000;
      if (open[level].what != 0 && end_us > begin_us) {
        Begin("X", NameAt(timeline.process, level, open[level].what), timeline.process, timeline.thread);
        json_.Member("cat", kCategories[level]);
        json_.Member("ts", begin_us);
        json_.Member("dur", end_us - begin_us);
        json_.EndObject();
      }
      open[level] = {};
    }
  }

  Place PlaceOf(const analyze::ViewSample& sample) const {
    Place place = {};
    place.at[kPhase] = sample.phase;
    place.at[kRegion] = sample.region;
    place.at[kState] = kIsState | static_cast<uint32_t>(sample.state);
    // The state of a waiting thread needs no function.
    if (!analyze::IsMeasuredWait(sample.state) && sample.path != analyze::kEmptyPath) {
      const analyze::Location& location = view_.frames.location(view_.paths.node(sample.path).location);
      if (location.line_count > 0) place.at[kFunction] = view_.frames.line(location.first_line).function;
    }
    return place;
  }

  std::string NameAt(uint32_t process, int level, uint64_t what) const {
    if (level == kPhase) return view_.phases[what];
    if (level != kState) return view_.frames.function(static_cast<analyze::FunctionId>(what)).name;
    const auto state = static_cast<OmptState>(static_cast<uint32_t>(what));
    const std::string name = analyze::StateName(run_.process(process), state);
    const std::string prefix = "ompt_state_";
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
  }

  const analyze::View& view_;
  const analyze::RunFacts& run_;
  bool pids_differ_;
  uint32_t next_device_track_ = kFirstDeviceTrack;
  JsonText json_;
};

}  // namespace

void TraceEvents(const analyze::View& view, const Sink& sink) { TraceWriter(view, sink).Write(); }

}  // namespace ompprof::report
