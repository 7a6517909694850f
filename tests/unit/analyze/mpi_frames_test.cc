// Samples in MPI: which stacks are in MPI, under which name, and where a stack leaves MPI again.
#include "profiler/analyze/builder/mpi_frames.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Strings;
using test::SymbolAddresses;
using test::Team;

TEST(MpiLibraries, ByName) {
  for (const char* library :
       {"/usr/lib/x86_64-linux-gnu/libmpi.so.40", "/usr/lib/libmpi_mpifh.so.40", "/usr/lib/libmpich.so.12",
        "/usr/lib/libopen-pal.so.40", "/usr/lib/openmpi/mca_btl_vader.so", "/opt/cray/lib/libmpi_gnu_91.so",
        "/usr/lib/libpmix.so.2"})
    EXPECT_TRUE(IsMpiLibrary(library)) << library;
  for (const char* other :
       {"/usr/bin/libmpi/solver", "/usr/lib/libgomp.so.1", "/usr/lib/libmpir.so.23", "/usr/lib/libucp.so.0"})
    EXPECT_FALSE(IsMpiLibrary(other)) << other;
}

TEST(MpiFunctions, InAnyObject) {
  EXPECT_EQ(MpiFunction("MPI_Allreduce", false), "MPI_Allreduce");
  EXPECT_EQ(MpiFunction("PMPI_Comm_rank", false), "MPI_Comm_rank");
  EXPECT_EQ(MpiFunction("MPI_Recv.part.0", false), "MPI_Recv");
  EXPECT_EQ(MpiFunction("MPIX_Comm_agree", false), "MPIX_Comm_agree");
  for (const char* other : {"mpi_allreduce_", "mpi_exchange_", "MPI_helper", "my_MPI_wrapper", "ompi_request_wait",
                            "_ZN3MPI4SendEv", "MPI_", "P", ""})
    EXPECT_EQ(MpiFunction(other, false), "") << other;
}

// The names of one Fortran binding in Debian's libmpi_mpifh.so.40: the symbol table may give any of them.
TEST(MpiFunctions, FortranBindingsInALibraryOfMpi) {
  for (const char* name : {"mpi_allreduce", "mpi_allreduce_", "mpi_allreduce__", "MPI_ALLREDUCE", "MPI_Allreduce_f",
                           "MPI_Allreduce_f08", "pmpi_allreduce__", "PMPI_ALLREDUCE", "ompi_allreduce_f",
                           "mpi_allreduce_f08_", "pompi_allreduce_f", "MPI_Allreduce", "mpi_allreduce_f08ts_"})
    EXPECT_EQ(MpiFunction(name, true), "MPI_Allreduce") << name;
  EXPECT_EQ(MpiFunction("mpi_comm_rank_", true), "MPI_Comm_rank");
  EXPECT_EQ(MpiFunction("MPI_T_init_thread", true), "MPI_T_init_thread");
  EXPECT_EQ(MpiFunction("mpix_allreduce_init_", true), "MPIX_Allreduce_init");
  for (const char* internal : {"ompi_request_default_wait", "opal_progress", "MPIDI_progress_test", "main"})
    EXPECT_EQ(MpiFunction(internal, true), "") << internal;
}

constexpr char kFolder[] = "tests/unit/analyze/mpi/";

class MpiFramesTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kStep = 0x10000000;

  explicit MpiFramesTest(const Strings& objects = {"libmpi.so.40", "libmpi_mpifh.so.40", "libtool.so", "libc.so.6"}) {
    for (const std::string& name : objects) AddObject(name);
    main_ = team_.Frames(1, team_.Root(1), {"in_main"});
  }

  void AddObject(const std::string& name) {
    biases_[name] = Team::kBias + kStep * (biases_.size() + 1);
    team_.builder.AddModule(static_cast<uint32_t>(biases_.size()) + 1, kFolder + name, biases_[name], 0x100000);
  }

  // Adds the frames "OBJECT:LABEL" below a frame, outermost first, or LABEL for a frame of the program. Returns the
  // last frame.
  uint32_t Below(uint32_t node, const Strings& frames) {
    for (const std::string& frame : frames) {
      const size_t colon = frame.find(':');
      node = colon == std::string::npos
                 ? team_.Frames(1, node, {frame})
                 : team_.builder.AddNode(1, node, NODE_FRAME,
                                         biases_.at(frame.substr(0, colon)) + addresses_.at(frame.substr(colon + 1)));
    }
    return node;
  }

  void Sample(const Strings& frames, OmptState state = OmptState::kWorkSerial, uint64_t weight = 1000) {
    team_.builder.AddSample({.tree = 1, .node = Below(main_, frames), .state = state, .weight = weight});
  }

  // The state of the only sample.
  std::string State() { return StateName(team_.view.run.first(), team_.view.samples.at(0).state); }

  Team team_;
  std::map<std::string, uint64_t> biases_;
  std::map<std::string, uint64_t> addresses_ = SymbolAddresses(std::string(kFolder) + "libmpi.so.40");
  uint32_t main_;
};

TEST_F(MpiFramesTest, OneFrameForWorkAndWaiting) {
  const std::string mpi = "libmpi.so.40:";
  Sample({mpi + "in_pmpi_allreduce"});
  Sample({mpi + "in_pmpi_allreduce", mpi + "in_request_wait", mpi + "in_progress", "libc.so.6:in_yield"});
  Sample({mpi + "in_pmpi_allreduce", mpi + "in_request_wait"}, OmptState::kNone);
  Sample({mpi + "in_pmpi_allreduce"}, OmptState::kOverhead);
  EXPECT_EQ(team_.Paths(), Strings{"main;<mpi MPI_Allreduce>"}) << "one sample, in one state";
  EXPECT_EQ(State(), "mpi");
}

TEST_F(MpiFramesTest, TheMachineViewHasTheStack) {
  Sample({"libmpi.so.40:in_pmpi_allreduce", "libmpi.so.40:in_progress", "libc.so.6:in_yield"});
  EXPECT_EQ(team_.Paths(ViewKind::kMachine), Strings{"main;PMPI_Allreduce;opal_progress;sched_yield"});
  EXPECT_EQ(State(), "mpi");
}

TEST_F(MpiFramesTest, ABindingAndAToolAreTheCall) {
  Sample({"libmpi_mpifh.so.40:in_fortran_allreduce", "libmpi.so.40:in_pmpi_barrier"});
  Sample({"libtool.so:in_allreduce", "libtool.so:in_tool"});
  Sample({"libtool.so:in_allreduce", "libmpi.so.40:in_pmpi_barrier", "libmpi.so.40:in_progress"});
  EXPECT_EQ(team_.Paths(), Strings{"main;<mpi MPI_Allreduce>"});
}

// C++ bindings have names that are no functions of the interface, but they call one. Open MPI's MPI_Finalize leaves its
// frame to another function.
TEST_F(MpiFramesTest, TheNameMayComeLater) {
  Sample({"libmpi_mpifh.so.40:in_engine", "libmpi.so.40:in_pmpi_barrier", "libmpi.so.40:in_progress"});
  Sample({"libmpi.so.40:in_finalize", "libmpi.so.40:in_progress"});
  EXPECT_EQ(team_.Paths(), (Strings{"main;<mpi MPI_Barrier>", "main;<mpi MPI_Finalize>"}));
}

TEST_F(MpiFramesTest, ThreadsOfMpi) {
  const uint32_t root = team_.Root(2);
  const uint64_t engine = biases_.at("libmpi.so.40") + addresses_.at("in_engine");
  const uint32_t node = team_.builder.AddNode(2, root, NODE_FRAME, engine);
  const uint32_t leaf = team_.builder.AddNode(2, node, NODE_FRAME, biases_.at("libc.so.6") + addresses_.at("in_yield"));
  team_.builder.AddSample({.tree = 2, .node = leaf, .state = OmptState::kNone});
  EXPECT_EQ(team_.Paths(), Strings{"<mpi library>"});
  EXPECT_EQ(State(), "mpi");
}

