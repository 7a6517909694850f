#include "profiler/report/sections/scaling.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "profiler/analyze/view/short_name.h"
#include "profiler/report/basics/csv_writer.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

using analyze::RegionScaling;
using analyze::Scaling;
using analyze::ScalingPart;
using analyze::ScalingPoint;
using Align = TextTable::Align;
using Fit = TextTable::Fit;

constexpr double kWorthASentence = 0.03;  // of the thread time, or of the wall time
constexpr double kWorthAColumn = 0.005;   // of the thread time of some point
constexpr size_t kPartsInSentence = 3;
constexpr size_t kPartsInTable = 5;

uint64_t WholeNs(double ns) { return static_cast<uint64_t>(std::llround(std::max(ns, 0.0))); }

std::string TimeText(double ns) { return Duration(WholeNs(ns)); }

std::string ThreadsText(uint32_t threads) { return std::to_string(threads) + (threads == 1 ? " thread" : " threads"); }

std::string PartShare(double ns, const ScalingPoint& point) {
  return Percent(point.thread_ns() > 0 ? ns / point.thread_ns() : 0);
}

// The parts of the point's thread time that are worth a sentence, the largest first.
std::vector<ScalingPart> LargestParts(const ScalingPoint& point) {
  std::vector<ScalingPart> parts;
  for (size_t i = 0; i < analyze::kScalingParts; ++i) {
    const auto part = static_cast<ScalingPart>(i);
    if (point.parts[part] >= kWorthASentence * point.thread_ns()) parts.push_back(part);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [&](ScalingPart a, ScalingPart b) { return point.parts[a] > point.parts[b]; });
  if (parts.size() > kPartsInSentence) parts.resize(kPartsInSentence);
  return parts;
}

// Short names of all regions, functions and lines, and of the serial part's function.
analyze::ShortNames ShortNamesOf(const Scaling& scaling) {
  std::vector<std::string> names;
  for (const RegionScaling& region : scaling.regions) names.push_back(region.name);
  for (const auto* rows : {&scaling.functions, &scaling.lines}) {
    for (const analyze::FunctionDiff& row : *rows) names.push_back(row.name);
  }
  if (!scaling.serial.name.empty()) names.push_back(scaling.serial.name);
  analyze::ShortNames shortened;
  shortened.Set(names);
  return shortened;
}

class ScalingWriter {
 public:
  ScalingWriter(const Scaling& scaling, const ScalingOptions& options)
      : scaling_(scaling),
        options_(options),
        style_(options.style),
        first_(scaling.first()),
        last_(scaling.last_judged()),
        short_(ShortNamesOf(scaling)) {}

  // Where scaling ends, why, and what to do.
  std::vector<std::string> Sentences() {
    Verdict();
    if (scaling_.judged > 1) {
      Causes();
      if (!scaling_.is_disturbed()) Changes();
    }
    Extrapolated();
    if (!options_.profile.empty()) Say("More of one run: ompprof report " + Printable(options_.profile));
    Doubts();
    return std::move(sentences_);
  }

  std::string Written() {
    text_ = Paint(style_, Color::kTitle, Wrap(Printable(options_.command), 2, style_.width)) + "\n\n";
    for (const std::string& sentence : Sentences()) text_ += Wrap(sentence, 2, style_.width) + "\n";
    Speeds();
    Account();
    if (scaling_.judged > 1) {
      Regions();
      Grown(scaling_.functions, "Functions", false);
      Grown(scaling_.lines, "Lines", true);
    }
    return text_;
  }

 private:
  std::string Name(const std::string& name) const { return Printable(options_.full_names ? name : short_.Of(name)); }

  void Say(std::string sentence) { sentences_.push_back(std::move(sentence)); }

