// Exports the timeline as a trace in the Open Trace Format 2, for Vampir, otf2-print and other readers of Score-P's
// traces. `ompprof export` calls it.
//
// The format has no description but its library, libotf2. ompprof looks for the library when this format is asked for
// (dlopen), so that no other command needs it.
#include "profiler/report/exports/exports.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/account/timeline.h"
#include "profiler/report/basics/utf8.h"
#include "profiler/report/exports/otf2_library.h"
#include "profiler/report/exports/path_functions.h"
#include "profiler/report/exports/thread_names.h"

namespace ompprof::report {
namespace {

using analyze::FunctionId;

// The library's own sentences would go to standard error.
OTF2_ErrorCode Quiet(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  return code;
}

OTF2_FlushType Flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

struct Kind {
  const char* mark;  // in the function's name
  OTF2_RegionRole role;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_OPENMP;
};

// The first that fits counts.
constexpr Kind kKinds[] = {
    {"<omp barrier: implicit", OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    {"<omp barrier", OTF2_REGION_ROLE_BARRIER},
    {"<omp critical", OTF2_REGION_ROLE_CRITICAL},
    {"<omp atomic", OTF2_REGION_ROLE_ATOMIC},
    {"<omp ordered", OTF2_REGION_ROLE_ORDERED},
    {"<omp taskwait", OTF2_REGION_ROLE_TASK_WAIT},
    {"<omp taskgroup", OTF2_REGION_ROLE_TASK_WAIT},
    {"<omp idle", OTF2_REGION_ROLE_THREAD_WAIT},
    {" [omp parallel", OTF2_REGION_ROLE_PARALLEL},
    {" [omp task", OTF2_REGION_ROLE_TASK},
    {" [omp ", OTF2_REGION_ROLE_CODE},
    {"<mpi MPI_Barrier>", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI},
    {"<mpi ", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI},
    {"<", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_SAMPLING},
};
constexpr Kind kFunction = {"", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING};

const Kind& KindOf(const std::string& name) {
  for (const Kind& kind : kKinds) {
    const size_t at = name.find(kind.mark);
    if (at == 0 || (at != std::string::npos && kind.mark[0] == ' ')) return kind;
  }
  return kFunction;
}

class Otf2Writer {
 public:
  Otf2Writer(const analyze::View& view, const Otf2Library& library) : view_(view), library_(library) {}

  model::Status Write(const std::string& path) {
    archive_ = library_.open(path.c_str(), "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                             OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) return model::Status(path + ": the folder cannot be made");
    static const OTF2_FlushCallbacks kFlush = {Flush, nullptr};
    Check(library_.set_flush_callbacks(archive_, &kFlush, nullptr));
    Check(library_.set_serial(archive_));
    Check(library_.set_creator(archive_, "ompprof"));
    timelines_ = analyze::Timelines(view_);
    Events();
    Definitions();
    Check(library_.close(archive_));
    if (error_ == OTF2_SUCCESS) return {};
    return model::Status(path + ": cannot be written: " + library_.error_description(error_));
  }

 private:
  void Check(OTF2_ErrorCode code) {
    if (error_ == OTF2_SUCCESS) error_ = code;
  }

  void Events() {
    Check(library_.open_events(archive_));
    for (size_t i = 0; i < timelines_.size(); ++i) {
      OTF2_EvtWriter* writer = library_.event_writer(archive_, i);
      if (writer == nullptr) return Check(OTF2_ERROR_FILE_CAN_NOT_OPEN);
      events_.push_back(0);
      ThreadEvents(timelines_[i], writer);
      Check(library_.close_event_writer(archive_, writer));
    }
    Check(library_.close_events(archive_));
  }

  // Enters and leaves functions where the call path changes.
  void ThreadEvents(const analyze::ThreadTimeline& timeline, OTF2_EvtWriter* writer) {
    std::vector<FunctionId> open;
    std::vector<FunctionId> path;
    uint64_t before = 0;
    const auto leave_to = [&](size_t depth) {
      for (; open.size() > depth; open.pop_back(), ++events_.back())
        Check(library_.leave(writer, nullptr, before, open.back()));
    };
    for (const analyze::Stretch& stretch : timeline.stretches) {
      path.clear();
      ForEachLine(view_, view_.samples[stretch.sample].path,
                  [&](const analyze::Line& line) { path.push_back(line.function); });
      size_t same = 0;
      while (stretch.begin_ns == before && same < std::min(open.size(), path.size()) && open[same] == path[same])
        ++same;
      leave_to(same);
      for (size_t depth = same; depth < path.size(); ++depth, ++events_.back()) {
        Check(library_.enter(writer, nullptr, stretch.begin_ns, path[depth]));
        open.push_back(path[depth]);
      }
      before = stretch.end_ns;
      end_ns_ = std::max(end_ns_, before);
    }
    leave_to(0);
  }

  void Definitions() {
    Check(library_.open_definitions(archive_));
    for (size_t i = 0; i < timelines_.size(); ++i) {
      OTF2_DefWriter* writer = library_.definition_writer(archive_, i);
      if (writer == nullptr) return Check(OTF2_ERROR_FILE_CAN_NOT_OPEN);
      Check(library_.close_definition_writer(archive_, writer));
    }
    Check(library_.close_definitions(archive_));
    global_ = library_.global_writer(archive_);
    if (global_ == nullptr) return Check(OTF2_ERROR_FILE_CAN_NOT_OPEN);
    constexpr uint64_t kTicksPerSecond = 1000000000;
    Check(library_.write_clock(global_, kTicksPerSecond, 0, end_ns_,
                               static_cast<uint64_t>(view_.run.first().start_unix_ns)));
    String("");
    const OTF2_StringRef openmp = String("OpenMP");
    Check(library_.write_paradigm(global_, OTF2_PARADIGM_OPENMP, openmp, OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN));
    const OTF2_StringRef mpi = String("MPI");
    Check(library_.write_paradigm(global_, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS));
    Regions();
    Locations();
  }

  OTF2_StringRef String(const std::string& text) {
    const auto [entry, added] = strings_.emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (added) Check(library_.write_string(global_, entry->second, ValidUtf8(text).c_str()));
    return entry->second;
  }

  // Each function has its number as a region.
  void Regions() {
    for (FunctionId id = 0; id < view_.frames.function_count(); ++id) {
      const analyze::ViewFunction& function = view_.frames.function(id);
      const Kind& kind = KindOf(function.name);
      const OTF2_StringRef name = String(function.name);
      const OTF2_StringRef linked = function.system_name.empty() ? name : String(function.system_name);
      const OTF2_StringRef none = String("");
      const OTF2_StringRef file = String(function.file);
      Check(library_.write_region(global_, id, name, linked, none, kind.role, kind.paradigm, OTF2_REGION_FLAG_NONE,
                                  file, function.line, function.line));
    }
  }

  // A host is a node, a process a group, a thread a location.
  void Locations() {
    std::unordered_map<std::string, OTF2_SystemTreeNodeRef> hosts;
    for (uint32_t i = 0; i < view_.run.processes.size(); ++i) {
      const std::string& host = view_.run.process(i).host;
      const auto [entry, added] = hosts.emplace(host, static_cast<OTF2_SystemTreeNodeRef>(hosts.size()));
      const OTF2_StringRef name = String(host.empty() ? "host" : host);
      const OTF2_StringRef kind = String("node");
      if (added) Check(library_.write_node(global_, entry->second, name, kind, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
      const OTF2_StringRef process = String(ProcessName(view_, i));
      Check(library_.write_group(global_, i, process, OTF2_LOCATION_GROUP_TYPE_PROCESS, entry->second,
                                 OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (size_t i = 0; i < timelines_.size(); ++i) {
      const OTF2_StringRef name = String(ThreadName(view_, timelines_[i].process, timelines_[i].thread));
      Check(
          library_.write_location(global_, i, name, OTF2_LOCATION_TYPE_CPU_THREAD, events_[i], timelines_[i].process));
    }
  }

  const analyze::View& view_;
  const Otf2Library& library_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* global_ = nullptr;
  OTF2_ErrorCode error_ = OTF2_SUCCESS;
  std::vector<analyze::ThreadTimeline> timelines_;
  std::vector<uint64_t> events_;  // by timeline: the number written
  uint64_t end_ns_ = 0;
  std::unordered_map<std::string, OTF2_StringRef> strings_;
};

}  // namespace

model::Status Otf2(const analyze::View& view, const std::string& path) {
  Otf2Library library;
  model::Status status = LoadOtf2(&library);
  if (!status.ok()) return status;
  std::error_code error;
  if (std::filesystem::exists(path, error))
    return model::Status(path + ": exists already; an OTF2 trace is a new folder");
  library.register_error_callback(Quiet, nullptr);
  status = Otf2Writer(view, library).Write(path);
  if (!status.ok()) std::filesystem::remove_all(path, error);
  return status;
}

}  // namespace ompprof::report
