#include "profiler/report/html/source_lines.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <unordered_map>
#include <utility>

#include "profiler/report/annotate/source.h"

namespace ompprof::report {
namespace {

constexpr size_t kMostFiles = 60;
constexpr size_t kMostLines = 4000;       // the longest file that is shown whole
constexpr uint32_t kAround = 25;          // in a longer file: lines before and after a line with a cost
constexpr off_t kLargestFile = 4 << 20;   // bytes
constexpr size_t kLargestText = 8 << 20;  // of all files together
constexpr size_t kLongestLine = 400;      // bytes; the rest is cut

bool NamedAsSource(const std::string& path) {
  static const std::array<const char*, 26> kEndings = {"c",   "cc",  "cpp", "cxx", "c++", "C",   "h",   "hh", "hpp",
                                                       "hxx", "H",   "inc", "inl", "ipp", "tcc", "icc", "f",  "F",
                                                       "for", "f77", "f90", "F90", "f95", "f03", "f08", "F08"};
  const size_t dot = path.rfind('.');
  // The headers of libstdc++ have no ending.
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos)
    return path.find("/include/c++/") != std::string::npos && path.find("/../") == std::string::npos;
  const std::string ending = path.substr(dot + 1);
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

// The first candidate path that exists; empty if none exists.
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

// Reads the wanted lines from `path`. False if there is no text to show; file->unreadable then has the reason.
bool ReadText(const std::string& path, int64_t recorded_unix_ns, size_t* room, SourceFile* file) {
  struct stat info;
  const auto refuse = [file](const char* why) {
    file->unreadable = why;
    return false;
  };
  if (!NamedAsSource(file->path) || (!path.empty() && !NamedAsSource(path)))
    return refuse("its name is not the name of a source file");
  if (path.empty() || stat(path.c_str(), &info) != 0)
    return refuse("the file was not found on the machine that made this page; --source-path=DIR names its folder");
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
    if (words.size() > *room) return refuse("the page has reached its limit of 8 MiB of source");
    *room -= words.size();
    file->lines.push_back({line, std::move(words)});
  }
  return true;
}

struct CountedLine : LineCost {
  explicit CountedLine(uint32_t number) : LineCost{number, {}, {}, 0} {}
  analyze::PathId last = analyze::kEmptyPath;  // the last path that was counted for this line
};

using Files = std::map<std::string, std::map<uint32_t, CountedLine>>;  // by path and number

CountedLine* LineAt(const std::string& path, uint32_t number, Files* files) {
  return path.empty() || number == 0 ? nullptr : &(*files)[path].try_emplace(number, number).first->second;
}

// A sample counts once for a line, even if several of its frames are on the line. A construct's body is a function on
// the pragma's line; a lambda is a function on its caller's line.
Files CostsOfLines(const analyze::View& view) {
  std::unordered_map<analyze::PathId, analyze::Cost> by_path;
  for (const analyze::ViewSample& sample : view.samples) {
    if (!sample.interval) by_path[sample.path].Add(sample.cost);
  }
  Files files;
  std::unordered_map<uint32_t, CountedLine*> known;  // by index of the line in view.frames
  for (const auto& [leaf, cost] : by_path) {
    bool is_leaf = true;
    for (analyze::PathId path = leaf; path != analyze::kEmptyPath; path = view.paths.node(path).parent) {
      const analyze::Location& location = view.frames.location(view.paths.node(path).location);
      for (uint32_t i = location.first_line; i < location.first_line + location.line_count; ++i) {
        const auto [entry, added] = known.emplace(i, nullptr);
        const analyze::Line& at = view.frames.line(i);
        if (added) entry->second = LineAt(view.frames.function(at.function).file, at.line, &files);
        CountedLine* line = entry->second;
        const bool own = std::exchange(is_leaf, false);
        if (line == nullptr) continue;
        if (own) line->self.Add(cost);
        if (line->last != leaf) line->total.Add(cost);
        line->last = leaf;
      }
    }
  }
  return files;
}

}  // namespace

std::vector<SourceFile> ReadSources(const analyze::View& view, const model::Symbolizer& symbolizer,
                                    const std::vector<std::string>& folders) {
  Files files = CostsOfLines(view);
  for (const analyze::WaitTotal& wait : view.waits) {
    if (wait.charge || wait.place.function == analyze::kNoFunction) continue;
    CountedLine* line = LineAt(view.frames.function(wait.place.function).file, wait.place.line, &files);
    if (line == nullptr) continue;
    line->wait_ns += wait.total_ns;
    line->estimate.Add(wait.estimate);
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
  const int64_t recorded = view.run.empty() ? 0 : view.run.first().start_unix_ns;
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
