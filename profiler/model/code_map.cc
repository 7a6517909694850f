#include "profiler/model/code_map.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "profiler/model/symbol_name.h"

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
  Function function;
  function.system_name = name;
  if (name.rfind(kPython, 0) != 0) {
    function.name = Demangle(function.system_name);
    return function;
  }
  const size_t colon = name.find(':', kPython.size());
  function.name = name.substr(0, colon);
  // Python's <module> and <lambda> would be taken for arguments of a template, which reports shorten.
  if (colon != std::string_view::npos) {
    const auto is_angle = [](char c) { return c == '<' || c == '>'; };
    function.name.erase(std::remove_if(function.name.begin(), function.name.end(), is_angle), function.name.end());
    function.file = name.substr(colon + 1);
  }
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
  return TakeNumber(&line, &low) && TakeNumber(&line, &size) && !line.empty() && Add(low, size, line, nullptr);
}

bool CodeMap::Add(uint64_t low, uint64_t size, std::string_view name, const CodeLines* lines) {
  if (low + size < low) return false;
  if (size == 0) return true;  // code that is not there covers nothing
  auto known = function_by_name_.find(name);
  if (known == function_by_name_.end()) {
    functions_.push_back(FunctionNamed(name));
    known = function_by_name_.emplace(std::string(name), &functions_.back()).first;
  }
  AddRange(low, {low + size, low, known->second, lines});
  return true;
}

const std::string* CodeMap::File(std::string_view name) {
  auto known = files_.find(name);
  if (known == files_.end()) known = files_.emplace(name).first;
  return &*known;
}

void CodeMap::AddRange(uint64_t low, const Range& range) {
  auto at = ranges_.upper_bound(low);
  if (at != ranges_.begin() && std::prev(at)->second.high > low) --at;
  while (at != ranges_.end() && at->first < range.high) {
    const uint64_t first = at->first;
    const Range old = at->second;
    at = ranges_.erase(at);
    if (first < low) {
      Range before = old;
      before.high = low;
      ranges_.emplace(first, before);
    }
    if (old.high > range.high) at = ranges_.emplace(range.high, old).first;
  }
  ranges_.emplace(low, range);
}

SourceFrame CodeMap::FrameAt(uint64_t address) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return {nullptr, "", 0};
  const Range& range = std::prev(after)->second;
  if (address >= range.high) return {nullptr, "", 0};
  SourceFrame frame{range.function, "", 0};
  if (range.lines == nullptr) return frame;
  const uint64_t offset = address - range.begin + line_shift_;
  const auto next = std::upper_bound(range.lines->begin(), range.lines->end(), offset,
                                     [](uint64_t value, const CodeLine& line) { return value < line.offset; });
  if (next == range.lines->begin()) return frame;
  frame.file = *std::prev(next)->file;
  frame.line = std::prev(next)->line;
  return frame;
}

}  // namespace ompprof::model
