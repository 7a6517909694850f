#include "profiler/unify/job_file.h"

#include <cstddef>
#include <set>
#include <string_view>

#include "profiler/model/profile_reader.h"
#include "profiler/model/profile_writer.h"
#include "profiler/model/replacement_file.h"

namespace ompprof::unify {
namespace {

using model::Status;

class JobFile {
 public:
  JobFile(Keep keep, const TimeColumns& columns) : keep_(keep), columns_(columns) {}

  JobFileResult Write(const std::string& path, std::vector<JobProgram>* programs) {
    result_.status = file_.Open(path);
    const auto append = [&](std::string_view bytes) { return file_.Append(bytes); };
    if (result_.status.ok()) result_.status = append(std::string_view(model::kMagic, model::kMagicSize));
    std::vector<const Member*> kept;
    for (JobProgram& program : *programs) {
      AddRecords(&program, &kept);
      if (result_.status.ok()) result_.status = WriteProfile(program.profile, append);
    }
    for (const Member* member : kept) {
      if (result_.status.ok()) WriteKept(*member);
    }
    result_.bytes = file_.size();
    if (result_.status.ok()) result_.status = file_.Commit();
    return std::move(result_);
  }

 private:
  void AddRecords(JobProgram* program, std::vector<const Member*>* kept) {
    std::vector<std::string> names;
    for (const Member* member : program->members) names.push_back(member->Name());
    program->profile.spreads = MakeSpreadBatches(*program->plan, *program->spreads, names);
    if (keep_ == Keep::kNone) return;
    const std::set<size_t> of_program = Kept(*program);
    program->profile.members = MemberRows(*program, of_program);
    Unified* unified = program->profile.header.mutable_unified();
    unified->set_column_ns(columns_.count == 0 ? 0 : uint64_t{1000} << columns_.log2_us);
    unified->set_columns(columns_.count);
    unified->set_from_own_start(columns_.from_own_start);
    for (const size_t place : of_program) kept->push_back(program->members[place]);
  }

  // The places of the program's members whose records go into the file.
  std::set<size_t> Kept(const JobProgram& program) {
    std::set<size_t> kept;
    if (keep_ == Keep::kAll) {
      for (size_t place = 0; place < program.members.size(); ++place) kept.insert(place);
      return kept;
    }
    std::vector<double> distances;
    for (const Measures& measures : program.measures) distances.push_back(measures.deviation.distance);
    for (const size_t place : FindOutliers(distances)) kept.insert(place);
    result_.outliers += kept.size();
    return kept;
  }

  // Batches of a moderate size, because a record is read as a whole.
  std::vector<MemberBatch> MemberRows(const JobProgram& program, const std::set<size_t>& kept) const {
    constexpr size_t kMostRows = 1000;
    std::vector<MemberBatch> batches;
    for (size_t place = 0; place < program.members.size(); ++place) {
      if (place % kMostRows == 0) batches.emplace_back();
      AddMember(program, place, kept.count(place) != 0, &batches.back());
    }
    return batches;
  }

  void AddMember(const JobProgram& program, size_t place, bool kept, MemberBatch* batch) const {
    const Member& member = *program.members[place];
    const auto& [deviation, times] = program.measures[place];
    batch->add_rank(member.rank);
    batch->add_host(member.host);
    batch->add_pid(member.pid);
    batch->add_threads(member.threads);
    batch->add_duration_ns(member.duration_ns);
    batch->add_cpu_ns(member.cpu_ns);
    batch->add_useful(deviation.useful);
    batch->add_useful_max(deviation.useful_max);
    batch->add_mpi(deviation.mpi);
    batch->add_wait_ns(deviation.wait_ns);
    batch->add_deviation(deviation.distance);
    batch->add_kept(kept);
    batch->add_reason(kept ? ReasonText(*program.plan, deviation) : "");
    if (columns_.count == 0) return;
    batch->add_work_time(times.work);
    batch->add_mpi_time(times.mpi);
    batch->add_wait_time(times.wait);
  }

  // Copies the records of one member, with Header.kept.
  void WriteKept(const Member& member) {
    bool found = false;
    const auto take = [&](model::ReadResult read) {
      const Header& header = read.profile.header;
      if (!read.usable || header.pid() != member.pid || header.start_unix_ns() != member.start_unix_ns ||
          header.host() != member.host || found)
        return;
      found = true;
      read.profile.header.set_kept(true);
      result_.status = WriteProfile(read.profile, [&](std::string_view bytes) { return file_.Append(bytes); });
    };
    model::ReadProfiles(member.file, take, model::Timeline::kDrop);
    if (!found) result_.status = Status(member.file + ": has changed while the job was unified");
  }

  const Keep keep_;
  const TimeColumns& columns_;
  JobFileResult result_;
  model::ReplacementFile file_;
};

}  // namespace

JobFileResult WriteJobFile(const std::string& path, Keep keep, const TimeColumns& columns,
                           std::vector<JobProgram>* programs) {
  return JobFile(keep, columns).Write(path, programs);
}

}  // namespace ompprof::unify
