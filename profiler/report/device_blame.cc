#include "profiler/report/device_blame.h"

#include <algorithm>
#include <vector>

#include "profiler/report/columns/device_columns.h"
#include "profiler/report/names_text.h"
#include "profiler/report/style.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

// What a work is charged with: the waits for it where it was launched, and with nowait the waits elsewhere.
uint64_t ChargeOf(const analyze::DeviceWorkTotal& work) { return work.waited_ns + work.charged_ns; }

// The work that host threads waited for, the longest waits first.
std::vector<const analyze::DeviceWorkTotal*> Waited(const analyze::View& view) {
  std::vector<const analyze::DeviceWorkTotal*> charges;
  for (const analyze::DeviceWorkTotal& work : view.device_work) {
    if (work.device != 0 && ChargeOf(work) != 0) charges.push_back(&work);
  }
  std::stable_sort(charges.begin(), charges.end(),
                   [](const auto* a, const auto* b) { return ChargeOf(*a) > ChargeOf(*b); });
  return charges;
}

}  // namespace

std::string DeviceBlameText(const analyze::View& view, const TextOptions& options, size_t usual) {
  const std::vector<const analyze::DeviceWorkTotal*> charges = Waited(view);
  if (charges.empty()) return "";
  uint64_t all = 0;
  for (const analyze::DeviceWorkTotal* charge : charges) all += ChargeOf(*charge);
  TextTable table({{"waited", Align::kRight},
                   {"share", Align::kRight},
                   {"device", Align::kRight},
                   {"work", Align::kLeft},
                   {"target construct", Align::kLeft, Fit::kShorten}});
  const size_t rows = std::min(charges.size(), options.limit == 0 ? usual : options.limit);
  for (size_t i = 0; i < rows; ++i) {
    const analyze::DeviceWorkTotal& charge = *charges[i];
    table.Add({Duration(ChargeOf(charge)), Share(ChargeOf(charge), all), std::to_string(charge.device - 1),
               DeviceWorkName(charge.work), NameText(view, charge.construct, options)});
  }
  return Title(options.style,
               "Which work of devices host threads waited for (thread time; shares of " + Duration(all) + ")") +
         table.Text(options.style) + Omitted(rows, charges.size(), "rows");
}

void JsonDeviceBlame(const analyze::View& view, JsonWriter* json) {
  const std::vector<const analyze::DeviceWorkTotal*> charges = Waited(view);
  if (charges.empty()) return;
  json->Key("device_blame");
  json->BeginArray();
  for (const analyze::DeviceWorkTotal* charge : charges) {
    const analyze::ViewFunction& construct = view.frames.function(charge->construct);
    json->BeginObject();
    json->Member("process", view.run.process(charge->process).pid);
    json->Member("device", charge->device - 1);
    json->Member("work", DeviceWorkName(charge->work));
    json->Member("function", construct.name);
    json->Member("file", construct.file);
    json->Member("line", construct.line);
    json->Member("wait_ns", ChargeOf(*charge));
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ompprof::report
