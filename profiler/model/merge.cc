#include "profiler/model/merge.h"

#include "profiler/model/file_source.h"
#include "profiler/model/header_facts.h"
#include "profiler/model/known_processes.h"
#include "profiler/model/record_log.h"
#include "profiler/model/replacement_file.h"

namespace ompprof::model {
namespace {

class Merger {
 public:
  explicit Merger(MergeResult* result) : result_(*result) {}

  Status Open(const std::string& output) {
    if (Status opened = output_.Open(output); !opened.ok()) return opened;
    return output_.Append(std::string_view(kMagic, kMagicSize));
  }

  // Copies the processes of one input. Not fine: the output cannot be written.
  Status Add(const std::string& file) {
    ByteSource source;
    if (const Status opened = OpenFileSource(file, &source); !opened.ok()) {
      result_.complaints.push_back(opened.sentence());
      return Status();
    }
    RecordLog log(std::move(source));
    if (const Status opened = log.Open(file); !opened.ok()) return Complain(file, opened.sentence());
    Record record;
    bool begun = false;   // a header was read
    bool taking = false;  // the process's records go to the output
    for (;;) {
      const RecordLog::Next next = log.Read(&record);
      if (next == RecordLog::Next::kEnd) break;
      if (next != RecordLog::Next::kRecord)
        return Complain(file, log.status().sentence() + (begun ? "; what comes before it is merged" : ""));
      if (record.kind_case() == Record::kHeader) {
        begun = true;
        taking = Wanted(file, record.header());
      } else if (!begun) {
        return Complain(file, "is damaged: it does not begin with a header");
      }
      if (!taking) continue;
      if (Status written = output_.Append(log.bytes()); !written.ok()) return written;
    }
    if (!begun) return Complain(file, "has no header: the program ended before anything was recorded");
    return Status();
  }

  Status Commit() {
    for (const std::string& sentence : known_.Sentences()) result_.complaints.push_back(sentence);
    result_.bytes = output_.size();
    return output_.Commit();
  }

 private:
  Status Complain(const std::string& file, const std::string& what) {
    result_.complaints.push_back(file + ": " + what);
    return Status();
  }

  bool Wanted(const std::string& file, const Header& header) {
    if (header.format_version() / 1000 > FORMAT_CURRENT / 1000) {
      result_.complaints.push_back(file + ": was written by a newer ompprof: use that one to merge it");
      return false;
    }
    if (!known_.Add(IdentityOf(header), file)) return false;
    ++result_.processes;
    return true;
  }

  MergeResult& result_;
  ReplacementFile output_;
  KnownProcesses known_;
};

}  // namespace

MergeResult MergeProfiles(const std::vector<std::string>& files, const std::string& output) {
  MergeResult result;
  for (const std::string& file : files) {
    if (!IsSameFile(file, output)) continue;
    result.status = Status(output + ": is one of the files to merge, and is left alone; name another output");
    return result;
  }
  Merger merger(&result);
  result.status = merger.Open(output);
  for (size_t i = 0; i < files.size() && result.status.ok(); ++i) result.status = merger.Add(files[i]);
  if (result.status.ok() && result.processes == 0)
    result.status = Status(output + ": was not written: none of the files could be read");
  if (result.status.ok()) result.status = merger.Commit();
  return result;
}

}  // namespace ompprof::model
