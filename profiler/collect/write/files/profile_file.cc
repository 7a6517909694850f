#include "profiler/collect/write/files/profile_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/encoding/records.h"
#include "profiler/collect/write/facts/program_facts.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/config/output_name.h"
#include "proto/callpath_profile_magic.h"

namespace ompprof::collect {
namespace {

// Further names of a profile. Processes that start at the same time take each other's names, and try the next ones.
constexpr unsigned kMostNumber = 1000000;
constexpr unsigned kMostTries = 10000;

}  // namespace

bool ProfileFile::Open(const ProgramFacts& program, char* error, size_t size) {
  out.Raw(fields::kMagic, fields::kMagicSize);
  EncodeHeader(program, &out);
  // A process in another root, on another machine or of another user may not have the run's folder.
  if (program.run_folder[0] != '\0' && OpenBelow(program.run_folder, program, error, size)) return true;
  error[0] = '\0';
  return OpenBelow(program.directory, program, error, size);
}

bool ProfileFile::OpenBelow(const char* folder, const ProgramFacts& program, char* error, size_t size) {
  const char* name = strrchr(program.executable, '/');
  config::OutputNameParts parts{folder,        name != nullptr ? name + 1 : program.executable,
                                program.host,  config::MpiRank(),
                                session.pid,
                                /*attempt=*/0, config::MpiRanks()};
  const auto expand = [&] { return config::ExpandOutputName(session.config.output, parts, path, sizeof(path)); };
  for (unsigned tries = 0; tries < kMostTries; ++tries) {
    if (!expand()) {
      snprintf(error, size, "OMPPROF_OUTPUT=%s is not a usable name; only %s are expanded", session.config.output,
               config::kNamePatterns);
      path[0] = '\0';
      return false;
    }
    if (parts.attempt == 0) config::MakeRankFolder(session.config.output, parts, path);
    const int result = log.Open(path, out.data(), out.size());
    if (result == 0) {
      Stage(program);
      // `ompprof record` names its runs and moves the files of others away: then the name is the family's.
      renamed = parts.attempt != 0 && session.config.output[0] != '\0' && program.run[0] == '\0';
      out.Clear();
      return true;
    }
    if (result != -EEXIST) {
      snprintf(error, size, "cannot create the profile %s: %s", path, strerror(-result));
      path[0] = '\0';
      return false;
    }
    if (tries != 0) {
      ++parts.attempt;
      continue;
    }
    parts.attempt = FreeNumber(kMostNumber, [&](unsigned number) {
      parts.attempt = number;
      return expand() && access(path, F_OK) == 0;
    });
  }
  snprintf(error, size, "cannot create the profile %s: the names before it are taken", path);
  path[0] = '\0';
  return false;
}

void ProfileFile::Stage(const ProgramFacts& program) {
  const char* stage = session.config.stage;
  if (stage[0] == '\0') return;
  char folder[PATH_MAX];
  const bool absolute = stage[0] == '/';
  const char* const base = program.run_folder[0] != '\0' ? program.run_folder : program.directory;
  const int length = snprintf(folder, sizeof(folder), "%s%s%s", absolute ? "" : base, absolute ? "" : "/", stage);
  const bool fits = length > 0 && static_cast<size_t>(length) < sizeof(folder);
  const int error = fits ? staged.Begin(folder, path, out.data(), out.size(), &log) : -ENAMETOOLONG;
  stage_error = -error;
}

bool ProfileFile::Flush() {
  if (out.size() == 0) return true;
  write_error = log.Append(out.data(), out.size());
  if (write_error != 0) return false;
  out.Clear();
  return true;
}

bool ProfileFile::MakeRoom() { return out.room() >= kMaxRecordBytes || Flush(); }

}  // namespace ompprof::collect
