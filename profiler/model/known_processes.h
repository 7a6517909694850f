// The processes that a command has met in its files. A merged file and its parts have the same processes: each counts
// once.
#ifndef OMPPROF_PROFILER_MODEL_KNOWN_PROCESSES_H_
#define OMPPROF_PROFILER_MODEL_KNOWN_PROCESSES_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "profiler/model/header_facts.h"

namespace ompprof::model {

class KnownProcesses {
 public:
  // Adds a process of `file`. False: an earlier file has the process.
  bool Add(const ProcessIdentity& process, const std::string& file);

  // Sentences about the processes that came again. A job has thousands of processes, so three are named and the others
  // counted.
  std::vector<std::string> Sentences() const;

 private:
  std::map<ProcessIdentity, std::string> files_;  // where each process was found
  std::vector<std::string> named_;
  size_t again_ = 0;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_KNOWN_PROCESSES_H_
