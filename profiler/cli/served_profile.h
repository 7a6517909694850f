// The data of a page that is served, made anew when the profiles' files have changed.
#ifndef OMPPROF_PROFILER_CLI_SERVED_PROFILE_H_
#define OMPPROF_PROFILER_CLI_SERVED_PROFILE_H_

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ompprof::cli {

// Thread-safe.
class ServedProfile {
 public:
  struct Data {
    std::string version;  // differs whenever the JSON may
    std::string json;
    std::string title;
  };

  explicit ServedProfile(std::vector<std::string> files) : files_(std::move(files)) {}

  // The data as of now, or as of a moment ago: a profile that takes long to read is not read all the time. Null, and a
  // sentence in `error`, if none of the files could ever be read.
  std::shared_ptr<const Data> Get(std::string* error);

 private:
  std::string Version() const;

  std::vector<std::string> files_;
  std::mutex mutex_;
  std::shared_ptr<const Data> data_;
  std::chrono::steady_clock::time_point not_before_ = {};
};

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_SERVED_PROFILE_H_
