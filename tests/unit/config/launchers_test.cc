// Launchers such as mpirun are known by their whole names.
#include "profiler/config/launchers.h"

#include <gtest/gtest.h>

namespace ompprof::config {
namespace {

TEST(Launchers, AreKnownByTheirWholeNames) {
  for (const char* launcher : {"mpirun", "orted", "prted", "hydra_pmi_proxy", "srun"})
    EXPECT_TRUE(IsLauncher(launcher));
  for (const char* program : {"", "mpi", "mpirun2", "sh", "solver"}) EXPECT_FALSE(IsLauncher(program)) << program;
}

}  // namespace
}  // namespace ompprof::config
