// Drift of LED and Waveform: some relevant features change places with irrelevant ones.
#pragma once
#include <numeric>
#include <utility>
#include <vector>

namespace prequential {

// Where each feature is found: the first relevant ones and the first irrelevant ones have changed places.
inline std::vector<int> exchanged(int n_relevant, int n_features, int n_drifting) {
  std::vector<int> place(n_features);
  std::iota(place.begin(), place.end(), 0);
  const int n_irrelevant = n_features - n_relevant;
  if (n_irrelevant == 0) return place;
  for (int i = 0; i < n_drifting; ++i) std::swap(place[i % n_relevant], place[n_relevant + i % n_irrelevant]);
  return place;
}

}  // namespace prequential
