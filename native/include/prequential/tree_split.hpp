// Splits at the inner nodes of a tree, and the criteria to compare them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "prequential/elementary.hpp"

namespace prequential {

struct Split {
  enum class Kind : std::int32_t { threshold, value, values };  // x <= at; x == at; one branch per value
  Kind kind = Kind::threshold;
  std::int32_t feature = -1;
  std::int32_t n_branches = 2;
  std::int32_t fallback = 0;  // the branch for missing values, and for values unknown when the node was split
  double at = 0;

  int branch(const double* x) const {
    const double value = x[feature];
    if (std::isnan(value)) return fallback;
    switch (kind) {
      case Kind::threshold: return value <= at ? 0 : 1;
      case Kind::value: return value == at ? 0 : 1;
      default: return value < n_branches ? int(value) : fallback;
    }
  }
};

// Whether a loaded split is valid.
inline bool sound(const Split& split, std::size_t n_features) {
  return split.feature >= 0 && std::size_t(split.feature) < n_features && split.kind >= Split::Kind::threshold &&
         split.kind <= Split::Kind::values && split.n_branches >= 2 && split.n_branches < (1 << 24) &&
         (split.kind == Split::Kind::values || split.n_branches == 2) && split.fallback >= 0 &&
         split.fallback < split.n_branches;
}

enum class Criterion : std::uint8_t { info_gain, gini };

// Entropy in bits, or Gini's index; 0 for a single class.
inline double impurity(Criterion criterion, const double* counts, int n_classes, double total) {
  if (!(total > 0)) return 0;
  double sum = 0;
  for (int c = 0; c < n_classes; ++c) {
    if (!(counts[c] > 0)) continue;
    const double p = counts[c] / total;
    sum += criterion == Criterion::gini ? p * p : -p * elementary::log2(p);
  }
  return criterion == Criterion::gini ? 1 - sum : sum;
}

// The range of the gain: R in Hoeffding's bound.
inline double range_of_gain(Criterion criterion, int n_classes) {
  return criterion == Criterion::gini ? 1 : elementary::log2(double(std::max(n_classes, 2)));
}

// With probability 1 - delta, the mean of n values of range R is at most this far from the true mean.
inline double hoeffding_bound(double range, double delta, double n) {
  return std::sqrt(range * range * elementary::log(1 / delta) / (2 * n));
}

// A split of a leaf, and the class weights that its branches would start with.
struct Division {
  Split split;
  double gain = -std::numeric_limits<double>::infinity();
  std::vector<double> counts;  // [branch][class]
};

}  // namespace prequential
