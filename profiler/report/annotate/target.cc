#include "profiler/report/annotate/target.h"

#include <algorithm>

#include "profiler/analyze/view/name_pattern.h"

namespace ompprof::report {
namespace {

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), std::string::npos, end) == 0;
}

// The name of the function that contains a construct: the name without " [omp ...]".
std::string Holder(const std::string& name) { return name.substr(0, name.rfind(" [omp ")); }

template <class Matches>
bool Mark(const analyze::View& view, std::vector<bool>* meant, Matches matches) {
  for (analyze::FunctionId id = 1; id < meant->size(); ++id) (*meant)[id] = matches(view.frames.function(id));
  return std::find(meant->begin(), meant->end(), true) != meant->end();
}

}  // namespace

std::vector<bool> FunctionsMeant(const analyze::View& view, const std::string& text) {
  using analyze::ViewFunction;
  std::vector<bool> meant(view.frames.function_count());
  if (text.empty()) return meant;
  if (Mark(view, &meant,
           [&](const ViewFunction& function) { return function.file == text || EndsWith(function.file, "/" + text); }))
    return meant;
  // A short name as tables show it, "each<Alpha>", and a name that stands for all of its instances, "each".
  const auto has_name = [&](const ViewFunction& function, const auto& is) {
    const std::string shown = view.frames.ShortName(function.name);
    const std::string plain = analyze::ShortName(function.name);
    return is(shown) || is(Holder(shown)) || is(Holder(plain));
  };
  if (Mark(view, &meant, [&](const ViewFunction& function) {
        return function.name == text || Holder(function.name) == text ||
               has_name(function, [&](const std::string& name) { return name == text; });
      }))
    return meant;
  if (Mark(view, &meant, [&](const ViewFunction& function) {
        return has_name(function, [&](const std::string& name) { return EndsWith(name, "::" + text); });
      }))
    return meant;
  // Without a pattern, `text` is a name such as "operator[]", and no function has this name.
  if (const auto pattern = analyze::NamePattern::Of(text))
    Mark(view, &meant, [&](const ViewFunction& function) { return pattern->Matches(function.name); });
  return meant;
}

}  // namespace ompprof::report
