// Weighted running mean and variance (West 1979).
#pragma once
#include <algorithm>
#include <limits>

namespace prequential {

struct Moments {
  double weight = 0, mean = 0, m2 = 0;  // m2: the sum of squared deviations

  void add(double x, double w) {
    weight += w;
    const double d = x - mean;
    mean += d * w / weight;
    m2 += w * d * (x - mean);
  }
  double variance() const { return weight > 1 ? m2 / (weight - 1) : 0; }
};

// The same with the least and the greatest value.
struct RangedMoments : Moments {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();

  void add(double x, double w) {
    Moments::add(x, w);
    least = std::min(least, x);
    most = std::max(most, x);
  }
};

}  // namespace prequential
