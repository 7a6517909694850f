#include "profiler/report/diff/diff_gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "profiler/report/basics/bare_number.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/diff/diff.h"

namespace ompprof::report {
namespace {

using analyze::FigureKind;
using analyze::GatedFigure;

// Wall time is in nanoseconds, whatever the samples count.
bool IsTime(const GatedFigure& figure, const DiffGateOptions& options) {
  return options.nanoseconds || (figure.kind == FigureKind::kRun && figure.name != options.measured);
}

std::string FigureText(double value, bool nanoseconds) {
  return Weight(static_cast<uint64_t>(std::llround(std::max(value, 0.0))), nanoseconds);
}

// "CPU time of function hot (a.c): 1.00 s before, 1.50 s after, +50.0 %"
std::string ChangeText(const GatedFigure& figure, const DiffGateOptions& options) {
  const bool time = IsTime(figure, options);
  const std::string what = figure.kind == FigureKind::kRun ? figure.What() : options.measured + " of " + figure.What();
  return what + ": " + FigureText(figure.difference.before, time) + " before, " +
         FigureText(figure.difference.after, time) + " after, " + SignedPercent(figure.difference);
}

// "slower beyond noise and by more than 5 %"
std::string FindingText(const GatedFigure& figure, const DiffGateOptions& options) {
  const std::string finding = VerdictName(analyze::Verdict::kMore, IsTime(figure, options)) + " beyond noise";
  return figure.is_regression ? finding + " and by more than " + BareNumber(options.percent) + " %" : finding;
}

// XML 1.0, section 2.2: without control characters, U+FFFE and U+FFFF.
std::string Xml(const std::string& bytes) {
  std::string text = Printable(bytes);
  for (const char* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (size_t at = text.find(none); at != std::string::npos; at = text.find(none, at)) text.replace(at, 3, "?");
  }
  std::string xml;
  for (const char c : text) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += c;
    }
  }
  return xml;
}

std::string Attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + Xml(value) + "\"";
}

std::string Property(const char* name, const std::string& value) {
  return "      <property" + Attribute("name", name) + Attribute("value", value) + "/>\n";
}

std::string Seconds(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", ns / 1e9);
  return text;
}

const char* ClassOf(FigureKind kind) {
  return kind == FigureKind::kFunction ? "ompprof.functions"
         : kind == FigureKind::kRegion ? "ompprof.regions"
                                       : "ompprof.run";
}

std::string TestCase(const GatedFigure& figure, const DiffGateOptions& options) {
  const bool time = IsTime(figure, options);
  const std::string head = "    <testcase" + Attribute("name", figure.name) +
                           Attribute("classname", ClassOf(figure.kind)) +
                           Attribute("time", Seconds(time ? figure.difference.after : 0));
  if (!figure.is_tested()) {
    return head + ">\n      <skipped" +
           Attribute("message", "a single run on each side does not show how much this figure varies") +
           "/>\n    </testcase>\n";
  }
  if (!figure.is_regression) return head + "/>\n";
  const std::string message = FindingText(figure, options) + ": " + ChangeText(figure, options);
  const std::string place =
      figure.path.empty() ? "" : "\n" + Xml(figure.path) + (figure.line == 0 ? "" : ":" + std::to_string(figure.line));
  return head + ">\n      <failure" + Attribute("message", message) + Attribute("type", "regression") + ">" +
         Xml(message) + place + "</failure>\n    </testcase>\n";
}

// What the runner reads back: "%25" and so on.
std::string Escaped(const std::string& bytes, bool property) {
  std::string text;
  for (const char c : Printable(bytes)) {
    if (c == '%')
      text += "%25";
    else if (property && c == ':')
      text += "%3A";
    else if (property && c == ',')
      text += "%2C";
    else
      text += c;
  }
  return text;
}

std::string PathBelow(const std::string& path, const std::string& folder) {
  const bool below = !folder.empty() && path.size() > folder.size() + 1 && path[folder.size()] == '/' &&
                     path.compare(0, folder.size(), folder) == 0;
  return below ? path.substr(folder.size() + 1) : path;
}

std::string Annotation(const char* command, const GatedFigure& figure, const DiffGateOptions& options) {
  std::string text = std::string("::") + command + " ";
  if (!figure.path.empty()) {
    text += "file=" + Escaped(PathBelow(figure.path, options.folder), true) + ",";
    if (figure.line != 0) text += "line=" + std::to_string(figure.line) + ",";
  }
  text += "title=" + Escaped("ompprof: " + figure.What(), true);
  return text + "::" + Escaped(FindingText(figure, options) + ": " + ChangeText(figure, options), false) + "\n";
}

}  // namespace

std::string DiffJunit(const std::vector<GatedFigure>& figures, const DiffGateOptions& options) {
  const auto count = [&](auto is) { return std::to_string(std::count_if(figures.begin(), figures.end(), is)); };
  const std::string name = Attribute("name", "ompprof diff");
  const std::string counts =
      Attribute("tests", std::to_string(figures.size())) +
      Attribute("failures", count([](const GatedFigure& figure) { return figure.is_regression; })) +
      Attribute("errors", "0");
  const std::string skipped =
      Attribute("skipped", count([](const GatedFigure& figure) { return !figure.is_tested(); }));
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + name + counts + ">\n  <testsuite" +
                    name + counts + skipped + ">\n    <properties>\n" + Property("before", options.before) +
                    Property("after", options.after);
  if (options.percent >= 0) xml += Property("fail-on-regression", BareNumber(options.percent));
  xml += "    </properties>\n";
  for (const GatedFigure& figure : figures) xml += TestCase(figure, options);
  return xml + "  </testsuite>\n</testsuites>\n";
}

std::string DiffGithub(const std::vector<GatedFigure>& figures, const DiffGateOptions& options) {
  std::string errors;
  std::string warnings;
  for (const GatedFigure& figure : figures) {
    if (figure.is_regression)
      errors += Annotation("error", figure, options);
    else if (figure.difference.verdict == analyze::Verdict::kMore)
      warnings += Annotation("warning", figure, options);
  }
  return errors + warnings;
}

}  // namespace ompprof::report
