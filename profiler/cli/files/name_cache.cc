#include "profiler/cli/files/name_cache.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/cli/options/complaint.h"

namespace ompprof::cli {
namespace {

constexpr char kSize[] = "OMPPROF_CACHE_SIZE";

// "256M"
std::optional<uint64_t> Bytes(std::string_view text) {
  constexpr std::string_view kUnits = "KMG";
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (text.empty()) return number;
  const size_t unit = kUnits.find(text[0]);
  const uint64_t factor = uint64_t{1} << 10 * (unit + 1);
  if (text.size() > 1 || unit == std::string_view::npos || number > UINT64_MAX / factor) return std::nullopt;
  return number * factor;
}

uint64_t CacheSize() {
  const char* text = std::getenv(kSize);
  if (text == nullptr || *text == '\0') return model::SymbolCache::kUsualBytes;
  if (const std::optional<uint64_t> bytes = Bytes(text)) return *bytes;
  Complain(std::string(kSize) + "=" + text + ": is no number of bytes such as 256M; the cache has its usual size");
  return model::SymbolCache::kUsualBytes;
}

}  // namespace

void AddCacheOption(CLI::App* command, bool* no_cache) {
  command->add_flag("--no-cache", *no_cache,
                    "Look up all names and lines again, and keep none of them in ~/.cache/ompprof");
}

std::shared_ptr<model::SymbolCache> OpenCache(bool no_cache) {
  if (no_cache) return std::make_shared<model::SymbolCache>();
  return std::make_shared<model::SymbolCache>(model::SymbolCache::UsualFolder(), CacheSize());
}

}  // namespace ompprof::cli