  void Verdict() {
    if (scaling_.judged < 2) {
      Say(scaling_.points.size() == 1
              ? "All runs had " + ThreadsText(first_.threads) +
                    ": scale compares runs with different numbers of threads."
              : "No verdict: only runs with as many processors as threads tell how the program scales, and " +
                    (scaling_.judged == 0 ? std::string("none had them.")
                                          : "only those with " + ThreadsText(first_.threads) + " had them."));
      return;
    }
    if (scaling_.is_disturbed()) {
      Say("No verdict: other programs took processors. Although there was a processor for each thread, threads were "
          "ready without one for up to " +
          Percent(MostReady()) + " of their time. Record it on an idle machine.");
      return;
    }
    const ScalingPoint& end = scaling_.points[scaling_.end];
    const std::string times = Times(end.speedup) + " times as fast as with " + std::to_string(first_.threads);
    const std::string slower =
        ThreadsText(last_.threads) + " take " + Times(last_.wall_ns / end.wall_ns) + " times as long.";
    if (scaling_.end == 0) {
      Say("It gets no faster with more than " + ThreadsText(first_.threads) + ": " + slower);
    } else if (scaling_.end + 1 == scaling_.judged) {
      Say("It gets faster up to " + ThreadsText(end.threads) + ", the most with a processor each: " + times + ".");
    } else {
      Say("Beyond " + ThreadsText(end.threads) + " it gets no faster: " + slower + " With " +
          std::to_string(end.threads) + " it is " + times + ".");
    }
  }

  // Of a judged point's thread time.
  double MostReady() const {
    double most = 0;
    for (size_t i = 0; i < scaling_.judged; ++i) {
      const ScalingPoint& point = scaling_.points[i];
      most = std::max(most, point.parts[ScalingPart::kReady] / point.thread_ns());
    }
    return most;
  }

  // Why the last judged point is not ideal.
  void Causes() {
    const std::vector<ScalingPart> parts = LargestParts(last_);
    if (parts.empty()) {
      Say("The work takes " + PartShare(last_.work_ns, last_) + " of the threads' time with " +
          ThreadsText(last_.threads) + ": nothing else is worth a change.");
      return;
    }
    std::string causes;
    for (const ScalingPart part : parts)
      causes += (causes.empty() ? "" : ", ") + PartShare(last_.parts[part], last_) + " " + ScalingPartTitle(part);
    Say("With " + ThreadsText(last_.threads) + ", " + PartShare(last_.work_ns, last_) +
        " of the threads' time is the work that " + ThreadsText(first_.threads) + " did. The rest: " + causes + ".");
    for (const ScalingPart part : parts) {
      if (part == ScalingPart::kInflation) {
        Inflation();
      } else {
        if (part == ScalingPart::kIdle) Serial();
        Place(part);
      }
    }
  }

  void Inflation() {
    const double first = first_.work_ns;
    std::string sentence = "The same work takes " +
                           Times(first > 0 ? (first + last_.parts[ScalingPart::kInflation]) / first : 0) +
                           " times the CPU time: memory bandwidth, caches or false sharing, or more work.";
    const auto most_inflated = std::max_element(
        scaling_.regions.begin(), scaling_.regions.end(),
        [](const RegionScaling& a, const RegionScaling& b) { return a.inflation_ns < b.inflation_ns; });
    if (most_inflated != scaling_.regions.end() && most_inflated->inflation_ns > 0)
      sentence += " " + Percent(std::min(1.0, most_inflated->inflation_ns / last_.parts[ScalingPart::kInflation])) +
                  " of what it grew by is in " + Name(most_inflated->name) + ".";
    if (!scaling_.functions.empty()) {
      const analyze::FunctionDiff& most = scaling_.functions[0];
      sentence += " " + Name(most.name) + PlaceOf(most.name, most.file, most.declared) + " grows most";
      std::string lines;
      for (size_t i = 0, listed = 0; i < scaling_.lines.size() && listed < 2; ++i) {
        const analyze::FunctionDiff& line = scaling_.lines[i];
        if (line.name != most.name || line.file != most.file) continue;
        lines += (listed++ == 0 ? "" : " and ") + std::to_string(line.line_after);
      }
      if (!lines.empty())
        sentence += std::string(", at line") + (lines.find(' ') == std::string::npos ? " " : "s ") + lines;
      sentence += ".";
    }
    Say(sentence);
  }

  // What the program does while workers are idle.
  void Serial() {
    const analyze::FunctionFigures& serial = scaling_.serial;
    if (serial.name.empty()) return;
    Say("Outside of parallel regions, the program is mostly in " + Name(serial.name) +
        PlaceOf(serial.name, serial.file, serial.declared) + ".");
  }

