#include "profiler/report/whole/first_screen.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "profiler/analyze/account/hottest_code.h"
#include "profiler/analyze/account/placed_losses.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/view/concurrency.h"
#include "profiler/analyze/view/confidence.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/advice.h"
#include "profiler/report/sections/counts.h"
#include "profiler/report/sections/efficiency.h"
#include "profiler/report/sections/no_samples.h"
#include "profiler/report/sections/overhead.h"
#include "profiler/report/sections/recording.h"
#include "profiler/report/sections/selection.h"
#include "profiler/report/whole/text_header.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

constexpr size_t kMostLines = 23;
constexpr size_t kLosses = 3;
constexpr size_t kChanges = 3;
constexpr size_t kFunctions = 3;       // on one line
constexpr size_t kHottestRows = 5;     // without losses
constexpr size_t kFactsIndent = 14;    // of the facts behind their names
constexpr size_t kChangeIndent = 6;    // of a change below its place
constexpr double kLeastShare = 0.001;  // of the threads' time: a smaller loss is no row
constexpr double kLoaded = 0.1;        // of the processors: other programs matter
constexpr double kCrowded = 1.05;      // threads per processor
constexpr double kVague = 0.1;         // the error of a share of one half

// The first `most` lines of a text; the last one ends with "…" if lines are left out.
std::string FirstLines(const std::string& text, size_t most, size_t width) {
  size_t end = 0;
  for (size_t line = 0; line < most; ++line) {
    end = text.find('\n', line == 0 ? 0 : end + 1);
    if (end == std::string::npos) return text;
  }
  const std::string kept = text.substr(0, end);
  const size_t last = kept.rfind('\n') == std::string::npos ? 0 : kept.rfind('\n') + 1;
  return kept.substr(0, last) + CutEnd(kept.substr(last) + " …", width);
}

