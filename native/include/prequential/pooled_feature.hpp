// What all classes share about a numeric feature: how far a class of which little was seen may be from what is known.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "prequential/moments.hpp"

namespace prequential {

// The density of a class is a Gaussian, with two bounds. Its variance is at least kShare W / n, where W is the variance
// within classes and n the weight of the class: a mean of n values is no better known than that. And no recorded value
// has a probability above 1: the density is at most 1 / gap, the gap being the least distance of successive values.
// Densities are in units of the feature's deviation over all classes, so that its unit does not matter.
struct PooledFeature {
  static constexpr double kShare = 0.25;
  static constexpr double kTwoPi = 6.283185307179586477;
  static constexpr double kLeast = 1e-300;      // of a variance, so that it can be divided by
  static constexpr double kLeastSize = 1e-100;  // of 2πV in units of the variance over all classes

  double first = kUnknown, second = kUnknown;  // the first two values; equal as soon as there is a third
  double last = kUnknown, gap = std::numeric_limits<double>::infinity();
  // As they were at the last summary:
  double floor = 0;              // kShare W
  double unit = 0;               // 2π / variance over all classes; 0: that variance is not known yet
  double mean = 0, weight = 0;   // over all classes

  // Of two values, shares are known better than densities.
  bool has_two_values() const { return first < second || second < first; }
  // Until a feature has two values, it says nothing.
  bool says_nothing() const { return !(unit > 0); }

  // Whether `x` is one of the first three values: it is time for a new summary. The last value and the gap are noted
  // by the loops that learn a record (lanes.hpp).
  bool note(double x) {
    if (settled() || x == first || x == second) return false;
    if (std::isnan(first)) {
      first = x;
      return false;
    }
    second = std::isnan(second) ? x : first;
    return true;
  }
  bool settled() const { return first == second; }

  // `of(c)`: the moments of a class. A variance is divided by one less than the number of records, or of records and
  // classes, in a way that does not depend on the unit of their weights.
  template <class Of>
  void summarise(int n_classes, double n_records, const Of& of) {
    unit = floor = weight = mean = 0;
    for (int c = 0; c < n_classes; ++c) weight += of(c).weight;
    if (std::isnan(second)) return;  // what looks like variance is rounding
    for (int c = 0; c < n_classes; ++c)
      if (of(c).weight > 0) mean += (of(c).mean - first) * (of(c).weight / weight);
    mean += first;
    double within = 0, between = 0, n_known = 0;
    for (int c = 0; c < n_classes; ++c) {
      if (!(of(c).weight > 0)) continue;
      const double d = of(c).mean - mean;
      within += of(c).m2;
      between += of(c).weight * (d * d);
      ++n_known;
    }
    const double total = n_records > 1 ? (within + between) / weight * (n_records / (n_records - 1)) : 0;
    if (total > kLeast) unit = kTwoPi / total;
    const bool known = within > 0 && n_records > n_known;
    floor = kShare * (known ? within / weight * (n_records / (n_records - n_known)) : total);
  }

  // Of a class with the weight n and the sum of squares m2; over all classes if it has no value. Where it is far above
  // the floor, as nearly always, the loops of lanes.hpp compute it alike.
  static double variance(double n, double m2, double floor, double unit) {
    if (n > 1 && m2 * n >= floor * (n - 1)) return at_least_some(m2 / (n - 1));
    const double total = kTwoPi / unit;
    if (floor < total * n) return at_least_some(floor / n);
    return n > 1 ? std::max(total, m2 / (n - 1)) : total;
  }

  // The probability of a value in a class, of two values. The mean tells how often each was seen; one record drawn from
  // all classes is added.
  double probability(double x, const Moments& g) const {
    const double share = (upper_share(mean) * weight + 0.5) / (weight + 1);
    const double upper = g.weight > 0 ? upper_share(g.mean) * g.weight : 0;
    if (x == second) return (upper + share) / (g.weight + 1);
    if (x == first) return (g.weight - upper + (1 - share)) / (g.weight + 1);
    return 0.5 / (weight + 1) / (g.weight + 1);
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  static double at_least_some(double variance) { return std::max(variance, kLeast); }
  double upper_share(double of_mean) const {
    return std::min(std::max((of_mean - first) / (second - first), 0.0), 1.0);
  }
};

}  // namespace prequential