  // Which region has most of a part.
  void Place(ScalingPart part) {
    const size_t last = scaling_.judged - 1;
    const RegionScaling* most = nullptr;
    for (const RegionScaling& region : scaling_.regions) {
      if (region.times[last].parts[part] > 0 &&
          (most == nullptr || region.times[last].parts[part] > most->times[last].parts[part]))
        most = &region;
    }
    if (most == nullptr) return;
    Say("Of the time " + std::string(ScalingPartTitle(part)) + ", " +
        Percent(std::min(1.0, most->times[last].parts[part] / last_.parts[part])) + " is in " + Name(most->name) + ".");
  }

  // " (stencil.c:40)"; nothing for a construct, whose name tells it.
  static std::string PlaceOf(const std::string& name, const std::string& file, uint32_t line) {
    return file.empty() || name.back() == ']'
               ? ""
               : " (" + Printable(file) + (line != 0 ? ":" + std::to_string(line) : "") + ")";
  }

  void Changes() {
    const ScalingPoint& enough = scaling_.points[scaling_.enough];
    if (scaling_.enough != scaling_.judged - 1 || scaling_.best != scaling_.judged - 1)
      Say("To do: run it with " + ThreadsText(enough.threads) + ", the fewest within " + Percent(analyze::kNearlyBest) +
          " of the best time.");
    for (const RegionScaling& region : scaling_.regions) {
      if (region.gain_ns < kWorthASentence * last_.wall_ns) continue;
      Say("Were the speed-up of " + Name(region.name) + " ideal, " + ThreadsText(last_.threads) + " would take " +
          TimeText(region.gain_ns) + " less (" + Percent(region.gain_ns / last_.wall_ns) + ").");
      break;
    }
    const size_t last = scaling_.judged - 1;
    for (const RegionScaling& region : scaling_.regions) {
      const double saved = region.times[last].elapsed_ns - region.times[region.best].elapsed_ns;
      if (region.best == last || saved < kWorthASentence * last_.wall_ns) continue;
      const uint32_t threads = scaling_.points[region.best].threads;
      Say(Name(region.name) + " is fastest with " + ThreadsText(threads) + ": num_threads(" + std::to_string(threads) +
          ") there saves " + TimeText(saved) + " of the " + TimeText(last_.wall_ns) + " with " +
          std::to_string(last_.threads) + ".");
    }
  }

  void Extrapolated() {
    const analyze::Extrapolation& more = options_.extrapolation;
    if (more.threads == 0) return;
    const std::string with = ThreadsText(more.threads) + " and as many processors";
    if (!more.why_not.empty()) return Say("No extrapolation to " + with + ": " + more.why_not + ".");
    Say("With " + with + ": " + TimeText(more.law_ns) + " ± " + TimeText(more.law_margin_ns) +
        " by the Universal Scalability Law; " + TimeText(more.amdahl_ns) +
        " by Amdahl's law with the measured inflation.");
  }

  void Doubts() {
    std::string crowded;
    for (size_t i = scaling_.judged; i < scaling_.points.size(); ++i)
      crowded += (crowded.empty() ? "" : ", ") + std::to_string(scaling_.points[i].threads);
    if (!crowded.empty() && scaling_.points.size() > 1)
      Say(crowded + " threads shared " + Processors(scaling_.points.back().processors) +
          (scaling_.points.back().bound ? ", to which they were bound although the program may use more" : "") +
          ": shown below, and left out above.");
    std::string refused;
    for (const uint32_t number : scaling_.refused) refused += (refused.empty() ? "" : ", ") + std::to_string(number);
    if (!refused.empty())
      Say("OMP_NUM_THREADS=" + refused +
          " did not get its number of threads: the program sets its own (num_threads, omp_set_num_threads), or a limit "
          "does (OMP_THREAD_LIMIT, OMP_DYNAMIC).");
    const bool single = std::all_of(scaling_.points.begin(), scaling_.points.end(),
                                    [](const ScalingPoint& point) { return point.runs == 1; });
    if (single && scaling_.judged > 1)
      Say("One run each does not tell how much times vary from run to run: --repeat=3 does.");
  }

