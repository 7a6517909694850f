#include "profiler/report/sections/locks.h"

#include <algorithm>
#include <vector>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/rows_json.h"
#include "profiler/report/columns/rows_text.h"

namespace ompprof::report {
namespace {

constexpr size_t kLockRows = 15;
constexpr size_t kPlaceRows = 3;  // places of each lock
constexpr size_t kPathFrames = 6;

// The younger end of a path: "main > open_bank > make_account".
std::string Path(const analyze::View& view, analyze::PathId path, const TextOptions& options) {
  std::vector<std::string> names;
  for (; path != analyze::kEmptyPath && names.size() <= kPathFrames; path = view.paths.node(path).parent) {
    const analyze::Location& location = view.frames.location(view.paths.node(path).location);
    for (uint32_t i = 0; i < location.line_count; ++i)
      names.push_back(NameText(view, view.frames.line(location.first_line + i).function, options, "<not known>"));
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
  RowsText<LockRow> table(LockColumns(), &Column<LockRow>::text, WeighingOf(view));
  const size_t rows = std::min(locks.size(), limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::Lock& lock = locks[i];
    table.Add({view, all, lock, /*options=*/&options});
    const auto add = [&](const char* what, const std::vector<analyze::LockPlace>& places) {
      const size_t shown = std::min(places.size(), options.limit == 0 ? kPlaceRows : options.limit);
      for (size_t at = 0; at < shown; ++at)
        table.AddPart({{"wait_ns", Measured(places[at].ns, places[at].estimate)},
                       {"share", Share(places[at].ns, lock.wait_ns)},
                       {"count", Tilde(places[at].estimate) + Count(places[at].count)},
                       {"name", std::string("  ") + what + LockPlaceText(view, places[at], options)}});
    };
    add("held by ", lock.blamed);
    add("waited for in ", lock.waiting);
    if (lock.made_path != analyze::kEmptyPath)
      table.AddPart({{"name", "  made in " + Path(view, lock.made_path, options)}});
  }
  const std::string text =
      Title(options.style, "Locks and criticals (wall time that threads waited; shares of " + Duration(all.thread_ns) +
                               " of all threads' time, under a lock of the waiting for it)");
  if (table.empty()) {
    const char* why = !analyze::WaitsRecorded(view) ? "not recorded (--waits=off)"
                      : analyze::IsUntold(view.run, analyze::kLockEvents)
                          ? "not known: the OpenMP runtime reports no locks"
                          : "no thread waited for a lock";
    return text + Sentence(options.style, why);
  }
  return text + table.Text(options.style) + Omitted(rows, locks.size(), "locks");
}

void JsonLocks(const analyze::View& view, const analyze::Locks& locks, JsonWriter* json) {
  json->Key("locks");
  json->BeginArray();
  for (const analyze::Lock& lock : locks.locks) {
    json->BeginObject();
    JsonMembers(LockColumns(), LockRow{view, locks, lock}, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
