#include "profiler/config/output_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace ompprof::config {
namespace {

// Appends to a fixed buffer, and remembers whether everything fitted.
struct Appender {
  char* out;
  size_t size;
  size_t used = 0;
  bool fits = true;

  void Text(const char* text) {
    for (; *text != '\0'; ++text) Char(*text);
  }
  void Char(char c) {
    if (used + 1 < size)
      out[used++] = c;
    else
      fits = false;
  }
};

}  // namespace

bool ExpandOutputName(const char* pattern, const OutputNameParts& parts, char* out, size_t size) {
  Appender name{out, size};
  char number[24];
  if (pattern[0] == '\0') pattern = parts.rank[0] != '\0' ? kUsualRankPattern : kUsualPattern;
  if (pattern[0] != '/') {
    name.Text(parts.directory);
    name.Char('/');
  }
  for (const char* at = pattern; *at != '\0'; ++at) {
    if (*at != '%') {
      name.Char(*at);
      continue;
    }
    switch (*++at) {
      case 'h':
        name.Text(parts.host);
        break;
      case 'p':
        snprintf(number, sizeof(number), "%d", static_cast<int>(parts.pid));
        name.Text(number);
        break;
      case 'r':
        name.Text(parts.rank[0] != '\0' ? parts.rank : "0");
        break;
      case 'x':
        name.Text(parts.program);
        break;
      case '%':
        name.Char('%');
        break;
      default:
        return false;
    }
  }
  if (!name.fits) return false;
  out[name.used] = '\0';
  if (parts.attempt == 0) return true;
  // A file of another process has this name.
  const size_t suffix = sizeof(kProfileSuffix) - 1;
  const bool has_suffix = name.used > suffix && strcmp(out + name.used - suffix, kProfileSuffix) == 0;
  if (has_suffix) name.used -= suffix;
  snprintf(number, sizeof(number), ".%u", parts.attempt);
  name.Text(number);
  if (has_suffix) name.Text(kProfileSuffix);
  out[name.used] = '\0';
  return name.fits;
}

const char* MpiRank() {
  static const char* const kVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                           "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "ALPS_APP_PE"};
  for (const char* variable : kVariables) {
    const char* value = getenv(variable);
    if (value != nullptr && *value >= '0' && *value <= '9') return value;
  }
  return "";
}

const char* MpiJob() {
  // PMIx (Open MPI 4 and 5, Slurm with PMIx), Open MPI before PMIx, Hydra (MPICH, Intel MPI), Slurm.
  static const char* const kVariables[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "SLURM_JOB_ID"};
  for (const char* variable : kVariables) {
    const char* value = getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace ompprof::config