  void Speeds() {
    TextTable table({{"threads", Align::kRight},
                     {"runs", Align::kRight, Fit::kKeep, 3},
                     {"wall time", Align::kRight},
                     {"95 %", Align::kRight, Fit::kKeep, 2},
                     {"speed-up", Align::kRight},
                     {"ideal", Align::kRight, Fit::kKeep, 1},
                     {"global eff.", Align::kRight},
                     {"= parallel", Align::kRight},
                     {"x computation", Align::kRight}});
    for (const ScalingPoint& point : scaling_.points) {
      const double scale = point.useful_ns() > 0 ? first_.useful_ns() / point.useful_ns() : 0;
      table.Add(std::vector<std::string>{
          std::to_string(point.threads), std::to_string(point.runs), TimeText(point.wall_ns),
          point.wall_margin_ns < 0 ? "" : "± " + TimeText(point.wall_margin_ns), Times(point.speedup),
          Times(static_cast<double>(point.threads) / first_.threads), Percent(point.parallel_efficiency() * scale),
          Percent(point.parallel_efficiency()), Percent(scale)});
    }
    text_ += Title(style_, "Speed (efficiencies of the POP project; computation: useful time with " +
                               std::to_string(first_.threads) + " over that with n threads)") +
             table.Text(style_);
  }

  void Account() {
    // The largest parts have columns of their own.
    const auto largest = [&](ScalingPart part) {
      double share = 0;
      for (const ScalingPoint& point : scaling_.points)
        share = std::max(share, std::abs(point.parts[part]) / point.thread_ns());
      return share;
    };
    std::vector<ScalingPart> parts;
    for (size_t i = 0; i < analyze::kScalingParts; ++i) parts.push_back(static_cast<ScalingPart>(i));
    std::stable_sort(parts.begin(), parts.end(), [&](ScalingPart a, ScalingPart b) { return largest(a) > largest(b); });
    size_t shown = 0;
    while (shown < kPartsInTable && largest(parts[shown]) >= kWorthAColumn) ++shown;
    std::vector<TextTable::Column> columns = {
        {"threads", Align::kRight}, {"time", Align::kRight}, {"work", Align::kRight}};
    for (size_t i = 0; i < shown; ++i) columns.push_back({ScalingPartShortTitle(parts[i]), Align::kRight});
    columns.push_back({"others", Align::kRight});
    TextTable table(columns);
    for (const ScalingPoint& point : scaling_.points) {
      std::vector<std::string> cells = {std::to_string(point.threads), TimeText(point.thread_ns()),
                                        PartShare(point.work_ns, point)};
      double others = point.parts.sum();
      for (size_t i = 0; i < shown; ++i) {
        others -= point.parts[parts[i]];
        cells.push_back(PartShare(point.parts[parts[i]], point));
      }
      cells.push_back(PartShare(std::abs(others) < 1 ? 0 : others, point));
      table.Add(cells);
    }
    text_ += Title(style_, "Account (time: threads x wall time; work: the useful time with " +
                               ThreadsText(first_.threads) + "; inflation: useful time beyond it)") +
             table.Text(style_);
  }

  void Regions() {
    const size_t last = scaling_.judged - 1;
    TextTable table({{"wall time", Align::kRight},
                     {std::to_string(first_.threads) + " thr.", Align::kRight},
                     {"speed-up", Align::kRight},
                     {"work grew", Align::kRight, Fit::kKeep, 1},
                     {"fastest with", Align::kRight, Fit::kKeep, 2},
                     {"ideal saves", Align::kRight},
                     {"parallel region", Align::kLeft, Fit::kShorten}});
    size_t rows = 0;
    size_t shown = 0;
    for (const RegionScaling& region : scaling_.regions) {
      const analyze::RegionTimes& before = region.times[0];
      const analyze::RegionTimes& after = region.times[last];
      if (after.elapsed_ns == 0) continue;
      ++rows;
      if (shown == options_.limit) continue;
      ++shown;
      const bool both = before.elapsed_ns > 0;
      table.Add(std::vector<std::string>{
          TimeText(after.elapsed_ns), both ? TimeText(before.elapsed_ns) : "-",
          both ? Times(before.elapsed_ns / after.elapsed_ns) : "-",
          both && before.work_ns > 0 ? Times(after.work_ns / before.work_ns) + " x" : "-",
          std::to_string(scaling_.points[region.best].threads), TimeText(region.gain_ns), Name(region.name)});
    }
    if (rows == 0) return;
    text_ += Title(style_, "Parallel regions with " + ThreadsText(last_.threads)) + table.Text(style_) +
             Omitted(shown, rows, "regions");
  }

