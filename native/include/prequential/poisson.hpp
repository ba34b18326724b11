// Poisson weights from counter-based draws: how often a member of a bagging ensemble learns a record.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "prequential/elementary.hpp"
#include "prequential/memory.hpp"
#include "prequential/philox.hpp"

namespace prequential {

class Poisson {
 public:
  explicit Poisson(double mean) : mean_(mean) {
    if (!(mean > 0 && mean <= 100)) throw std::invalid_argument("the mean of Poisson weights must lie in (0, 100]");
    double p = elementary::exp(-mean), sum = p;
    for (int k = 1; below_.size() < 400 && sum < 1; ++k) {
      below_.push_back(sum);
      p *= mean / k;
      sum += p;
      if (k > mean && p < 1e-17) break;
    }
    below_.push_back(sum);
  }

  double mean() const { return mean_; }
  std::size_t nbytes() const { return bytes_of(below_); }  // beyond the object itself

  // The Poisson number for a uniform draw u in [0, 1).
  int of(double u) const {
    int k = 0;
    if (below_.size() > 4) {  // mostly a small number: found without a branch
      const double* b = below_.data();
      k = (u >= b[0]) + (u >= b[1]) + (u >= b[2]) + (u >= b[3]);
      if (k < 4) return k;
    }
    while (k < int(below_.size()) && u >= below_[std::size_t(k)]) ++k;
    return k;
  }

 private:
  double mean_;
  std::vector<double> below_;  // P(X <= k)
};

// The weights of the members of an ensemble; each depends only on the numbers of record and member.
class BaggingWeights {
 public:
  BaggingWeights(double mean, std::uint64_t seed) : poisson_(mean), seed_(seed) {}

  void of_record(std::uint64_t index, std::size_t n_members, int* out) const {
    for (std::size_t m = 0; m < n_members; m += 4) {
      const Block block = draws(seed_, kPurpose, index, m / 4);
      for (std::size_t k = m; k < n_members && k < m + 4; ++k) out[k] = poisson_.of(uniform(block[k - m]));
    }
  }
  double mean() const { return poisson_.mean(); }
  std::uint64_t seed() const { return seed_; }
  std::size_t nbytes() const { return poisson_.nbytes(); }

 private:
  static constexpr std::uint64_t kPurpose = 0x424147;  // "BAG"
  Poisson poisson_;
  std::uint64_t seed_;
};

}  // namespace prequential
