// Waiting outside of OpenMP: which stacks wait, and that no figure of useful time has such samples.
#include "profiler/analyze/builder/library_waits.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/mpi_time.h"
#include "profiler/analyze/account/outside_waits.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Strings;
using test::SymbolAddresses;
using test::Team;

// A row of the table, by its name.
int LibraryNamed(const std::string& name) {
  for (int library = 0; library < WaitingLibraries(); ++library) {
    if (WaitingLibraryName(library) == name) return library;
  }
  return -1;
}

// The first library that owns an object.
std::string LibraryOf(const std::string& path) {
  for (int library = 0; library < WaitingLibraries(); ++library) {
    if (IsOfWaitingLibrary(library, path)) return WaitingLibraryName(library);
  }
  return "";
}

TEST(WaitingFunctions, ObjectsOfLibraries) {
  EXPECT_EQ(LibraryOf("/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so"), "OpenBLAS");
  EXPECT_EQ(LibraryOf("/site-packages/numpy.libs/libscipy_openblas64_-6bb31eeb.so"), "OpenBLAS");
  EXPECT_EQ(LibraryOf("/usr/lib/libgromacs.so.7.0.0"), "thread-MPI");
  EXPECT_EQ(LibraryOf("/usr/lib/libtbb.so.12.8"), "TBB");
  for (const char* other : {"/usr/lib/libm.so.6", "/usr/lib/libgomp.so.1", "/usr/lib/libtbbmalloc.so.2",
                            "/usr/lib/libmpi.so.40", "/bin/app"})
    EXPECT_EQ(LibraryOf(other), "") << other;
}

TEST(WaitingFunctions, ByName) {
  const struct {
    const char* library;
    const char* function;
    Waiting waiting;
  } cases[] = {
      {"OpenBLAS", "blas_thread_server", Waiting::kItself},
      {"OpenBLAS", "exec_blas_async_wait", Waiting::kItself},
      {"OpenBLAS", "exec_blas", Waiting::kItself},
      {"OpenBLAS", "inner_thread", Waiting::kItself},
      {"OpenBLAS", "exec_blas_async", Waiting::kNo},
      {"OpenBLAS", "dgemm_kernel_HASWELL", Waiting::kNo},
      {"thread-MPI", "tMPI_Event_wait(tMPI_Event_t*)", Waiting::kItself},
      {"thread-MPI", "tMPI_Wait_for_others(coll_env*, int)", Waiting::kItself},
      {"thread-MPI", "tMPI_Barrier_wait(tMPI_Barrier_t*)", Waiting::kItself},
      {"thread-MPI", "tMPI_Isend(void const*, int)", Waiting::kNo},
      {"thread-MPI", "gmx::nonbonded(tMPI_Event_wait*)", Waiting::kNo},
      {"TBB", "tbb::detail::r1::wait(tbb::detail::d1::wait_context&, tbb::detail::d1::task_group_context&)",
       Waiting::kWhole},
      {"TBB", "tbb::detail::r1::task_dispatcher::receive_or_steal_task<false>(int)", Waiting::kItself},
      {"TBB", "tbb::detail::r1::spawn(tbb::detail::d1::task&, tbb::detail::d1::task_group_context&)", Waiting::kNo},
  };
  for (const auto& known : cases)
    EXPECT_EQ(WaitingIn(LibraryNamed(known.library), known.function), known.waiting) << known.function;
  for (const char* call : {"sched_yield", "__GI_sched_yield", "__GI___clock_nanosleep", "__sched_yield",
                           "___pthread_cond_wait", "__clock_nanosleep", "sem_timedwait"})
    EXPECT_TRUE(IsWaitingCall(call)) << call;
  for (const char* call : {"memcpy", "pthread_cond_signal", "sem_post", "pthread_create", "", "_"})
    EXPECT_FALSE(IsWaitingCall(call)) << call;
}

constexpr char kFolder[] = "tests/unit/analyze/waiting/";

class LibraryWaitsTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kStep = 0x10000000;

  LibraryWaitsTest() {
    for (const char* name : {"libopenblas.so.0", "stripped/libopenblas.so.0", "libc.so.6", "stripped/libc.so.6"}) {
      biases_[name] = Team::kBias + kStep * (biases_.size() + 1);
      team_.builder.AddModule(static_cast<uint32_t>(biases_.size()) + 1, kFolder + std::string(name), biases_[name],
                              0x100000);
    }
    main_ = team_.Frames(1, team_.Root(1), {"in_main"});
  }

  // Adds the frames "OBJECT:LABEL" below main, outermost first. Returns the last one.
  uint32_t Stack(const Strings& frames) {
    uint32_t node = main_;
    for (const std::string& frame : frames) {
      const size_t colon = frame.find(':');
      const uint64_t address = biases_.at(frame.substr(0, colon)) + addresses_.at(frame.substr(colon + 1));
      node = team_.builder.AddNode(1, node, NODE_FRAME, address);
    }
    return node;
  }

  void Sample(const Strings& frames, OmptState state = OmptState::kWorkSerial, uint64_t weight = 1000) {
    team_.builder.AddSample({.tree = 1, .node = Stack(frames), .state = state, .weight = weight});
  }

  // The thread was found asleep in a futex.
  void Sleep(const Strings& frames, OmptState state = OmptState::kWorkSerial) {
    team_.builder.AddSample(
        {.tree = 1, .node = Stack(frames), .state = state, .samples = 0, .weight = 0, .wait_ns = 5000000});
  }

  Team team_;
  std::map<std::string, uint64_t> biases_;
  std::map<std::string, uint64_t> addresses_ = SymbolAddresses(std::string(kFolder) + "libopenblas.so.0");
  uint32_t main_;
};

