// The cache of names and lines, for the commands that name functions.
#ifndef OMPPROF_PROFILER_CLI_FILES_NAME_CACHE_H_
#define OMPPROF_PROFILER_CLI_FILES_NAME_CACHE_H_

#include <CLI/CLI.hpp>
#include <memory>

#include "profiler/model/symbol_cache.h"

namespace ompprof::cli {

// --no-cache
void AddCacheOption(CLI::App* command, bool* no_cache);

// The user's cache, of the size in OMPPROF_CACHE_SIZE. With `no_cache`, or with a size of 0, no names are kept for
// later commands.
std::shared_ptr<model::SymbolCache> OpenCache(bool no_cache);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_NAME_CACHE_H_