TEST_F(MpiFramesTest, TheProgramsOperationIsNotMpi) {
  const std::string mpi = "libmpi.so.40:";
  Sample({mpi + "in_pmpi_allreduce", mpi + "in_request_wait", "in_compute"});
  EXPECT_EQ(team_.Paths(), Strings{"main;<mpi MPI_Allreduce>;compute"});
  EXPECT_EQ(State(), "ompt_state_work_serial");
  // The operation calls MPI, and C's library.
  Sample({mpi + "in_pmpi_allreduce", "in_compute", mpi + "in_pmpi_barrier", mpi + "in_progress"});
  Sample({mpi + "in_pmpi_allreduce", "in_compute", "libc.so.6:in_yield"});
  EXPECT_EQ(team_.Paths(),
            (Strings{"main;<mpi MPI_Allreduce>;compute", "main;<mpi MPI_Allreduce>;compute;<mpi MPI_Barrier>",
                     "main;<mpi MPI_Allreduce>;compute;sched_yield"}));
}

TEST_F(MpiFramesTest, AnOpenMpWaitInMpiStays) {
  Sample({"libmpi.so.40:in_pmpi_allreduce", "in_compute", "~in_runtime"}, OmptState::kWaitBarrierExplicit);
  EXPECT_EQ(team_.Paths(), Strings{"main;<mpi MPI_Allreduce>;compute;<omp barrier: explicit>"});
  EXPECT_EQ(team_.view.samples[0].state, OmptState::kWaitBarrierExplicit);
}

// A program with MPI in its own object: where MPI's functions are, by name only.
class StaticMpi : public MpiFramesTest {
 protected:
  StaticMpi() : MpiFramesTest({"solver"}) {}
};

TEST_F(StaticMpi, ByTheNamesOfTheInterface) {
  Sample({"solver:in_solve", "solver:in_pmpi_allreduce", "solver:in_progress"});
  Sample({"solver:in_solve", "solver:in_fortran_allreduce", "solver:in_pmpi_allreduce"});
  Sample({"solver:in_solve", "solver:in_progress"});
  EXPECT_EQ(team_.Paths(), (Strings{"main;solve;<mpi MPI_Allreduce>", "main;solve;mpi_allreduce_;<mpi MPI_Allreduce>",
                                    "main;solve;opal_progress"}));
}

// 10 us: 2 in MPI's progress engine, 1 in MPI's copying, 7 of work. All time in MPI counts once.
TEST_F(MpiFramesTest, NotUsefulAndCountedOnce) {
  Record record;
  record.mutable_runtime()->set_version("LLVM OMP");
  team_.builder.Append(record);
  Sample({"libmpi.so.40:in_pmpi_allreduce", "libmpi.so.40:in_progress"}, OmptState::kWorkSerial, 2000);
  Sample({"libmpi.so.40:in_pmpi_barrier"}, OmptState::kWorkSerial, 1000);
  Sample({}, OmptState::kWorkSerial, 7000);
  team_.builder.AddThread(1, Thread::INITIAL, 1000000000);
  team_.builder.AddFooter(3, 1000000000);
  team_.Build();
  const StateTimes times = MeasureStates(team_.view);
  ASSERT_EQ(times.names, (Strings{"ompt_state_work_serial", "mpi"}));
  EXPECT_EQ(times.all[1].weight, 3000u);

  const MpiTime mpi = MeasureMpi(team_.view);
  EXPECT_EQ(mpi.threads.at({0, 1}), 3000u);
  const Efficiency efficiency = MeasureEfficiency(team_.view, mpi);
  EXPECT_EQ(efficiency.mpi_ns, 3000u);
  EXPECT_EQ(efficiency.library_ns, 0u);
  EXPECT_EQ(efficiency.useful_ns + efficiency.off_cpu_ns(), 1000000000u - 3000u);
  const Ranks ranks = CompareRanks(team_.view, mpi);
  ASSERT_EQ(ranks.ranks.size(), 1u);
  EXPECT_EQ(ranks.ranks[0].mpi, 3000u);
  EXPECT_EQ(ranks.ranks[0].useful, 7000u);
}

}  // namespace
}  // namespace ompprof::analyze
