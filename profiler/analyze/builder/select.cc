#include "profiler/analyze/builder/select.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "profiler/analyze/builder/short_waits.h"
#include "profiler/analyze/view/path_filter.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// "a, b, c, ..."
template <class Names>
std::string List(const Names& names) {
  constexpr size_t kMostNames = 16;
  std::string list;
  size_t count = 0;
  for (const auto& name : names) {
    if (count++ == kMostNames) return list + ", ...";
    list += (list.empty() ? "" : ", ") + name;
  }
  return list;
}

std::string WhyNotPhase(const std::string& name, const View& view) {
  if (std::find(view.phases.begin() + 1, view.phases.end(), name) != view.phases.end()) return "";
  if (view.phases.size() == 1)
    return "--phase=" + name +
           ": the profile has no phases; a program names its phases with ompprof_push_label (ompprof.h)";
  const std::set<std::string> names(view.phases.begin() + 1, view.phases.end());
  return "--phase=" + name + ": no such phase in this profile; the profile has " + List(names);
}

std::string WhyNotRegion(const std::string& name, const View& view) {
  if (!FindRegions(view, name).empty()) return "";
  if (view.regions.empty())
    return "--region=" + name + ": the profile has no parallel regions; without OMPT, a profile has none";
  std::vector<std::string> names;
  for (const Region& region : view.regions) names.push_back(view.frames.function(region.construct).name);
  return "--region=" + name + ": no such region in this profile; the profile has " + List(names);
}

std::string WhyNotThread(uint32_t id, const View& view) {
  std::set<uint32_t> ids;
  for (const ProcessFacts& process : view.run.processes) {
    for (const ThreadFacts& thread : process.threads) ids.insert(thread.id);
  }
  if (ids.count(id) != 0) return "";
  std::vector<std::string> names;
  for (const uint32_t one : ids) names.push_back(std::to_string(one));
  return "--thread=" + std::to_string(id) + ": no such thread in this profile; the profile has " + List(names);
}

// By index into View::phases: whether it is the phase `name`, or inside it. Empty: all are.
std::vector<bool> PhasesIn(const std::string& name, const View& view) {
  if (name.empty()) return {};
  std::vector<bool> in(view.phases.size());
  for (size_t phase = 1; phase < in.size(); ++phase)
    in[phase] = view.phases[phase] == name || in[view.phases_around[phase]];
  return in;
}

// By FunctionId: whether it is a construct of the region. Empty: all are.
std::vector<bool> Constructs(const std::string& name, const View& view) {
  if (name.empty()) return {};
  std::vector<bool> in(view.frames.function_count());
  for (const Region* region : FindRegions(view, name)) in[region->construct] = true;
  return in;
}

// The sampled figures of the remaining regions, without those of regions nested in them.
void AddSampledFigures(View* view) {
  std::map<FunctionId, Region*> regions;
  for (Region& region : view->regions) {
    region.samples = region.weight = region.faults = region.kernel_ns = region.busy_weight = 0;
    region.counts = {};
    regions[region.construct] = &region;
  }
  for (const ViewSample& sample : view->samples) {
    const auto found = regions.find(sample.region);
    if (found == regions.end()) continue;
    Region& region = *found->second;
    region.samples += sample.cost.samples;
    region.weight += sample.cost.weight;
    region.faults += sample.cost.faults;
    region.kernel_ns += sample.cost.kernel_ns;
    model::AddCounts(sample.cost.counts, &region.counts);
    const bool is_busy =
        !sample.own && !sample.in_wait && sample.state != kStateLibraryWait && sample.state != kStateMpi;
    if (is_busy) region.busy_weight += sample.cost.weight;
  }
}

template <class Element, class Drop>
void EraseIf(std::vector<Element>* elements, const Drop& drop) {
  elements->erase(std::remove_if(elements->begin(), elements->end(), drop), elements->end());
}

void RemoveUnknown(const Selection& selection, View* view) {
  view->devices.clear();
  view->device_work.clear();
  view->device_paths.clear();
  view->device_operations.clear();
  view->job_figures.clear();
  view->job_members.clear();
  view->region_constructs.clear();
  if (!selection.knows_waits()) view->waits.clear();
  if (!selection.knows_threads()) view->accounts.clear();
  if (selection.knows_regions()) return;
  view->regions.clear();
  view->region_runs.clear();
}

