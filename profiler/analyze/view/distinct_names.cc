#include "profiler/analyze/view/distinct_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "profiler/analyze/view/short_name.h"
#include "profiler/analyze/view/view_function.h"

namespace ompprof::analyze {
namespace {

using Functions = std::vector<ViewFunction*>;

template <class Key>
std::map<std::string, Functions> GroupBy(const Functions& functions, Key key) {
  std::map<std::string, Functions> groups;
  for (ViewFunction* function : functions) groups[key(*function)].push_back(function);
  return groups;
}

template <class Key>
size_t CountOf(const Functions& functions, Key key) {
  std::set<std::string> values;
  for (const ViewFunction* function : functions) values.insert(key(*function));
  return values.size();
}

bool IsLambda(const std::string& argument) {
  return argument.find("lambda") != std::string::npos || argument.find("$_") != std::string::npos;
}

std::vector<std::string> EntriesOf(const std::string& arguments) {
  std::vector<std::string> entries;
  for (size_t at = 0, end = 0; (end = arguments.find(';', at)) != std::string::npos; at = end + 1)
    entries.push_back(arguments.substr(at, end - at));
  return entries;
}

// "solve.cc:12" for "solve.cc:12:24". Of several places, the first.
std::string WithoutColumn(const std::string& places) {
  const std::string first = places.substr(0, places.find(','));
  const size_t line = first.find(':');
  return first.substr(0, line == std::string::npos ? line : first.find(':', line + 1));
}

std::string LinesOf(const ViewFunction& function) {
  std::string lines;
  for (const std::string& entry : EntriesOf(function.arguments)) lines += WithoutColumn(entry) + ";";
  return lines;
}

// The name with the places of lambdas and the like for these template arguments. `line_is_enough`: no other lambda is
// on the line; otherwise the column is needed, and a lambda without a known column keeps its number.
// `only_lambdas`: types of anonymous namespaces have names that tell the functions apart.
std::string WithPlaces(const ViewFunction& function, bool only_lambdas, bool line_is_enough) {
  std::string name = function.name;
  std::vector<NameParts::Item> items;
  for (const NameParts::Bracket& bracket : PartsOf(name).brackets) {
    if (bracket.opens == '<') items.insert(items.end(), bracket.items.begin(), bracket.items.end());
  }
  std::vector<std::string> entries = EntriesOf(function.arguments);
  // The last arguments are the function's own. Later changes leave the places of earlier ones.
  while (!items.empty() && !entries.empty()) {
    const NameParts::Item item = items.back();
    const std::string line = WithoutColumn(entries.back());
    const std::string place = line_is_enough ? line : entries.back();
    items.pop_back();
    entries.pop_back();
    if (line.empty() || item.end <= item.begin || (!line_is_enough && place == line)) continue;
    const std::string text = name.substr(item.begin, item.end - item.begin);
    if (only_lambdas && !IsLambda(text)) continue;
    const bool is_first = item.begin > 0 && name[item.begin - 1] == '<';
    const std::string shown = IsLambda(text) ? (is_first ? "lambda " : " lambda ") + place : text + " " + place;
    name.replace(item.begin, item.end - item.begin, shown);
  }
  return name;
}

// Functions with one short name, some with unnamed types in their template arguments.
void PlaceArguments(const Functions& functions) {
  const bool any = std::any_of(functions.begin(), functions.end(),
                               [](const ViewFunction* function) { return !function->arguments.empty(); });
  if (!any) return;
  std::map<std::string, int> same_name;
  for (const ViewFunction* function : functions) ++same_name[function->name];
  std::vector<std::pair<ViewFunction*, std::string>> names;
  for (const auto& [lines, same_lines] : GroupBy(functions, LinesOf)) {
    for (ViewFunction* function : same_lines)
      names.emplace_back(function, WithPlaces(*function, same_name[function->name] == 1, same_lines.size() == 1));
  }
  for (const auto& [function, name] : names) function->name = name;
}

// The end of a path, of `folders` folders and the file, and the line.
std::string Where(const ViewFunction& function, int folders) {
  if (function.file.empty()) return "";
  size_t begin = function.file.rfind('/');
  for (int i = 0; i < folders && begin != std::string::npos && begin > 0; ++i)
    begin = function.file.rfind('/', begin - 1);
  const std::string end = begin == std::string::npos ? function.file : function.file.substr(begin + 1);
  return end + (function.line == 0 ? "" : ":" + std::to_string(function.line));
}

// A construct's place stays behind the name of its function.
void Qualify(ViewFunction* function, const std::string& text) {
  if (text.empty()) return;
  size_t end = function->name.size();
  if (!function->name.empty() && function->name.back() == ']') {
    for (const char* construct : {" [omp ", " [acc "}) end = std::min(end, function->name.rfind(construct));
  }
  function->name.insert(end, " [" + text + "]");
}

template <class Text>
std::vector<Functions> QualifyBy(const Functions& functions, Text text) {
  if (CountOf(functions, text) < 2) return {functions};
  std::vector<Functions> still_alike;
  for (const auto& [qualifier, group] : GroupBy(functions, text)) {
    for (ViewFunction* function : group) Qualify(function, qualifier);
    still_alike.push_back(group);
  }
  return still_alike;
}

// Constructs on one line of one function, in the order of the code.
void Number(Functions functions) {
  std::stable_sort(functions.begin(), functions.end(),
                   [](const ViewFunction* a, const ViewFunction* b) { return a->code < b->code; });
  for (size_t i = 0; functions.size() > 1 && i < functions.size(); ++i) {
    std::string* name = &functions[i]->name;
    const std::string number = "#" + std::to_string(i + 1);
    if (!name->empty() && name->back() == ']')
      name->insert(name->size() - 1, " " + number);
    else
      Qualify(functions[i], number);
  }
}

// Such a construct has code in the program and in the devices' images: one place of the source, and one name.
bool IsTargetRegion(const std::string& name) { return name.find(" [omp target ") != std::string::npos; }

// Functions with one full name.
void QualifyAll(const Functions& functions, const std::vector<std::string>& objects) {
  constexpr int kFolders = 8;
  // As few folders as tell as much as the whole path.
  int folders = 0;
  const auto where = [&folders](const ViewFunction& function) { return Where(function, folders); };
  const size_t places = CountOf(functions, [](const ViewFunction& function) { return Where(function, INT32_MAX); });
  while (folders < kFolders && CountOf(functions, where) < places) ++folders;
  const auto path = [&objects](const ViewFunction& function) {
    return function.object < objects.size() ? objects[function.object] : std::string();
  };
  const auto file = [&path](const ViewFunction& function) {
    const std::string whole = path(function);
    return whole.substr(whole.rfind('/') + 1);
  };
  for (const Functions& here : QualifyBy(functions, where)) {
    if (IsTargetRegion(here.front()->name)) {
      for (const auto& [object, alike] : GroupBy(here, path)) Number(alike);
      continue;
    }
    const bool by_file = CountOf(here, file) == CountOf(here, path);
    for (const Functions& alike : by_file ? QualifyBy(here, file) : QualifyBy(here, path)) Number(alike);
  }
}

}  // namespace

void MakeNamesDistinct(const std::vector<ViewFunction*>& functions, const std::vector<std::string>& objects) {
  const auto brief = [](const ViewFunction& function) { return ShortName(function.name); };
  for (const auto& [name, alike] : GroupBy(functions, brief)) {
    if (alike.size() > 1) PlaceArguments(alike);
  }
  const auto full = [](const ViewFunction& function) { return function.name; };
  for (const auto& [name, alike] : GroupBy(functions, full)) {
    if (alike.size() > 1) QualifyAll(alike, objects);
  }
}

}  // namespace ompprof::analyze
