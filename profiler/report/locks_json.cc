#include "profiler/report/locks_json.h"

#include "profiler/report/columns/lock_columns.h"
#include "profiler/report/columns/rows_json.h"

namespace ompprof::report {

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
