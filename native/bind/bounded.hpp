// Features clipped to ±1e40: a square, times a weight, summed over any stream, stays finite.
#pragma once
#include <bit>

#include "arrays.hpp"

// Whether a number can be the code of a nominal value.
inline bool valid_code(double v) { return v >= 0 && v < (1 << 24) && v == std::floor(v); }

// The features of some records; copied only if a number has to be clipped.
class Bounded {
 public:
  explicit Bounded(const Matrix& X) : data_(X.data()) {
    const std::size_t n = X.shape(0) * X.shape(1);
    if (!suspicious(data_, n)) return;
    const auto beyond = [](double value) { return std::fabs(value) > kMost; };  // false for NaN
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
  Bounded(Bounded&&) = default;  // a copy would point into the original
  const double* data() const { return data_; }

  static constexpr double kMost = 1e40;

 private:
  const double* data_;
  std::vector<double> copy_;

  // Whether any number is beyond ±kMost or NaN, several at a time. Absolute values are in the order of their bits, so
  // adding what kMost lacks to the top bit sets that bit for all larger numbers.
  static bool suspicious(const double* values, std::size_t n) {
    constexpr std::uint64_t top = std::uint64_t(1) << 63, less = top - 1 - std::bit_cast<std::uint64_t>(kMost);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < n; ++i) found |= (std::bit_cast<std::uint64_t>(values[i]) & (top - 1)) + less;
    return found & top;
  }
};
