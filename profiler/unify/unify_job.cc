#include "profiler/unify/unify_job.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "profiler/model/header_facts.h"
#include "profiler/model/profile_reader.h"
#include "profiler/model/profile_writer.h"
#include "profiler/unify/deviation.h"
#include "profiler/unify/figures.h"
#include "profiler/unify/job_file.h"
#include "profiler/unify/member_log.h"
#include "profiler/unify/member_times.h"
#include "profiler/unify/origins.h"
#include "profiler/unify/packer.h"
#include "profiler/unify/spread.h"
#include "profiler/unify/unified_program.h"

namespace ompprof::unify {
namespace {

using model::ProcessProfile;
using model::Status;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// The profile of a log without magic.
ProcessProfile ReadBytes(std::string_view records) {
  std::string bytes(model::kMagic, model::kMagicSize);
  bytes += records;
  size_t at = 0;
  return std::move(model::ReadProfile("a part of the job", [&](char* buffer, size_t size) {
                     size = std::min(size, bytes.size() - at);
                     bytes.copy(buffer, size, at);
                     at += size;
                     return static_cast<long>(size);
                   }).profile);
}

std::string WriteBytes(const ProcessProfile& profile) {
  std::string bytes;
  const Status written = WriteProfile(profile, [&](std::string_view more) {
    bytes += more;
    return Status();
  });
  return written.ok() ? bytes : "";
}

// The unified programs of a worker, by their keys.
using Programs = std::map<std::string, std::unique_ptr<UnifiedProgram>>;

UnifiedProgram* ProgramOf(const std::string& key, Programs* programs) {
  auto& program = (*programs)[key];
  if (program == nullptr) program = std::make_unique<UnifiedProgram>();
  return program.get();
}

std::string PackPrograms(const std::map<std::string, UnifiedProfile>& profiles) {
  Packer packer;
  for (const auto& [key, made] : profiles) {
    packer.Put(key);
    packer.Put(WriteBytes(made.profile));
  }
  return packer.Take();
}

std::map<std::string, UnifiedProfile> FinishAll(const Programs& programs) {
  std::map<std::string, UnifiedProfile> profiles;
  for (const auto& [key, program] : programs) profiles.emplace(key, program->Finish());
  return profiles;
}

uint32_t ThreadsOf(const analyze::ProcessFacts& facts) {
  const auto openmp = std::count_if(facts.threads.begin(), facts.threads.end(),
                                    [](const analyze::ThreadFacts& thread) { return thread.is_openmp(); });
  return static_cast<uint32_t>(openmp != 0 ? static_cast<size_t>(openmp) : facts.threads.size());
}

// Where the rows of a worker's program are in the unified profile of all.
struct RowMap {
  std::vector<uint32_t> samples;
  std::vector<uint32_t> waits;
  std::vector<uint32_t> regions;

  void Apply(AddedRows* rows) const {
    for (auto& sample : rows->samples) sample.row = samples[sample.row];
    for (auto& wait : rows->waits) wait.row = waits[wait.row];
    for (auto& region : rows->regions) region.row = regions[region.row];
    for (auto& time : rows->times) {
      if (time.row != AddedRows::kNoRow) time.row = samples[time.row];
    }
  }
};

// Adding a unified profile to an empty program numbers its rows in order; adding a part of the job then tells the
// numbers of the part's rows.
template <class Rows>
std::vector<uint32_t> Through(const Rows& whole, const Rows& part, const std::vector<uint32_t>& local) {
  uint32_t most = 0;
  for (const auto& row : whole) most = std::max(most, row.row);
  std::vector<uint32_t> index(most + 1);
  for (uint32_t i = 0; i < whole.size(); ++i) index[whole[i].row] = i;
  std::vector<uint32_t> result(local.size(), 0);
  for (size_t number = 1; number < local.size(); ++number) {
    if (local[number] < part.size()) result[number] = index[part[local[number]].row];
  }
  return result;
}

struct OrderedMember {
  Member member;
  std::string program;
  uint32_t worker;
  uint32_t index;  // among the worker's members
  PlaceInFiles place;
};

class Worker {
 public:
  Worker(const UnifyOptions& options, Team* team) : options_(options), team_(*team), is_root_(team->number() == 0) {}

  UnifyResult Run() {
    ReadShare();
    if (!Agree()) return std::move(result_);
    UnifyPrograms();
    OrderMembers();
    SharePlans();
    MeasureSpreads();
    MeasureMembers();
    if (is_root_) Write();
    return std::move(result_);
  }

