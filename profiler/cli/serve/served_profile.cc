#include "profiler/cli/serve/served_profile.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/output/html_report.h"

namespace ompprof::cli {
namespace {

using Clock = std::chrono::steady_clock;

// The collector writes once a second. Reading takes at most a quarter of this process's time.
constexpr auto kLeastPause = std::chrono::milliseconds(900);
constexpr int kPauseFactor = 3;

}  // namespace

std::string ServedProfile::Version() const {
  std::string version;
  for (const std::string& file : FindProfiles(files_).Paths()) {
    struct stat info = {};
    if (stat(file.c_str(), &info) != 0) continue;
    version += std::to_string(info.st_size) + "." + std::to_string(info.st_mtim.tv_sec) + "." +
               std::to_string(info.st_mtim.tv_nsec) + "-";
  }
  return version;
}

std::shared_ptr<const ServedProfile::Data> ServedProfile::Get(std::string* error) {
  const Clock::time_point begin = Clock::now();
  if (data_ != nullptr && begin < not_before_) return data_;
  auto data = std::make_shared<Data>();
  data->version = Version();
  if (data_ != nullptr && data_->version == data->version) return data_;
  Loaded loaded(OpenCache(no_cache_));
  // A file that ends in the middle of a record is no fault: the collector is still writing it.
  LoadQuietly(files_, LoadOfPage(), &loaded, error);
  if (loaded.view.run.empty()) return data_;
  // A profile that was read instead of a wrapper's profile is the profile that grows.
  const std::string& first = loaded.view.run.first().file;
  std::error_code error_code;
  const bool one_file = files_.size() == 1 && !std::filesystem::is_directory(files_[0], error_code);
  if (one_file && access(first.c_str(), R_OK) == 0) files_[0] = first;
  const analyze::Answers answers = analyze::Answer(&loaded.view, &loaded.symbolizer);
  const analyze::Summary summary = analyze::Summarize(loaded.view);
  int status = kSuccess;
  PageRequest request;
  // While the program runs, the page is made every few seconds: too often to disassemble.
  if (summary.complete) request.objdump = "objdump";
  data->json = PageDataOf(&loaded, answers, summary, request, &status);
  data->title = PageTitle(loaded.view);
  data_ = std::move(data);
  const Clock::time_point end = Clock::now();
  not_before_ = end + std::max<Clock::duration>(kLeastPause, kPauseFactor * (end - begin));
  return data_;
}

}  // namespace ompprof::cli
