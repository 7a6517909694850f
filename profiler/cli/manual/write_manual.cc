#include "profiler/cli/manual/write_manual.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "profiler/cli/commands/commands.h"
#include "profiler/cli/manual/manual.h"
#include "profiler/cli/options/command_options.h"

namespace ompprof::cli {

bool WriteManual(const std::string& folder) {
  CLI::App app;
  int status = 0;
  AddCommands(&app, std::nullopt, &status);
  bool written = true;
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    if (file << text && file.flush()) return;
    std::fprintf(stderr, "write_manual: %s cannot be written\n", path.c_str());
    written = false;
  };
  write("man/man1/ompprof.1", ManualPage(app, nullptr));
  for (const CLI::App* command : Commands(app))
    write("man/man1/ompprof-" + command->get_name() + ".1", ManualPage(app, command));
  write("bash-completion/completions/ompprof", BashCompletion(app));
  write("zsh/site-functions/_ompprof", ZshCompletion(app));
  return written;
}

}  // namespace ompprof::cli
