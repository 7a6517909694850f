// An outcome that is either fine or a sentence for the user: what was tried, what the system said, what to do.
#ifndef OMPPROF_PROFILER_MODEL_STATUS_H_
#define OMPPROF_PROFILER_MODEL_STATUS_H_

#include <string>
#include <utility>

namespace ompprof::model {

class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(std::string sentence) : sentence_(std::move(sentence)) {}

  bool ok() const { return sentence_.empty(); }
  const std::string& sentence() const { return sentence_; }

 private:
  std::string sentence_;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_STATUS_H_
