// Writes a ProcessProfile as a log of records: the reverse of profile_reader.h. `merge --unify` calls it, and the
// programs that make up profiles.
#ifndef OMPPROF_PROFILER_MODEL_PROFILE_WRITER_H_
#define OMPPROF_PROFILER_MODEL_PROFILE_WRITER_H_

#include <functional>
#include <string>
#include <string_view>

#include "profiler/model/process_profile.h"
#include "profiler/model/status.h"

namespace ompprof::model {

// Takes bytes of a log; not fine: they cannot be written, and nothing more should come.
using ByteSink = std::function<Status(std::string_view)>;

// Gives the records of `process` to `sink`, without the magic. Equal profiles give equal bytes if their ids are equal.
// Pieces of a jitdump and operations of devices are not written: they belong to one recorded process.
Status WriteProfile(const ProcessProfile& process, const ByteSink& sink);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_PROFILE_WRITER_H_
