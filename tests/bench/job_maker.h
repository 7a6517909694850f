// Made-up jobs: N ranks of a real profile, each changed in a way that is known. Rank r's figures are those of the
// profile times Factor(r), and a late rank's figures are three times larger still. So the truth about the job follows
// from the profile by arithmetic. The records keep their form, so a file has the size of a real rank's file.
#ifndef OMPPROF_TESTS_BENCH_JOB_MAKER_H_
#define OMPPROF_TESTS_BENCH_JOB_MAKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "proto/callpath_profile.pb.h"

namespace ompprof::bench {

inline constexpr uint64_t kLateness = 3;

// 100 to 119, each as often as the others.
inline uint64_t Factor(uint32_t rank) { return 100 + rank * 7 % 20; }

// The records of a profile of one process; empty if it cannot be read.
std::vector<Record> ReadRecords(const std::string& path);

// The file of rank `rank` in a job of this profile: another host, process id and place of modules in memory, and the
// figures times Factor(rank).
std::string MakeRank(const std::vector<Record>& profile, uint32_t rank, bool late);

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_JOB_MAKER_H_