 private:
  // Gives each worker its files, by their numbers: the largest file to whom has the least so far.
  std::map<uint64_t, std::string> FilesOfShare() {
    std::string shares;
    if (is_root_) {
      std::vector<std::pair<uint64_t, size_t>> sizes;
      for (size_t i = 0; i < options_.files.size(); ++i) {
        struct stat info;
        sizes.emplace_back(stat(options_.files[i].c_str(), &info) == 0 ? info.st_size : 0, i);
      }
      std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
      std::set<std::pair<uint64_t, int>> loads;
      for (int worker = 0; worker < team_.size(); ++worker) loads.insert({0, worker});
      Packer packer;
      for (const auto& [size, index] : sizes) {
        const auto [load, worker] = *loads.begin();
        loads.erase(loads.begin());
        loads.insert({load + size + 1, worker});
        packer.Put(static_cast<uint64_t>(worker));
        packer.Put(uint64_t{index});
        packer.Put(options_.files[index]);
      }
      shares = packer.Take();
    }
    shares = Broadcast(&team_, std::move(shares));
    std::map<uint64_t, std::string> files;
    for (Unpacker unpacker(shares); !unpacker.empty();) {
      const bool mine = static_cast<int>(unpacker.Number()) == team_.number();
      const uint64_t number = unpacker.Number();
      const std::string_view file = unpacker.Text();
      if (mine) files.emplace(number, file);
    }
    return files;
  }

  void ReadShare() {
    share_ = FilesOfShare();
    folder_ = FolderOf(Broadcast(&team_, options_.output));
    ReadFiles();
  }

  void ReadFiles() {
    log_.emplace();
    status_ = log_->Open(folder_);
    for (const auto& [number, file] : share_) {
      if (status_.ok()) ReadFile(number, file);
    }
  }

  // A sum cannot forget a process. So a worker that has added a process too many begins again.
  void ReadAgainWithout(std::set<PlaceInFiles> left_out) {
    left_out_ = std::move(left_out);
    const auto is_left_out = [&](const Origin& origin) { return left_out_.count(origin.place) != 0; };
    if (std::none_of(origins_.begin(), origins_.end(), is_left_out)) return;
    complaints_.clear();
    program_numbers_.clear();
    programs_.clear();
    members_.clear();
    origins_.clear();
    ReadFiles();
  }

  // A file with a fault is left out as a whole.
  void ReadFile(uint64_t number, const std::string& file) {
    std::vector<ProcessProfile> processes;
    std::string fault;
    const auto take = [&](model::ReadResult result) {
      if (!result.status.ok())
        fault = result.status.sentence();
      else if (result.profile.header.has_unified())
        fault = file + ": is a unified job already; unify the profiles that it was made of";
      else
        processes.push_back(std::move(result.profile));
    };
    model::ReadOptions read = options_.keep == Keep::kNone ? model::Timeline::kDrop : model::Timeline::kBin;
    read.sorted = false;  // the result's rows have an order of their own
    model::ReadProfiles(file, take, read);
    if (!fault.empty()) {
      // What the reader says of the rest does not hold here.
      complaints_.push_back(fault.substr(0, fault.find("; what comes before it is shown")) + "; the file is left out");
      return;
    }
    for (uint64_t i = 0; i < processes.size(); ++i) {
      const PlaceInFiles place = {number, i};
      if (left_out_.count(place) != 0) continue;
      origins_.push_back({place, model::IdentityOf(processes[i].header)});
      AddProcess(file, processes[i]);
    }
  }

  void AddProcess(const std::string& file, const ProcessProfile& process) {
    const std::string key = ProgramKey(process);
    const analyze::ProcessFacts facts = analyze::FactsOf(process);
    Member member;
    member.program = program_numbers_.emplace(key, static_cast<uint32_t>(program_numbers_.size())).first->second;
    member.file = file;
    member.rank = facts.rank;
    member.host = facts.host;
    member.pid = facts.pid;
    member.start_unix_ns = facts.start_unix_ns;
    member.threads = ThreadsOf(facts);
    member.duration_ns = facts.duration_ns;
    member.cpu_ns = facts.cpu_ns;
    member.log2_us = process.time_bins.log2_us;
    members_.push_back(member);
    status_ = log_->Append(ProgramOf(key, &programs_)->Add(process, facts));
  }