// As BuildView adds them up. Samples are merged here, so the squares are those of samples that weigh alike.
void AddTotals(View* view) {
  view->total_samples = view->total_weight = view->total_wait = view->total_blame = 0;
  view->total_counts = {};
  view->weight_squares = 0;
  view->own_weight = view->unspliced_weight = 0;
  view->own_useful_weight.clear();
  for (const ViewSample& sample : view->samples) {
    const Cost& cost = sample.cost;
    view->total_samples += cost.samples;
    view->total_weight += cost.weight;
    view->total_wait += cost.wait;
    view->total_blame += cost.all_blame();
    model::AddCounts(cost.counts, &view->total_counts);
    const auto weight = static_cast<double>(cost.weight);
    if (cost.samples > 0) view->weight_squares += weight * weight / static_cast<double>(cost.samples);
    if (!sample.own) continue;
    view->own_weight += cost.weight;
    if (!sample.in_wait && view->run.process(sample.process).sampling.weighs_ns())
      view->own_useful_weight[{sample.process, sample.thread}] += cost.weight;
  }
}

}  // namespace

std::vector<const Region*> FindRegions(const View& view, const std::string& text) {
  std::vector<const Region*> exact;
  std::vector<const Region*> partly;
  for (const Region& region : view.regions) {
    const ViewFunction& construct = view.frames.function(region.construct);
    const std::string base = construct.file.substr(construct.file.rfind('/') + 1);
    const std::string line = ":" + std::to_string(construct.line);
    const std::string function = construct.name.substr(0, construct.name.rfind(" [omp "));
    const std::string plain = function.substr(0, function.find('(', 1));  // without parameters
    // As tables show it, with some template arguments.
    const std::string shown = view.frames.ShortName(construct.name);
    const bool is_shown =
        shown != ShortName(construct.name) && (text == shown || text == shown.substr(0, shown.rfind(" [omp ")));
    if (is_shown || text == construct.name || text == base + line || text == construct.file + line ||
        text == function || text == plain)
      exact.push_back(&region);
    else if (construct.name.find(text) != std::string::npos)
      partly.push_back(&region);
  }
  return exact.empty() ? partly : exact;
}

std::string WhyNotSelectable(const Selection& selection, const View& view) {
  std::string why;
  if (!selection.phase.empty()) why = WhyNotPhase(selection.phase, view);
  if (why.empty() && !selection.region.empty()) why = WhyNotRegion(selection.region, view);
  if (why.empty() && selection.thread) why = WhyNotThread(*selection.thread, view);
  return why;
}

void Select(const Selection& selection, View* view) {
  const std::vector<bool> phases = PhasesIn(selection.phase, *view);
  const std::vector<bool> constructs = Constructs(selection.region, *view);
  const auto other_thread = [&](uint32_t thread) { return selection.thread && *selection.thread != thread; };
  const auto other_region = [&](FunctionId region) { return !constructs.empty() && !constructs[region]; };
  view->selection = selection;
  view->run_weight = view->total_weight;
  DropSamples(
      [&](const ViewSample& sample) {
        return other_thread(sample.thread) || other_region(sample.region) || (!phases.empty() && !phases[sample.phase]);
      },
      view);
  EraseIf(&view->waits, [&](const WaitTotal& wait) { return other_thread(wait.thread) || other_region(wait.region); });
  EraseIf(&view->regions, [&](const Region& region) { return other_region(region.construct); });
  EraseIf(&view->region_runs, [&](const RegionRun& run) { return other_region(run.construct); });
  for (auto account = view->accounts.begin(); account != view->accounts.end();)
    account = other_thread(account->first.second) ? view->accounts.erase(account) : std::next(account);
  RemoveUnknown(selection, view);
  AddSampledFigures(view);
  AddTotals(view);
  // The short waits of a region were among those of all regions, which have gone.
  AddShortWaits(view);
}

}  // namespace ompprof::analyze
