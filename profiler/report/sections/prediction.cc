#include "profiler/report/sections/prediction.h"

#include <cstdio>

#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/advice.h"

namespace ompprof::report {
namespace {

// The error of an estimated prediction.
std::string EstimateSentence(const analyze::Prediction& prediction) {
  const std::string exact = "; record --max-overhead=0 measures each wait";
  if (prediction.error_known) return "the waits behind the prediction (±: 95 % confidence)" + exact;
  return "the waits behind the prediction. The error is not known, because it depends on the busiest thread of each "
         "run" +
         exact;
}

}  // namespace

std::string PredictionText(const analyze::Prediction& prediction, const std::string& question, const Style& style) {
  const double before = static_cast<double>(prediction.before_ns);
  const double after = static_cast<double>(prediction.after_ns);
  const std::string tilde = Tilde(prediction.estimate);
  char change[64];
  std::snprintf(change, sizeof change, "%s%+.1f %%, %s%.2f times as fast", tilde.c_str(),
                before > 0 ? 100 * (after - before) / before : 0.0, tilde.c_str(), after > 0 ? before / after : 0.0);
  std::string text = Wrap("If " + Printable(question) + ":", 2, style.width) + "\n";
  text += Sentence(style, Duration(prediction.before_ns) + "  as recorded");
  text += Sentence(style, (prediction.error_known ? Measured(prediction.after_ns, prediction.estimate)
                                                  : tilde + Duration(prediction.after_ns)) +
                              "  predicted (" + change + ")");
  for (const std::string& assumption : prediction.assumptions) text += Sentence(style, "assuming: " + assumption);
  if (prediction.estimate.any()) text += Sentence(style, "estimated: " + EstimateSentence(prediction));
  return text;
}

std::string PredictionJson(const analyze::Prediction& prediction, const std::string& question) {
  JsonText json;
  json.BeginObject();
  json.Member("schema_version", kJsonSchemaVersion);
  json.Member("question", question);
  json.Member("before_ns", prediction.before_ns);
  json.Member("after_ns", prediction.after_ns);
  json.Member("estimated", prediction.estimate.any());
  json.Key("ci95");
  if (prediction.error_known)
    json.Number(prediction.estimate.ci95_ns());
  else
    json.Null();
  json.Key("assumptions");
  json.BeginArray();
  for (const std::string& assumption : prediction.assumptions) json.String(assumption);
  json.EndArray();
  json.EndObject();
  return json.text();
}

bool IsLockCalled(const analyze::View& view, const analyze::Locks& locks, const analyze::WaitTotal& wait,
                  const std::string& name) {
  const analyze::Lock* lock = analyze::FindLock(locks, wait.process, wait.wait_id, wait.state);
  if (lock != nullptr && lock->name == name) return true;
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(wait.wait_id));
  return name == hex || name == std::to_string(wait.wait_id) || name == PlaceText(view, wait.place);
}

}  // namespace ompprof::report
