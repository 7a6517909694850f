// The fuel of a sample. In the signal handler, the program, its stack or a runtime decides how long a loop is. Fuel
// bounds the handler's time in such loops. The handler fills it at the beginning of each sample. A callback that takes
// a call path fills it too. Runtime queries, frames, unwind tables and the tree take from it. A sample whose fuel is
// spent is kept with the data known by then, marked, and counted by reason (sample_limits.h).
#ifndef OMPPROF_PROFILER_COLLECT_BASE_FUEL_H_
#define OMPPROF_PROFILER_COLLECT_BASE_FUEL_H_

#include <stdint.h>

namespace ompprof::collect {

// The reason why a sample is cut. The first four reasons also name the users of fuel.
enum class Cut : uint8_t {
  kTasks,   // a runtime's chain of tasks
  kFrames,  // the stack's frames
  kTables,  // the unwind tables of code that is new to the thread
  kTree,    // nodes of a new call path
  kCircle,  // the runtime's answers put tasks within each other
  kSlow,    // the runtime's entry points take too long for a question at each sample
};
inline constexpr uint32_t kCuts = 6;

// A plain counter in the thread's own memory. A unit is about 8 ns on a processor of 2020 with warm caches. The whole
// fuel is three quarters of the 100 us that a sample may take. Async-signal-safe; only for the calling thread.
class Fuel {
 public:
  static constexpr uint32_t kSample = 9216;
  // Tasks come first and the tree comes last. Each has a part of the fuel for certain.
  static constexpr uint32_t kMostForTasks = 1536;
  static constexpr uint32_t kKeptForTree = 1536;

  // Prices. A cached frame is one unit.
  static constexpr uint32_t kLookUp = 40;       // a rule from the tables of an object that stays
  static constexpr uint32_t kRead = 150;        // a rule from the tables of an object that stays loaded
  static constexpr uint32_t kProof = 20;        // that a page can be read: a system call that reads one word
  static constexpr uint32_t kFullStep = 64;     // proof that a page is readable: a system call that reads one word
  static constexpr uint32_t kForeignStep = 50;  // a frame by libunwind
  static constexpr uint32_t kNode = 8;          // a child looked for in the tree
  // To reach a task, runtimes go through all tasks within it.
  static constexpr uint32_t Query(int depth) { return 2 + static_cast<uint32_t>(depth) / 4; }

  // `more`: fuel for the user's additional requests.
  void Fill(uint32_t more = 0) {
    filled_ = left_ = kSample + more;
    cuts_ = 0;
  }

  // False: the fuel is spent, and the sample is cut there.
  bool Take(Cut use, uint32_t units) {
    if (__builtin_expect(units > Affordable(use), 0)) {
      Mark(use);
      return false;
    }
    left_ -= units;
    return true;
  }

  // The fuel left for this use.
  uint32_t Affordable(Cut use) const {
    const uint32_t kept = use == Cut::kTasks ? filled_ - kMostForTasks : use == Cut::kTree ? 0 : kKeptForTree;
    return left_ > kept ? left_ - kept : 0;
  }

  // Pays for work of bounded length that is already done.
  void Spend(uint32_t units) { left_ = left_ > units ? left_ - units : 0; }

  void Mark(Cut cut) { cuts_ = static_cast<uint8_t>(cuts_ | 1u << static_cast<unsigned>(cut)); }
  bool Has(Cut cut) const { return (cuts_ >> static_cast<unsigned>(cut) & 1) != 0; }
  bool IsCut() const { return cuts_ != 0; }
  // Whether a cut has made the call path incomplete.
  bool IsPathCut() const { return Has(Cut::kFrames) || Has(Cut::kTables) || Has(Cut::kTree); }

 private:
  uint32_t left_ = 0;
  uint32_t filled_ = kSample;
  uint8_t cuts_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_FUEL_H_
