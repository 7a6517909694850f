// All processes of one program as one process: the call paths of all are one tree, and equal rows are added up. The
// result is a ProcessProfile, so everything that reads a process's profile reads it too.
//
// Sums of whole numbers do not depend on the order of the additions, and the result's order is that of its content. So
// the same processes give the same result, in whatever order and in however many parts they were added. A part's result
// can be added as a process.
#ifndef OMPPROF_PROFILER_UNIFY_UNIFIED_PROGRAM_H_
#define OMPPROF_PROFILER_UNIFY_UNIFIED_PROGRAM_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "profiler/analyze/view/run_facts.h"
#include "profiler/model/numbering.h"
#include "profiler/model/process_profile.h"
#include "profiler/unify/places.h"

namespace ompprof::unify {

using model::Numbering;

// Of a process that was added: the numbers of the rows to which its figures went. A number may occur several times.
struct AddedRows {
  struct Sample {
    uint32_t row;
    uint64_t weight;
    uint64_t wait;
  };
  struct Wait {
    uint32_t row;
    uint64_t total_ns;
    uint64_t count;
  };
  struct Region {
    uint32_t row;
    uint64_t ended;
    uint64_t elapsed_ns;
    uint64_t useful_ns;
  };
  // Time of a row of samples in one piece of time; see model::TimeBin.
  struct Time {
    uint64_t number;
    uint32_t row;  // of a stretch of waiting: kNoRow
    uint64_t ns;
  };
  static constexpr uint32_t kNoRow = UINT32_MAX;

  std::vector<Sample> samples;
  std::vector<Wait> waits;  // and charges
  std::vector<Region> regions;
  std::vector<Time> times;  // in the order of the numbers
};

// The result, and where the rows are in it: indexes by the rows' numbers.
struct UnifiedProfile {
  model::ProcessProfile profile;
  std::vector<uint32_t> samples;
  std::vector<uint32_t> waits;
  std::vector<uint32_t> regions;
};

// The program of a process, for which there is one unified process: its name, its build, the unit of its samples, and
// the events that it counted.
std::string ProgramKey(const model::ProcessProfile& process);

class UnifiedProgram {
 public:
  // Adds a process of this program, or the profile of a unified process. `facts` are the process's.
  AddedRows Add(const model::ProcessProfile& process, const analyze::ProcessFacts& facts);
  AddedRows Add(const model::ProcessProfile& process) { return Add(process, analyze::FactsOf(process)); }

  UnifiedProfile Finish() const;

  uint64_t members() const { return members_; }

 private:
  friend class ProcessUnifier;
  friend class ProfileMaker;

  struct ThreadSums {
    Thread sums;  // without id; start and end count from the process's start
    bool all_sampled = true;
  };
  struct NoteCount {
    std::string text;
    uint64_t members = 0;
  };

  PlaceTable places_;
  uint64_t members_ = 0;
  uint64_t incomplete_ = 0;
  uint64_t longest_ns_ = 0;
  int64_t start_unix_ns_ = INT64_MAX;
  bool no_waits_ = false;
  Header header_;                           // of the first member
  std::map<std::string, NoteCount> notes_;  // by the text without its numbers
  Footer footer_;
  uint64_t durations_ns_ = 0;
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> lost_;  // samples and weight, by reason
  std::map<uint32_t, uint64_t> events_;
  std::map<uint32_t, Governed> governed_;
  std::map<std::string, Runtime> runtimes_;
  std::set<std::string> known_runtimes_;  // as recorded: the next member with the same runtime needs no look

  // Keys are 64-bit words; Pair puts two numbers into one. Numbers in keys are those of the other numberings.
  Numbering<2> threads_;     // kind, ordinal among the threads of that kind
  Numbering<2> nodes_;       // parent and kind; place or creator
  Numbering<3> contexts_;    // codeptr; node and splice; parent and resolved
  Numbering<2> labels_;      // parent, name
  Numbering<4> locks_;       // kind; codeptr; node and splice; ordinal among the locks with these
  Numbering<1> used_locks_;  // the least place of code that waits for the lock
  Numbering<4> samples_;     // node and thread; splice and region; state and phase; lock
  Numbering<2> regions_;     // codeptr; thread, nesting level and teams
  Numbering<6> waits_;       // thread and state; codeptr; codeptr of the region; lock; codeptr of acquisition; LockInit
  Numbering<3> works_;       // thread and type; codeptr; codeptr of the region
  Numbering<4> device_work_;  // device and work; codeptr; codeptr of the region; node and splice

  std::vector<ThreadSums> thread_sums_;
  std::map<std::string, uint32_t> label_names_;
  std::vector<uint32_t> team_sizes_;  // requested, by context
  std::vector<Place> lock_places_;    // of the variable, by lock; kNoPlace: in no module
  std::vector<model::Cost> sample_sums_;
  std::vector<RegionRuns> run_sums_;  // by context
  std::vector<RegionStats> region_sums_;
  std::vector<WaitStats> wait_sums_;
  std::vector<std::map<uint32_t, uint64_t>> wait_lengths_;  // by wait; by bucket
  std::vector<WorkStats> work_sums_;
  std::map<uint32_t, std::string> devices_;
  std::vector<DeviceStats> device_sums_;
};

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_UNIFIED_PROGRAM_H_
