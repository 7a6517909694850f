#include "profiler/config/mpi_ranks.h"

#include <errno.h>
#include <stdlib.h>

namespace ompprof::config {
namespace {

constexpr RankVariables kLaunchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr},
    {"PMIx", "PMIX_RANK", nullptr, nullptr},
    {"MPICH, Intel MPI", "PMI_RANK", "PMI_SIZE", nullptr},
    {"MVAPICH2", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", nullptr},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", nullptr},
    {"IBM JSM", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", nullptr},
    {"Cray PALS", "PALS_RANKID", nullptr, nullptr},
    // The step's tasks: the job's are those of the whole batch script.
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
    {"ALPS", "ALPS_APP_PE", nullptr, nullptr},
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

const char* NumberIn(const char* variable) {
  const char* value = variable != nullptr ? getenv(variable) : nullptr;
  return value != nullptr && IsDigit(*value) ? value : nullptr;
}

const RankVariables* FindLauncher() {
  for (const RankVariables& launcher : kLaunchers) {
    if (NumberIn(launcher.rank) != nullptr) return &launcher;
  }
  return nullptr;
}

// 0: the launcher does not tell.
uint64_t RanksOf(const RankVariables& launcher) {
  const char* number = NumberIn(launcher.ranks);
  if (number == nullptr) number = NumberIn(launcher.other_ranks);
  return number != nullptr ? strtoull(number, nullptr, 10) : 0;
}

bool ReadNumber(const char** at, uint64_t* number) {
  if (!IsDigit(**at)) return false;
  char* end;
  errno = 0;
  *number = strtoull(*at, &end, 10);
  *at = end;
  return errno == 0;
}

// One part of a list: the ranks from `first` to `last`, of which every `step`th is selected.
struct Part {
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;
  uint64_t step = 1;
};

// "7", "100-120" or "1/64". Moves `at` behind it.
bool ReadPart(const char** at, Part* part) {
  if (!ReadNumber(at, &part->first)) return false;
  if (**at == '/') {
    ++*at;
    if (part->first != 1 || !ReadNumber(at, &part->step) || part->step == 0) return false;
    part->first = 0;
    return true;
  }
  part->last = part->first;
  if (**at != '-') return true;
  ++*at;
  return ReadNumber(at, &part->last) && part->first <= part->last;
}

// Calls `visit` for each part. False: no list.
template <typename Visit>
bool ForEachPart(const char* list, Visit visit) {
  for (const char* at = list;; ++at) {
    Part part;
    if (!ReadPart(&at, &part)) return false;
    visit(part);
    if (*at == '\0') return true;
    if (*at != ',') return false;
  }
}

}  // namespace

Rows<RankVariables> Launchers() { return kLaunchers; }

const char* MpiRank() {
  const RankVariables* launcher = FindLauncher();
  return launcher != nullptr ? getenv(launcher->rank) : "";
}

uint64_t MpiRanks() {
  const RankVariables* own = FindLauncher();
  if (own == nullptr) return 0;
  if (const uint64_t ranks = RanksOf(*own); ranks != 0) return ranks;
  const uint64_t rank = strtoull(getenv(own->rank), nullptr, 10);
  for (const RankVariables& launcher : kLaunchers) {
    if (const uint64_t ranks = RanksOf(launcher); ranks > rank) return ranks;
  }
  return 0;
}

namespace {

struct JobVariables {
  const char* job;
  const char* step;
};

// PMIx (Open MPI 4 and 5, Slurm with PMIx), Open MPI before PMIx, Hydra (MPICH, Intel MPI), Slurm.
constexpr JobVariables kJobs[] = {{"PMIX_NAMESPACE", nullptr},
                                  {"OMPI_MCA_ess_base_jobid", nullptr},
                                  {"PMI_JOBID", nullptr},
                                  {"SLURM_JOB_ID", "SLURM_STEP_ID"}};

const char* ValueOf(const char* variable) {
  const char* value = variable != nullptr ? getenv(variable) : nullptr;
  return value != nullptr ? value : "";
}

const JobVariables* FindJob() {
  for (const JobVariables& variables : kJobs) {
    if (*ValueOf(variables.job) != '\0') return &variables;
  }
  return nullptr;
}

}  // namespace

const char* MpiJob() {
  const JobVariables* variables = FindJob();
  return variables != nullptr ? ValueOf(variables->job) : "";
}

const char* MpiJobStep() {
  const JobVariables* variables = FindJob();
  return variables != nullptr ? ValueOf(variables->step) : "";
}

bool IsRankSelected(const char* list, const char* rank) {
  if (list[0] == '\0' || rank[0] == '\0') return true;
  const uint64_t number = strtoull(rank, nullptr, 10);
  bool selected = false;
  ForEachPart(list, [&](const Part& part) {
    selected |= number >= part.first && number <= part.last && (number - part.first) % part.step == 0;
  });
  return selected;
}

bool IsRankList(const char* list) {
  return ForEachPart(list, [](const Part&) {});
}

}  // namespace ompprof::config
