// Writes the manual pages and the completions into a folder, at the places of an installation:
//   write_manual FOLDER      FOLDER/man/man1, FOLDER/bash-completion/completions, FOLDER/zsh/site-functions
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "profiler/cli/commands/commands.h"
#include "profiler/cli/manual/manual.h"
#include "profiler/cli/options/command_options.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_manual FOLDER\n");
    return 2;
  }
  CLI::App app;
  int status = 0;
  ompprof::cli::AddCommands(&app, std::nullopt, &status);
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(argv[1]) / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    if (file << text && file.flush()) return;
    std::fprintf(stderr, "write_manual: %s cannot be written\n", path.c_str());
    status = 1;
  };
  write("man/man1/ompprof.1", ompprof::cli::ManualPage(app, nullptr));
  for (const CLI::App* command : ompprof::cli::Commands(app))
    write("man/man1/ompprof-" + command->get_name() + ".1", ompprof::cli::ManualPage(app, command));
  write("bash-completion/completions/ompprof", ompprof::cli::BashCompletion(app));
  write("zsh/site-functions/_ompprof", ompprof::cli::ZshCompletion(app));
  return status;
}
