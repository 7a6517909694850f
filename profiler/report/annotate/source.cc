#include "profiler/report/annotate/source.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

// Plain files only. A profile may name anything: a device, a pipe without a writer, a disk image.
constexpr off_t kLargestFile = 64 << 20;
constexpr size_t kTab = 8;

std::string Expanded(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text.append(kTab - text.size() % kTab, ' ');
    else if (c != '\r')
      text += c;
  }
  return Printable(text);
}

}  // namespace

std::vector<std::string> SourceCandidates(const std::string& file, const SourcePlaces& places) {
  std::vector<std::string> paths;
  for (const std::string& folder : places.folders) {
    for (size_t at = file.find_first_not_of('/'); at != std::string::npos;) {
      paths.push_back(folder + "/" + file.substr(at));
      const size_t slash = file.find('/', at);
      at = slash == std::string::npos ? slash : file.find_first_not_of('/', slash);
    }
  }
  if (!file.empty() && file[0] != '/') {
    for (const std::string& folder : places.compiled_in) paths.push_back(folder + "/" + file);
  }
  paths.push_back(file);
  return paths;
}

SourceText ReadSource(const std::string& file, const SourcePlaces& places, int64_t recorded_unix_ns) {
  SourceText source;
  if (file.empty()) {
    source.problem = "the debug information names no file: compile with -g to see lines";
    return source;
  }
  std::string why = std::strerror(ENOENT);
  for (const std::string& path : SourceCandidates(file, places)) {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) continue;
    if (!S_ISREG(info.st_mode) || info.st_size > kLargestFile) {
      why = "it is not a source file";
      continue;
    }
    std::ifstream stream(path);
    if (!stream) {
      why = std::strerror(errno);
      continue;
    }
    for (std::string line; std::getline(stream, line);) source.lines.push_back(Expanded(line));
    source.path = path;
    if (recorded_unix_ns > 0 && info.st_mtim.tv_sec > recorded_unix_ns / 1000000000)
      source.problem = "it was changed after the program was profiled: lines may have moved";
    return source;
  }
  source.problem = "the source cannot be read here (" + why + "); --source-path=DIR says where it is";
  return source;
}

const SourceText& Sources::Of(const std::string& file) {
  const auto [entry, added] = texts_.try_emplace(file);
  if (added) entry->second = ReadSource(file, {folders_, symbolizer_.CompilationFolders(file)}, recorded_unix_ns_);
  return entry->second;
}

std::string Sources::Line(const std::string& file, uint32_t line) {
  const SourceText& text = Of(file);
  return line >= 1 && line <= text.lines.size() ? text.lines[line - 1] : "";
}

}  // namespace ompprof::report
