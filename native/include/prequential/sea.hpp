// The SEA concepts (Street and Kim 2001): three features in [0, 10), a class by whether the first two sum to more than a
// threshold, and labels flipped with a given probability. Record i is computed alone from (seed, i).
#pragma once
#include <cstddef>
#include <cstdint>

#include "prequential/philox.hpp"

namespace prequential {

inline void sea(std::uint64_t seed, std::uint64_t start, std::size_t n, int concept_number, double noise, double* X,
                std::int64_t* y) {
  constexpr double thresholds[] = {8.0, 9.0, 7.0, 9.5};
  const double threshold = thresholds[concept_number - 1];
  for (std::size_t i = 0; i < n; ++i) {
    const Block u = draws(seed, 0x534541 /* "SEA" */, start + i);
    double* x = X + 3 * i;
    for (int j = 0; j < 3; ++j) x[j] = 10 * uniform(u[j]);
    const bool beyond = x[0] + x[1] > threshold;
    const bool flipped = uniform(u[3]) < noise;
    y[i] = beyond != flipped;
  }
}

}  // namespace prequential
