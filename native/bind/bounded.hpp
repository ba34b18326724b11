// Numbers that learners can calculate with: a square, times a weight, summed over any stream, stays far from infinity.
#pragma once
#include <bit>

#include "arrays.hpp"

// The features of some records; a copy only where a number lies beyond ±kMost, for which it is then taken.
class Bounded {
 public:
  explicit Bounded(const Matrix& X) : data_(X.data()) {
    const std::size_t n = X.shape(0) * X.shape(1);
    if (!suspicious(data_, n)) return;
    const auto beyond = [](double value) { return std::fabs(value) > kMost; };  // false of NaN
    if (std::none_of(data_, data_ + n, beyond)) return;
    copy_.assign(data_, data_ + n);
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isinf(copy_[i]))
        throw nb::value_error(("X holds an infinite value at record " + std::to_string(i / X.shape(1)) +
                               " of this call, feature " + std::to_string(i % X.shape(1)) +
                               "; a value is a finite number, or NaN").c_str());
      if (beyond(copy_[i])) copy_[i] = std::copysign(kMost, copy_[i]);
    }
    data_ = copy_.data();
  }
  Bounded(Bounded&&) = default;  // a copy would point into the other
  const double* data() const { return data_; }

 private:
  static constexpr double kMost = 1e40;
  const double* data_;
  std::vector<double> copy_;

  // Whether a number is beyond ±kMost or NaN. Doubles without their sign are ordered as their bits are: what has to be added
  // to the bits of kMost to reach the top bit carries those of larger ones into it, several numbers at a time.
  static bool suspicious(const double* values, std::size_t n) {
    constexpr std::uint64_t top = std::uint64_t(1) << 63, less = top - 1 - std::bit_cast<std::uint64_t>(kMost);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < n; ++i) found |= (std::bit_cast<std::uint64_t>(values[i]) & (top - 1)) + less;
    return found & top;
  }
};
