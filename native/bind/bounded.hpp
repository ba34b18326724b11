// Numbers that learners can calculate with: a square, times a weight, summed over any stream, stays far from infinity.
#pragma once
#include "arrays.hpp"
#include "prequential/learner.hpp"

// The features of some records; a copy only where a number lies beyond ±kMostValue, which is then taken for it.
class Bounded {
 public:
  explicit Bounded(const Matrix& X) : data_(X.data()) {
    const std::size_t n = X.shape(0) * X.shape(1);
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < n; ++i) beyond |= std::uint64_t(std::fabs(data_[i]) > kMostValue);
    if (!beyond) return;
    copy_.assign(data_, data_ + n);
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isinf(copy_[i]))
        throw nb::value_error(("X holds an infinite value at record " + std::to_string(i / X.shape(1)) +
                               " of this call, feature " + std::to_string(i % X.shape(1)) +
                               "; a value is a finite number, or NaN").c_str());
      if (!std::isnan(copy_[i])) copy_[i] = std::clamp(copy_[i], -kMostValue, kMostValue);
    }
    data_ = copy_.data();
  }
  Bounded(Bounded&&) = default;  // a copy would point into the other
  const double* data() const { return data_; }

 private:
  static constexpr double kMostValue = 1e40;
  const double* data_;
  std::vector<double> copy_;
};
