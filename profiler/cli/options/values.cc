#include "profiler/cli/options/values.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace ompprof::cli {
namespace {

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

std::string Refusal(const std::string& value, const std::string& accepted) {
  return "'" + value + "' is not valid; accepted: " + accepted;
}

std::string Limits(const char* what, double low, double high) {
  if (high >= static_cast<double>(kNoLimit)) return std::string(what) + ", " + Number(low) + " or more";
  return std::string(what) + " from " + Number(low) + " to " + Number(high);
}

}  // namespace

CLI::Validator OneOf(const std::vector<std::string>& words) {
  std::string list;
  std::string accepted;
  for (size_t i = 0; i < words.size(); ++i) {
    list += (i == 0 ? "" : ",") + words[i];
    accepted += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return {[words, accepted](const std::string& value) {
            const bool valid = std::find(words.begin(), words.end(), value) != words.end();
            return valid ? std::string() : Refusal(value, accepted);
          },
          "{" + list + "}"};
}

CLI::Validator Whole(uint64_t low, uint64_t high) {
  return {[low, high](const std::string& value) {
            constexpr size_t kMostDigits = 18;
            const bool digits = !value.empty() && value.size() <= kMostDigits &&
                                value.find_first_not_of("0123456789") == std::string::npos;
            const uint64_t number = digits ? std::strtoull(value.c_str(), nullptr, 10) : 0;
            if (digits && number >= low && number <= high) return std::string();
            return Refusal(value, Limits("a whole number", static_cast<double>(low), static_cast<double>(high)));
          },
          ""};
}

CLI::Validator Between(double low, double high) {
  return {[low, high](const std::string& value) {
            char* end = nullptr;
            const double number = std::strtod(value.c_str(), &end);
            const bool valid = !value.empty() && *end == '\0' && number >= low && number <= high;
            return valid ? std::string() : Refusal(value, Limits("a number", low, high));
          },
          ""};
}

}  // namespace ompprof::cli