  // Collects complaints and members. Worker 0 decides whether the team goes on.
  bool Agree() {
    Packer packer;
    packer.Put(status_.sentence());
    packer.Put(uint64_t{complaints_.size()});
    for (const std::string& complaint : complaints_) packer.Put(complaint);
    packer.Put(uint64_t{members_.size()});
    for (const Member& member : members_) Pack(member, &packer);
    for (const Origin& origin : origins_) Pack(origin, &packer);
    std::vector<std::string> programs(program_numbers_.size());
    for (const auto& [key, number] : program_numbers_) programs[number] = key;
    packer.Put(uint64_t{programs.size()});
    for (const std::string& program : programs) packer.Put(program);
    const std::string all = Gather(packer.Take());
    std::string verdict;
    if (is_root_) verdict = Decide(TakeMembers(all));
    verdict = Broadcast(&team_, std::move(verdict));
    Unpacker from(verdict);
    const bool go_on = from.Number() != 0;
    std::set<PlaceInFiles> repeated;
    while (!from.empty()) {
      const uint64_t file = from.Number();
      repeated.emplace(file, from.Number());
    }
    if (!go_on || repeated.empty()) return go_on;
    ReadAgainWithout(std::move(repeated));
    return Agree();
  }

  // Each worker's bytes with its number before them; only for worker 0.
  std::string Gather(const std::string& mine) {
    Packer packer;
    packer.Put(static_cast<uint64_t>(team_.number()));
    packer.Put(mine);
    std::string held = packer.Take();
    Reduce(
        &team_, [&] { return std::move(held); }, [&](const std::string& more) { held += more; });
    return held;
  }

  // Whether to go on, and the places of processes that are to be left out first.
  std::string Decide(std::vector<Origin> origins) {
    std::vector<std::string> sentences;
    std::set<PlaceInFiles> repeated = FindRepeated(std::move(origins), options_.files, &sentences);
    if (left_out_.empty()) {
      sentences_ = std::move(sentences);
    } else if (!repeated.empty()) {
      result_.status = Status(options_.files[repeated.begin()->first] + ": has changed while the job was unified");
    }
    if (!result_.status.ok()) repeated.clear();
    if (repeated.empty()) result_.complaints.insert(result_.complaints.end(), sentences_.begin(), sentences_.end());
    Packer packer;
    packer.Put(uint64_t{result_.status.ok()});
    for (const auto& [file, process] : repeated) {
      packer.Put(file);
      packer.Put(process);
    }
    return packer.Take();
  }

  std::vector<Origin> TakeMembers(const std::string& gathered) {
    std::vector<std::string> faults;
    std::vector<Origin> origins;
    all_members_.clear();
    result_.complaints.clear();
    for (Unpacker all(gathered); !all.empty();) {
      const auto worker = static_cast<uint32_t>(all.Number());
      Unpacker from(all.Text());
      const std::string fault(from.Text());
      if (!fault.empty()) faults.push_back(fault);
      for (uint64_t left = from.Number(); left > 0; --left) result_.complaints.emplace_back(from.Text());
      std::vector<Member> members(from.Number());
      for (Member& member : members) member = UnpackMember(&from);
      const size_t first = origins.size();
      for (size_t i = 0; i < members.size(); ++i) origins.push_back(UnpackOrigin(&from));
      std::vector<std::string> programs(from.Number());
      for (std::string& program : programs) program = from.Text();
      for (uint32_t i = 0; i < members.size(); ++i)
        all_members_.push_back({members[i], programs[members[i].program], worker, i, origins[first + i].place});
    }
    std::sort(result_.complaints.begin(), result_.complaints.end());
    result_.files_left_out = result_.complaints.size();
    result_.members = all_members_.size();
    std::sort(all_members_.begin(), all_members_.end(), [](const OrderedMember& a, const OrderedMember& b) {
      if (a.program != b.program) return a.program < b.program;
      return std::pair(a.member.Order(), a.place) < std::pair(b.member.Order(), b.place);
    });
    if (!faults.empty()) {
      result_.status = Status(*std::min_element(faults.begin(), faults.end()));
    } else if (all_members_.empty()) {
      result_.status = Status(options_.output + ": was not written: none of the files could be read");
    }
    return origins;
  }

