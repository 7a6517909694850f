#include "profiler/report/html/source_lines.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include "profiler/report/annotate_source.h"

namespace ompprof::report {
namespace {

constexpr size_t kMostFiles = 60;
constexpr size_t kMostLines = 4000;       // of a file that is shown whole
constexpr uint32_t kAround = 25;          // lines before and after one that cost something, of a longer one
constexpr off_t kLargestFile = 4 << 20;   // bytes
constexpr size_t kLargestText = 8 << 20;  // of all files
constexpr size_t kLongestLine = 400;      // bytes; the rest is cut

bool NamedAsSource(const std::string& path) {
  static const std::array<const char*, 26> kEndings = {"c",   "cc",  "cpp", "cxx", "c++", "C",   "h",   "hh", "hpp",
                                                       "hxx", "H",   "inc", "inl", "ipp", "tcc", "icc", "f",  "F",
                                                       "for", "f77", "f90", "F90", "f95", "f03", "f08", "F08"};
  const size_t dot = path.rfind('.');
  // libstdc++'s headers have no ending.
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos)
    return path.find("/include/c++/") != std::string::npos && path.find("/../") == std::string::npos;
  const std::string ending = path.substr(dot + 1);
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

// The first of the places that a file may be at where something is; empty if there is none.
std::string Find(const std::string& path, const SourcePlaces& places) {
  const auto there = [](const std::string& candidate) {
    struct stat info;
    return stat(candidate.c_str(), &info) == 0;
  };
  for (const std::string& candidate : SourceCandidates(path, places)) {
    if (there(candidate)) return candidate;
  }
  for (const std::string& candidate : SourceCandidates(path, {{"."}, {}})) {
    if (there(candidate)) return candidate.compare(0, 2, "./") == 0 ? candidate.substr(2) : candidate;
  }
  return "";
}

// Reads the lines that are wanted from `path`; false, and why, if there is no text to show.
bool ReadText(const std::string& path, int64_t recorded_unix_ns, size_t* room, SourceFile* file) {
  struct stat info;
  const auto refuse = [file](const char* why) {
    file->unreadable = why;
    return false;
  };
  if (!NamedAsSource(file->path) || (!path.empty() && !NamedAsSource(path)))
    return refuse("it is not named as source files are");
  if (path.empty() || stat(path.c_str(), &info) != 0)
    return refuse("it was not found where this page was made; --source-path=DIR says where it is");
  if (!S_ISREG(info.st_mode)) return refuse("it is no plain file");
  if (info.st_size > kLargestFile) return refuse("it is larger than 4 MiB");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return refuse("it cannot be opened");
  file->changed = recorded_unix_ns > 0 && info.st_mtim.tv_sec > recorded_unix_ns / 1000000000;
  std::vector<std::string> text;
  for (std::string line; std::getline(stream, line);) {
    if (line.find('\0') != std::string::npos) return refuse("it is not text");
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.size() > kLongestLine) line.resize(kLongestLine);
    text.push_back(std::move(line));
  }
  std::vector<bool> wanted(text.size() + 1, text.size() <= kMostLines);
  if (text.size() > kMostLines) {
    for (const LineCost& cost : file->costs) {
      const uint32_t first = cost.line > kAround ? cost.line - kAround : 1;
      for (uint32_t line = first; line <= cost.line + kAround && line < wanted.size(); ++line) wanted[line] = true;
    }
  }
  for (uint32_t line = 1; line < wanted.size(); ++line) {
    if (!wanted[line]) continue;
    std::string& words = text[line - 1];
    if (words.size() > *room) return refuse("the page has source enough");
    *room -= words.size();
    file->lines.push_back({line, std::move(words)});
  }
  return true;
}

}  // namespace

std::vector<SourceFile> ReadSources(const analyze::View& view, const model::Symbolizer& symbolizer,
                                    const std::vector<std::string>& folders) {
  std::map<std::string, std::map<uint32_t, LineCost>> files;
  for (const analyze::FunctionCost& cost : analyze::FunctionCosts(analyze::BuildCallTree(view, true))) {
    const std::string& path = view.frames.function(cost.function).file;
    if (path.empty() || cost.line == 0) continue;
    LineCost& line = files[path].emplace(cost.line, LineCost{cost.line, {}, {}, 0}).first->second;
    line.self.Add(cost.self);
    line.total.Add(cost.total);
  }
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge || wait.place.function == analyze::kNoFunction || wait.place.line == 0) continue;
    const std::string& path = view.frames.function(wait.place.function).file;
    if (path.empty()) continue;
    files[path].emplace(wait.place.line, LineCost{wait.place.line, {}, {}, 0}).first->second.wait_ns += wait.total_ns;
  }
  std::vector<SourceFile> sources;
  for (const auto& [path, lines] : files) {
    SourceFile file;
    file.path = path;
    for (const auto& [number, cost] : lines) {
      file.costs.push_back(cost);
      file.self.Add(cost.self);
      file.wait_ns += cost.wait_ns;
    }
    sources.push_back(std::move(file));
  }
  std::stable_sort(sources.begin(), sources.end(), [](const SourceFile& a, const SourceFile& b) {
    return a.self.weight != b.self.weight ? a.self.weight > b.self.weight : a.wait_ns > b.wait_ns;
  });
  if (sources.size() > kMostFiles) sources.resize(kMostFiles);
  const int64_t recorded = view.processes.empty() ? 0 : view.processes[0]->header.start_unix_ns();
  size_t room = kLargestText;
  for (SourceFile& file : sources) {
    const std::string found = Find(file.path, {folders, symbolizer.CompilationFolders(file.path)});
    if (!ReadText(found, recorded, &room, &file))
      file.lines.clear();
    else if (found != file.path)
      file.read_from = found;
  }
  return sources;
}

}  // namespace ompprof::report
