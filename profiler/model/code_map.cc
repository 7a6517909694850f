#include "profiler/model/code_map.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace ompprof::model {
namespace {

// A number at the beginning of `*line`, with or without 0x, and the blank after it, which are taken off the line.
bool TakeNumber(std::string_view* line, uint64_t* number) {
  if (line->rfind("0x", 0) == 0) line->remove_prefix(2);
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), *number, 16);
  if (error != std::errc() || end == line->data() + line->size() || *end != ' ') return false;
  line->remove_prefix(static_cast<size_t>(end - line->data()) + 1);
  return true;
}

Function FunctionNamed(std::string_view name) {
  constexpr std::string_view kPython = "py::";
  const size_t colon = name.rfind(kPython, 0) == 0 ? name.find(':', kPython.size()) : std::string_view::npos;
  Function function;
  function.name = name.substr(0, colon);
  // Python's <module> and <lambda> would be taken for arguments of a template, which reports shorten.
  if (colon != std::string_view::npos) {
    const auto is_angle = [](char c) { return c == '<' || c == '>'; };
    function.name.erase(std::remove_if(function.name.begin(), function.name.end(), is_angle), function.name.end());
  }
  function.system_name = name;
  if (colon != std::string_view::npos) function.file = name.substr(colon + 1);
  return function;
}

}  // namespace

CodeMap::CodeMap(std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    // The process may have been writing the last line when the text was read.
    const bool whole = end != std::string_view::npos;
    if (!line.empty() && !AddLine(line) && whole) ++malformed_;
    text.remove_prefix(whole ? end + 1 : text.size());
  }
}

bool CodeMap::AddLine(std::string_view line) {
  uint64_t low = 0;
  uint64_t size = 0;
  if (!TakeNumber(&line, &low) || !TakeNumber(&line, &size) || line.empty()) return false;
  if (low + size < low) return false;
  if (size == 0) return true;  // code that is not there covers nothing
  auto known = function_by_name_.find(line);
  if (known == function_by_name_.end()) {
    functions_.push_back(FunctionNamed(line));
    known = function_by_name_.emplace(std::string(line), &functions_.back()).first;
  }
  Add(low, low + size, known->second);
  return true;
}

void CodeMap::Add(uint64_t low, uint64_t high, const Function* function) {
  auto at = ranges_.upper_bound(low);
  if (at != ranges_.begin() && std::prev(at)->second.high > low) --at;
  while (at != ranges_.end() && at->first < high) {
    const uint64_t first = at->first;
    const Range old = at->second;
    at = ranges_.erase(at);
    if (first < low) ranges_.emplace(first, Range{low, old.function});
    if (old.high > high) at = ranges_.emplace(high, old).first;
  }
  ranges_.emplace(low, Range{high, function});
}

const Function* CodeMap::Find(uint64_t address) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  const Range& range = std::prev(after)->second;
  return address < range.high ? range.function : nullptr;
}

}  // namespace ompprof::model
