// Random radial basis functions, as in MOA: centroids with a class, a weight and a spread; a record lies in a random
// direction from one of them. Centroids may move along straight lines between the walls of the unit cube.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "prequential/record_draws.hpp"

namespace prequential {

// One coordinate that moves up from `from`, stops at the wall it would pass, and moves back. It is computed directly
// for any time: after the first leg, all legs have the same length.
class Bouncing {
 public:
  Bouncing(double from, double step) : from_(from), step_(step) {
    constexpr double never = 9e18;
    if (step <= 0) return;
    first_ = std::uint64_t(std::min(never, std::floor((1 - from) / step))) + 1;
    leg_ = std::uint64_t(std::min(never, std::floor(1 / step))) + 1;
  }

  double at(std::uint64_t time) const {
    if (step_ <= 0) return from_;
    if (time < first_) return std::min(1.0, from_ + step_ * double(time));
    const std::uint64_t beyond = time - first_;
    const double way = std::min(1.0, step_ * double(beyond % leg_));
    return beyond / leg_ % 2 == 0 ? 1 - way : way;
  }

 private:
  double from_, step_;
  std::uint64_t first_ = 0, leg_ = 1;
};

class RandomRbf {
 public:
  RandomRbf(std::uint64_t seed, std::uint64_t model_seed, int n_features, int n_classes, int n_centroids,
            int n_drifting, double speed)
      : seed_(seed), n_features_(n_features) {
    double total = 0;
    std::vector<double> direction(n_features);
    for (int c = 0; c < n_centroids; ++c) {
      RecordDraws draw(model_seed, 0x5242464D /* "RBFM" */, c);
      Centroid centroid{std::int64_t(draw.below(n_classes)), draw.uniform(), {}};
      total += draw.uniform();
      until_.push_back(total);
      std::vector<double> centre(n_features);
      for (auto& value : centre) value = draw.uniform();
      double square = 0;
      for (auto& value : direction) {
        value = draw.uniform();
        square += value * value;
      }
      const double scale = c < n_drifting && square > 0 ? speed / std::sqrt(square) : 0;
      for (int j = 0; j < n_features; ++j) centroid.centre.emplace_back(centre[j], direction[j] * scale);
      centroids_.push_back(std::move(centroid));
    }
  }

  std::size_t n_features() const { return n_features_; }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x524246 /* "RBF" */, index);
    const double share = draw.uniform() * until_.back();
    const auto found = std::upper_bound(until_.begin(), until_.end() - 1, share);
    const Centroid& centroid = centroids_[found - until_.begin()];
    double square = 0;
    for (std::size_t j = 0; j < n_features_; ++j) {
      x[j] = 2 * draw.uniform() - 1;
      square += x[j] * x[j];
    }
    const double scale = square > 0 ? draw.normal() * centroid.spread / std::sqrt(square) : 0;
    for (std::size_t j = 0; j < n_features_; ++j) x[j] = centroid.centre[j].at(index) + x[j] * scale;
    return centroid.label;
  }

 private:
  struct Centroid {
    std::int64_t label;
    double spread;
    std::vector<Bouncing> centre;
  };

  std::uint64_t seed_;
  std::size_t n_features_;
  std::vector<double> until_;
  std::vector<Centroid> centroids_;
};

}  // namespace prequential