  void UnifyPrograms() {
    std::map<std::string, UnifiedProfile> local;
    const auto give = [&] {
      local = FinishAll(programs_);
      return PackPrograms(local);
    };
    Reduce(&team_, give, [&](const std::string& more) {
      for (Unpacker from(more); !from.empty();) {
        const std::string key(from.Text());
        ProgramOf(key, &programs_)->Add(ReadBytes(from.Text()));
      }
    });
    if (is_root_) unified_ = FinishAll(programs_);
    const std::string all = Broadcast(&team_, is_root_ && team_.size() > 1 ? PackPrograms(unified_) : "");
    row_maps_.resize(program_numbers_.size());
    if (is_root_) {
      for (const auto& [key, number] : program_numbers_) {
        const UnifiedProfile& made = unified_.at(key);
        row_maps_[number] = {made.samples, made.waits, made.regions};
      }
      return;
    }
    uint32_t index = 0;
    for (Unpacker from(all); !from.empty(); ++index) {
      const std::string key(from.Text());
      const std::string_view records = from.Text();
      program_index_[key] = index;
      const auto mine = program_numbers_.find(key);
      if (mine == program_numbers_.end()) continue;
      UnifiedProgram program;
      const AddedRows whole = program.Add(ReadBytes(records));
      const UnifiedProfile& part = local.at(key);
      const AddedRows rows = program.Add(part.profile);
      row_maps_[mine->second] = {Through(whole.samples, rows.samples, part.samples),
                                 Through(whole.waits, rows.waits, part.waits),
                                 Through(whole.regions, rows.regions, part.regions)};
    }
    programs_.clear();
  }

  // Tells each worker the place of its members in the order of the program's members.
  void OrderMembers() {
    std::string orders;
    if (is_root_) {
      std::vector<std::vector<uint32_t>> by_worker(static_cast<size_t>(team_.size()));
      uint32_t place = 0;
      for (size_t i = 0; i < all_members_.size(); ++i) {
        const OrderedMember& member = all_members_[i];
        place = i > 0 && member.program == all_members_[i - 1].program ? place + 1 : 0;
        auto& places = by_worker[member.worker];
        places.resize(std::max<size_t>(places.size(), member.index + 1));
        places[member.index] = place;
        names_[member.program].push_back(member.member.Name());
      }
      Packer packer;
      for (const auto& places : by_worker) packer.Put(places);
      orders = packer.Take();
      uint32_t index = 0;
      for (const auto& [key, made] : unified_) program_index_[key] = index++;
    }
    orders = Broadcast(&team_, std::move(orders));
    Unpacker from(orders);
    for (int worker = 0; worker <= team_.number(); ++worker) places_ = from.Numbers();
  }

  void SharePlans() {
    std::string plans;
    if (is_root_) {
      std::vector<const ProcessProfile*> processes;
      for (const auto& [key, made] : unified_) processes.push_back(&made.profile);
      named_plans_ = MakePlans(processes, &result_.warnings);
      Packer packer;
      for (const NamedPlan& named : named_plans_) named.plan.Pack(&packer);
      if (team_.size() > 1) plans = packer.Take();
    }
    plans = Broadcast(&team_, std::move(plans));
    plans_.resize(program_index_.size());
    Unpacker from(plans);
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (is_root_)
        plans_[i] = named_plans_[i].plan;
      else
        plans_[i].Unpack(&from);
    }
  }

  // Gives each member of this worker's share to `take`: its index, program, values, and rows.
  template <class Take>
  void EachMember(Take take) {
    std::vector<uint32_t> index_by_number(program_numbers_.size());
    for (const auto& [key, number] : program_numbers_) index_by_number[number] = program_index_.at(key);
    std::vector<Values> values;
    for (const Plan& plan : plans_) values.emplace_back(&plan);
    log_->Rewind();
    AddedRows rows;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (const Status read = log_->Read(&rows); !read.ok()) {
        status_ = read;
        return;
      }
      row_maps_[members_[i].program].Apply(&rows);
      const uint32_t program = index_by_number[members_[i].program];
      values[program].Fill(members_[i], rows);
      take(i, program, values[program], rows);
    }
  }

  void MeasureSpreads() {
    for (const Plan& plan : plans_) spreads_.emplace_back(plan.kinds.size() * kMetrics);
    EachMember([&](size_t i, uint32_t program, const Values& values, const AddedRows&) {
      spreads_[program].Add(places_[i], values);
    });
    const auto give = [&] {
      Packer packer;
      for (const Spreads& spreads : spreads_) spreads.Pack(&packer);
      return packer.Take();
    };
    Reduce(&team_, give, [&](const std::string& more) {
      Unpacker from(more);
      for (Spreads& spreads : spreads_) spreads.AddPacked(&from);
    });
    if (options_.keep == Keep::kNone) return;
    const std::string all = Broadcast(&team_, is_root_ && team_.size() > 1 ? give() : "");
    if (is_root_) return;
    spreads_.clear();
    Unpacker from(all);
    for (const Plan& plan : plans_) {
      spreads_.emplace_back(plan.kinds.size() * kMetrics);
      spreads_.back().AddPacked(&from);
    }
  }

