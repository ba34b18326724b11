// Sums of any length, with subtraction: Neumaier's compensation keeps what rounding loses, so rounding errors do not
// add up in the sum of a window.
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

namespace prequential {

struct Sum {
  double high = 0;
  double low = 0;

  void add(double x) {
    const double t = high + x;
    low += std::fabs(high) >= std::fabs(x) ? (high - t) + x : (x - t) + high;
    high = t;
  }
  void add(const Sum& other) {
    add(other.high);
    add(other.low);
  }
  // For counts: exact as long as all numbers so far are whole.
  void count(double x) { high += x; }
  double value() const { return std::isfinite(high) ? high + low : high; }  // infinite after an overflow
};

}  // namespace prequential
