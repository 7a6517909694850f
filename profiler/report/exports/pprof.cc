// Exports a view in the pprof format, for `go tool pprof` and other tools that read this format. `ompprof export` calls
// it.
#include "profiler/report/exports/exports.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/process_labels.h"
#include "profiler/model/header_facts.h"
#include "profiler/report/basics/gzip.h"
#include "profiler/report/basics/utf8.h"
#include "proto/ompt_state.h"
#include "proto/pprof_profile.pb.h"

namespace ompprof::report {
namespace {

// Samples, their weight, waits and blame. Then come the counted events.
constexpr int kFirstValues = 4;

std::string Hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

class PprofBuilder {
 public:
  PprofBuilder(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink)
      : view_(view),
        run_(view.run),
        symbolizer_(symbolizer),
        gzip_(sink, kPprofComment),
        mapping_of_(symbolizer.objects().size(), 0),
        location_of_(view.frames.location_count(), 0),
        function_of_(view.frames.function_count(), 0) {
    String("");
  }

  void Build() {
    Header();
    // The first mapping is the main binary, because readers show its name.
    const std::string& program = run_.first().program;
    for (uint32_t i = 1; i < symbolizer_.objects().size(); ++i) {
      if (symbolizer_.objects()[i].path == program) Mapping(i);
    }
    for (const analyze::ViewSample& sample : view_.samples) {
      if (!sample.interval) Sample(sample);
    }
    for (const analyze::DevicePathTotal& part : view_.device_paths) {
      if (part.leaf != analyze::kEmptyPath) DeviceSample(part);
    }
    // The pieces of a message add up to the message. So the tables that samples refer to may follow the samples.
    profile_.AppendToString(&bytes_);
    gzip_.Write(bytes_);
    gzip_.Finish();
  }

 private:
  int64_t String(const std::string& text) {
    const auto [entry, added] = strings_.emplace(text, static_cast<int64_t>(strings_.size()));
    if (added) profile_.add_string_table(ValidUtf8(text));
    return entry->second;
  }

