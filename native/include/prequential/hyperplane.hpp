// Rotating hyperplane (Hulten et al. 2001): the class is the side of a plane through the middle of the unit cube. Some
// of its weights move by equal steps and sometimes reverse; labels are flipped with a given probability.
#pragma once
#include <cstdint>
#include <vector>

#include "prequential/record_draws.hpp"

namespace prequential {

class Hyperplane {
 public:
  Hyperplane(std::uint64_t seed, int n_features, int n_drifting, double speed, double reversal, double noise)
      : seed_(seed), n_drifting_(n_drifting), speed_(speed), reversal_(reversal), noise_(noise) {
    RecordDraws draw(seed, 0x48595045524D /* "HYPERM" */, 0);
    for (int j = 0; j < n_features; ++j) first_.push_back(draw.uniform());
    rest();
  }

  std::size_t n_features() const { return first_.size(); }

  // At the first record; at all records, if nothing drifts.
  const std::vector<double>& first_weights() const { return first_; }

  // Records in order cost one step each. Jumping ahead takes the steps between, but computes no features.
  std::int64_t record(std::uint64_t index, double* x) {
    walk_to(index);
    RecordDraws draw(seed_, 0x4859504552 /* "HYPER" */, index);
    double sum = 0, half = 0;
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      x[j] = draw.uniform();
      sum += weights_[j] * x[j];
      half += weights_[j];
    }
    const bool beyond = sum >= half * 0.5;
    return beyond != (draw.uniform() < noise_);
  }

 private:
  void rest() {
    at_ = 0;
    weights_ = first_;
    steps_.assign(n_drifting_, 0);
    direction_.assign(n_drifting_, 1);
  }

  void walk_to(std::uint64_t index) {
    if (speed_ == 0 || n_drifting_ == 0) return;
    if (index < at_) rest();
    for (; at_ < index; ++at_) {
      RecordDraws draw(seed_, 0x485950455257 /* "HYPERW" */, at_);
      for (int j = 0; j < n_drifting_; ++j) {
        steps_[j] += direction_[j];
        if (draw.uniform() < reversal_) direction_[j] = -direction_[j];
      }
    }
    // Steps are counted as whole numbers, so rounding errors do not add up.
    for (int j = 0; j < n_drifting_; ++j) weights_[j] = first_[j] + speed_ * double(steps_[j]);
  }

  std::uint64_t seed_;
  int n_drifting_;
  double speed_, reversal_, noise_;
  std::vector<double> first_, weights_;
  std::vector<std::int64_t> steps_, direction_;
  std::uint64_t at_ = 0;
};

}  // namespace prequential