  // Of the members one by one: how far they are from the mean member, and what they did when.
  void MeasureMembers() {
    if (options_.keep == Keep::kNone) return;
    if (is_root_) {
      std::vector<const Member*> members;
      for (const OrderedMember& ordered : all_members_) members.push_back(&ordered.member);
      columns_ = ColumnsFor(members);
    }
    const std::string shared = Broadcast(&team_, [&] {
      Packer packer;
      columns_.Pack(&packer);
      for (const auto& [key, names] : names_) packer.Put(uint64_t{names.size()});
      return packer.Take();
    }());
    std::vector<MeanMember> means;
    Unpacker from(shared);
    columns_.Unpack(&from);
    for (size_t i = 0; i < plans_.size(); ++i) means.emplace_back(plans_[i], spreads_[i], from.Number());
    Packer packer;
    EachMember([&](size_t i, uint32_t program, const Values& values, const AddedRows& rows) {
      packer.Put(uint64_t{program});
      packer.Put(uint64_t{places_[i]});
      Pack(means[program].Compare(values), &packer);
      const MemberTimes times = TimesOf(members_[i], rows, plans_[program], columns_);
      for (const std::string& shares : {times.work, times.mpi, times.wait}) packer.Put(shares);
    });
    const std::string gathered = Gather(packer.Take());
    if (is_root_) TakeMeasures(gathered);
  }

  void TakeMeasures(const std::string& gathered) {
    measures_.resize(plans_.size());
    size_t program = 0;
    for (const auto& [key, names] : names_) measures_[program++].resize(names.size());
    for (Unpacker all(gathered); !all.empty();) {
      all.Number();
      for (Unpacker worker(all.Text()); !worker.empty();) {
        auto& of_program = measures_[worker.Number()];
        Measures& measures = of_program[worker.Number()];
        measures.deviation = UnpackDeviation(&worker);
        for (std::string* shares : {&measures.times.work, &measures.times.mpi, &measures.times.wait})
          *shares = worker.Text();
      }
    }
  }

  void Write() {
    result_.programs = unified_.size();
    std::vector<JobProgram> programs;
    auto member = all_members_.begin();
    for (auto& [key, made] : unified_) {
      const size_t index = programs.size();
      JobProgram& program = programs.emplace_back();
      program.profile = std::move(made.profile);
      program.plan = &named_plans_[index];
      program.spreads = &spreads_[index];
      for (; member != all_members_.end() && member->program == key; ++member)
        program.members.push_back(&member->member);
      if (options_.keep != Keep::kNone) program.measures = std::move(measures_[index]);
    }
    const JobFileResult written = WriteJobFile(options_.output, options_.keep, columns_, &programs);
    result_.status = written.status;
    result_.outliers = written.outliers;
    result_.bytes = written.bytes;
  }

  const UnifyOptions& options_;
  Team& team_;
  const bool is_root_;
  UnifyResult result_;
  Status status_;  // of this worker
  std::string folder_;
  std::map<uint64_t, std::string> share_;  // the files of this worker, by their numbers
  std::set<PlaceInFiles> left_out_;        // processes that are at an earlier place too
  std::vector<std::string> complaints_;
  std::map<std::string, uint32_t> program_numbers_;  // of this worker's programs, by key
  Programs programs_;
  std::vector<Member> members_;
  std::vector<Origin> origins_;   // of these members
  std::vector<uint32_t> places_;  // of these members, among the members of their program
  std::optional<MemberLog> log_;
  std::vector<RowMap> row_maps_;                   // by program number
  std::map<std::string, uint32_t> program_index_;  // of all programs, in the order of their keys
  std::vector<Plan> plans_;                        // by program index
  std::vector<Spreads> spreads_;
  TimeColumns columns_;
  // Of worker 0:
  std::vector<std::string> sentences_;  // about processes that are left out
  std::vector<OrderedMember> all_members_;
  std::map<std::string, std::vector<std::string>> names_;  // of members, by program
  std::map<std::string, UnifiedProfile> unified_;
  std::vector<NamedPlan> named_plans_;
  std::vector<std::vector<Measures>> measures_;  // by program index and member
};

}  // namespace

UnifyResult UnifyJob(const UnifyOptions& options, Team* team) { return Worker(options, team).Run(); }

}  // namespace ompprof::unify
