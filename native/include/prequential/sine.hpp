// Sine (Gama et al. 2004): points of the unit square on either side of a sine curve, and up to two irrelevant features.
#pragma once
#include <cstdint>
#include <numbers>

#include "prequential/elementary.hpp"
#include "prequential/record_draws.hpp"

namespace prequential {

// The wave of Sine's third and fourth concept, and of Mixed.
inline double short_wave(double x) { return 0.5 + 0.3 * elementary::sin(3 * std::numbers::pi * x); }

class Sine {
 public:
  Sine(std::uint64_t seed, int rule, int n_features) : seed_(seed), rule_(rule), n_features_(n_features) {}

  std::size_t n_features() const { return n_features_; }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x53494E45 /* "SINE" */, index);
    for (std::size_t j = 0; j < n_features_; ++j) x[j] = draw.uniform();
    const bool below = x[1] < (rule_ <= 2 ? elementary::sin(x[0]) : short_wave(x[0]));
    return below != (rule_ % 2 == 1);
  }

 private:
  std::uint64_t seed_;
  int rule_;
  std::size_t n_features_;
};

}  // namespace prequential
