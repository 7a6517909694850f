#include "profiler/report/short_name.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace ompprof::report {
namespace {

// Names that begin with model::kFortranMain, with or without a construct.
constexpr char kFortranMain[] = "main program";

// The length of the operator's name at `at`, after "operator". Brackets in this name open nothing.
size_t OperatorLength(const std::string& name, size_t at) {
  for (const char* symbol : {"()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "[]", "<", ">"}) {
    const size_t length = std::strlen(symbol);
    if (name.compare(at, length, symbol) == 0) return length;
  }
  return 0;
}

bool EndsWithOperator(const std::string& text) {
  constexpr char kWord[] = "operator";
  constexpr size_t kLength = sizeof kWord - 1;
  if (text.size() < kLength || text.compare(text.size() - kLength, kLength, kWord) != 0) return false;
  const char before = text.size() > kLength ? text[text.size() - kLength - 1] : ' ';
  return !std::isalnum(static_cast<unsigned char>(before)) && before != '_';
}

}  // namespace

std::string ShortName(const std::string& name) {
  if (name.empty() || name[0] == '<') return name;
  if (name.rfind(kFortranMain, 0) == 0) return name;  // two words, but the first word is no return type
  const size_t bracket = name.rfind(" [omp ");
  const std::string function = name.substr(0, bracket);
  const std::string construct = bracket == std::string::npos ? "" : name.substr(bracket);

  constexpr char kAnonymous[] = "(anonymous namespace)::";
  std::string text;
  int depth = 0;
  for (size_t at = 0; at < function.size(); ++at) {
    if (function.compare(at, sizeof kAnonymous - 1, kAnonymous) == 0) {
      at += sizeof kAnonymous - 2;
      continue;
    }
    if (depth == 0 && EndsWithOperator(text)) {
      if (const size_t length = OperatorLength(function, at)) {
        text.append(function, at, length);
        at += length - 1;
        continue;
      }
    }
    const char c = function[at];
    if (c == '<' || c == '(') {
      ++depth;
    } else if (c == '>' || c == ')') {
      if (depth > 0) --depth;
    } else if (depth == 0) {
      text += c;
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  constexpr char kConst[] = " const";
  const size_t tail = text.size() - std::min(text.size(), sizeof kConst - 1);
  if (text.compare(tail, std::string::npos, kConst) == 0) text.resize(tail);
  // The text before a blank is a return type, except in "operator bool" and in the "[clone .cold]" of a clone.
  const size_t clone = text.find(" [");
  const size_t blank = text.rfind(' ', clone == std::string::npos ? clone : clone - 1);
  if (clone != 0 && blank != std::string::npos && text.find("operator") == std::string::npos) text.erase(0, blank + 1);
  return text.empty() ? name : text + construct;
}

}  // namespace ompprof::report
