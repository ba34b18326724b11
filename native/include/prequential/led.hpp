// LED (Breiman et al. 1984): the seven segments of a digit, each inverted with some probability, and up to seventeen
// irrelevant segments.
#pragma once
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "prequential/record_draws.hpp"

namespace prequential {

class Led {
 public:
  // Drift: `n_drifting` segments in a row swap places with as many irrelevant ones in a row, of which there must be
  // enough. The model seed determines where both begin; without one, they are the first ones.
  Led(std::uint64_t seed, std::optional<std::uint64_t> model_seed, int n_features, double noise, int n_drifting)
      : seed_(seed), noise_(noise), place_(n_features) {
    std::iota(place_.begin(), place_.end(), 0);
    const int n_irrelevant = n_features - 7;
    int segment = 0, irrelevant = 0;
    if (model_seed && n_irrelevant > 0) {
      RecordDraws draw(*model_seed, 0x4C45444D /* "LEDM" */, 0);
      segment = int(draw.below(7));
      irrelevant = int(draw.below(n_irrelevant));
    }
    for (int i = 0; i < n_drifting; ++i)
      std::swap(place_[(segment + i) % 7], place_[7 + (irrelevant + i) % n_irrelevant]);
  }

  const std::vector<int>& places() const { return place_; }

  std::size_t n_features() const { return place_.size(); }

  std::int64_t record(std::uint64_t index, double* x) const {
    constexpr int segments[10][7] = {{1, 1, 1, 0, 1, 1, 1}, {0, 0, 1, 0, 0, 1, 0}, {1, 0, 1, 1, 1, 0, 1},
                                     {1, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 1, 0, 1, 0}, {1, 1, 0, 1, 0, 1, 1},
                                     {1, 1, 0, 1, 1, 1, 1}, {1, 0, 1, 0, 0, 1, 0}, {1, 1, 1, 1, 1, 1, 1},
                                     {1, 1, 1, 1, 0, 1, 1}};
    RecordDraws draw(seed_, 0x4C4544 /* "LED" */, index);
    const auto digit = draw.below(10);
    for (int j = 0; j < 7; ++j) x[place_[j]] = segments[digit][j] != int(draw.uniform() < noise_);
    if (place_.size() > 7) {
      std::uint64_t bits = draw.word();  // one bit per segment
      for (std::size_t j = 7; j < place_.size(); ++j, bits >>= 1) x[place_[j]] = double(bits & 1);
    }
    return std::int64_t(digit);
  }

 private:
  std::uint64_t seed_;
  double noise_;
  std::vector<int> place_;  // position of each feature
};

}  // namespace prequential