  void Grown(const std::vector<analyze::FunctionDiff>& rows, const std::string& what, bool lines) {
    if (rows.empty()) return;
    TextTable table({{"grew by", Align::kRight},
                     {"95 %", Align::kRight, Fit::kKeep, 1},
                     {"times", Align::kRight},
                     {lines ? "line" : "function", Align::kLeft, Fit::kShorten}});
    size_t shown = 0;
    for (const analyze::FunctionDiff& row : rows) {
      if (shown++ == options_.limit) break;
      const bool placed = row.name.back() == ']';
      table.Add(std::vector<std::string>{
          TimeText(row.self.change()), row.self.margin < 0 ? "" : "± " + TimeText(row.self.margin),
          row.self.before > 0 ? Times(row.self.after / row.self.before) : "new",
          lines ? Printable(row.file) + ":" + std::to_string(row.line_after) + "  " + Name(row.name)
                : Name(row.name) + (placed || row.file.empty() ? "" : "  " + Printable(row.file))});
    }
    text_ += Title(style_, what + " whose CPU time grew beyond noise, from " + ThreadsText(first_.threads) + " to " +
                               std::to_string(last_.threads)) +
             table.Text(style_) + Omitted(std::min(shown, options_.limit), rows.size(), lines ? "lines" : "functions");
  }

  const Scaling& scaling_;
  const ScalingOptions& options_;
  const Style& style_;
  const ScalingPoint& first_;
  const ScalingPoint& last_;
  analyze::ShortNames short_;
  std::vector<std::string> sentences_;
  std::string text_;
};

// "work_inflation", "at_barriers": a member of an object, or a column.
std::string PartKey(ScalingPart part) {
  std::string key = ScalingPartTitle(part);
  std::replace(key.begin(), key.end(), ' ', '_');
  return key + "_ns";
}

void PutParts(const analyze::ScalingParts& parts, JsonWriter* json) {
  json->Key("parts");
  json->BeginObject();
  for (size_t i = 0; i < analyze::kScalingParts; ++i)
    json->Member(PartKey(static_cast<ScalingPart>(i)), parts[static_cast<ScalingPart>(i)]);
  json->EndObject();
}

void PutPoints(const Scaling& scaling, JsonWriter* json) {
  json->Key("points");
  json->BeginArray();
  for (const ScalingPoint& point : scaling.points) {
    json->BeginObject();
    json->Member("threads", point.threads);
    json->Member("processors", point.processors);
    json->Member("bound", point.bound);
    json->Member("runs", uint64_t{point.runs});
    json->Member("wall_ns", point.wall_ns);
    if (point.wall_margin_ns >= 0) json->Member("ci95_ns", point.wall_margin_ns);
    json->Member("speedup", point.speedup);
    json->Member("parallel_efficiency", point.parallel_efficiency());
    json->Member("computation_scaling", point.useful_ns() > 0 ? scaling.first().useful_ns() / point.useful_ns() : 0.0);
    json->Member("work_ns", point.work_ns);
    PutParts(point.parts, json);
    json->EndObject();
  }
  json->EndArray();
}

void PutRegions(const Scaling& scaling, const analyze::ShortNames& shortened, JsonWriter* json) {
  json->Key("regions");
  json->BeginArray();
  for (const RegionScaling& region : scaling.regions) {
    json->BeginObject();
    json->Member("name", region.name);
    json->Member("short", shortened.Of(region.name));
    json->Member("file", region.file);
    json->Member("line", region.line);
    json->Member("inflation_ns", region.inflation_ns);
    json->Member("gain_ns", region.gain_ns);
    json->Member("best_threads", scaling.points[region.best].threads);
    json->Key("points");
    json->BeginArray();
    for (size_t i = 0; i < region.times.size(); ++i) {
      json->BeginObject();
      json->Member("threads", scaling.points[i].threads);
      json->Member("elapsed_ns", region.times[i].elapsed_ns);
      json->Member("work_ns", region.times[i].work_ns);
      PutParts(region.times[i].parts, json);
      json->EndObject();
    }
    json->EndArray();
    json->EndObject();
  }
  json->EndArray();
}

