#include "profiler/report/sections/unnamed.h"

#include <algorithm>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

// The first version of Python that can write a perf map.
constexpr uint32_t kPerfMapMinor = 12;

bool Any(const analyze::UnnamedCode& unnamed, bool (*holds)(const analyze::UnnamedObject&)) {
  return std::any_of(unnamed.objects.begin(), unnamed.objects.end(), holds);
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string PackagesText(const analyze::View& view, const analyze::UnnamedCode& unnamed, const Style& style) {
  TextTable table(
      {{"share", Align::kRight}, {"object file", Align::kLeft, Fit::kShorten}, {"debug symbols", Align::kLeft}});
  for (const analyze::UnnamedObject& object : unnamed.objects)
    table.Add({Share(object.weight, view.total_weight), Printable(BaseName(object.path)), SymbolsOf(object)});
  std::string text = Title(style, "Functions without a name (" + Share(unnamed.weight, view.total_weight) + " of " +
                                      WholeText(view, analyze::Metric::kWeight) + ")") +
                     table.Text(style);
  std::string remarks;
  if (Any(unnamed,
          [](const analyze::UnnamedObject& object) { return object.command.find("-dbgsym") != std::string::npos; }))
    remarks +=
        "Packages -dbgsym are in the distribution's archive of debug symbols: on Debian, deb "
        "http://deb.debian.org/debian-debug CODENAME-debug main. ";
  if (Any(unnamed, [](const analyze::UnnamedObject& object) { return !object.build_id.empty(); }))
    remarks += "With DEBUGINFOD_URLS set, ompprof fetches the debug symbols itself.";
  return text + (remarks.empty() ? "" : Wrap("  " + remarks, 2, style.width) + "\n");
}

}  // namespace

std::string SymbolsOf(const analyze::UnnamedObject& object) {
  if (!object.command.empty()) return object.command;
  return "of no package: build it with -g, and do not strip it";
}

std::string PythonSentence(const analyze::View& view, const analyze::UnnamedCode& unnamed) {
  if (!unnamed.python_noticeable) return "";
  const uint32_t minor = unnamed.python.minor;
  const std::string version = minor == 0 ? "Python" : "Python 3." + std::to_string(minor);
  const std::string share =
      Share(unnamed.python.weight, view.total_weight) + " of the time is below Python functions without a name. ";
  if (minor != 0 && minor < kPerfMapMinor)
    return share + version + " cannot name them for a profiler. Python 3.12 and later can: run it with -X perf.";
  return share + version + " names them if it is run with -X perf or PYTHONPERFSUPPORT=1" +
         (minor == 0 ? " (3.12 and later)." : ".");
}

std::string UnnamedText(const analyze::View& view, const analyze::UnnamedCode& unnamed, const Style& style) {
  std::string text = unnamed.noticeable ? PackagesText(view, unnamed, style) : "";
  const std::string python = PythonSentence(view, unnamed);
  if (!python.empty()) text += (text.empty() ? "\n" : "") + Wrap("  " + python, 2, style.width) + "\n";
  return text;
}

}  // namespace ompprof::report