TEST_F(LibraryWaitsTest, TheServersOwnLoopAndItsYield) {
  Sample({"libopenblas.so.0:in_server"});
  Sample({"libopenblas.so.0:in_server", "libc.so.6:in_sched_yield"}, OmptState::kNone);
  const std::string path = "main;blas_thread_server;<waiting: OpenBLAS>";
  EXPECT_EQ(team_.Paths(), Strings{path}) << "both samples are in one state";
  for (const ViewSample& sample : team_.view.samples)
    EXPECT_EQ(StateName(team_.view.run.first(), sample.state), "library_wait");
}

TEST_F(LibraryWaitsTest, WorkThatTheServerCallsIsWork) {
  Sample({"libopenblas.so.0:in_server", "libopenblas.so.0:in_kernel"});
  Sample({"libopenblas.so.0:in_server", "libopenblas.so.0:in_kernel", "libc.so.6:in_memcpy"});
  EXPECT_EQ(team_.Paths(),
            (Strings{"main;blas_thread_server;dgemm_kernel", "main;blas_thread_server;dgemm_kernel;memcpy"}));
  EXPECT_EQ(team_.view.samples[0].state, OmptState::kWorkSerial);
}

TEST_F(LibraryWaitsTest, AStrippedLibraryWaitsWhereItYields) {
  Sample({"stripped/libopenblas.so.0:in_server", "libc.so.6:in_sched_yield"});
  Sample({"stripped/libopenblas.so.0:in_server", "libc.so.6:in_memcpy"});
  const Strings paths = team_.Paths();
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].rfind("main;libopenblas.so.0+0x", 0), 0u) << paths[0];
  EXPECT_NE(paths[0].find(";<waiting: OpenBLAS>"), std::string::npos) << paths[0];
  EXPECT_NE(paths[1].find(";memcpy"), std::string::npos) << paths[1];
}

// The program's own yield, and a yield under the program's code that a library has called.
TEST_F(LibraryWaitsTest, YieldsOfOtherCodeAreNoWaits) {
  Sample({"libc.so.6:in_sched_yield"});
  const uint32_t server = Stack({"libopenblas.so.0:in_server"});
  const uint32_t program = team_.Frames(1, server, {"in_compute"});
  const uint32_t leaf =
      team_.builder.AddNode(1, program, NODE_FRAME, biases_.at("libc.so.6") + addresses_.at("in_sched_yield"));
  team_.builder.AddSample({.tree = 1, .node = leaf, .state = OmptState::kWorkSerial});
  EXPECT_EQ(team_.Paths(), (Strings{"main;blas_thread_server;compute;sched_yield", "main;sched_yield"}));
}

TEST_F(LibraryWaitsTest, AnOpenMpWaitStays) {
  Sample({"libopenblas.so.0:in_server"}, OmptState::kWaitBarrierExplicit);
  team_.Build();
  EXPECT_EQ(team_.view.samples[0].state, OmptState::kWaitBarrierExplicit);
}

TEST_F(LibraryWaitsTest, TheMachineViewHasTheStack) {
  Sample({"libopenblas.so.0:in_server", "libc.so.6:in_sched_yield"});
  EXPECT_EQ(team_.Paths(ViewKind::kMachine), Strings{"main;blas_thread_server;sched_yield"});
  EXPECT_EQ(team_.view.samples[0].state, kStateLibraryWait);
}

