// Hostile names: of functions, source files, variables, criticals, labels, threads, programs, hosts and all else that a
// profile or an object file names. Every output must show them as plain names (output_checks.h).
//
// The input is the names, a length before each.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "profiler/report/basics/utf8.h"
#include "proto/ompt_state.h"
#include "tests/fuzz/decisions.h"
#include "tests/fuzz/object_image.h"
#include "tests/fuzz/output_checks.h"
#include "tests/fuzz/show_everything.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::fuzz {
namespace {

constexpr uint64_t kBias = 0x400000;
constexpr size_t kFunctions = 6, kVariables = 3;

// For fields that are text (string, not bytes): no record has invalid UTF-8 there.
std::string TextOf(Decisions* decide) { return report::ValidUtf8(decide->Text()); }

// An object file that is in memory and has a path.
class Image {
 public:
  explicit Image(const ImageNames& names) : fd_(memfd_create("image", MFD_CLOEXEC)) {
    const std::string bytes = ObjectImage(names);
    if (fd_ < 0 || write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      Fail("image", "not written");
  }
  ~Image() { close(fd_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  const int fd_;
};

ImageNames NamesOf(Decisions* decide) {
  ImageNames names;
  for (size_t i = 0; i < kFunctions; ++i) names.functions.push_back(decide->Text());
  for (size_t i = 0; i < kVariables; ++i) names.variables.push_back(decide->Text());
  names.variables.push_back(".gomp_critical_user_" + decide->Text() + ".var");
  names.file = decide->Text();
  names.folder = "/" + decide->Text();
  // A name that is read back need not be the name of this machine's file.
  std::replace(names.folder.begin(), names.folder.end(), '/', '_');
  return names;
}

Record HeaderOf(Decisions* decide) {
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_weight_unit(decide->UpTo(3) == 0 ? "events" : "nanoseconds");
  header->set_timeline(true);
  header->set_pid(42);
  header->set_start_unix_ns(1700000000000000000);
  header->set_start_mono_ns(1000);
  header->set_clock(decide->UpTo(3) == 0 ? TextOf(decide) : "cpu");
  header->set_period(1000);
  header->set_frequency(199);
  header->set_program(decide->Text());
  for (int i = 0; i < 3; ++i) header->add_argv(decide->Text());
  header->set_host(decide->Text());
  header->set_rank(decide->Text());
  header->set_source(TextOf(decide));
  header->set_unwinder(TextOf(decide));
  header->set_task_context(TextOf(decide));
  header->add_settings(decide->Text());
  header->set_collector_version(TextOf(decide));
  return record;
}

void AddNamed(Decisions* decide, test::ProfileBuilder* builder) {
  Record record;
  for (uint32_t id = 1; id <= 2; ++id) {
    Thread* thread = record.mutable_thread();
    thread->set_id(id);
    thread->set_name(decide->Text());
    thread->set_kind(id == 1 ? Thread::INITIAL : Thread::WORKER);
    thread->set_start_mono_ns(1000);
    thread->set_cpu_ns(5000);
    thread->set_sampled(true);
    builder->Append(record);
    Label* label = record.mutable_label();
    label->set_id(id);
    label->set_parent(id - 1);
    label->set_name(decide->Text());
    builder->Append(record);
  }
  Runtime* runtime = record.mutable_runtime();
  runtime->set_version(TextOf(decide));
  runtime->set_omp_version(201811);
  Runtime::Callback* callback = runtime->add_callbacks();
  callback->set_name(TextOf(decide));
  callback->set_event(3);
  runtime->add_missing_entry_points(TextOf(decide));
  builder->Append(record);
  record.mutable_note()->set_text(decide->Text());
  builder->Append(record);
}

void AddWaits(test::ProfileBuilder* builder) {
  Record record;
  for (uint32_t i = 0; i <= kVariables; ++i) {
    WaitStats* waits = record.mutable_wait_stats();
    waits->set_thread(1 + i % 2);
    waits->set_state(StateToWire(OmptState::kWaitMutex) + i);  // for a mutex, lock, critical, atomic
    waits->set_wait_id(kBias + kImageData + i * kImageVariable);
    waits->set_codeptr_ra(kBias + kImageCode + 8);
    waits->set_region_codeptr_ra(kBias + kImageCode + 2 * kImageFunction + 8);
    waits->set_lock(i);
    waits->set_count(3);
    waits->set_total_ns(1000);
    waits->set_max_ns(500);
    builder->Append(record);
    waits = record.mutable_wait_stats();
    waits->set_acquired_at(kBias + kImageCode + kImageFunction + 8);
    waits->set_codeptr_ra(kBias + kImageCode + kImageFunction + 16);
    builder->Append(record);
  }
  RegionStats* region = record.mutable_region_stats();
  region->set_thread(1);
  region->set_codeptr_ra(kBias + kImageCode + 2 * kImageFunction + 8);
  region->set_invocations(3);
  region->set_elapsed_ns(4000);
  region->set_actual_sum(6);
  builder->Append(record);
}

void AddSamples(Decisions* decide, test::ProfileBuilder* builder) {
  const uint32_t root = builder->AddNode(1, 0, NODE_ROOT);
  uint32_t at = root;
  for (uint64_t i = 0; i < kFunctions; ++i) {
    at = builder->AddNode(1, i == 3 ? root : at, NODE_FRAME, kBias + kImageCode + i * kImageFunction + 8);
    test::TestSample sample;
    sample.node = at;
    sample.thread = 1 + i % 2;
    sample.state = static_cast<OmptState>(i % 3);
    sample.end_us = 10 * (i + 1);
    sample.weight = 1000 + decide->UpTo(60000);
    builder->AddSample(sample);
  }
  test::TestSample elsewhere;
  elsewhere.node = builder->AddNode(1, root, NODE_FRAME, 0x700010);
  builder->AddSample(elsewhere);
}

}  // namespace
}  // namespace ompprof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ompprof;
  using namespace ompprof::fuzz;
  Decisions decide(data, size);
  const Image image(NamesOf(&decide));
  test::ProfileBuilder builder(HeaderOf(&decide));
  builder.AddModule(1, image.path(), kBias, 0x4000);
  // The file does not exist, so its functions are called by the file's name.
  builder.AddModule(2, "/nowhere/" + decide.Text(), 0x700000, 0x1000, true);
  AddNamed(&decide, &builder);
  AddSamples(&decide, &builder);
  AddWaits(&builder);
  Record footer;
  footer.mutable_footer()->set_reason(TextOf(&decide));
  footer.mutable_footer()->set_end_mono_ns(1000000);
  builder.Append(footer);
  const std::vector<model::ReadResult> results = ReadLog(builder.Bytes());
  if (results.size() != 1 || !results[0].status.ok())
    Fail("names", "the profile cannot be read: " + (results.empty() ? std::string() : results[0].status.sentence()));
  ShowEverything(results);
  return 0;
}
