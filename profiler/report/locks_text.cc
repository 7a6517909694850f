#include "profiler/report/locks_text.h"

#include <algorithm>
#include <vector>

#include "profiler/report/names_text.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

constexpr size_t kLockRows = 15;
constexpr size_t kPlaceRows = 3;  // of each lock
constexpr size_t kPathFrames = 6;

std::string Name(const analyze::View& view, analyze::FunctionId function, const TextOptions& options) {
  return NameText(view, function, options, "<not known>");
}

std::string Place(const analyze::View& view, const analyze::LockPlace& place, const TextOptions& options) {
  std::string text = Name(view, place.function, options);
  if (!place.file.empty()) text += "  " + Printable(BaseName(place.file));
  if (!place.file.empty() && place.line != 0) text += ":" + std::to_string(place.line);
  return text;
}

std::string Title(const analyze::View& view, const analyze::Lock& lock, const TextOptions& options) {
  if (lock.made.function != analyze::kNoFunction)
    return (lock.locks > 1 ? Count(lock.locks) + " locks made at " : "lock made at ") + Place(view, lock.made, options);
  return Printable(lock.name) + (lock.module.empty() ? "" : "  (" + Printable(BaseName(lock.module)) + ")");
}

// "main > open_bank > make_account", its younger end.
std::string Path(const analyze::View& view, analyze::PathId path, const TextOptions& options) {
  std::vector<std::string> names;
  for (; path != analyze::kEmptyPath && names.size() <= kPathFrames; path = view.paths.node(path).parent) {
    const analyze::Location& location = view.frames.location(view.paths.node(path).location);
    for (uint32_t i = 0; i < location.line_count; ++i)
      names.push_back(Name(view, view.frames.line(location.first_line + i).function, options));
  }
  std::string text;
  const bool cut = names.size() > kPathFrames;
  if (cut) names.resize(kPathFrames);
  for (const std::string& name : names) text = text.empty() ? name : name + " > " + text;
  return cut ? "... > " + text : text;
}

}  // namespace

std::string TextLocks(const analyze::View& view, const analyze::Locks& all, const TextOptions& options) {
  std::vector<analyze::Lock> locks = all.locks;
  const size_t limit = options.limit == 0 ? kLockRows : options.limit;
  if (locks.size() > limit) analyze::FoldByPlace(&locks);
  TextTable table({{"wait", Align::kRight},
                   {"share", Align::kRight},
                   {"waits", Align::kRight, Fit::kKeep, 1},
                   {"longest", Align::kRight, Fit::kKeep, 2},
                   {"threads", Align::kRight, Fit::kKeep, 4},
                   {"kind", Align::kLeft, Fit::kKeep, 3},
                   {"lock", Align::kLeft, Fit::kShorten}});
  const size_t rows = std::min(locks.size(), limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Lock& lock = locks[i];
    table.Add({Measured(lock.wait_ns, lock.estimate), ShareCell(lock.wait_ns, all.thread_ns),
               Tilde(lock.estimate) + Count(lock.count), Duration(lock.max_ns), std::to_string(lock.threads),
               analyze::LockKindName(lock.kind), Title(view, lock, options)});
    const auto add = [&](const char* what, const std::vector<analyze::LockPlace>& places) {
      const size_t shown = std::min(places.size(), options.limit == 0 ? kPlaceRows : options.limit);
      for (size_t at = 0; at < shown; ++at)
        table.Add({Measured(places[at].ns, places[at].estimate), Share(places[at].ns, lock.wait_ns),
                   Tilde(places[at].estimate) + Count(places[at].count), "", "", "",
                   std::string("  ") + what + Place(view, places[at], options)});
    };
    add("held by ", lock.blamed);
    add("waited for in ", lock.waiting);
    if (lock.made_path != analyze::kEmptyPath)
      table.Add({"", "", "", "", "", "", "  made in " + Path(view, lock.made_path, options)});
  }
  const std::string text =
      Title(options.style, "Locks and criticals (wall time that threads waited; shares of " + Duration(all.thread_ns) +
                               " of all threads' time, under a lock of the waiting for it)");
  if (table.empty())
    return text + (analyze::WaitsRecorded(view) ? "  no thread waited for one\n" : "  not recorded (--waits=off)\n");
  return text + table.Text(options.style) + Omitted(rows, locks.size(), "locks");
}

}  // namespace ompprof::report
