// ompprof-mpi: a worker of `mpirun -n N ompprof merge --unify`. Each process of that command becomes this program with
// the same arguments (commands/unify.h).
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "profiler/cli/commands/unify.h"
#include "profiler/cli/options/complaint.h"

namespace ompprof::cli {
namespace {

// The processes of MPI_COMM_WORLD. An error in MPI ends all of them (MPI_ERRORS_ARE_FATAL, the default).
class MpiTeam : public unify::Team {
 public:
  MpiTeam() {
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_rank(MPI_COMM_WORLD, &number_);
  }

  int size() const override { return size_; }
  int number() const override { return number_; }

  void Send(int to, const std::string& bytes) override {
    const uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
    for (uint64_t at = 0; at < size; at += kPiece)
      MPI_Send(bytes.data() + at, PieceAt(at, size), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }

  std::string Receive(int from) override {
    uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::string bytes(size, '\0');
    for (uint64_t at = 0; at < size; at += kPiece)
      MPI_Recv(bytes.data() + at, PieceAt(at, size), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return bytes;
  }

 private:
  // A message has an int for its size.
  static constexpr uint64_t kPiece = uint64_t{1} << 30;
  static int PieceAt(uint64_t at, uint64_t size) { return static_cast<int>(std::min(kPiece, size - at)); }

  int size_ = 1;
  int number_ = 0;
};

int Main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  UnifyArguments arguments;
  if (!FromWords({argv + 1, argv + argc}, &arguments)) {
    Complain("ompprof-mpi: is a part of `mpirun -n N ompprof merge --unify`; use that command");
    MPI_Finalize();
    return kUsage;
  }
  int status = kFailure;
  MpiTeam team;
  try {
    status = UnifyAsWorker(arguments, &team);
  } catch (const std::exception& error) {
    Complain("ompprof-mpi: rank " + std::to_string(team.number()) + " of " + std::to_string(team.size()) +
             " cannot go on: " + error.what() + "; nothing was written");
    MPI_Abort(MPI_COMM_WORLD, kFailure);
  }
  MPI_Finalize();
  return status;
}

}  // namespace
}  // namespace ompprof::cli

int main(int argc, char** argv) { return ompprof::cli::Main(argc, argv); }
