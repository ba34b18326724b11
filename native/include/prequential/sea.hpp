// The SEA concepts (Street and Kim 2001): three features in [0, 10), a class by whether the first two sum to more than
// a threshold, and labels flipped with a given probability.
#pragma once
#include <cstddef>
#include <cstdint>

#include "prequential/philox.hpp"

namespace prequential {

class Sea {
 public:
  Sea(std::uint64_t seed, int concept_number, double noise) : seed_(seed), noise_(noise) {
    constexpr double thresholds[] = {8.0, 9.0, 7.0, 9.5};
    threshold_ = thresholds[concept_number - 1];
  }

  std::size_t n_features() const { return 3; }

  std::int64_t record(std::uint64_t index, double* x) const {
    const Block u = draws(seed_, 0x534541 /* "SEA" */, index);
    for (int j = 0; j < 3; ++j) x[j] = 10 * uniform(u[j]);
    const bool beyond = x[0] + x[1] > threshold_;
    const bool flipped = uniform(u[3]) < noise_;
    return beyond != flipped;
  }

 private:
  std::uint64_t seed_;
  double noise_, threshold_;
};

}  // namespace prequential