size_t LinesOf(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

std::string Counted(size_t count, const char* noun, const char* nouns) {
  return Count(count) + " " + (count == 1 ? noun : nouns);
}

// A note up to its details: "lock waits are estimated".
std::string Headline(const std::string& note) {
  size_t end = note.size();
  for (const char* mark : {": ", "; ", ". "}) end = std::min(end, note.find(mark));
  return note.substr(0, end);
}

class Screen {
 public:
  Screen(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
         const TextOptions& options, const analyze::Answers& answers)
      : view_(view),
        run_(view.run),
        summary_(summary),
        symbolizer_(symbolizer),
        options_(options),
        style_(options.style),
        answers_(answers),
        efficiency_(answers.efficiency) {}

  std::string Text() {
    text_ = Command() + "\n";
    Fact("ran", Ran(), 1);
    if (view_.selection.any()) {
      Fact("only", SelectionText(view_) + "; shares are of this part", 3);
      Fact("left out", LeftOutText(view_), 2);
    }
    Fact("measured", Measurement(), 1);
    if (const std::string counts = CountsText(view_, summary_.duration_ns); !counts.empty()) Fact("counted", counts, 1);
    if (const std::string caution = Caution(); !caution.empty())
      Fact("caution", caution, view_.total_samples == 0 ? 4 : 2, Color::kWarm);
    if (const std::string ranks = RanksFact(); !ranks.empty()) Fact("ranks", ranks, 1);
    if (HasThreads()) {
      Fact("efficiency",
           Tilde(efficiency_.wait_estimate) + Percent(efficiency_.parallel()) + ": " +
               Tilde(efficiency_.wait_estimate) + Times(efficiency_.busy_threads()) + " of " +
               std::to_string(efficiency_.threads) + " threads did useful work" +
               (OfProcessorsText(view_, efficiency_).empty() ? " on average" : OfProcessorsText(view_, efficiency_)),
           1);
      if (const std::string hottest = Hottest(); !hottest.empty()) Fact("hottest", hottest, 1);
      Losses();
    } else {
      if (!view_.selection.any()) Fact("processors", Processors(), 1);
      Functions();
    }
    Changes();
    const std::string hint =
        Paint(style_, Color::kDim,
              Cut("--full: all tables; or one: --regions --waits --locks --threads --top --tree")) +
        "\n";
    return text_ + (LinesOf(text_) + 2 <= kMostLines ? "\n" : "") + hint;
  }

 private:
  std::string Cut(const std::string& text) const { return style_.width == 0 ? text : CutEnd(text, style_.width); }

  // Whether the run has threads whose use can be judged.
  bool HasThreads() const { return efficiency_.known && efficiency_.threads > 1; }

  void Fact(const std::string& name, const std::string& fact, size_t lines, Color color = Color::kNone) {
    std::string label = "  " + name;
    label.resize(kFactsIndent, ' ');
    const std::string wrapped = FirstLines(Wrap(label + fact, kFactsIndent, style_.width), lines, style_.width);
    text_ += Paint(style_, color, wrapped) + "\n";
  }

  void AddTitle(const std::string& title) { text_ += "\n" + Paint(style_, Color::kTitle, Cut(title)) + "\n"; }

  // "./solver 1000  2026-11-27 10:17:54"
  std::string Command() const {
    const std::string date = "  " + Date(run_.first().start_unix_ns);
    std::string command = CommandLine(run_.first());
    if (style_.width > 0) command = CutEnd(command, style_.width - std::min(style_.width, Columns(date)));
    return Paint(style_, Color::kTitle, command) + Paint(style_, Color::kDim, date);
  }

  // "44.29 s wall, 13.93 s CPU, 2 threads on 2 processors"
  std::string Ran() const {
    const uint64_t members = run_.members();
    const auto threads = static_cast<size_t>(std::count_if(summary_.threads.begin(), summary_.threads.end(),
                                                           [](const analyze::ThreadCost& t) { return t.id != 0; }));
    const double processors = run_.usable_cpus();
    std::string text = Duration(summary_.duration_ns) + " wall, " + Duration(summary_.cpu_ns) + " CPU, ";
    if (members > 1) text += Counted(members, "process", "processes") + ", ";
    text += Counted(threads, "thread", "threads") + (run_.is_unified() ? " each" : "");
    if (processors > 0) text += " on " + report::Processors(processors);
    return text;
  }

  std::string Measurement() const {
    std::string text = Counted(view_.total_samples, "sample", "samples") + ", " +
                       (summary_.lost_samples == 0 ? "none" : Count(summary_.lost_samples)) + " lost";
    if (view_.total_weight > 0) text += "; ompprof took " + OwnShareText(view_);
    return text;
  }

  // What makes the figures doubtful, the worst first. Empty: nothing.
  std::string Caution() const {
    std::vector<std::string> parts;
    const double processors = run_.usable_cpus();
    if (const double others = run_.cpus_of_others(); processors > 0 && others >= kLoaded * processors)
      parts.push_back("other programs used " + Times(others) + " of " + report::Processors(processors));
    const uint32_t threads = analyze::ThreadsAtATime(run_);
    if (processors > 0 && !run_.is_unified() && threads > kCrowded * processors)
      parts.push_back(
          Count(threads) + " threads shared " + report::Processors(processors) +
          (analyze::ThreadsShareProcessors(view_)
               ? ", and had none for " + Percent(analyze::DelayShare(view_.run)) + " of the time they could run"
               : ""));
    const double error = analyze::ShareError(0.5, analyze::EffectiveSamples(view_));
    if (view_.total_samples == 0)
      parts.push_back(NoSamplesText(run_));
    else if (error > kVague)
      parts.push_back("few samples: shares may be off by " + Percent(error));
    if (answers_.unnamed.noticeable)
      parts.push_back(Share(answers_.unnamed.weight, view_.total_weight) + " of the time is in code without names");
    std::set<std::string> told = {Headline(NoSamplesText(run_)), Headline(OwnWarning(view_))};
    for (const std::string& note : NotesOfRun(view_, summary_, options_.filtered)) {
      if (told.insert(Headline(note)).second) parts.push_back(Headline(note));
    }
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text;
  }

  // "4 of hybrid; rank 3 computed 41.0 % longer than the mean (--ranks)". Empty: no ranks to compare.
  std::string RanksFact() const {
    const analyze::RankedJob* job = answers_.ranks.MainJob();
    if (job == nullptr) return "";
    const analyze::RankCost& most = answers_.ranks.Largest(*job, &analyze::RankCost::useful);
    const double imbalance = answers_.ranks.Imbalance(*job, &analyze::RankCost::useful);
    return Count(job->count) + " of " + Printable(job->program) + "; " +
           (most.rank.empty() ? "process " + std::to_string(most.pid) : "rank " + Printable(most.rank)) + " computed " +
           Percent(imbalance) + " longer than the mean (--ranks)";
  }

  std::string Processors() const {
    const double busy = summary_.duration_ns == 0
                            ? 0
                            : static_cast<double>(summary_.cpu_ns) / static_cast<double>(summary_.duration_ns);
    const bool openmp = std::any_of(run_.processes.begin(), run_.processes.end(),
                                    [](const analyze::ProcessFacts& process) { return !process.runtimes.empty(); });
    return Times(busy) + " busy on average" +
           (openmp ? efficiency_.known ? "" : "; waits were not recorded"
                   : "; no OpenMP seen, so no regions and no waits");
  }

  // "printf in main", for time in a library that the program called.
  static std::string WithCall(const analyze::HotCode& code, const std::string& name) {
    return Printable(code.library_call) + (code.library_call.empty() || name.empty() ? "" : " in ") + name;
  }

  std::string Hottest() const {
    const size_t room = style_.width == 0 ? 0 : (style_.width - std::min(style_.width, kFactsIndent)) / 2;
    std::string text;
    size_t shown = 0;
    for (const analyze::HotCode& code : analyze::HottestCode(view_)) {
      if (shown++ == kFunctions) break;
      const std::string share = " " + Share(code.weight, view_.total_weight);
      std::string name = NameText(view_, code.function, options_);
      name.resize(std::min(name.size(), name.rfind(" [omp ")));  // the construct's function says enough
      name = WithCall(code, name);
      if (room > 0) name = Shorten(name, room - std::min(room, share.size() + 2));
      if (room > 0 && kFactsIndent + Columns(text + ", " + name + share) > style_.width) break;
      text += (text.empty() ? "" : ", ") + name + share;
    }
    return text;
  }

  void Functions() {
    if (view_.total_samples == 0) return;
    AddTitle("Hottest functions (shares of " + WholeText(view_, analyze::Metric::kWeight) + ")");
    TextTable table({{"", TextTable::Align::kRight},
                     {"", TextTable::Align::kRight},
                     {"", TextTable::Align::kLeft, TextTable::Fit::kShorten}});
    size_t rows = 0;
    for (const analyze::HotCode& code : analyze::HottestCode(view_)) {
      if (rows++ == kHottestRows) break;
      const std::string name = code.function == analyze::kNoFunction
                                   ? code.library_call
                                   : WithCall(code, PlacedName(view_, code.function, 0, symbolizer_, options_));
      table.Add({ShareCell(code.weight, view_.total_weight), ErrorText(view_, code.weight), {name, NameColor(name)}});
    }
    text_ += table.Text(style_);
  }

  // The place in at most `room` columns; 0: no limit.
  std::string PlaceOf(const analyze::PlacedLoss& loss, size_t room) const {
    const auto cut = [room](const std::string& text, size_t used) {
      return room == 0 ? text : Shorten(text, room - std::min(room, used));
    };
    const std::string where = NameText(view_, loss.where, options_);
    if (loss.lock != nullptr) {
      const std::string name = Printable(loss.lock->name);
      const std::string at =
          loss.lock->waiting.empty() || name.find(':') != std::string::npos ? "" : LineOf(loss.lock->waiting.front());
      return cut(name + (!at.empty() ? " at " + at : where.empty() ? "" : " in " + where), 0);
    }
    if (where.empty() || !analyze::IsPlacedInPart(loss.kind)) return cut(where, 0);
    const std::string mostly = loss.kind == analyze::LossKind::kIdle ? "mostly during " : "mostly in ";
    return mostly + cut(where, mostly.size());
  }

  static std::string LineOf(const analyze::LockPlace& place) {
    if (place.file.empty()) return "";
    return Printable(BaseName(place.file)) + (place.line == 0 ? "" : ":" + std::to_string(place.line));
  }

  void Losses() {
    const uint64_t whole = efficiency_.threads * efficiency_.duration_ns;
    AddTitle("Largest losses (of " + std::to_string(efficiency_.threads) + " threads for " +
             Duration(efficiency_.duration_ns) + ")");
    std::vector<analyze::PlacedLoss> losses = analyze::PlaceLosses(view_, efficiency_, answers_.locks, &symbolizer_);
    const auto small = std::find_if(losses.begin(), losses.end(), [whole](const analyze::PlacedLoss& loss) {
      return static_cast<double>(loss.ns) < kLeastShare * static_cast<double>(whole);
    });
    losses.erase(small, losses.end());
    if (losses.size() > kLosses) losses.erase(losses.begin() + kLosses, losses.end());
    if (losses.empty()) text_ += "  none of 0.1 % or more\n";

    std::vector<std::string> shares;
    size_t before = 0;  // columns of the longest share and title
    size_t title = 0;
    for (const analyze::PlacedLoss& loss : losses) {
      shares.push_back(Tilde(loss.estimate) + Share(loss.ns, whole));
      before = std::max(before, Columns(shares.back()));
      title = std::max(title, Columns(analyze::LossTitle(loss.kind)));
    }
    TextTable table({{"", TextTable::Align::kRight}, {"", TextTable::Align::kLeft}, {"", TextTable::Align::kLeft}});
    const size_t used = 2 + before + 2 + title + 2;
    for (size_t i = 0; i < losses.size(); ++i) {
      const std::string place = PlaceOf(losses[i], style_.width == 0 ? 0 : style_.width - std::min(style_.width, used));
      table.Add({{shares[i], ShareColor(losses[i].ns, whole)},
                 analyze::LossTitle(losses[i].kind),
                 {place, NameColor(place)}});
    }
    text_ += table.Text(style_);
  }

  // The place of a change. Without room, a lock's line says more than the region around it.
  std::string WhereToChange(const analyze::Advice& advice, size_t room) const {
    std::string where = AdviceWhere(view_, advice, &answers_.locks);
    const size_t construct = where.rfind(" [omp ");
    if (room > 0 && Columns(where) > room && advice.state != OmptState::kNone && construct != std::string::npos)
      where.resize(construct);
    return room == 0 ? where : Shorten(where, room);
  }

  void Changes() {
    const std::vector<analyze::Advice>& advice = answers_.findings.advice;
    if (advice.empty() && !HasThreads()) return;
    AddTitle("Best changes (what each saves at least, of " + Duration(efficiency_.duration_ns) +
             "; --advice says why)");
    if (advice.empty()) {
      std::string none = "  none known that would save 3 %";
      if (answers_.findings.disturbed)
        none = "  none: " + DisturbanceText(view_, answers_.findings);
      else if (!answers_.findings.refusals.empty())
        none += "; --advice has the reasons";
      else if (const std::string work = SlowWorkText(answers_, /*brief=*/true); !work.empty())
        none += "; " + work;
      text_ += FirstLines(Wrap(none, 2, style_.width), 2, style_.width) + "\n";
      return;
    }
    const size_t rows = std::min(advice.size(), kChanges);
    // The hint takes two lines; each change has a line for its place and one for its text. Long texts get the other
    // lines.
    const size_t used = LinesOf(text_) + 2 + 2 * rows;
    size_t more = kMostLines - std::min(kMostLines, used);
    for (size_t i = 0; i < rows; ++i) {
      const analyze::Advice& one = advice[i];
      const std::string gain = one.gain_ns == 0 ? "?"
                                                : std::string(IsBound(one.kind) ? "up to " : "") + Tilde(one.estimate) +
                                                      Share(one.gain_ns, efficiency_.duration_ns) + "  " +
                                                      Tilde(one.estimate) + Duration(one.gain_ns);
      const size_t room = style_.width == 0 ? 0 : style_.width - std::min(style_.width - 1, Columns(gain) + 4);
      const std::string where = WhereToChange(one, room);
      text_ += "  " + Paint(style_, Color::kWarm, gain + "  " + where) + "\n";
      const std::string change = Wrap(std::string(kChangeIndent, ' ') + AdviceText(one), kChangeIndent, style_.width);
      const size_t lines = std::min(LinesOf(change) + 1, 1 + more);
      more -= lines - 1;
      text_ += FirstLines(change, lines, style_.width) + "\n";
    }
  }

  const analyze::View& view_;
  const analyze::RunFacts& run_;
  const analyze::Summary& summary_;
  const model::Symbolizer& symbolizer_;
  const TextOptions& options_;
  const Style& style_;
  const analyze::Answers& answers_;
  const analyze::Efficiency& efficiency_;
  std::string text_;
};

}  // namespace

std::string FirstScreen(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                        const TextOptions& options, const analyze::Answers& answers) {
  return Screen(view, summary, symbolizer, options, answers).Text();
}

}  // namespace ompprof::report
