// Reads a profile's records into a ProcessProfile. The commands and the tests call it.
//
// A file has one process, as the collector writes it, or several processes, as `ompprof merge` writes them. The records
// of a process follow the records of the previous process, and each process begins with its Header.
#ifndef OMPPROF_PROFILER_MODEL_PROFILE_READER_H_
#define OMPPROF_PROFILER_MODEL_PROFILE_READER_H_

#include <functional>
#include <memory>
#include <string>

#include "profiler/model/process_profile.h"
#include "profiler/model/read_options.h"
#include "profiler/model/record_log.h"
#include "profiler/model/status.h"

namespace ompprof::model {

struct ReadResult {
  // Fine, or a whole sentence about the file's fault. The sentence begins with the file's name.
  Status status;

  // At least the header was read, so the profile is worth showing.
  bool usable = false;

  ProcessProfile profile;
};

// Reads `path`, and gives each process to `take` after its last record. A process is read to its end, or to the last
// whole record before a damaged record. A file that cannot be read at all is one result that is not usable.
void ReadProfiles(const std::string& path, const std::function<void(ReadResult)>& take,
                  const ReadOptions& options = {});

// Likewise from any source of bytes; `name` stands for the file in sentences.
void ReadProfiles(const std::string& name, ByteSource source, const std::function<void(ReadResult)>& take,
                  const ReadOptions& options = {});

// Likewise, only the file's first process.
ReadResult ReadProfile(const std::string& path, const ReadOptions& options = {});
ReadResult ReadProfile(const std::string& name, ByteSource source, const ReadOptions& options = {});

// One process's profile while the program still runs, without a timeline. `ompprof top` and the progress line of
// `record` follow it.
class LiveProfile {
 public:
  // `source` gives 0 bytes where the file ends for now.
  LiveProfile(std::string name, ByteSource source);
  ~LiveProfile();

  // Takes the whole records that were written since the last call. Not fine: the log cannot be read any further.
  Status Read();

  // False: the program has not written anything yet, and profile() is empty.
  bool has_header() const;

  const ProcessProfile& profile() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_PROFILE_READER_H_
