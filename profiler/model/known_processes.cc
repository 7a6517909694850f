#include "profiler/model/known_processes.h"

namespace ompprof::model {

bool KnownProcesses::Add(const ProcessIdentity& process, const std::string& file) {
  constexpr size_t kMostNamed = 3;
  const auto [first, added] = files_.emplace(process, file);
  if (!added && ++again_ <= kMostNamed)
    named_.push_back(file + ": " + ProcessText(process) + " is also in " + first->second +
                     "; ompprof counts the process once");
  return added;
}

std::vector<std::string> KnownProcesses::Sentences() const {
  std::vector<std::string> sentences = named_;
  const size_t others = again_ - named_.size();
  if (others != 0)
    sentences.push_back(std::to_string(others) + (others == 1 ? " more process is" : " more processes are") +
                        " in several files; ompprof counts each process once");
  return sentences;
}

}  // namespace ompprof::model
