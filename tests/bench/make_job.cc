// Writes a made-up job of N ranks of a profile: FOLDER/0/17.ompprof and so on, 1,000 ranks in each sub-folder. Rank 17
// is late. Prints the bytes.
//   make_job PROFILE N FOLDER
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/bench/job_maker.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: make_job PROFILE N FOLDER\n");
    return 2;
  }
  const std::vector<ompprof::Record> profile = ompprof::bench::ReadRecords(argv[1]);
  if (profile.empty()) {
    std::fprintf(stderr, "%s: is no profile\n", argv[1]);
    return 1;
  }
  constexpr uint32_t kRanksOfFolder = 1000;
  constexpr uint32_t kLateRank = 17;
  const std::string folder = argv[3];
  mkdir(folder.c_str(), 0777);
  uint64_t bytes = 0;
  for (uint32_t rank = 0; rank < std::strtoul(argv[2], nullptr, 10); ++rank) {
    const std::string part = folder + "/" + std::to_string(rank / kRanksOfFolder);
    if (rank % kRanksOfFolder == 0) mkdir(part.c_str(), 0777);
    const std::string path = part + "/" + std::to_string(rank) + ".ompprof";
    const std::string content = ompprof::bench::MakeRank(profile, rank, rank == kLateRank);
    std::ofstream file(path, std::ios::binary);
    file << content;
    if (!file.flush()) {
      std::perror(path.c_str());
      return 1;
    }
    bytes += content.size();
  }
  std::printf("%lu\n", bytes);
  return 0;
}
