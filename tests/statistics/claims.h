// Claims about figures that chance and the machine move. A claim is: at the median of all recordings, the figure is off
// by at most `most`. Recordings are added until each claim is decided, so that a quiet machine decides after one or two
// and a busy machine takes more.
//
// A claim that holds is called broken with a chance of at most 1e-6, whatever the noise is. Each recording beyond
// `most` on one side is a bet won against a fair coin, and the stake must grow a million times (Ville's inequality;
// Shafer, "Testing by betting", 2021). This takes 23 recordings or more.
//
// A figure that is off by 2 * `most` is called right with a chance of at most 1 %. The first of two tests decides.
// Wald's sequential test of `most` against 2 * `most`, with each recording clipped, needs one recording or two
// where the figure's standard deviation is small: as given, or as the recordings show. Bets that recordings are below 2
// * `most` need ten, whatever the noise is. claims_test.cc simulates both chances.
//
// Coarse claims (OMPPROF_CLAIMS=coarse, which scripts/test sets) allow three times as much, so that one recording
// decides nearly always, beside other programs too. scripts/test --all decides the claims as they are written.
#ifndef OMPPROF_TESTS_STATISTICS_CLAIMS_H_
#define OMPPROF_TESTS_STATISTICS_CLAIMS_H_

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ompprof::testing {

// Whether claims are coarse. Recordings may be shorter then.
bool ClaimsAreCoarse();

enum class Verdict { kHolds, kBroken, kOpen };

// One claim about one figure.
class Claim {
 public:
  // `both_sides`: off is bad below 0 as well.
  Claim(double most, bool both_sides) : most_(most), both_sides_(both_sides) {}

  // A recording's figure is off by `off`. `deviation`: the figure's standard deviation, as far as it is known.
  void Add(double off, double deviation);
  Verdict verdict() const;
  std::string Text() const;

 private:
  // The spread of one recording.
  double Deviation() const;
  Verdict Side(int sign) const;

  double most_;
  bool both_sides_;
  double deviation_ = 0;
  std::vector<double> off_;
};

// The claims that the same recordings decide, by name.
class Claims {
 public:
  // `coarseness` multiplies each `most`.
  explicit Claims(double coarseness = 1) : coarseness_(coarseness) {}

  // The figure is within `most` of the truth. `deviation` as in Claim; 0: not known, a third of `most` is supposed.
  void Near(const std::string& name, double seen, double truth, double most, double deviation = 0);
  // The figure exceeds `bound` by at most `most`. AtLeast: it is less than `bound` by at most `most`.
  void AtMost(const std::string& name, double seen, double bound, double most, double deviation = 0);
  void AtLeast(const std::string& name, double seen, double bound, double most, double deviation = 0);

  // `holds` is true in most recordings. Coarse claims ask no less.
  void Mostly(const std::string& name, bool holds);

  // kBroken if a claim is broken, kOpen if one is open.
  Verdict verdict() const;
  // The claims that do not hold, or not yet, a line each.
  std::string Text() const;

 private:
  void Add(const std::string& name, bool both_sides, double off, double most, double deviation);

  double coarseness_;
  std::map<std::string, Claim> claims_;
};

inline constexpr int kMostRecordings = 40;
inline constexpr std::chrono::minutes kMostTime{5};  // 40 recordings once took 20, and decided nothing

// Calls `add`, which makes a recording and adds its figures, until all claims are decided, and fails the GoogleTest
// case if one is broken. Ends at once with any other failure of the case. Skips the rest of the case, with a sentence,
// if `kMostRecordings` or those that begin within `most_time` do not decide.
void Decide(const std::function<void(Claims*)>& add, std::chrono::nanoseconds most_time = kMostTime);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_STATISTICS_CLAIMS_H_
