// Exports the timeline as a trace for https://ui.perfetto.dev and chrome://tracing, in "Trace Event Format" (JSON).
// `ompprof export` calls it. Each thread has a track, with nested slices for phase, parallel region, OpenMP state and
// the functions of the call path. A flow leads from a region on the initial thread to each worker. Counters tell how
// many threads are busy and how many wait. Each device has a track with its kernels, copies, allocations and frees, and
// further tracks for operations at the same time as others.
#include "profiler/report/exports/exports.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "profiler/analyze/account/device_timeline.h"
#include "profiler/analyze/account/devices.h"
#include "profiler/analyze/account/thread_counts.h"
#include "profiler/analyze/account/timeline.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/columns/device_columns.h"
#include "profiler/report/exports/path_functions.h"
#include "profiler/report/exports/region_flows.h"
#include "profiler/report/exports/thread_names.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

// The levels of nested slices, outermost first. The functions of the call path are the levels from kFunction on.
enum Level : size_t { kPhase, kRegion, kState, kFunction };
constexpr const char* kCategories[] = {"phase", "region", "state", "function"};

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
    const std::vector<analyze::ThreadTimeline> timelines = analyze::Timelines(view_);
    for (const analyze::ThreadTimeline& timeline : timelines) Track(timeline);
    for (const analyze::DeviceTimeline& timeline : analyze::DeviceTimelines(view_)) DeviceTracks(timeline);
    for (uint32_t process = 0; process < run_.processes.size(); ++process) Counters(timelines, process);
    Flows();
    json_.EndArray();
    json_.EndObject();
  }

 private:
  // The value of a stretch at each level; 0: nothing. kIsState distinguishes state 0 from nothing.
  using Place = std::vector<uint64_t>;
  struct Open {
    uint64_t what;
    uint64_t begin_ns;
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

    std::vector<Open> open;
    Place place;
    uint64_t before = 0;
    for (const analyze::Stretch& stretch : timeline.stretches) {
      FindPlace(view_.samples[stretch.sample], &place);
      size_t same = 0;  // levels that go on
      if (stretch.begin_ns <= before + kTouchingNs) {
        while (same < open.size() && same < place.size() && open[same].what == place[same]) ++same;
      }
      Close(timeline, same, before, &open);
      for (size_t level = same; level < place.size(); ++level) open.push_back({place[level], stretch.begin_ns});
      before = stretch.end_ns;
    }
    Close(timeline, 0, before, &open);
  }

  void Close(const analyze::ThreadTimeline& timeline, size_t from, uint64_t end_ns, std::vector<Open>* open) {
    const uint64_t end_us = end_ns / 1000;
    for (size_t level = from; level < open->size(); ++level) {
      const auto [what, begin_ns] = (*open)[level];
      const uint64_t begin_us = begin_ns / 1000;
      if (what == 0 || end_us <= begin_us) continue;
      Begin("X", NameAt(timeline.process, level, what), timeline.process, timeline.thread);
      json_.Member("cat", kCategories[std::min<size_t>(level, kFunction)]);
      json_.Member("ts", begin_us);
      // An eighth of a microsecond less: where a slice begins just as others end, speedscope would pair its begin with
      // their ends. It adds in binary, where an eighth is exact, and slices that end together still do.
      json_.Key("dur");
      json_.Thousandths((end_us - begin_us) * 1000 - 125);
      json_.EndObject();
      if (level == kRegion) {
        regions_.push_back(
            {timeline.process, timeline.thread, static_cast<analyze::FunctionId>(what), begin_us, end_us});
      }
    }
    open->resize(from);
  }

  void FindPlace(const analyze::ViewSample& sample, Place* place) const {
    *place = {sample.phase, sample.region, kIsState | static_cast<uint32_t>(sample.state)};
    ForEachLine(view_, sample.path, [&](const analyze::Line& line) { place->push_back(line.function); });
    // The state of a waiting thread says what "<omp barrier>" says.
    if (place->size() > kFunction && analyze::IsMeasuredWait(sample.state) && NameOf(place->back())[0] == '<')
      place->pop_back();
  }

  const std::string& NameOf(uint64_t function) const {
    return view_.frames.function(static_cast<analyze::FunctionId>(function)).name;
  }

  std::string NameAt(uint32_t process, size_t level, uint64_t what) const {
    if (level == kPhase) return view_.phases[what];
    if (level != kState) return view_.frames.ShortName(NameOf(what));
    const auto state = static_cast<OmptState>(static_cast<uint32_t>(what));
    const std::string name = analyze::StateName(run_.process(process), state);
    const std::string prefix = "ompt_state_";
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
  }

  void Counters(const std::vector<analyze::ThreadTimeline>& timelines, uint32_t process) {
    for (const analyze::ThreadCount& count : analyze::CountThreads(view_, timelines, process)) {
      Begin("C", "threads", process, 0);
      json_.Member("ts", count.at_us);
      json_.Key("args");
      json_.BeginObject();
      json_.Member("busy", count.busy);
      json_.Member("waiting", count.waiting);
      json_.EndObject();
      json_.EndObject();
    }
  }

  // An arrow from each outermost region to each worker's part.
  void Flows() {
    uint64_t id = 0;
    for (const RegionFlow& flow : RegionFlows(view_, std::move(regions_))) {
      ++id;
      for (const char* type : {"s", "f"}) {
        const RegionSlice& slice = *type == 's' ? flow.from : flow.to;
        Begin(type, "team", slice.process, slice.thread);
        json_.Member("cat", "team");
        json_.Member("id", id);
        json_.Member("ts", flow.at_us);
        json_.Member("bp", "e");  // ends at the slice that is open, not at the next slice
        json_.EndObject();
      }
    }
  }

  const analyze::View& view_;
  const analyze::RunFacts& run_;
  bool pids_differ_;
  uint32_t next_device_track_ = kFirstDeviceTrack;
  std::vector<RegionSlice> regions_;
  JsonText json_;
};

}  // namespace

void TraceEvents(const analyze::View& view, const Sink& sink) { TraceWriter(view, sink).Write(); }

}  // namespace ompprof::report
