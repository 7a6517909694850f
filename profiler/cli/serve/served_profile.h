// The data of a served page, made again when the files of the profiles have changed.
#ifndef OMPPROF_PROFILER_CLI_SERVE_SERVED_PROFILE_H_
#define OMPPROF_PROFILER_CLI_SERVE_SERVED_PROFILE_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace ompprof::cli {

class ServedProfile {
 public:
  struct Data {
    std::string version;  // changes whenever the JSON may change
    std::string json;
    std::string title;
  };

  ServedProfile(std::vector<std::string> files, bool no_cache) : files_(std::move(files)), no_cache_(no_cache) {}

  // The current data, or somewhat older data: a profile that takes long to read is not read all the time. Null, with a
  // sentence in `error`, if no file could be read so far.
  std::shared_ptr<const Data> Get(std::string* error);

 private:
  std::string Version() const;

  std::vector<std::string> files_;
  const bool no_cache_;  // see OpenCache
  std::shared_ptr<const Data> data_;
  std::chrono::steady_clock::time_point not_before_ = {};
};

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_SERVE_SERVED_PROFILE_H_
