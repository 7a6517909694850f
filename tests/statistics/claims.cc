#include "tests/statistics/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>

namespace ompprof::testing {
namespace {

constexpr double kFalseAlarm = 1e-6;  // of a claim that holds
// Of a figure that is off by twice as much: for each of the two tests.
constexpr double kMissed = 0.01 / 2;
// What is staked on the next recording: nine tenths. A lost bet takes all but a tenth.
constexpr double kStake = 0.9;
// Where one recording in five is disturbed, half is better. Both are played with half of the capital.
constexpr double kStakes[] = {kStake, 0.5};
// Of the spread, where nothing is known.
constexpr double kSupposed = 1. / 3;

// How much more than written coarse claims allow. Gross faults move a figure by more than twice as much: a share by 6
// points, the whole by 9 percent.
constexpr double kCoarse = 3;

}  // namespace

bool ClaimsAreCoarse() {
  const char* claims = std::getenv("OMPPROF_CLAIMS");
  return claims != nullptr && std::string_view(claims) == "coarse";
}

void Claim::Add(double off, double deviation) {
  constexpr double kFar = 1e30;
  off_.push_back(std::isfinite(off) ? off : kFar);
  deviation_ = std::max(deviation_, deviation > 0 ? deviation : kSupposed * most_);
}

double Claim::Deviation() const {
  // Two values say little about their spread.
  if (off_.size() < 3) return deviation_;
  std::vector<double> sorted = off_;
  const auto middle = [&sorted] {
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2), sorted.end());
    return sorted[sorted.size() / 2];
  };
  const double median = middle();
  for (double& off : sorted) off = std::abs(off - median);
  constexpr double kOfNormal = 1.4826;  // standard deviation over median absolute deviation
  return std::max(deviation_, kOfNormal * middle());
}

Verdict Claim::Side(int sign) const {
  const double variance = std::pow(Deviation(), 2);
  const double least = std::log(kMissed);
  double likelihood = 0;                            // of 2 * most_ against most_, as a logarithm
  double against = 1;                               // the capital of bets against the claim
  double in_favour[std::size(kStakes)] = {.5, .5};  // of bets against a figure that is off by 2 * most_
  for (const double signed_off : off_) {
    const double off = sign * signed_off;
    likelihood += std::clamp(most_ / variance * (off - 1.5 * most_), least, -least);
    against *= off > most_ ? 1 + kStake : 1 - kStake;
    if (against > (both_sides_ ? 2 : 1) / kFalseAlarm) return Verdict::kBroken;
    for (size_t i = 0; i < std::size(kStakes); ++i) in_favour[i] *= 1 + (off < 2 * most_ ? kStakes[i] : -kStakes[i]);
  }
  const bool won = std::accumulate(std::begin(in_favour), std::end(in_favour), 0.) > 1 / kMissed;
  return likelihood <= least || won ? Verdict::kHolds : Verdict::kOpen;
}

Verdict Claim::verdict() const {
  const Verdict above = Side(1);
  if (!both_sides_ || above == Verdict::kBroken) return above;
  const Verdict below = Side(-1);
  return above == Verdict::kHolds ? below : below == Verdict::kBroken ? below : above;
}

std::string Claim::Text() const {
  const auto [least, most] = std::minmax_element(off_.begin(), off_.end());
  std::ostringstream text;
  text << "off by " << std::accumulate(off_.begin(), off_.end(), 0.) / static_cast<double>(off_.size()) << " ("
       << *least << " to " << *most << " in " << off_.size() << " recordings), claimed: at most " << most_;
  return text.str();
}

void Claims::Add(const std::string& name, bool both_sides, double off, double most, double deviation) {
  claims_.try_emplace(name, most, both_sides).first->second.Add(off, deviation);
}

void Claims::Near(const std::string& name, double seen, double truth, double most, double deviation) {
  Add(name, true, seen - truth, coarseness_ * most, deviation);
}

void Claims::AtMost(const std::string& name, double seen, double bound, double most, double deviation) {
  Add(name, false, seen - bound, coarseness_ * most, deviation);
}

void Claims::AtLeast(const std::string& name, double seen, double bound, double most, double deviation) {
  Add(name, false, bound - seen, coarseness_ * most, deviation);
}

void Claims::Mostly(const std::string& name, bool holds) { Add(name, false, holds ? 0 : 1, 0.4, 0); }

Verdict Claims::verdict() const {
  Verdict worst = Verdict::kHolds;
  for (const auto& [name, claim] : claims_) {
    const Verdict verdict = claim.verdict();
    if (verdict == Verdict::kBroken) return verdict;
    if (verdict == Verdict::kOpen) worst = verdict;
  }
  return worst;
}

std::string Claims::Text() const {
  std::string text;
  for (const auto& [name, claim] : claims_) {
    if (claim.verdict() != Verdict::kHolds) text += name + ": " + claim.Text() + "\n";
  }
  return text;
}

void Decide(const std::function<void(Claims*)>& add, std::chrono::nanoseconds most_time) {
  const auto end = std::chrono::steady_clock::now() + most_time;
  Claims claims(ClaimsAreCoarse() ? kCoarse : 1);
  for (int recordings = 1; recordings <= kMostRecordings; ++recordings) {
    add(&claims);
    if (::testing::Test::HasFailure()) {
      if (claims.verdict() != Verdict::kHolds) std::cout << claims.Text();
      return;
    }
    const Verdict verdict = claims.verdict();
    if (verdict == Verdict::kHolds) return;
    if (verdict == Verdict::kBroken) {
      ADD_FAILURE() << "in " << recordings << " recordings:\n" << claims.Text();
      return;
    }
    std::cout << "[   MORE   ] " << recordings << " recordings do not decide: " << claims.Text() << std::flush;
    if (std::chrono::steady_clock::now() >= end) break;
  }
  GTEST_SKIP() << "undecided, because this machine is too busy or its noise too large:\n" << claims.Text();
}

}  // namespace ompprof::testing