  void Header() {
    const analyze::SamplingFacts& sampling = run_.first().sampling;
    const bool events = !sampling.weighs_ns();
    pprof::ValueType* count = profile_.add_sample_type();
    count->set_type(String("samples"));
    count->set_unit(String("count"));
    pprof::ValueType* weight = profile_.add_sample_type();
    weight->set_type(String(events ? sampling.clock : sampling.clock == "wall" ? "wall" : "cpu"));
    weight->set_unit(String(events ? "count" : "nanoseconds"));
    *profile_.mutable_period_type() = *weight;
    profile_.set_default_sample_type(weight->type());
    for (const char* type : {"wait", "blame"}) AddType(type, "nanoseconds");
    for (const analyze::CountedEvent& event : view_.counted) AddType(event.name, "count");
    const auto& parts = view_.device_paths;
    if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.leaf != analyze::kEmptyPath; })) {
      AddType("kernel", "nanoseconds");
      AddType("device_wait", "nanoseconds");
      AddType("copied", "bytes");
    }
    profile_.set_period(static_cast<int64_t>(sampling.period));
    profile_.set_time_nanos(run_.first().start_unix_ns);
    for (const analyze::ProcessFacts& process : run_.processes) {
      for (const std::string& note : analyze::NotesOf(process)) profile_.add_comment(String(note));
    }
    profile_.set_duration_nanos(static_cast<int64_t>(run_.duration_ns()));
  }

  void AddType(const std::string& type, const char* unit) {
    pprof::ValueType* more = profile_.add_sample_type();
    more->set_type(String(type));
    more->set_unit(String(unit));
  }

  uint64_t Mapping(uint32_t number) {
    if (number == 0) return 0;
    uint64_t& id = mapping_of_[number];
    if (id != 0) return id;
    const model::Object& object = symbolizer_.objects()[number];
    pprof::Mapping* mapping = profile_.add_mapping();
    id = static_cast<uint64_t>(profile_.mapping_size());
    mapping->set_id(id);
    mapping->set_filename(String(object.path));
    mapping->set_build_id(String(Hex(object.build_id)));
    // pprof needs one range and the file offset of its start. All segments of an object keep their distances. So the
    // range from the first to the last segment serves, with the offset of the first segment.
    const auto first = std::min_element(object.segments.begin(), object.segments.end(),
                                        [](const auto& a, const auto& b) { return a.vaddr() < b.vaddr(); });
    uint64_t limit = 0;
    for (const auto& segment : object.segments) limit = std::max(limit, segment.vaddr() + segment.memsz());
    if (first != object.segments.end()) {
      mapping->set_memory_start(object.load_bias + first->vaddr());
      mapping->set_memory_limit(object.load_bias + limit);
      mapping->set_file_offset(first->offset());
    }
    mapping->set_has_functions(object.file != nullptr);
    mapping->set_has_filenames(object.has_lines);
    mapping->set_has_line_numbers(object.has_lines);
    mapping->set_has_inline_frames(object.has_lines);
    return id;
  }

  uint64_t Function(analyze::FunctionId number) {
    uint64_t& id = function_of_[number];
    if (id != 0) return id;
    const analyze::ViewFunction& known = view_.frames.function(number);
    pprof::Function* function = profile_.add_function();
    id = static_cast<uint64_t>(profile_.function_size());
    function->set_id(id);
    const std::string name = view_.frames.ShortName(known.name);
    function->set_name(String(name));
    // The full name, or the linked name if the full name is no longer. If both names are equal, pprof treats the name
    // as C++ and the text in <> as template arguments. So made-up frames have no second name.
    const bool is_made_up = known.system_name.empty();
    if (!is_made_up) function->set_system_name(String(name != known.name ? known.name : known.system_name));
    function->set_filename(String(known.file));
    function->set_start_line(known.line);
    return id;
  }

  uint64_t Location(analyze::LocationId number) {
    if (location_of_[number] != 0) return location_of_[number];
    const analyze::Location& known = view_.frames.location(number);
    pprof::Location* location = profile_.add_location();
    const auto id = static_cast<uint64_t>(profile_.location_size());
    location_of_[number] = id;
    location->set_id(id);
    const model::Object& object = symbolizer_.objects()[known.place.object];
    location->set_mapping_id(Mapping(known.place.object));
    location->set_address(known.place.address + (known.place.object == 0 ? 0 : object.load_bias));
    for (uint32_t i = 0; i < known.line_count; ++i) {
      const analyze::Line& from = view_.frames.line(known.first_line + i);
      pprof::Line* line = location->add_line();
      line->set_function_id(Function(from.function));
      line->set_line(from.line);
    }
    return id;
  }

  void TextLabel(pprof::Sample* sample, const char* key, const std::string& value) {
    pprof::Label* label = sample->add_label();
    label->set_key(String(key));
    label->set_str(String(value));
  }

  void NumberLabel(pprof::Sample* sample, const char* key, uint64_t value) {
    pprof::Label* label = sample->add_label();
    label->set_key(String(key));
    label->set_num(static_cast<int64_t>(value));
  }

  // A number, because pprof reads -tagfocus=thread=2 as a range of numbers. With several processes, PID/THREAD
  // (ProcessLabels).
  void ThreadLabel(pprof::Sample* sample, uint32_t process, uint32_t thread) {
    if (!run_.several()) {
      NumberLabel(sample, "thread", thread);
      return;
    }
    if (labels_.empty()) labels_ = analyze::ProcessLabels(view_);
    TextLabel(sample, "thread", labels_[process] + "/" + std::to_string(thread));
  }

  const std::string& State(uint32_t process, OmptState state) {
    const auto [entry, added] = state_names_.try_emplace({process, state});
    if (added) entry->second = analyze::StateName(run_.process(process), state);
    return entry->second;
  }

  void Path(analyze::PathId path, pprof::Sample* sample) {
    for (; path != analyze::kEmptyPath; path = view_.paths.node(path).parent)
      sample->add_location_id(Location(view_.paths.node(path).location));
  }

  void ProcessLabels(uint32_t number, pprof::Sample* sample) {
    const analyze::ProcessFacts& process = run_.process(number);
    if (!process.rank.empty()) TextLabel(sample, "rank", process.rank);
    if (!run_.several()) return;
    NumberLabel(sample, "process", process.pid);
    if (!process.host.empty()) TextLabel(sample, "host", process.host);
  }

  int HostValues() const { return kFirstValues + static_cast<int>(view_.counted.size()); }

  // What a device did is the cost of no thread.
  void DeviceSample(const analyze::DevicePathTotal& from) {
    const analyze::DeviceWorkTotal& total = view_.device_work[from.total];
    const bool is_copy = IsCopy(total.work);
    pprof::Sample* const sample = &sample_;
    sample->Clear();
    Path(from.leaf, sample);
    for (int host_values = 0; host_values < HostValues(); ++host_values) sample->add_value(0);
    sample->add_value(is_copy ? 0 : static_cast<int64_t>(from.KernelNs()));
    sample->add_value(static_cast<int64_t>(from.waited_ns));
    sample->add_value(is_copy ? static_cast<int64_t>(from.bytes) : 0);
    ProcessLabels(total.process, sample);
    AppendSample();
  }

  void Sample(const analyze::ViewSample& from) {
    pprof::Sample* const sample = &sample_;
    sample->Clear();
    Path(from.path, sample);
    sample->add_value(static_cast<int64_t>(from.cost.samples));
    sample->add_value(static_cast<int64_t>(from.cost.weight));
    sample->add_value(static_cast<int64_t>(from.cost.wait));
    sample->add_value(static_cast<int64_t>(from.cost.all_blame()));
    for (const analyze::CountedEvent& event : view_.counted)
      sample->add_value(static_cast<int64_t>(from.cost.counts[event.at]));
    for (int more = HostValues(); more < profile_.sample_type_size(); ++more) sample->add_value(0);
    ThreadLabel(sample, from.process, from.thread);
    TextLabel(sample, "omp_state", State(from.process, from.state));
    if (from.region != analyze::kNoFunction) TextLabel(sample, "region", view_.frames.function(from.region).name);
    if (from.phase != 0) TextLabel(sample, "phase", view_.phases[from.phase]);
    ProcessLabels(from.process, sample);
    if (from.wait_id != 0) NumberLabel(sample, "wait_id", from.wait_id);
    AppendSample();
  }

  // Encodes each sample immediately: a million messages in memory take several times the space of their encoding.
  void AppendSample() {
    constexpr uint32_t kLengthDelimited = 2;
    AppendVarint(pprof::Profile::kSampleFieldNumber << 3 | kLengthDelimited);
    AppendVarint(sample_.ByteSizeLong());
    sample_.AppendToString(&bytes_);
    if (bytes_.size() < kSinkBytes) return;
    gzip_.Write(bytes_);
    bytes_.clear();
  }

  void AppendVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  const analyze::View& view_;
  const analyze::RunFacts& run_;
  std::vector<std::string> labels_;  // filled on first use
  const model::Symbolizer& symbolizer_;
  GzipWriter gzip_;
  std::string bytes_;       // encoded samples that gzip_ does not have
  pprof::Sample sample_;    // reused for each sample
  pprof::Profile profile_;  // all parts except the samples
  std::unordered_map<std::string, int64_t> strings_;
  std::vector<uint64_t> mapping_of_;
  std::vector<uint64_t> location_of_;
  std::vector<uint64_t> function_of_;
  std::map<std::pair<uint32_t, OmptState>, std::string> state_names_;
};

}  // namespace

void Pprof(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink) {
  PprofBuilder(view, symbolizer, sink).Build();
}

}  // namespace ompprof::report
