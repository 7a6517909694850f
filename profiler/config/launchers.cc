#include "profiler/config/launchers.h"

#include <string.h>

namespace ompprof::config {

bool IsLauncher(const char* program) {
  static const char* const kLaunchers[] = {"mpirun",
                                           "mpiexec",
                                           "mpirun.openmpi",
                                           "mpiexec.openmpi",
                                           "mpirun.mpich",
                                           "mpiexec.mpich",
                                           "mpiexec.hydra",
                                           "orterun",
                                           "orted",
                                           "prte",
                                           "prted",
                                           "prun",
                                           "hydra_pmi_proxy",
                                           "hydra_bstrap_proxy",
                                           "srun",
                                           "slurmstepd",
                                           "oshrun",
                                           "shmemrun"};
  for (const char* launcher : kLaunchers) {
    if (strcmp(program, launcher) == 0) return true;
  }
  return false;
}

}  // namespace ompprof::config