TEST(WaitingFunctions, OfTheCLibrary) {
  const struct {
    const char* function;
    const char* name;
  } cases[] = {
      {"pthread_mutex_lock", "pthread mutex"},
      {"___pthread_mutex_lock", "pthread mutex"},
      {"__GI___pthread_mutex_lock", "pthread mutex"},
      {"__pthread_mutex_lock_full", "pthread mutex"},
      {"__pthread_rwlock_wrlock", "pthread rwlock"},
      {"___pthread_cond_timedwait64", "condition variable"},
      {"__new_sem_wait", "semaphore"},
      {"__pthread_clockjoin_ex", "pthread_join"},
  };
  for (const auto& known : cases) {
    const char* const name = SystemWaitName(known.function);
    EXPECT_STREQ(name == nullptr ? "" : name, known.name) << known.function;
  }
  for (const char* other : {"pthread_mutex_unlock", "pthread_mutex_trylock", "pthread_rwlock_unlock", "rand", ""})
    EXPECT_EQ(SystemWaitName(other), nullptr) << other;
  EXPECT_TRUE(WaitsWhole("___pthread_cond_wait"));
  EXPECT_FALSE(WaitsWhole("pthread_mutex_lock"));
  for (const char* wait : {"__lll_lock_wait", "__GI___lll_lock_wait_private", "__futex_abstimed_wait_common64"})
    EXPECT_TRUE(IsFutexWait(wait)) << wait;
  for (const char* other : {"__lll_lock_wake_private", "futex_wake", "malloc"}) EXPECT_FALSE(IsFutexWait(other));
  EXPECT_EQ(PublicName("__GI___libc_malloc"), "malloc");
  EXPECT_EQ(PublicName("rand"), "rand");
}

TEST_F(LibraryWaitsTest, AMutexThatIsTaken) {
  Sample({"libc.so.6:in_mutex_lock", "libc.so.6:in_lock_wait"});
  Sample({"stripped/libc.so.6:in_mutex_lock", "stripped/libc.so.6:in_lock_wait"});
  Sleep({"libc.so.6:in_mutex_lock", "libc.so.6:in_lock_wait"});
  Sleep({"stripped/libc.so.6:in_mutex_lock", "stripped/libc.so.6:in_lock_wait"});
  EXPECT_EQ(team_.Paths(), (Strings{"main;<waiting: pthread mutex>"}));
  EXPECT_EQ(team_.view.samples[0].cost.wait, 10000000u);
  EXPECT_EQ(team_.view.samples[0].cost.weight, 2000u);
  const std::vector<OutsideWait> waits = OutsideWaits(team_.view);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].what, "pthread mutex");
  EXPECT_EQ(team_.view.frames.function(waits[0].place.function).name, "main");
  EXPECT_EQ(waits[0].slept_ns, 10000000u);
  EXPECT_EQ(waits[0].cpu_ns, 2000u);
}

TEST_F(LibraryWaitsTest, AFreeMutexIsNoWait) {
  Sample({"libc.so.6:in_mutex_lock"});
  Sample({"stripped/libc.so.6:in_mutex_lock"});
  EXPECT_EQ(team_.Paths(), (Strings{"main;pthread_mutex_lock", "main;pthread_mutex_lock [waiting_library.c:14]"}));
  EXPECT_TRUE(OutsideWaits(team_.view).empty());
}

TEST_F(LibraryWaitsTest, ALockOfTheCLibrary) {
  Sample({"libc.so.6:in_rand", "libc.so.6:in_lock_wait_private"});
  Sample({"libc.so.6:in_rand"});
  Sleep({"stripped/libc.so.6:in_rand", "stripped/libc.so.6:in_lock_wait_private"}, OmptState::kNone);
  EXPECT_EQ(team_.Paths(), (Strings{"main;<waiting: libc lock in rand>", "main;rand"}));
}

TEST_F(LibraryWaitsTest, OtherSleep) {
  Sample({"libc.so.6:in_cond_wait"});
  Sleep({"libc.so.6:in_cond_wait"});
  Sleep({});  // the program's own system call
  EXPECT_EQ(team_.Paths(), (Strings{"main;<waiting: condition variable>", "main;<waiting: futex>"}));
}

// 10 us: 4 in OpenBLAS's loop, 6 of work.
TEST_F(LibraryWaitsTest, NeitherUsefulNorMpi) {
  Record record;
  record.mutable_runtime()->set_version("LLVM OMP");
  team_.builder.Append(record);
  Sample({"libopenblas.so.0:in_server"}, OmptState::kWorkSerial, 4000);
  team_.builder.AddSample({.tree = 1, .node = main_, .state = OmptState::kWorkSerial, .weight = 6000});
  team_.builder.AddThread(1, Thread::INITIAL, 1000000000);
  team_.builder.AddFooter(2, 1000000000);
  team_.Build();
  const StateTimes times = MeasureStates(team_.view);
  ASSERT_EQ(times.names, (Strings{"ompt_state_work_serial", "library_wait"}));
  EXPECT_EQ(times.all[1].weight, 4000u);
  const Efficiency efficiency = MeasureEfficiency(team_.view, MeasureMpi(team_.view));
  EXPECT_EQ(efficiency.mpi_ns, 0u);
  EXPECT_EQ(efficiency.library_ns, 4000u);
  EXPECT_EQ(efficiency.useful_ns + efficiency.off_cpu_ns(), 1000000000u - 4000u);
}

}  // namespace
}  // namespace ompprof::analyze
