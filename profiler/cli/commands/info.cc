#include "profiler/cli/commands/commands.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/values.h"
#include "profiler/model/profile_reader.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/sections/info.h"

namespace ompprof::cli {
namespace {

struct InfoArguments {
  std::vector<std::string> files;
  std::string format = "text";
};

bool Print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  Complain("the contents of the file cannot be written to standard output");
  return false;
}

int Run(const InfoArguments& options) {
  int status = kSuccess;
  bool printed = true;
  bool first = true;
  report::JsonText json;
  json.BeginObject();
  json.Member("schema_version", report::kJsonSchemaVersion);
  json.Key("processes");
  json.BeginArray();
  // One process at a time: the profiles of thousands of processes may not fit into memory together.
  const auto take = [&](const model::ReadResult& result, const std::string& file) {
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      status = kFailure;
    }
    if (!result.usable || !printed) return;
    if (options.format == "json") {
      report::InfoJson(analyze::FactsOf(result.profile), file, result.status.sentence(), &json);
      return;
    }
    printed = Print((first ? "" : "\n") + report::Printable(result.profile.file) + "\n" +
                    report::InfoText(analyze::FactsOf(result.profile), result.status.sentence()));
    first = false;
  };
  const ProfileFiles found = FindProfiles(options.files);
  for (const std::string& fault : found.faults) {
    Complain(fault);
    status = kFailure;
  }
  for (const std::string& file : found.Paths())
    model::ReadProfiles(
        file, [&](const model::ReadResult& result) { take(result, file); }, model::Timeline::kDrop);
  json.EndArray();
  json.EndObject();
  if (options.format == "json") printed = Print(json.text() + "\n");
  return printed ? status : kFailure;
}

}  // namespace

void AddInfoCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<InfoArguments>();
  CLI::App* command = app->add_subcommand("info", "Show the contents of one or several profiles");
  command->footer(
      "Examples:\n"
      "  ompprof info run.ompprof                  program, host, rank, sampling, runtime, threads, modules\n"
      "  ompprof info --format=json *.ompprof | jq '.processes[] | [.rank, .samples]'");
  command->add_option("FILE", options->files, kFilesHelp)->required();
  command->add_option("--format", options->format, "Format of the output")
      ->check(OneOf({"text", "json"}))
      ->capture_default_str();
  command->callback([options, status] { *status = Run(*options); });
}

}  // namespace ompprof::cli
