// Hostile profiles through the unifier, beside a good profile of the same program: nothing is lost, the file that comes
// out is whole, and all commands show it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "profiler/model/profile_writer.h"
#include "profiler/unify/unified_program.h"
#include "profiler/unify/unify_job.h"
#include "tests/fuzz/nonsense_log.h"
#include "tests/fuzz/output_checks.h"
#include "tests/fuzz/show_everything.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::fuzz {
namespace {

using model::ProcessProfile;
using model::ReadResult;

constexpr uint64_t kCode = 0x400000;

void AddTimes(test::ProfileBuilder* builder) {
  Record record;
  RegionStats* region = record.mutable_region_stats();
  region->set_thread(1);
  region->set_codeptr_ra(kCode + 0x150);
  region->set_invocations(2);
  region->set_ended(2);
  region->set_elapsed_ns(7000);
  region->set_useful_ns(1000);
  builder->Append(record);
  WaitStats* wait = record.mutable_wait_stats();
  wait->set_thread(1);
  wait->set_state(StateToWire(OmptState::kWaitLock));
  wait->set_codeptr_ra(kCode + 0x220);
  wait->set_wait_id(0x7f0000);
  wait->set_count(2);
  wait->set_total_ns(2000);
  builder->Append(record);
  Label* label = record.mutable_label();
  label->set_id(1);
  label->set_name("phase");
  builder->Append(record);
  record.mutable_note()->set_text("note 7");
  builder->Append(record);
  builder->AddDevice(1, "device");
  builder->AddDeviceStats({});
}

// A profile of the program of `header`, by another process.
std::string Good(const Header& header) {
  Record record;
  *record.mutable_header() = header;
  record.mutable_header()->set_host("another host");
  record.mutable_header()->set_rank("7");
  record.mutable_header()->clear_unified();
  test::ProfileBuilder builder(record);
  builder.AddModule(1, "/nowhere/good.so", kCode, 0x1000);
  builder.AddThread(1, Thread::INITIAL, 9000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  const uint32_t main = builder.AddNode(1, root, NODE_FRAME | NODE_RETURN_ADDRESS, kCode + 0x100);
  const uint32_t mark = builder.AddNode(1, main, NODE_IMPLICIT_TASK, kCode + 0x150);
  const uint32_t leaf = builder.AddNode(1, mark, NODE_FRAME, kCode + 0x200);
  builder.AddContext(1, kCode + 0x150, 1, main);
  builder.AddSample({1, main, 1, OmptState::kWorkSerial, 0, 0, 0, 3, 3000});
  builder.AddSample({1, leaf, 1, OmptState::kWorkParallel, 0, 1, 0, 6, 6000});
  AddTimes(&builder);
  builder.AddFooter(9, 9000);
  return builder.Bytes();
}

std::string WriteBytes(const ProcessProfile& profile) {
  std::string bytes(model::kMagic, model::kMagicSize);
  const model::Status written = WriteProfile(profile, [&](std::string_view more) {
    bytes += more;
    return model::Status();
  });
  if (!written.ok()) Fail("unify", written.sentence());
  return bytes;
}

struct Sums {
  uint64_t samples = 0;
  uint64_t weight = 0;
  uint64_t wait_ns = 0;
  uint64_t elapsed_ns = 0;
  uint64_t device_bytes = 0;

  void Add(const ProcessProfile& profile) {
    for (const model::SampleRow& row : profile.samples) {
      if (row.interval) continue;
      samples += row.cost.samples;
      weight += row.cost.weight;
    }
    for (const WaitStats& stats : profile.waits) wait_ns += stats.total_ns();
    for (const RegionStats& stats : profile.regions) elapsed_ns += stats.elapsed_ns();
    for (const DeviceStats& stats : profile.device_stats) device_bytes += stats.bytes();
  }
};

void RequireEqual(const char* what, const Sums& sums, const Sums& expected) {
  const auto require = [&](const char* name, uint64_t found, uint64_t wanted) {
    if (found != wanted)
      Fail(what, std::string(name) + ": " + std::to_string(found) + " instead of " + std::to_string(wanted));
  };
  require("samples", sums.samples, expected.samples);
  require("weight", sums.weight, expected.weight);
  require("waits", sums.wait_ns, expected.wait_ns);
  require("regions", sums.elapsed_ns, expected.elapsed_ns);
  require("devices", sums.device_bytes, expected.device_bytes);
}

Sums SumsOf(const ProcessProfile& profile) {
  Sums sums;
  sums.Add(profile);
  return sums;
}

// The profile in `bytes`, which must be whole.
ProcessProfile ReadWhole(const char* what, const std::string& bytes) {
  ReadResult read = model::ReadProfile("whole", test::FromMemory(bytes));
  if (!read.status.ok() || !read.usable) Fail(what, read.status.sentence());
  return std::move(read.profile);
}

// Adds both processes in both orders. A part of a job, once written, is added as a process.
void AddBoth(const ProcessProfile& hostile, const ProcessProfile& good) {
  Sums expected = SumsOf(hostile);
  expected.Add(good);
  for (const bool good_first : {false, true}) {
    unify::UnifiedProgram program;
    program.Add(good_first ? good : hostile);
    program.Add(good_first ? hostile : good);
    const unify::UnifiedProfile made = program.Finish();
    RequireEqual("unified", SumsOf(made.profile), expected);
    const ProcessProfile part = ReadWhole("unified", WriteBytes(made.profile));
    RequireEqual("written", SumsOf(part), expected);
    unify::UnifiedProgram whole;
    whole.Add(part);
    whole.Add(good);
    Sums more = expected;
    more.Add(good);
    RequireEqual("part", SumsOf(whole.Finish().profile), more);
  }
}

class Folder {
 public:
  Folder() {
    const char* base = std::getenv("TEST_TMPDIR");
    std::string pattern = std::string(base != nullptr ? base : "/tmp") + "/unify-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) Fail("unify", "cannot make a folder");
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
    return path_ + "/" + name;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream bytes;
    bytes << std::ifstream(path_ + "/" + name, std::ios::binary).rdbuf();
    return bytes.str();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The whole of `merge --unify`, by one worker and by two. `show`: all commands show the result.
void UnifyFiles(const std::vector<ReadResult>& processes, const std::string& good, bool show) {
  const Folder folder;
  unify::UnifyOptions options;
  options.files = {folder.Write("good.ompprof", good), folder.path() + "/missing.ompprof"};
  for (size_t i = 0; i < processes.size(); ++i)
    options.files.push_back(folder.Write(std::to_string(i) + ".ompprof", WriteBytes(processes[i].profile)));
  options.files.push_back(options.files.back());
  options.output = folder.path() + "/job.ompprof";
  options.keep = processes.size() % 2 == 0 ? unify::Keep::kAll : unify::Keep::kOutliers;
  std::string first;
  for (const int workers : {1, 2}) {
    unify::UnifyResult result;
    unify::RunThreads(workers, [&](unify::Team* team) {
      unify::UnifyResult own = unify::UnifyJob(options, team);
      if (team->number() == 0) result = std::move(own);
    });
    if (!result.status.ok()) Fail("unify", result.status.sentence());
    const std::string bytes = folder.Read("job.ompprof");
    if (workers == 1) first = bytes;
    if (bytes != first) Fail("unify", "two workers write other bytes than one");
  }
  const std::vector<ReadResult> read = ReadLog(first);
  std::vector<ReadResult> jobs;
  for (const ReadResult& process : read) {
    if (!process.status.ok()) Fail("unify", process.status.sentence());
    if (!process.profile.header.kept()) jobs.push_back(process);
  }
  if (show) ShowEverything(jobs);
}

}  // namespace
}  // namespace ompprof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ompprof;
  const std::vector<model::ReadResult> processes = fuzz::ReadLog(fuzz::LogOf(data, size));
  if (processes.empty()) return 0;
  const std::string good = fuzz::Good(processes[0].profile.header);
  const model::ProcessProfile good_profile = fuzz::ReadWhole("good", good);
  for (const model::ReadResult& process : processes) fuzz::AddBoth(process.profile, good_profile);
  // The commands take ten times as long as the unifier.
  fuzz::UnifyFiles(processes, good, size % 4 == 0);
  return 0;
}