void PutExtrapolation(const analyze::Extrapolation& more, JsonWriter* json) {
  if (more.threads == 0) return;
  json->Key("extrapolation");
  json->BeginObject();
  json->Member("threads", more.threads);
  if (!more.why_not.empty()) {
    json->Member("why_not", more.why_not);
  } else {
    json->Member("law_ns", more.law_ns);
    json->Member("law_ci95_ns", more.law_margin_ns);
    json->Member("amdahl_ns", more.amdahl_ns);
  }
  json->EndObject();
}

void PutGrown(const char* name, const std::vector<analyze::FunctionDiff>& rows, const analyze::ShortNames& shortened,
              JsonWriter* json) {
  json->Key(name);
  json->BeginArray();
  for (const analyze::FunctionDiff& row : rows) {
    json->BeginObject();
    json->Member("name", row.name);
    json->Member("short", shortened.Of(row.name));
    json->Member("file", row.file);
    json->Member("line", row.line_after != 0 ? row.line_after : row.declared);
    json->Member("first_ns", row.self.before);
    json->Member("last_ns", row.self.after);
    if (row.self.margin >= 0) json->Member("ci95_ns", row.self.margin);
    json->EndObject();
  }
  json->EndArray();
}

void PutSerial(const analyze::FunctionFigures& serial, const analyze::ShortNames& shortened, JsonWriter* json) {
  if (serial.name.empty()) return;
  json->Key("serial");
  json->BeginObject();
  json->Member("name", serial.name);
  json->Member("short", shortened.Of(serial.name));
  json->Member("file", serial.file);
  json->Member("line", serial.declared);
  json->EndObject();
}

}  // namespace

std::string ScalingText(const Scaling& scaling, const ScalingOptions& options) {
  return ScalingWriter(scaling, options).Written();
}

std::string ScalingJson(const Scaling& scaling, const ScalingOptions& options) {
  JsonText json;
  json.BeginObject();
  json.Member("schema_version", kJsonSchemaVersion);
  json.Member("command", options.command);
  json.Key("sentences");
  json.BeginArray();
  for (const std::string& sentence : ScalingWriter(scaling, options).Sentences()) json.String(sentence);
  json.EndArray();
  json.Member("judged", uint64_t{scaling.judged});
  json.Key("refused_threads");
  json.BeginArray();
  for (const uint32_t number : scaling.refused) json.Number(uint64_t{number});
  json.EndArray();
  json.Member("best_threads", scaling.points[scaling.best].threads);
  json.Member("enough_threads", scaling.points[scaling.enough].threads);
  PutPoints(scaling, &json);
  const analyze::ShortNames shortened = ShortNamesOf(scaling);
  PutRegions(scaling, shortened, &json);
  PutSerial(scaling.serial, shortened, &json);
  PutExtrapolation(options.extrapolation, &json);
  PutGrown("functions", scaling.functions, shortened, &json);
  PutGrown("lines", scaling.lines, shortened, &json);
  json.EndObject();
  return json.text() + "\n";
}

std::string ScalingCsv(const Scaling& scaling) {
  std::vector<std::string> header = {"threads", "processors", "runs", "wall_ns", "speedup", "work_ns"};
  for (size_t i = 0; i < analyze::kScalingParts; ++i) header.push_back(PartKey(static_cast<ScalingPart>(i)));
  CsvWriter csv(header);
  for (const ScalingPoint& point : scaling.points) {
    csv.Number(uint64_t{point.threads}).Number(point.processors).Number(uint64_t{point.runs});
    csv.Number(point.wall_ns).Number(point.speedup).Number(point.work_ns);
    for (const double part : point.parts) csv.Number(part);
    csv.End();
  }
  return csv.text();
}

}  // namespace ompprof::report
