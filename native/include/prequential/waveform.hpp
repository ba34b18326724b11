// Waveform (Breiman et al. 1984): a random mixture of two of three triangular waves, with normal noise, and up to
// nineteen features of noise only.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "prequential/record_draws.hpp"

namespace prequential {

class Waveform {
 public:
  // Drift: the features of one stretch swap places, one by one, with those of another; the model seed determines where
  // the two stretches begin.
  Waveform(std::uint64_t seed, std::uint64_t model_seed, int n_features, int n_drifting)
      : seed_(seed), place_(n_features) {
    std::iota(place_.begin(), place_.end(), 0);
    RecordDraws draw(model_seed, 0x5741564544 /* "WAVED" */, 0);
    const int one = int(draw.below(n_features)), other = one + 1 + int(draw.below(n_features - 1));
    for (int i = 0; i < n_drifting; ++i)
      std::swap(place_[(one + i) % n_features], place_[(other + i) % n_features]);
  }

  std::size_t n_features() const { return place_.size(); }

  std::int64_t record(std::uint64_t index, double* x) const {
    constexpr int peaks[] = {6, 14, 10};
    constexpr int first[] = {0, 0, 1}, second[] = {1, 2, 2};
    RecordDraws draw(seed_, 0x57415645 /* "WAVE" */, index);
    const auto wave = draw.below(3);
    const double share = draw.uniform();
    for (int j = 0; j < 21; ++j) {
      const int a = std::max(0, 6 - std::abs(j - peaks[first[wave]]));
      const int b = std::max(0, 6 - std::abs(j - peaks[second[wave]]));
      x[place_[j]] = share * a + (1 - share) * b + draw.normal();
    }
    for (std::size_t j = 21; j < place_.size(); ++j) x[place_[j]] = draw.normal();
    return std::int64_t(wave);
  }

 private:
  std::uint64_t seed_;
  std::vector<int> place_;  // position of each feature
};

}  // namespace prequential
