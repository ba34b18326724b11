// Drift of LED and Waveform: some relevant features change places with irrelevant ones.
#pragma once
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "prequential/record_draws.hpp"

namespace prequential {

// Where each feature is found, the relevant ones first; which features change places is drawn from the seed.
inline std::vector<int> exchanged(std::uint64_t seed, std::uint64_t purpose, int n_relevant, int n_features,
                                  int n_drifting) {
  std::vector<int> place(n_features);
  std::iota(place.begin(), place.end(), 0);
  const int n_irrelevant = n_features - n_relevant;
  if (n_irrelevant == 0) return place;
  RecordDraws draw(seed, purpose, 0);
  const int one = int(draw.below(n_relevant)), other = int(draw.below(n_irrelevant));
  for (int i = 0; i < n_drifting; ++i)
    std::swap(place[(i + one) % n_relevant], place[n_relevant + (i + other) % n_irrelevant]);
  return place;
}

}  // namespace prequential
