// Where members of a job come from, and which members are in the files twice. A merged file and its parts have the same
// processes, and their figures must not be added up twice. Each worker knows the origins of its own members; worker 0
// compares them all after they were read, because reading all headers first would open each file of a job twice.
#ifndef OMPPROF_PROFILER_UNIFY_ORIGINS_H_
#define OMPPROF_PROFILER_UNIFY_ORIGINS_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/model/header_facts.h"
#include "profiler/unify/packer.h"

namespace ompprof::unify {

// The number of a file among the job's files, and the number of a process in the file.
using PlaceInFiles = std::pair<uint64_t, uint64_t>;

struct Origin {
  PlaceInFiles place;
  model::ProcessIdentity process;
};

void Pack(const Origin& origin, Packer* to);
Origin UnpackOrigin(Unpacker* from);

// The places of processes that are at an earlier place too. `files`: the job's files. `sentences` gets sentences about
// these processes.
std::set<PlaceInFiles> FindRepeated(std::vector<Origin> origins, const std::vector<std::string>& files,
                                    std::vector<std::string>* sentences);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_ORIGINS_H_
